// SPDX-License-Identifier: Apache-2.0
// The registers of a core and of its coprocessor's thread, as gdb numbers them.
#pragma once

#include <optional>
#include <vector>

#include "core/tile_view.hpp"
#include "gdb/target.hpp"

namespace tessera::gdb {

class Registers {
public:
    static constexpr std::size_t pc = 32, general = 33;

    explicit Registers(const Core& core);

    const std::vector<Register>& all() const { return all_; }
    /// As Target::read_register(), of a core of the tile. `now`: the cycle that it shows.
    std::optional<std::uint64_t> read(const core::TileView& view, unsigned core, std::size_t number, std::uint64_t now) const;
    /// The core goes on with the new value only after TileView::changed().
    Result<void> write(core::TileView& view, unsigned core, std::size_t number, std::uint64_t value) const;

private:
    /// The place of the value of a register.
    struct Place {
        enum class Kind : std::uint8_t { general, csr, cycle, issued, element, of_thread } kind{};
        std::size_t index = 0;             ///< of a general register, of riscv::csrs, or of the element (of thread 0)
        std::size_t section = 0;           ///< Section::id
        std::size_t per_thread = 0;        ///< elements of a thread
        bool is_shown_only = false;        ///< what the run has shown there, and does not read
    };
    void add(std::string name, unsigned bits, std::string type, const char* group, std::string_view feature, Place place);
    void add_general();
    void add_csrs();
    void add_tensix(const Core& core);
    void add_section(const Core& core, std::string_view section, const std::string& prefix, bool of_thread,
                     bool is_shown_only = false);

    std::vector<Register> all_;
    std::vector<Place> places_;
};

}  // namespace tessera::gdb
