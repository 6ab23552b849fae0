// SPDX-License-Identifier: Apache-2.0
// The debug daisychain, as far as it shows where RISC-V cores stand (DebugDaisychain, "RISCV execution state").
#include "tile/device.hpp"
#include "tile/registers.hpp"

namespace tessera::tile {

namespace {

/// By RiscvCore: the group with the pc of the instruction that retires next. The group behind it has that which is decoded.
constexpr std::uint32_t groups[riscv_cores] = {10, 12, 14, 16, 24};

constexpr std::uint32_t execution_state = 7, instruction_there = 1u << 31;

struct Selection {
    std::uint32_t signal, daisy, word;
    bool enabled;
};
constexpr Selection selection(std::uint32_t control) {
    return {control & 0xFFFF, control >> 16 & 0xFF, control >> 25 & 3, (control >> 29 & 1) != 0};
}

}  // namespace

Reply read_daisychain(const Devices& devices) {
    const Selection shown = selection(devices.tile[state::tile_words::debug_register(debug_offset("DBG_BUS_CNTL_REG"))]);
    if (!shown.enabled) return Reply::of(0);
    for (unsigned core = 0; shown.daisy == execution_state && core < riscv_cores; ++core) {
        const auto& riscv = devices.state.riscv[core];
        const std::uint32_t there = riscv.running || riscv.paused || devices.debugger.paused(core) ? instruction_there : 0;
        if (shown.signal == groups[core] && shown.word == 0) return Reply::of((riscv.pc & ~instruction_there) | there);
        if (shown.signal == groups[core] + 1 && shown.word == 1) return Reply::of((riscv.pc & 0x3FFF'FFFF) | there);
    }
    return Reply::not_modelled("of the daisychain Tessera has the pc of each core alone");
}

}  // namespace tessera::tile
