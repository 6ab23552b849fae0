// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// A word of L1 that has a value, as far as the bits of `mask` go.
struct WordCondition {
    std::uint32_t address = 0;  ///< a multiple of 4
    std::uint32_t value = 0;
    std::uint32_t mask = 0xFFFF'FFFF;

    bool holds(std::uint32_t word) const { return ((word ^ value) & mask) == 0; }
};

/// What the computer beside the chip does while kernels run. Steps come one after the other; each first waits for its cycle, then for its
/// condition, and takes no time of its own.
struct HostStep {
    enum class What : std::uint8_t {
        nothing,  ///< it waits
        write,    ///< `bytes` to L1 from `address` on
        read,     ///< `size` bytes of L1 from `address` on, into Run::host_reads
        reset,    ///< puts `cores` into reset
        start,    ///< takes `cores` out of reset, where they begin as after a core's store to SOFT_RESET_0; one that is not in reset goes on
    };

    std::optional<std::uint64_t> at;    ///< not before this cycle
    std::optional<WordCondition> when;  ///< not before the word has the value
    What what = What::nothing;
    std::uint32_t address = 0, size = 0;
    std::vector<std::byte> bytes;
    std::array<bool, 5> cores{};  ///< by RiscvCore
    std::string place;            ///< "file:line" of the job; empty: of no job
};

/// What a HostStep has read.
struct HostRead {
    std::size_t step = 0;  ///< of Kernels::host
    std::uint64_t cycle = 0;
    std::uint32_t address = 0;
    std::vector<std::byte> bytes;
};

}  // namespace tessera
