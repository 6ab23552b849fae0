// SPDX-License-Identifier: Apache-2.0
#include "tile/reset_pc.hpp"

#include "registers/field.hpp"
#include "tile/registers.hpp"

namespace tessera::tile {

namespace {

using registers::Field;
using state::tile_words::debug_register;

constexpr std::uint32_t fixed[riscv_cores] = {0x00000, 0x06000, 0x0A000, 0x0E000, 0x12000};

constexpr auto trisc_pc = registers::fields<3>("TRISC_RESET_PC_SEC#_PC");
constexpr auto trisc_enable = registers::field("TRISC_RESET_PC_OVERRIDE_Reset_PC_Override_en");
constexpr auto ncrisc_pc = registers::field("NCRISC_RESET_PC_PC");
constexpr auto ncrisc_enable = registers::field("NCRISC_RESET_PC_OVERRIDE_Reset_PC_Override_en");

/// The register with a core's start address, and the bit that enables it.
struct ResetPlace {
    std::uint32_t pc, enable;  ///< offsets of debug registers
    const Field *pc_field, *enable_field;
    unsigned bit;
};
ResetPlace place_of(RiscvCore core) {
    if (core == RiscvCore::nc)
        return {debug_offset("NCRISC_RESET_PC"), debug_offset("NCRISC_RESET_PC_OVERRIDE"), &ncrisc_pc, &ncrisc_enable,
                0};
    const unsigned t = static_cast<unsigned>(core) - static_cast<unsigned>(RiscvCore::t0);
    return {debug_offset("TRISC0_RESET_PC") + 4 * t, debug_offset("TRISC_RESET_PC_OVERRIDE"), &trisc_pc[t],
            &trisc_enable, t};
}

void set_field(state::State& state, const Field& field, std::uint32_t value) {
    const auto& at = field[state.arch().arch];
    const auto cell = state::cells::config(state.arch(), 0, at.addr32);
    state.write(cell, at.insert(state[cell], value));
}

}  // namespace

std::uint32_t reset_pc(const state::State& state, RiscvCore core) {
    const std::uint32_t otherwise = fixed[static_cast<std::size_t>(core)];
    if (core == RiscvCore::b) return otherwise;
    const ResetPlace place = place_of(core);
    const bool blackhole = state.arch().arch == Arch::blackhole;
    const std::uint32_t enabled =
        blackhole ? state.tile[debug_register(place.enable)] : state.config(0, *place.enable_field);
    if (!(enabled >> place.bit & 1)) return otherwise;
    return blackhole ? state.tile[debug_register(place.pc)] : state.config(0, *place.pc_field);
}

void set_reset_pc(state::State& state, RiscvCore core, std::uint32_t pc) {
    if (core == RiscvCore::b) return;
    const ResetPlace place = place_of(core);
    if (state.arch().arch == Arch::blackhole) {
        state.tile[debug_register(place.pc)] = pc;
        state.tile[debug_register(place.enable)] |= 1u << place.bit;
    } else {
        set_field(state, *place.pc_field, pc);
        set_field(state, *place.enable_field, state.config(0, *place.enable_field) | 1u << place.bit);
    }
}

}  // namespace tessera::tile
