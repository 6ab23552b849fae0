// SPDX-License-Identifier: Apache-2.0
// The one list of all state: dump, comparison, snapshots, footprints and reports name and reach everything through it.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "state/state.hpp"
#include "state/storage.hpp"
#include "tessera/section.hpp"

namespace tessera::state {

/// A section and where its elements are: element i is element first + map[i] (or first + i) of its storage.
struct SectionPlace {
    Section section;
    Storage storage = Storage::cell;
    std::uint32_t first = 0;
    std::vector<std::uint16_t> map;  ///< for sections whose cells do not stand in a row

    std::uint32_t element(std::size_t i) const {
        return first + (map.empty() ? static_cast<std::uint32_t>(i) : map[i]);
    }
};

class Inventory {
public:
    explicit Inventory(const ArchDescription& arch);

    std::span<const SectionPlace> places() const { return places_; }
    std::span<const Section> sections() const { return sections_; }
    const SectionPlace* find(std::string_view name) const;

    /// The section that has an element of a storage, by id, and which of its elements that is; of the two that a shared
    /// configuration word is, the first. Nothing for what no section has.
    struct Located {
        std::uint32_t section = 0, element = 0;
    };
    std::optional<Located> locate(Storage storage, std::uint32_t element) const;

    /// The same of elements that stand in a row; neighbours within a section are one range, what no section has is left out.
    void locate(Storage storage, std::uint32_t first, std::uint32_t count, std::vector<ElementRange>& ranges) const;

    /// "rwc thread 1 dst": the element of a storage by name.
    std::string describe(Storage storage, std::uint32_t element) const;

private:
    std::vector<SectionPlace> places_;
    std::vector<Section> sections_;
    /// By element, of storages with many sections.
    std::array<std::vector<std::optional<Located>>, storages> shared_;
    std::array<std::uint32_t, storages> first_{};  ///< of each other storage, whose sections stand in a row: the first
};

/// The inventory of an architecture, made once.
const Inventory& inventory(Arch arch);

std::uint64_t read(const State& state, Storage storage, std::uint32_t element);
void write(State& state, Storage storage, std::uint32_t element, std::uint64_t value);
/// The lines of L1, or rows of a register file, that elements lie in count as written; nothing for other storages.
void mark_written(State& state, Storage storage, std::uint32_t first, std::uint32_t count);

}  // namespace tessera::state
