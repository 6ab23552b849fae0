// SPDX-License-Identifier: Apache-2.0
// Steps through the input of UNPACR in pieces of consecutive datums with one exponent (UNPACR_Regular, Functional
// model: the addresses of the main loop).
#pragma once

#include <algorithm>

#include "plan/unpack_stream.hpp"

namespace tessera::plan {

class InputWalk {
public:
    static constexpr unsigned most = 32;  ///< datums of a piece

    explicit InputWalk(const UnpackStream& stream) : at_(stream) {}

    /// The next piece: addresses and count. The count is 0 after the last one.
    struct Piece {
        std::int64_t datums = 0, exponents = 0, run_lengths = 0;
        std::uint32_t length = 0;
    };

    Piece next() {
        Piece piece{at_.datums, at_.exponents, at_.run_lengths, std::min(at_.count, at_.row_datums - in_row_)};
        if (at_.exponent_source == Exponents::section)
            piece.length = std::min(piece.length, static_cast<std::uint32_t>(16 - (at_.exponents & 15)));
        if (at_.compressed)
            piece.length = std::min(piece.length, static_cast<std::uint32_t>((line - (at_.run_lengths & (line - 1))) /
                                                                             UnpackStream::per_run_length));
        if (piece.length) advance(piece.length);
        return piece;
    }

private:
    static constexpr std::int64_t line = UnpackStream::per_line;

    std::int64_t wrap(std::int64_t address) const { return address > at_.limit ? address - at_.fifo : address; }

    // In the model's order: rows first, then exponents, then run lengths.
    void advance(std::uint32_t n) {
        at_.count -= n;
        at_.datums += std::int64_t{n} * at_.datum_size;
        in_row_ += n;
        if (in_row_ == at_.row_datums) {
            in_row_ = 0;
            at_.datums = wrap(at_.datums + at_.row_step);
        }
        if (at_.exponent_source == Exponents::section) {
            at_.exponents += n;
            if ((at_.exponents & (line - 1)) == 0) at_.exponents = wrap(at_.exponents);
        }
        if (at_.compressed) {
            at_.run_lengths += n * UnpackStream::per_run_length;
            if ((at_.run_lengths & (line - 1)) == 0) {
                at_.datums += line;
                at_.run_lengths = wrap(at_.run_lengths + std::int64_t{UnpackStream::group} * at_.datum_size);
            }
        }
    }

    UnpackStream at_;
    std::uint32_t in_row_ = 0;
};

}  // namespace tessera::plan
