// SPDX-License-Identifier: Apache-2.0
// The output of a packer after the late conversion: block floats of 16, compressed rows, lines of 16 bytes in L1.
#pragma once

#include "plan/pack_work.hpp"
#include "state/state.hpp"

namespace tessera::units::packer {

using plan::PackWork;
using state::Packer;

inline constexpr unsigned line_words = 4, group_words = 8, counter_words = 4;

/// A cell of an unfinished line, group or list of counters.
constexpr state::Cell nth(unsigned packer, Packer first, unsigned word) {
    return state::cells::packer(packer, Packer(static_cast<unsigned>(first) + word));
}

/// The cells that hold an output stream's position between PACRs.
struct OutputCells {
    Packer needs_address, address, filled, bytes;
};
inline constexpr OutputCells data_cells = {Packer::data_needs_address, Packer::data_address, Packer::data_filled,
                                           Packer::data_0};
inline constexpr OutputCells exponent_cells = {Packer::exp_needs_address, Packer::exp_address, Packer::exp_filled,
                                               Packer::exp_0};
inline constexpr OutputCells row_start_cells = {Packer::rsi_needs_address, Packer::rsi_address, Packer::rsi_filled,
                                                Packer::rsi_0};

/// An output stream's unfinished line of 16 bytes, and its address.
class Line {
public:
    Line(const PackWork::Stream& stream, const PackWork::Output& output, const OutputCells& cells, state::State& state,
         PackWork::Conversion::Accumulate accumulate = nullptr);
    void append(const std::uint8_t* in, unsigned n);
    void append_zeros(unsigned n);
    /// Writes the rest when the stream ends; otherwise stores it in the cells.
    void finish();
    /// Number of lines written.
    unsigned written() const { return written_; }

private:
    void write();

    const PackWork::Stream& stream_;
    const OutputCells& cells_;
    state::State& state_;
    PackWork::Conversion::Accumulate accumulate_;
    std::uint32_t address_;
    unsigned filled_, written_ = 0;
    std::uint8_t bytes_[state::L1::line_bytes] = {};
};

/// Raw access to a packer's cells (State::data()).
class PackerCells {
public:
    PackerCells(unsigned packer, state::State& state)
        : first_(state.data(nth(0, Packer(0), 0)) + packer * state::cells::size<Packer>) {}
    std::uint32_t& operator[](Packer item) const { return first_[static_cast<unsigned>(item)]; }

private:
    std::uint32_t* first_;
};

/// Adds `lines` of L1 that a stream has written to the size of its tile.
[[gnu::always_inline]] inline void count_tile(const PackWork::Stream& stream, std::uint32_t lines,
                                              const PackerCells& cells) {
    const std::uint32_t size = (cells[Packer::tile_size] + lines) & 0xFFFF;
    cells[Packer::tile_size] = stream.flush ? 0 : size;
    if (!stream.last) return;
    cells[Packer::last_tile_size] = size;
    cells[Packer::last_thread] = stream.thread;
    std::uint32_t& sum = (&cells[Packer::acc_tile_size_t0])[stream.thread];
    sum = (sum + size + stream.header) & 0xFFFF;
}

/// All of one packer's output, from the intermediate type on.
class Sink {
public:
    Sink(const PackWork::Stream& stream, state::State& state);
    void append(const std::uint32_t* datums, unsigned n);
    void append_zeros(unsigned n);
    void finish();

private:
    void convert(const std::uint32_t* datums, unsigned n);
    void assemble();
    void compress(std::uint32_t datum);
    void emit(std::uint32_t datum);
    void finish_counters();
    void append_row_start();
    void end_row();

    const PackWork::Stream& stream_;
    state::State& state_;
    Line data_, exponents_, row_starts_;
    unsigned grouped_;
    std::uint16_t group_[PackWork::Stream::group] = {};
    std::uint32_t random_ = 0;
    // Compressed output.
    std::uint32_t left_ = 0;  ///< datums of this PACR still to come
    unsigned counted_ = 0;    ///< of the current 32
    std::uint32_t counters_[32] = {};
    std::uint32_t written_datums_ = 0, row_number_ = 0, all_zero_flags_ = 0;
    bool row_open_ = false, row_zero_ = false;
};

}  // namespace tessera::units::packer
