// SPDX-License-Identifier: Apache-2.0
// RISCV_DEBUG_REG_SOFT_RESET_0: puts RISC-V cores into reset and releases them (SoftReset). Its other bits are reported
// and have no effect.
#include <algorithm>

#include "tile/device.hpp"
#include "tile/registers.hpp"
#include "tile/reset_pc.hpp"

namespace tessera::tile {

namespace {

using namespace state::tile_words;

/// By RiscvCore: the bit of SOFT_RESET_0, and that of DISABLE_RESET for the local data RAM. The next one is for the debug
/// registers.
struct ResetRow {
    std::uint8_t bit, keep_local;
};
constexpr ResetRow rows[riscv_cores] = {{11, 6}, {12, 0}, {13, 2}, {14, 4}, {18, 8}};

constexpr std::uint32_t core_bits = 0x47800, no_effect_wormhole = 0xFF80'0000, no_effect_blackhole = 0xFF00'0000;

std::uint32_t debug_word(const Devices& devices, std::uint32_t offset) { return devices.tile[debug_register(offset)]; }

bool is_of_thread(RiscvCore core) { return core >= RiscvCore::t0 && core <= RiscvCore::t2; }
unsigned thread_of(RiscvCore core) { return static_cast<unsigned>(core) - static_cast<unsigned>(RiscvCore::t0); }

void enter(Devices& devices, RiscvCore core) {
    const auto i = static_cast<unsigned>(core);
    devices.state.riscv[i].running = devices.state.riscv[i].paused = false;
    if (i < mailbox_cores)
        for (unsigned to = 0; to < mailbox_cores; ++to) {
            devices.tile[mailbox_size(i, to)] = 0;
            for (unsigned entry = 0; entry < mailbox_entries; ++entry) devices.tile[mailbox_entry(i, to, entry)] = 0;
        }
    devices.waiting[i] = {};
    devices.debugger.reset(i);
    if (is_of_thread(core)) devices.port().discard(thread_of(core));
    devices.port().halt(i);
}

void leave(Devices& devices, RiscvCore core, Cycle at) {
    const auto i = static_cast<unsigned>(core);
    if (is_of_thread(core)) {
        const unsigned thread = thread_of(core);
        devices.tile[pc_buf_count[thread]] = 0;
        for (unsigned entry = 0; entry < pc_buf_entries; ++entry) devices.tile[pc_buf_entry(thread, entry)] = 0;
    }
    state::Riscv fresh;
    fresh.local = std::move(devices.state.riscv[i].local);
    const bool keeps_local = devices.arch == Arch::wormhole ||
                             (debug_word(devices, debug_offset("DISABLE_RESET")) >> rows[i].keep_local & 1);
    if (!keeps_local) std::fill(fresh.local.begin(), fresh.local.end(), std::uint8_t{0});
    fresh.pc = reset_pc(devices.state, core);
    fresh.running = true;
    devices.state.riscv[i] = std::move(fresh);
    devices.harts.reset(core);
    devices.port().wake(i, at);
}

}  // namespace

bool resets_debug_registers(const Devices& devices, unsigned core) {
    const ResetRow& row = rows[core];
    const bool keeps = devices.arch == Arch::blackhole && (debug_word(devices, debug_offset("DISABLE_RESET")) >> (row.keep_local + 1) & 1);
    return !keeps && (debug_word(devices, debug_offset("SOFT_RESET_0")) >> row.bit & 1);
}

void release_running_cores(state::State& state) {
    for (std::size_t i = 0; i < riscv_cores; ++i)
        if (state.riscv[i].running) state.tile[debug_register(debug_offset("SOFT_RESET_0"))] &= ~(1u << rows[i].bit);
}

void hold_in_reset(state::State& state, RiscvCore core) {
    const auto i = static_cast<std::size_t>(core);
    state.riscv[i].running = state.riscv[i].paused = false;
    state.tile[debug_register(debug_offset("SOFT_RESET_0"))] |= 1u << rows[i].bit;
}

void host_reset(Devices& devices, const std::array<bool, riscv_cores>& cores, bool start, Cycle at) {
    std::uint32_t& word = devices.tile[debug_register(debug_offset("SOFT_RESET_0"))];
    const std::uint32_t before = word;
    for (std::size_t i = 0; i < riscv_cores; ++i)
        if (cores[i]) word = start ? word & ~(1u << rows[i].bit) : word | 1u << rows[i].bit;
    Request request;
    request.at = at;
    soft_reset(devices, request, before, word);
    devices.changed();
}

bool all_in_reset(const Devices& devices) { return (debug_word(devices, debug_offset("SOFT_RESET_0")) & core_bits) == core_bits; }

void soft_reset(Devices& devices, const Request& request, std::uint32_t before, std::uint32_t after) {
    const std::uint32_t no_effect = devices.arch == Arch::blackhole ? no_effect_blackhole : no_effect_wormhole;
    if (const std::uint32_t others = (before ^ after) & after & ~(core_bits | no_effect))
        devices.note(request, {findings::id("tile.reset-bits"), {others}});
    for (std::size_t i = 0; i < riscv_cores; ++i) {
        const std::uint32_t bit = 1u << rows[i].bit;
        if (!((before ^ after) & bit)) continue;
        const auto core = static_cast<RiscvCore>(i);
        if (after & bit)
            enter(devices, core);
        else
            leave(devices, core, request.at);
    }
}

}  // namespace tessera::tile
