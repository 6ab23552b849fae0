// SPDX-License-Identifier: Apache-2.0
// Works of the scalar unit and the mover: transfers between L1, GPRs, source banks and configuration.
#pragma once

#include <array>
#include <cstdint>

#include "state/cells.hpp"

namespace tessera::plan {

/// L1 to GPRs: LOADIND. Fewer than four bytes replace the low bytes of the GPR.
struct LoadWork {
    std::uint32_t address = 0;
    std::uint8_t bytes = 0;  ///< 1, 2, 4 or 16
    state::Cell gpr{};       ///< the first
    friend bool operator==(const LoadWork&, const LoadWork&) = default;
};

/// Bytes of a line of 16 to L1: STOREIND, ATSWAP, a write command of TDMA-RISC.
struct StoreWork {
    std::uint32_t line = 0;  ///< L1 byte address
    std::uint16_t mask = 0;  ///< a bit per byte
    std::array<std::uint32_t, 4> words{};
    friend bool operator==(const StoreWork&, const StoreWork&) = default;
};

/// Increments an integer in L1; its old value goes to a GPR: ATINCGET, ATINCGETPTR.
struct IncrementWork {
    enum class Needs : std::uint8_t { nothing, not_empty, not_full };

    std::uint32_t address = 0;  ///< of the integer
    std::uint32_t by = 0;
    std::uint32_t mask = 0;  ///< its bits
    state::Cell gpr{};
    Needs needs = Needs::nothing;
    std::uint32_t counters = 0;  ///< L1 byte address of the read counter; the write counter is the next word
    std::uint32_t capacity = 0;  ///< elements; a power of two
    friend bool operator==(const IncrementWork&, const IncrementWork&) = default;
};

/// Compare and set a word of L1: ATCAS.
struct CompareSetWork {
    std::uint32_t address = 0;
    std::uint32_t expected = 0;
    std::uint32_t value = 0;
    friend bool operator==(const CompareSetWork&, const CompareSetWork&) = default;
};

/// Four datums to a row of a source bank: STOREIND to SrcA or SrcB.
struct StoreSrcWork {
    state::Src src{};
    std::uint8_t bank = 0;
    std::uint16_t position = 0;  ///< row * 16 + column
    std::array<std::uint32_t, 4> datums{};
    friend bool operator==(const StoreSrcWork&, const StoreSrcWork&) = default;
};

/// Lines of 16 bytes from L1, or zeros, to L1, configuration or instruction RAM: XMOV.
struct MoverWork {
    static constexpr std::uint32_t nowhere = ~0u;

    Arch arch{};
    bool zeros = false;
    bool to_config = false;
    bool to_iram = false;    ///< RISC-V NC's instruction RAM
    std::uint32_t from = 0;  ///< L1 byte address
    std::uint32_t to =
        0;  ///< byte address in L1 or that RAM, or first word of the map of configuration; none: discarded
    std::uint32_t bytes = 0;  ///< a multiple of 16
    friend bool operator==(const MoverWork&, const MoverWork&) = default;
};

}  // namespace tessera::plan
