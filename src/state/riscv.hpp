// SPDX-License-Identifier: Apache-2.0
// State of the RISC-V cores of a tile.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tessera/kernels.hpp"

namespace tessera::state {

/// A core's cache of L1 (Blackhole). Its lines are not coherent: they do not follow writes of others.
struct L0 {
    static constexpr unsigned lines = 4, line_bytes = 16;
    static constexpr std::uint32_t empty = 0xFFFF'FFFF;
    struct Line {
        std::uint32_t address = empty;  ///< of its first byte
        std::array<std::uint8_t, line_bytes> bytes{};
    };
    std::array<Line, lines> line{};
    std::uint32_t next = 0;  ///< line that the next miss fills
    std::uint32_t hits = 0;  ///< since the last flush
};

/// Bytes of a core's local data RAM (BabyRISCV, "Local data RAM" of each architecture).
constexpr std::uint32_t local_bytes(Arch arch, RiscvCore core) {
    const std::uint32_t feeding = arch == Arch::blackhole ? 4096 : 2048;
    return core == RiscvCore::b || core == RiscvCore::nc ? 2 * feeding : feeding;
}

/// Bytes of RISC-V NC's instruction RAM (Wormhole; InstructionRAM).
constexpr std::uint32_t iram_bytes(Arch arch) { return arch == Arch::wormhole ? 16 * 1024 : 0; }

struct Riscv {
    /// Room for written CSRs, by their index in riscv::csrs (riscv/csrs.hpp).
    static constexpr unsigned max_csrs = 48;
    static constexpr std::uint32_t local_base = 0xFFB0'0000, iram_base = 0xFFC0'0000;

    std::array<std::uint32_t, 32> x{};
    std::uint32_t pc = 0;
    std::array<std::uint32_t, max_csrs> csr{};
    std::uint64_t cycles = 0, retired = 0;  ///< mcycle and minstret
    std::vector<std::uint8_t> local;        ///< local data RAM, at local_base
    L0 l0;
    bool running = false;  ///< out of reset, and not paused
    bool paused = false;   ///< by ebreak or ecall

    /// pc of the last instruction of an ended core: ecall and ebreak leave pc behind themselves.
    std::uint32_t stopped_at() const { return paused ? pc - 4 : pc; }
};

}  // namespace tessera::state
