// SPDX-License-Identifier: Apache-2.0
// UNPACR in the modes other than a contiguous copy: separate rows in L1, circular buffers, compressed tiles,
// upsampling, column shift, transposition, zeros, broadcast. Included by plan/work.hpp.
#pragma once

#include <array>
#include <cstdint>

#include "formats/unpack_convert.hpp"
#include "plan/dst_rows.hpp"

namespace tessera::state {
class State;
}

namespace tessera::plan {

/// The source of datums' exponents.
enum class Exponents : std::uint8_t { none, section, forced };

/// A walk through L1. Addresses are in sixteenths of a byte, since the exponent address advances by a sixteenth per
/// datum.
struct UnpackStream {
    static constexpr std::int64_t per_byte = 16, per_line = 16 * per_byte;
    static constexpr std::int64_t per_run_length = per_byte / 2;
    static constexpr unsigned group = 32;  ///< datums of a compressed group; their run lengths follow

    formats::UnpackLoop convert = nullptr;  ///< block formats take the shared exponent
    std::int64_t datums = 0, exponents = 0, run_lengths = 0;
    std::int64_t limit = 0, fifo = 0;  ///< an address beyond the limit wraps by the buffer's size
    std::int64_t row_step = 0;         ///< added at the end of a row
    std::uint32_t count = 0;           ///< datums read
    std::uint8_t row_datums = 16;
    std::uint8_t datum_size = 0;
    Exponents exponent_source = Exponents::none;
    std::uint8_t shared_exponent = 0;
    bool compressed = false;
    bool zeros = false;                         ///< every datum is zero, whatever L1 holds
    std::array<std::uint32_t, 2> row_starts{};  ///< L1 byte addresses of lines of row starts, captured at resolve
    std::uint8_t row_starts_read = 0;
    friend bool operator==(const UnpackStream&, const UnpackStream&) = default;
};

struct UnpackStreamWork {
    using Loop = void (*)(const UnpackStreamWork&, state::State&);
    enum class Target : std::uint8_t { src_a, src_b, dst };

    Loop loop = nullptr;
    UnpackStream input;
    std::uint32_t out = 0;   ///< row * 16 + column of the first datum kept, as the output address has it
    std::uint32_t drop = 0;  ///< datums dropped at the beginning, after decompression
    std::uint32_t kept = 0;  ///< datums kept after those
    std::uint8_t gap = 0;    ///< positions after each kept datum
    bool fill_gaps = false;  ///< write zeros to the gaps
    Target target{};
    std::uint8_t bank = 0;
    std::uint8_t src_row = 0;       ///< added to the row
    std::uint8_t column_shift = 0;  ///< to the left; columns shifted out are dropped
    bool transpose = false;         ///< swaps columns and the low four bits of rows
    std::uint8_t copies = 1;        ///< rows that each row is written to
    std::uint16_t row_mask = 0;     ///< used bits of a row number of Dst
    DstMap map;
    friend bool operator==(const UnpackStreamWork&, const UnpackStreamWork&) = default;
};

}  // namespace tessera::plan
