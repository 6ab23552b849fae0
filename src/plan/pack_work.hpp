// SPDX-License-Identifier: Apache-2.0
// What PACR does to datums: from Dst, L1 or nowhere, through conversions and stages, to streams of bytes in L1.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "plan/dst_rows.hpp"
#include "plan/tile_position.hpp"

namespace tessera::state {
class State;
}

namespace tessera::plan {

/// Datums to L1 through up to four packers. Each takes segments of consecutive datums.
struct PackWork {
    /// What one packer does to its datums, a row of at most 16 at a time. Null: that stage does nothing.
    struct Conversion {
        /// Dst's datums (16 bits, or high and low half) to an intermediate type.
        using Early = void (*)(const std::uint32_t* in, std::uint32_t* out, std::size_t n, unsigned shift);
        /// The same, rounding with the bits of a generator.
        using RandomEarly = void (*)(const std::uint32_t* in, std::uint32_t* out, std::size_t n, unsigned shift,
                                     std::uint32_t& random);
        /// Datums of L1, each of `source_bytes`, to an intermediate type.
        using FromL1 = void (*)(const std::uint8_t* in, std::uint32_t* out, std::size_t n);
        /// Changes datums of the intermediate type.
        using InPlace = void (*)(std::uint32_t* datums, std::size_t n, std::uint32_t threshold);
        /// Exponents of such datums, for the histogram.
        using Exponents = void (*)(const std::uint32_t* in, std::uint32_t* out, std::size_t n);
        /// To words of `word_bytes`: L1's form, or what `block` takes.
        using Late = void (*)(const std::uint32_t* in, std::uint8_t* out, std::size_t n);
        /// 16 words to the data of a block float; returns its exponent.
        using Block = std::uint8_t (*)(const std::uint16_t* in, std::uint8_t* out);
        using RandomBlock = std::uint8_t (*)(const std::uint16_t* in, std::uint8_t* out, std::uint32_t& random);
        /// Adds a line of 16 bytes to L1's.
        using Accumulate = void (*)(const std::uint8_t* line, std::uint8_t* l1);

        Early early = nullptr;
        RandomEarly random_early = nullptr;  ///< instead of `early`
        FromL1 from_l1 = nullptr;
        InPlace relu = nullptr;
        InPlace exponent_threshold = nullptr;
        Exponents exponents = nullptr;
        Late late = nullptr;
        Block block = nullptr;               ///< null: no block float
        RandomBlock random_block = nullptr;  ///< instead of `block`
        Accumulate accumulate = nullptr;
        std::uint32_t threshold = 0;  ///< of the ReLU
        std::uint8_t least_exponent = 0;
        std::uint8_t shift = 0;
        std::uint8_t source_bytes = 0;
        std::uint8_t word_bytes = 0;
        std::uint8_t datum_bits = 0;  ///< in L1
        DstDatums::Numbers takes{};   ///< what `early` takes Dst's datums for
        friend bool operator==(const Conversion&, const Conversion&) = default;
    };
    /// A mask of 16 columns for each row of a tile, of each of four sets.
    using EdgeMasks = std::array<std::array<std::uint16_t, 16>, 4>;
    /// Which of them apply to a packer. Datums whose bit is clear are replaced.
    struct Edges {
        bool masked = false;                     ///< false: no mask has a clear bit
        std::uint32_t fill = 0;                  ///< in the form of the intermediate type
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
    /// Where a stream of bytes stands: lines of 16 go to L1 when they are full.
    struct Output {
        std::uint32_t address = 0;  ///< L1 byte address of the line being filled
        std::uint8_t filled = 0;    ///< bytes already waiting for it to be full
        bool in_cells = false;      ///< both are in the packer's cells instead, since they depend on datums
        friend bool operator==(const Output&, const Output&) = default;

        /// Bytes of L1 that are written when `bytes` more have come.
        std::uint32_t written(std::uint32_t bytes, bool flush) const {
            return (filled + bytes + (flush ? 15 : 0)) / 16 * 16;
        }
        std::uint32_t left(std::uint32_t bytes, bool flush) const { return flush ? 0 : (filled + bytes) % 16; }
    };
    enum class Source : std::uint8_t { dst, l1, zeros };
    /// Zeros behind what was packed, up to a multiple of 16 datums (RowPadZero).
    enum class Padding : std::uint8_t { none, rows, end };

    struct Stream {
        static constexpr unsigned group = 16;  ///< datums with one exponent
        /// All that one packer does at once.
        using Loop = void (*)(const PackWork&, const Stream&, state::State&);

        Loop direct = nullptr;  ///< for whole rows with nothing but the two conversions; null: stage by stage
        std::uint8_t packer = 0;
        std::uint8_t thread = 0;  ///< whose instruction it is
        bool flush = false;       ///< pad and write what remains
        bool last = false;        ///< the tile is counted
        bool header = false;      ///< it counts 16 bytes more
        std::uint8_t segments = 0;
        std::uint8_t grouped = 0;  ///< datums of a block float already waiting for the rest of their 16
        Source source = Source::dst;
        Padding padding = Padding::none;
        bool histogram = false;       ///< exponents are counted, not only compared with the largest
        std::uint16_t keep = 0xFFFF;  ///< which of each 16 datums are packed
        bool compressed = false;
        bool ends_row = false;      ///< compressed: the row does not go on in the next PACR
        bool zero_flags = false;    ///< compressed: rows of nothing but zeros are noted
        std::uint16_t dst_row = 0;  ///< physical row of the first datum, for `direct`
        std::uint32_t l1_source = 0;
        std::uint32_t reach_first = 0, reach_end = 0;  ///< compressed: what it writes lies between
        Output data, exponents, row_starts;
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
        /// Datums packed: what downsampling leaves, and padding.
        std::uint32_t packed() const {
            std::uint32_t fetched = 0, sum = 0;
            for (unsigned i = 0; i < segments; ++i) {
                sum += kept(fetched + segment[i].count) - kept(fetched);
                fetched += segment[i].count;
                if (padding == Padding::rows) sum = (sum + 15) / 16 * 16;
            }
            return padding == Padding::end ? (sum + 15) / 16 * 16 : sum;
        }
        /// Datums that wait for the rest of their 16 afterwards.
        std::uint32_t ungrouped() const { return conversion.block && !flush ? (grouped + packed()) % group : 0; }
        /// What the output streams get, uncompressed.
        std::uint32_t data_bytes() const {
            const std::uint32_t n = conversion.block ? grouped + packed() - ungrouped() : packed();
            return (n * conversion.datum_bits + 7) / 8;
        }
        std::uint32_t exponent_bytes() const {
            return conversion.block ? (grouped + packed() - ungrouped() + group - 1) / group : 0;
        }

    private:
        // Of the first n datums.
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
    friend bool operator==(const PackWork&, const PackWork&) = default;
};

}  // namespace tessera::plan
