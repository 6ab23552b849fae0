// SPDX-License-Identifier: Apache-2.0
// What a thread's core did, counted: an op's index in its program; where RISC-V cores run, how many came before, which core it was
// and the address of its instruction, in one number, so that whatever keeps an index keeps all three.
#pragma once

#include <cstdint>

namespace tessera::engine {

/// A core's own instruction: where a push or a store comes from.
struct KernelOp {
    static constexpr unsigned pc_bits = 19, core_bits = 3;  ///< code is in L1, below 2 MiB, in words
    static constexpr std::uint32_t place_mask = (1u << (pc_bits + core_bits)) - 1;

    /// From the index of an instruction that a core pushes to that of the one behind it in memory, pushed with it (.ttinsn).
    static constexpr std::int64_t next_word = (std::int64_t{1} << (pc_bits + core_bits)) | 1;

    std::uint64_t sequence = 0;
    unsigned core = 0;
    std::uint32_t pc = 0;

    /// Later ops of a thread have greater indices.
    constexpr std::int64_t index() const {
        return static_cast<std::int64_t>(sequence << (pc_bits + core_bits) | core << pc_bits |
                                         (pc >> 2 & ((1u << pc_bits) - 1)));
    }
    static constexpr KernelOp of(std::int64_t index) {
        const auto bits = static_cast<std::uint64_t>(index);
        return {bits >> (pc_bits + core_bits), static_cast<unsigned>(bits >> pc_bits) & ((1u << core_bits) - 1),
                static_cast<std::uint32_t>(bits & ((1u << pc_bits) - 1)) << 2};
    }
};

}  // namespace tessera::engine
