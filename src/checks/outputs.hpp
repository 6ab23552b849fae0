// SPDX-License-Identifier: Apache-2.0
// Where packers and unpackers write while they step through a tile with the counters of channel 1, so that strides that do not
// fit what is written can be told (spec-notes E65).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "checks/source_rows.hpp"
#include "state/resources.hpp"

namespace tessera::checks {

/// Bytes of L1, or rows; both ends included.
struct Extent {
    std::uint32_t first = 0, last = 0;
};

/// What packers write to L1.
class PackedOutputs {
public:
    /// What decides where a stream begins: the tile's address, and the counters of channel 1.
    struct Origin {
        std::uint32_t tile = 0, counters = 0;
    };
    /// Who begins behind a gap.
    struct Whose {
        unsigned thread = 0;
        std::int64_t index = 0, position = -1;
        std::uint32_t word = 0;
    };
    struct Gap {
        Extent bytes;
        Whose who;
    };

    /// A stream begins at `first`: what the stream before it has written of the same tile, if that lies there for other counters.
    std::optional<Extent> begin(unsigned packer, const Origin& at, std::uint32_t first, const Whose& who);
    /// The packer's stream has come from `first` to `end`.
    void write(unsigned packer, std::uint32_t first, std::uint32_t end);
    /// Nothing is known of the packer's stream.
    void forget(unsigned packer) { streams_[packer].known = false; }
    /// Gaps that nothing has been written to, of each the first piece.
    std::vector<Gap> gaps() const;

private:
    static constexpr std::size_t most_gaps = 64, most_pieces = 1 << 16;

    struct Stream {
        bool known = false;
        Origin at;
        std::uint32_t first = 0, end = 0;
    };
    std::array<Stream, 4> streams_{};
    std::vector<Gap> steps_;       ///< over something that the stream before has not written
    std::vector<Extent> written_;  ///< in order of time; what follows what came before is one piece with it
};

/// What unpackers write to the banks of SrcA and SrcB, each from one hand-over to the next.
class UnpackedRows {
public:
    /// Rows of a bank are written for these counters: those of them that have been written for others.
    std::optional<Extent> write(const SourceRows& written, std::uint32_t counters);
    /// The bank is handed over: the first rows that are not written between others that are.
    std::optional<Extent> hand_over(unsigned bank);

private:
    struct Bank {
        std::uint64_t rows = 0;
        std::uint32_t counters = 0;
    };
    std::array<Bank, 4> banks_{};
};

}  // namespace tessera::checks
