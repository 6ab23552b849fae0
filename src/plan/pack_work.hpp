// SPDX-License-Identifier: Apache-2.0
// The work of PACR: datums from Dst, L1 or zeros pass through conversions and stages to streams of bytes in L1.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "plan/dst_rows.hpp"
#include "plan/tile_position.hpp"
#include "tessera/data_format.hpp"

namespace tessera::state {
class State;
}

namespace tessera::plan {

/// Datums to L1 through up to four packers. Each takes segments of consecutive datums.
struct PackWork {
    /// One packer's stages, each for a row of at most 16 datums. Null: the stage is off.
    struct Conversion {
        /// Dst's datums (16 bits, or high and low half) to an intermediate type.
        using Early = void (*)(const std::uint32_t* in, std::uint32_t* out, std::size_t n, unsigned shift);
        /// The same with random rounding.
        using RandomEarly = void (*)(const std::uint32_t* in, std::uint32_t* out, std::size_t n, unsigned shift,
                                     std::uint32_t& random);
        /// Datums of L1, each of `source_bytes`, to an intermediate type.
        using FromL1 = void (*)(const std::uint8_t* in, std::uint32_t* out, std::size_t n);
        /// Changes datums of the intermediate type.
        using InPlace = void (*)(std::uint32_t* datums, std::size_t n, std::uint32_t threshold);
        /// Exponents of datums of the intermediate type, for the histogram.
        using Exponents = void (*)(const std::uint32_t* in, std::uint32_t* out, std::size_t n);
        /// To words of `word_bytes` in the format of L1, or in the input form of `block`.
        using Late = void (*)(const std::uint32_t* in, std::uint8_t* out, std::size_t n);
        /// 16 words to the data bytes of a block float; returns their shared exponent.
        using Block = std::uint8_t (*)(const std::uint16_t* in, std::uint8_t* out);
        using RandomBlock = std::uint8_t (*)(const std::uint16_t* in, std::uint8_t* out, std::uint32_t& random);
        /// Adds a line of 16 bytes to a line of L1.
        using Accumulate = void (*)(const std::uint8_t* line, std::uint8_t* l1);

        Early early = nullptr;
        RandomEarly random_early = nullptr;  ///< replaces `early`
        FromL1 from_l1 = nullptr;
        InPlace relu = nullptr;
        InPlace exponent_threshold = nullptr;
        Exponents exponents = nullptr;
        Late late = nullptr;
        Block block = nullptr;               ///< null: no block float
        RandomBlock random_block = nullptr;  ///< replaces `block`
        Accumulate accumulate = nullptr;
        std::uint32_t threshold = 0;  ///< of the ReLU or the exponent threshold
        std::uint8_t least_exponent = 0;
        std::uint8_t shift = 0;
        std::uint8_t source_bytes = 0;
        std::uint8_t word_bytes = 0;
        std::uint8_t datum_bits = 0;  ///< in L1
        DataFormat format{};          ///< in L1
        DstDatums::Numbers takes{};   ///< type that `early` reads Dst's datums as
        friend bool operator==(const Conversion&, const Conversion&) = default;
    };
    /// Four sets of masks of 16 columns, one mask for each row of a tile.
    using EdgeMasks = std::array<std::array<std::uint16_t, 16>, 4>;
    /// The masks that apply to a packer. Datums with a clear bit are replaced.
    struct Edges {
        bool masked = false;                     ///< false: no mask has a clear bit
        std::uint32_t fill = 0;                  ///< replaces them; of the intermediate type
        std::array<std::uint8_t, 16> row_set{};  ///< by the plane of the tile position
        TileWalk walk;
        friend bool operator==(const Edges&, const Edges&) = default;
    };
    struct Segment {
        std::uint16_t datum = 0;  ///< row * 16 + column in Dst's view
        std::uint32_t count = 0;
        TilePosition tile;  ///< of the first datum
        friend bool operator==(const Segment&, const Segment&) = default;
    };
    /// The write position of a stream of bytes. Full lines of 16 bytes go to L1.
    struct Output {
        std::uint32_t address = 0;  ///< L1 byte address of the line being filled
        std::uint8_t filled = 0;    ///< bytes of that line already there
        bool in_cells = false;      ///< the position is in the packer's cells, since it depends on datums
        friend bool operator==(const Output&, const Output&) = default;

