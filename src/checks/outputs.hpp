// SPDX-License-Identifier: Apache-2.0
// The places that packers and unpackers write while the counters of channel 1 step through a tile. Finds strides that
// do not fit the amount written (spec-notes E65).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "checks/source_rows.hpp"
#include "diagnostics/diagnostics.hpp"

namespace tessera::checks {

/// Bytes of L1, or rows; both ends inclusive.
struct Extent {
    std::uint32_t first = 0, last = 0;
};

/// Bytes of L1 that packers write.
class PackedOutputs {
public:
    /// The inputs of a stream's start address: the tile's address, and the counters of channel 1.
    struct Origin {
        std::uint32_t tile = 0, counters = 0;
    };
    struct Gap {
        Extent bytes;
        diagnostics::Subject who;  ///< the instruction that begins behind it
    };

    /// A stream begins at `first`. Returns the extent of the stream before it, if that is of the same tile with other
    /// counters and holds `first`.
    std::optional<Extent> begin(unsigned packer, const Origin& at, std::uint32_t first,
                                const diagnostics::Subject& who);
    /// The packer's stream has written from `first` up to, not including, `end`.
    void write(unsigned packer, std::uint32_t first, std::uint32_t end);
    /// The packer's stream is unknown from now on.
    void forget(unsigned packer) { streams_[packer].known = false; }
    /// Gaps that nothing has been written to; the first piece of each.
    std::vector<Gap> gaps() const;

private:
    static constexpr std::size_t most_gaps = 64, most_pieces = 1 << 16;

    struct Stream {
        bool known = false;
        Origin at;
        std::uint32_t first = 0, end = 0;
    };
    std::array<Stream, 4> streams_{};
    std::vector<Gap> steps_;       ///< gaps behind a stream that the next one left
    std::vector<Extent> written_;  ///< oldest first; adjacent writes are joined
};

/// Rows that unpackers write to the banks of SrcA and SrcB, each from one hand-over to the next.
class UnpackedRows {
public:
    /// Rows are written with these counters. Returns the first rows among them already written with other counters.
    std::optional<Extent> write(const SourceRows& written, std::uint32_t counters);
    /// The bank is handed over. Returns the first unwritten rows between written ones.
    std::optional<Extent> hand_over(unsigned bank);

private:
    struct Bank {
        std::uint64_t rows = 0;
        std::uint32_t counters = 0;
    };
    std::array<Bank, 4> banks_{};
};

}  // namespace tessera::checks
