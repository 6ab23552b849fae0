// SPDX-License-Identifier: Apache-2.0
// Named registers of the tile: "Tile control / debug / status registers", from RISCV_DEBUG_REGS_START_ADDR on.
#pragma once

#include <cstdint>
#include <string_view>

#include "tessera/arch.hpp"

namespace tessera::tile {

enum class DebugKind : std::uint8_t {
    not_modelled,
    word,                ///< holds the stored value
    wall_clock_latched,  ///< the high word, latched by the last access to the low word
    kept,                ///< holds a value set by another part
    feature_disable,
    array_data,
    config_read,
    soft_reset,
    core_debugger,
    daisychain,
    push_control,  ///< INSTRN_BUF_CTRL0
    push_status,
    wall_clock,
    wall_clock_high,
};

/// RISCV_DEBUG_REG_<name>.
struct DebugRegister {
    std::string_view name;
    std::uint16_t offset;
    DebugKind kind;
    bool blackhole_only = false;
};

inline constexpr DebugRegister debug_registers[] = {
    {"PERF_CNT_INSTRN_THREAD0", 0x000, DebugKind::not_modelled},
    {"PERF_CNT_INSTRN_THREAD1", 0x004, DebugKind::not_modelled},
    {"PERF_CNT_INSTRN_THREAD2", 0x008, DebugKind::not_modelled},
    {"PERF_CNT_TDMA_UNPACK0", 0x00C, DebugKind::not_modelled},
    {"PERF_CNT_TDMA_UNPACK1", 0x010, DebugKind::not_modelled},
    {"PERF_CNT_TDMA_UNPACK2", 0x014, DebugKind::not_modelled},
    {"PERF_CNT_FPU0", 0x018, DebugKind::not_modelled},
    {"PERF_CNT_FPU1", 0x01C, DebugKind::not_modelled},
    {"PERF_CNT_FPU2", 0x020, DebugKind::not_modelled},
    {"PERF_CNT_L1_0", 0x030, DebugKind::not_modelled},
    {"PERF_CNT_L1_1", 0x034, DebugKind::not_modelled},
    {"PERF_CNT_L1_2", 0x038, DebugKind::not_modelled},
    {"PERF_CNT_ALL", 0x03C, DebugKind::not_modelled},
    {"DBG_L1_MEM_REG0", 0x048, DebugKind::not_modelled},
    {"DBG_L1_MEM_REG1", 0x04C, DebugKind::not_modelled},
    {"DBG_L1_MEM_REG2", 0x050, DebugKind::not_modelled},
    {"DBG_BUS_CNTL_REG", 0x054, DebugKind::word},
    {"CFGREG_RD_CNTL", 0x058, DebugKind::config_read},
    {"DBG_RD_DATA", 0x05C, DebugKind::daisychain},
    {"DBG_ARRAY_RD_EN", 0x060, DebugKind::word},
    {"DBG_ARRAY_RD_CMD", 0x064, DebugKind::word},
    {"DBG_FEATURE_DISABLE", 0x068, DebugKind::feature_disable},
    {"DBG_ARRAY_RD_DATA", 0x06C, DebugKind::array_data},
    {"CG_CTRL_HYST0", 0x070, DebugKind::word},
    {"CG_CTRL_HYST1", 0x074, DebugKind::word},
    {"CFGREG_RDDATA", 0x078, DebugKind::kept},
    {"CG_CTRL_HYST2", 0x07C, DebugKind::word},
    {"RISC_DBG_CNTL_0", 0x080, DebugKind::core_debugger},
    {"RISC_DBG_CNTL_1", 0x084, DebugKind::core_debugger},
    {"RISC_DBG_STATUS_0", 0x088, DebugKind::core_debugger},
    {"RISC_DBG_STATUS_1", 0x08C, DebugKind::core_debugger},
    {"TRISC_PC_BUF_OVERRIDE", 0x090, DebugKind::word},
    {"DBG_INVALID_INSTRN", 0x094, DebugKind::not_modelled},
    {"INSTRN_BUF_CTRL0", 0x0A0, DebugKind::push_control},
    {"INSTRN_BUF_CTRL1", 0x0A4, DebugKind::word},
    {"INSTRN_BUF_STATUS", 0x0A8, DebugKind::push_status},
    {"STOCH_RND_MASK0", 0x0AC, DebugKind::not_modelled},
    {"STOCH_RND_MASK1", 0x0B0, DebugKind::not_modelled},
    {"FPU_STICKY_BITS", 0x0B4, DebugKind::not_modelled},
    {"ETH_RISC_PREFETCH_CTRL", 0x0B8, DebugKind::not_modelled},
    {"ETH_RISC_PREFETCH_PC", 0x0BC, DebugKind::not_modelled},
    {"PERF_CNT_TDMA_PACK0", 0x0F0, DebugKind::not_modelled},
    {"PERF_CNT_TDMA_PACK1", 0x0F4, DebugKind::not_modelled},
    {"PERF_CNT_TDMA_PACK2", 0x0F8, DebugKind::not_modelled},
    {"PERF_CNT_OUT_L_INSTRN_THREAD", 0x100, DebugKind::not_modelled},
    {"PERF_CNT_OUT_H_INSTRN_THREAD", 0x104, DebugKind::not_modelled},
    {"PERF_CNT_OUT_L_TDMA_UNPACK", 0x108, DebugKind::not_modelled},
    {"PERF_CNT_OUT_H_TDMA_UNPACK", 0x10C, DebugKind::not_modelled},
    {"PERF_CNT_OUT_L_TDMA_PACK", 0x110, DebugKind::not_modelled},
    {"PERF_CNT_OUT_H_TDMA_PACK", 0x114, DebugKind::not_modelled},
    {"PERF_CNT_OUT_L_DBG_L1", 0x118, DebugKind::not_modelled},
    {"PERF_CNT_OUT_H_DBG_L1", 0x11C, DebugKind::not_modelled},
    {"PERF_CNT_OUT_L_FPU", 0x120, DebugKind::not_modelled},
    {"PERF_CNT_OUT_H_FPU", 0x124, DebugKind::not_modelled},
    {"SOFT_RESET_0", 0x1B0, DebugKind::soft_reset},
    {"ECC_CTRL", 0x1D0, DebugKind::word},
    {"ECC_STATUS", 0x1D4, DebugKind::not_modelled},
    {"WATCHDOG_TIMER", 0x1E0, DebugKind::not_modelled},
    {"WDT_CNTL", 0x1E4, DebugKind::not_modelled},
    {"WDT_STATUS", 0x1E8, DebugKind::not_modelled},
    {"WALL_CLOCK_L", 0x1F0, DebugKind::wall_clock},
    {"WALL_CLOCK_L+4", 0x1F4, DebugKind::wall_clock_high},
    {"WALL_CLOCK_H", 0x1F8, DebugKind::wall_clock_latched},
    {"TIMESTAMP", 0x1FC, DebugKind::not_modelled},
    {"TIMESTAMP_DUMP_CNTL", 0x200, DebugKind::not_modelled},
    {"TIMESTAMP_STATUS", 0x204, DebugKind::not_modelled},
    {"TIMESTAMP_DUMP_BUF0_START_ADDR", 0x208, DebugKind::not_modelled},
    {"TIMESTAMP_DUMP_BUF0_END_ADDR", 0x20C, DebugKind::not_modelled},
    {"TIMESTAMP_DUMP_BUF1_START_ADDR", 0x210, DebugKind::not_modelled},
    {"TIMESTAMP_DUMP_BUF1_END_ADDR", 0x214, DebugKind::not_modelled},
    {"PERF_CNT_MUX_CTRL", 0x218, DebugKind::word},
    {"DBG_L1_READBACK_OFFSET", 0x21C, DebugKind::word},
    {"LFSR_HIT_MASK", 0x220, DebugKind::word, true},
    {"DISABLE_RESET", 0x224, DebugKind::word, true},
    {"TRISC0_RESET_PC", 0x228, DebugKind::word, true},
    {"TRISC1_RESET_PC", 0x22C, DebugKind::word, true},
    {"TRISC2_RESET_PC", 0x230, DebugKind::word, true},
    {"TRISC_RESET_PC_OVERRIDE", 0x234, DebugKind::word, true},
    {"NCRISC_RESET_PC", 0x238, DebugKind::word, true},
    {"NCRISC_RESET_PC_OVERRIDE", 0x23C, DebugKind::word, true},
    {"DEST_CG_CTRL", 0x240, DebugKind::word, true},
    {"CG_CTRL_EN", 0x244, DebugKind::word, true},
    {"CG_KICK", 0x248, DebugKind::word, true},
};

/// Offset of a register. An undeclared name does not compile.
consteval std::uint32_t debug_offset(std::string_view name) {
    for (const auto& row : debug_registers)
        if (row.name == name) return row.offset;
    throw "no such register";
}

constexpr const DebugRegister* debug_register_at(Arch arch, std::uint32_t offset) {
    for (const auto& row : debug_registers)
        if (row.offset == offset) return row.blackhole_only && arch != Arch::blackhole ? nullptr : &row;
    return nullptr;
}

}  // namespace tessera::tile
