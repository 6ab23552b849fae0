// SPDX-License-Identifier: Apache-2.0
// The one list of all state. Dump, comparison, snapshots, footprints and reports name and reach everything through
// it.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "state/state.hpp"
#include "state/storage.hpp"
#include "tessera/section.hpp"

namespace tessera::state {

/// A section and the place of its elements: element i is element first + map[i] (or first + i) of its storage.
struct SectionPlace {
    Section section;
    Storage storage = Storage::cell;
    std::uint32_t first = 0;
    std::vector<std::uint16_t> map;  ///< for sections with scattered cells

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

    /// A section and one of its elements, found by the element's place in a storage. Of a configuration word that both banks share it
    /// is the first. Empty for elements without a section.
    struct Located {
        std::uint32_t section = 0, element = 0;
    };
    std::optional<Located> locate(Storage storage, std::uint32_t element) const;
    /// The second place of a configuration word that both banks share; empty for any other.
    std::optional<Located> second_place(Storage storage, std::uint32_t element) const;

    /// The same for consecutive elements: neighbours in a section become one range, elements without a section are
    /// left out.
    void locate(Storage storage, std::uint32_t first, std::uint32_t count, std::vector<ElementRange>& ranges) const;

    /// Names an element of a storage: "rwc thread 1 dst".
    std::string describe(Storage storage, std::uint32_t element) const;

private:
    void index_storages();

    std::vector<SectionPlace> places_;
    std::vector<Section> sections_;
    /// By element, for storages with many sections.
    std::array<std::vector<std::optional<Located>>, storages> shared_;
    std::map<std::uint32_t, Located> second_;      ///< cells that are a section's element twice
    std::array<std::uint32_t, storages> first_{};  ///< first section of each other storage
};

/// The bits of each cell; 32 for those of no section.
using CellWidths = std::array<std::uint8_t, cells::total>;
CellWidths cell_widths(const ArchDescription& arch);

/// The inventory of an architecture; made once.
const Inventory& inventory(Arch arch);

std::uint64_t read(const State& state, Storage storage, std::uint32_t element);
void write(State& state, Storage storage, std::uint32_t element, std::uint64_t value);
/// Marks the lines of L1, or the rows of a register file, with these elements as written. Other storages have no such
/// marks.
void mark_written(State& state, Storage storage, std::uint32_t first, std::uint32_t count);

}  // namespace tessera::state
