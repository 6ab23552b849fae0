// SPDX-License-Identifier: Apache-2.0
// Control and status registers of Blackhole's cores (BabyRISCV, CSRs). Wormhole's have none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "state/riscv.hpp"

namespace tessera::riscv {

struct Csr {
    enum class Kind : std::uint8_t {
        stored,    ///< holds the written value, within `writable`
        cycle,     ///< lower half of mcycle
        cycleh,    ///< upper half
        instret,   ///< lower half of minstret
        instreth,  ///< upper half
        status,    ///< shows the coprocessor's activity, unless cfg0.DisTTStatusReg is set
        stream,    ///< scratch on B and NC; elsewhere a register of some NoC overlay stream, which is not modelled
    };
    std::uint16_t number;
    std::string_view name;
    Kind kind = Kind::stored;
    std::uint32_t reset = 0;
    std::uint32_t writable = 0xFFFF'FFFF;  ///< bits that writes change
};

inline constexpr Csr csrs[] = {
    {0x003, "fcsr", Csr::Kind::stored, 0, 0xFF},
    {0x008, "vstart", Csr::Kind::stored, 0, 0},
    {0x009, "vxsat", Csr::Kind::stored, 0, 1},
    {0x00A, "vxrm", Csr::Kind::stored, 0, 3},
    {0x300, "mstatus", Csr::Kind::stored, 0x8000'6600, 0},
    {0x301, "misa", Csr::Kind::stored, 0x4020'1123, 0},
    {0x320, "mcountinhibit"},
    {0x323, "mhpmevent3"},
    {0x324, "mhpmevent4"},
    {0x7C0, "cfg0", Csr::Kind::stored, 16u << 13},
    {0x7C1, "pmacfg0"},
    {0x7C2, "pmacfg1"},
    {0x7C3, "cfg1"},
    {0x7C4, "hwa_mask"},
    {0x7C5, "hwa_cfg"},
    {0x7C6, "vgsrc"},
    {0xB00, "mcycle", Csr::Kind::cycle},
    {0xB02, "minstret", Csr::Kind::instret},
    {0xB03, "mhpmcounter3"},
    {0xB04, "mhpmcounter4"},
    {0xB80, "mcycleh", Csr::Kind::cycleh},
    {0xB82, "minstreth", Csr::Kind::instreth},
    {0xB83, "mhpmcounter3h"},
    {0xB84, "mhpmcounter4h"},
    {0xBC0, "tt_cfg_qstatus", Csr::Kind::status},
    {0xBC1, "tt_cfg_bstatus", Csr::Kind::status},
    {0xBC2, "tt_cfg_sstatus0", Csr::Kind::stream},
    {0xBC3, "tt_cfg_sstatus1", Csr::Kind::stream},
    {0xBC4, "tt_cfg_sstatus2", Csr::Kind::stream},
    {0xBC5, "tt_cfg_sstatus3", Csr::Kind::stream},
    {0xBC6, "tt_cfg_sstatus4", Csr::Kind::stream},
    {0xBC7, "tt_cfg_sstatus5", Csr::Kind::stream},
    {0xBC8, "tt_cfg_sstatus6", Csr::Kind::stream},
    {0xBC9, "tt_cfg_sstatus7", Csr::Kind::stream},
    {0xBCA, "intp_restore_pc"},
    {0xC00, "cycle", Csr::Kind::cycle},
    {0xC02, "instret", Csr::Kind::instret},
    {0xC20, "vl"},
    {0xC21, "vtype"},
    {0xC22, "vlenb", Csr::Kind::stored, 16},
    {0xC80, "cycleh", Csr::Kind::cycleh},
    {0xC82, "instreth", Csr::Kind::instreth},
    {0xF14, "mhartid", Csr::Kind::stored, 0, 0},
};
static_assert(std::size(csrs) <= state::Riscv::max_csrs);

/// Index into `csrs` and state::Riscv::csr.
constexpr std::optional<std::size_t> find_csr(std::uint32_t number) {
    for (std::size_t i = 0; i < std::size(csrs); ++i)
        if (csrs[i].number == number) return i;
    return std::nullopt;
}

consteval std::size_t csr(std::string_view name) {
    for (std::size_t i = 0; i < std::size(csrs); ++i)
        if (csrs[i].name == name) return i;
    throw "no such CSR";
}

/// The fields of cfg0 that Tessera uses.
struct Cfg0 {
    bool DisBp, DisLowCash, DisCsrSync, DisStMerge, DisTriscCache, DisLowCachePeriodicFlush, DisTTStatusReg;
    std::uint8_t StMergeTimer;  ///< cycles

    explicit constexpr Cfg0(std::uint32_t word)
        : DisBp(word >> 1 & 1),
          DisLowCash(word >> 3 & 1),
          DisCsrSync(word >> 10 & 1),
          DisStMerge(word >> 12 & 1),
          DisTriscCache(word >> 18 & 1),
          DisLowCachePeriodicFlush(word >> 24 & 1),
          DisTTStatusReg(word >> 29 & 1),
          StMergeTimer(word >> 13 & 31) {}
};

/// Reset values of all CSRs.
constexpr std::array<std::uint32_t, state::Riscv::max_csrs> reset_csrs() {
    std::array<std::uint32_t, state::Riscv::max_csrs> values{};
    for (std::size_t i = 0; i < std::size(csrs); ++i) values[i] = csrs[i].reset;
    return values;
}

}  // namespace tessera::riscv
