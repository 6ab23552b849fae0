// SPDX-License-Identifier: Apache-2.0
// The index of a thread's op. In a program it counts ops. With RISC-V cores it packs four facts into one number: the
// ops before it, whether it is a command to the mover, the core, and the address of the core's instruction.
#pragma once

#include <cstdint>

#include "state/riscv.hpp"
#include "tessera/kernels.hpp"

namespace tessera::diagnostics {

/// Index -1 as it appears in a finding's values: an instruction of an earlier run.
inline constexpr auto op_of_before = static_cast<std::uint32_t>(-1);

/// A core's own instruction, from which a push, a store or a command comes.
struct KernelOp {
    static constexpr unsigned pc_bits = 19, core_bits = 3;  ///< code is in L1, below 2 MiB, in words,
    /// or in an instruction RAM, which takes the last words: no L1 reaches there.
    static constexpr std::uint32_t ram_words = 1u << 14, first_ram = (1u << pc_bits) - ram_words;
    static constexpr unsigned place_bits = pc_bits + core_bits;
    static constexpr std::uint32_t place_mask = (1u << place_bits) - 1;

    /// `core` of a command by a request over the NoC, whose `pc` is 0.
    static constexpr unsigned of_request = riscv_cores;

    /// The index distance to the next instruction in memory, pushed together with this one (.ttinsn).
    static constexpr std::int64_t next_word = (std::int64_t{1} << (place_bits + 1)) | 1;

    std::uint64_t sequence = 0;
    unsigned core = 0;
    std::uint32_t pc = 0;
    bool is_command = false;  ///< to the mover, by a store to TDMA-RISC

    /// Later ops of a thread have greater indices.
    constexpr std::int64_t index() const {
        return static_cast<std::int64_t>(sequence << (place_bits + 1) | std::uint64_t{is_command} << place_bits |
                                         core << pc_bits | word_of(pc));
    }
    static constexpr KernelOp of(std::int64_t index) {
        const auto bits = static_cast<std::uint64_t>(index);
        return {bits >> (place_bits + 1), static_cast<unsigned>(bits >> pc_bits) & ((1u << core_bits) - 1),
                pc_of(static_cast<std::uint32_t>(bits) & ((1u << pc_bits) - 1)), (bits >> place_bits & 1) != 0};
    }

    constexpr bool is_of_core() const { return core < riscv_cores; }

private:
    static constexpr std::uint32_t word_of(std::uint32_t pc) {
        if (pc >= state::Riscv::iram_base) return first_ram + ((pc - state::Riscv::iram_base) >> 2 & (ram_words - 1));
        return pc >> 2 & ((1u << pc_bits) - 1);
    }
    static constexpr std::uint32_t pc_of(std::uint32_t word) {
        return word < first_ram ? word << 2 : state::Riscv::iram_base + ((word - first_ram) << 2);
    }
};

}  // namespace tessera::diagnostics
