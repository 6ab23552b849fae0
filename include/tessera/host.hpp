// SPDX-License-Identifier: Apache-2.0
/// @file
/// The host: the computer beside the chip, which writes L1 and starts cores while kernels run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tessera/error.hpp"

namespace tessera {

/// A condition about a word of L1: its bits under `mask` equal those of `value`.
struct WordCondition {
    std::uint32_t address = 0;           ///< in bytes, a multiple of 4
    std::uint32_t value = 0;             ///< the expected word
    std::uint32_t mask = 0xFFFF'FFFF;    ///< the bits that are compared

    /// Whether a word meets the condition.
    bool holds(std::uint32_t word) const { return ((word ^ value) & mask) == 0; }
};

/// Checks a condition about L1 of that size in bytes. Errors: "l1.range" if `address` is not that of a word; "host.condition" if `mask`
/// is 0, or if `value` has bits outside of it.
Result<void> check_condition(const WordCondition& condition, std::uint64_t l1_bytes);

/// An act of the host while kernels run.
///
/// Steps run one after the other. Each waits for its cycle, then for its condition. It takes no time of its own.
struct HostStep {
    /// The kind of act.
    enum class What : std::uint8_t {
        nothing,  ///< only waits
        write,    ///< writes `bytes` to L1 from `address` on
        read,     ///< copies `size` bytes of L1 from `address` on into Run::host_reads
        reset,    ///< puts `cores` into reset
        start,    ///< takes `cores` out of reset, as a store to SOFT_RESET_0 does; a core that is not in reset continues
    };

    std::optional<std::uint64_t> at;    ///< the earliest cycle; empty: any
    std::optional<WordCondition> when;  ///< the condition; empty: none
    What what = What::nothing;          ///< the kind of act
    std::uint32_t address = 0;          ///< of write and read: the first byte
    std::uint32_t size = 0;             ///< of read: in bytes
    std::vector<std::byte> bytes;       ///< of write
    std::array<bool, 5> cores{};        ///< of reset and start: by RiscvCore
    std::string place;                  ///< "file:line" of the job, "file" for a key from outside; empty: not from a job
};

/// The bytes that a HostStep has read.
struct HostRead {
    std::size_t step = 0;          ///< the position in Kernels::host
    std::uint64_t cycle = 0;       ///< of the read
    std::uint32_t address = 0;     ///< of the first byte
    std::vector<std::byte> bytes;  ///< what L1 held
};

}  // namespace tessera