        /// Bytes of L1 that are written once `bytes` more have arrived.
        std::uint32_t written(std::uint32_t bytes, bool flush) const {
            return (filled + bytes + (flush ? 15 : 0)) / 16 * 16;
        }
        std::uint32_t left(std::uint32_t bytes, bool flush) const { return flush ? 0 : (filled + bytes) % 16; }
    };
    /// Places in Plan::effects of what a stream leaves for the next PACR; none: there is no such effect.
    struct Left {
        static constexpr std::uint8_t none = 0xFF;
        std::uint8_t data = none, exponents = none, plane = none;
        friend bool operator==(const Left&, const Left&) = default;
    };
    enum class Source : std::uint8_t { dst, l1, zeros };
    /// Zeros appended to packed data, up to a multiple of 16 datums (RowPadZero).
    enum class Padding : std::uint8_t { none, rows, end };

    struct Stream {
        static constexpr unsigned group = 16;  ///< datums with one exponent
        /// One packer's work as a single call.
        using Loop = void (*)(const PackWork&, const Stream&, state::State&);

        Loop direct = nullptr;  ///< fast path: whole rows, no stage but the two conversions; null: stage by stage
        std::uint8_t packer = 0;
        std::uint8_t thread = 0;  ///< thread of the instruction
        bool flush = false;       ///< pad and write the remaining bytes
        bool last = false;        ///< counts the tile
        bool header = false;      ///< counts 16 bytes more
        std::uint8_t segments = 0;
        std::uint8_t grouped = 0;  ///< datums of an unfinished block float group from earlier PACRs
        Source source = Source::dst;
        Padding padding = Padding::none;
        bool histogram = false;       ///< exponents are counted; false: only the maximum is kept
        std::uint16_t keep = 0xFFFF;  ///< packed datums of each 16, a bit each
        bool compressed = false;
        bool ends_row = false;      ///< compressed: the next PACR begins a new row
        bool zero_flags = false;    ///< compressed: all-zero rows are flagged
        std::uint16_t dst_row = 0;  ///< physical row of the first datum, for `direct`
        std::uint32_t l1_source = 0;
        std::uint32_t reach_first = 0, reach_end = 0;  ///< compressed: bounds of its writes
        Output data, exponents, row_starts;
        Left left;
        std::array<Segment, 4> segment{};
        Conversion conversion;
        Edges edges;
        friend bool operator==(const Stream&, const Stream&) = default;

        /// Datums fetched.
        std::uint32_t datums() const {
            std::uint32_t sum = 0;
            for (unsigned i = 0; i < segments; ++i) sum += segment[i].count;
            return sum;
        }
        /// Datums packed: those left by downsampling, and padding.
        std::uint32_t packed() const {
            std::uint32_t fetched = 0, sum = 0;
            for (unsigned i = 0; i < segments; ++i) {
                sum += kept(fetched + segment[i].count) - kept(fetched);
                fetched += segment[i].count;
                if (padding == Padding::rows) sum = (sum + 15) / 16 * 16;
            }
            return padding == Padding::end ? (sum + 15) / 16 * 16 : sum;
        }
        /// Datums of an unfinished block float group afterwards.
        std::uint32_t ungrouped() const { return conversion.block && !flush ? (grouped + packed()) % group : 0; }
        /// Bytes for the output streams, without compression.
        std::uint32_t data_bytes() const {
            const std::uint32_t n = conversion.block ? grouped + packed() - ungrouped() : packed();
            return (n * conversion.datum_bits + 7) / 8;
        }
        std::uint32_t exponent_bytes() const {
            return conversion.block ? (grouped + packed() - ungrouped() + group - 1) / group : 0;
        }

    private:
        // Datums that downsampling keeps of the first n.
        std::uint32_t kept(std::uint32_t n) const {
            if (keep == 0xFFFF) return n;
            return n / 16 * static_cast<std::uint32_t>(std::popcount(keep)) +
                   static_cast<std::uint32_t>(std::popcount(keep & ((1u << n % 16) - 1)));
        }
    };

    std::uint8_t streams = 0;
    DstMap map;
    std::array<Stream, 4> stream{};
    EdgeMasks edge_masks{};

    /// Whether all that it writes are datums of the first stream's format, without compression.
    bool writes_one_format() const {
        return std::all_of(stream.begin(), stream.begin() + streams, [&](const Stream& one) {
            return !one.compressed && one.conversion.format == stream[0].conversion.format;
        });
    }

    friend bool operator==(const PackWork&, const PackWork&) = default;
};

}  // namespace tessera::plan
