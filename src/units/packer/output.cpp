// SPDX-License-Identifier: Apache-2.0
#include "units/packer/output.hpp"

#include <algorithm>
#include <cstring>

namespace tessera::units::packer {

namespace {

using state::L1;
constexpr unsigned compressed_group = 32, most_zeros = 15;

}  // namespace

Line::Line(const PackWork::Stream& stream, const PackWork::Output& output, const OutputCells& cells,
           state::State& state, PackWork::Conversion::Accumulate accumulate)
    : stream_(stream),
      cells_(cells),
      state_(state),
      accumulate_(accumulate),
      address_(output.in_cells ? state[nth(stream.packer, cells.address, 0)] & ~15u : output.address),
      filled_(output.in_cells ? state[nth(stream.packer, cells.filled, 0)] & 15 : output.filled) {
    if (!filled_) return;
    for (unsigned w = 0; w < line_words; ++w) {
        const std::uint32_t word = state[nth(stream.packer, cells.bytes, w)];
        std::memcpy(bytes_ + 4 * w, &word, 4);
    }
    std::memset(bytes_ + filled_, 0, sizeof(bytes_) - filled_);
}

void Line::append(const std::uint8_t* in, unsigned n) {
    while (n) {
        const unsigned take = std::min(n, L1::line_bytes - filled_);
        std::memcpy(bytes_ + filled_, in, take);
        filled_ += take;
        in += take;
        n -= take;
        if (filled_ == L1::line_bytes) write();
    }
}

void Line::append_zeros(unsigned n) {
    constexpr std::uint8_t zeros[L1::line_bytes] = {};
    for (; n > sizeof(zeros); n -= sizeof(zeros)) append(zeros, sizeof(zeros));
    append(zeros, n);
}

void Line::finish() {
    if (filled_ && stream_.flush) write();
    if (filled_)
        for (unsigned w = 0; w < line_words; ++w) {
            std::uint32_t word;
            std::memcpy(&word, bytes_ + 4 * w, 4);
            state_.write(nth(stream_.packer, cells_.bytes, w), word);
        }
    if (!stream_.compressed) return;
    state_.write(nth(stream_.packer, cells_.address, 0), address_);
    state_.write(nth(stream_.packer, cells_.filled, 0), filled_);
}

void Line::write() {
    // A compressed stream's address comes from a cell, which may have any bits. The plan has checked the bounds.
    const bool is_within =
        address_ >= stream_.reach_first && std::uint64_t{address_} + L1::line_bytes <= stream_.reach_end;
    if (!stream_.compressed || is_within) {
        std::uint8_t* const l1 = state_.l1.write(address_, sizeof(bytes_));
        if (accumulate_)
            accumulate_(bytes_, l1);
        else
            std::memcpy(l1, bytes_, sizeof(bytes_));
    }
    std::memset(bytes_, 0, sizeof(bytes_));
    address_ += sizeof(bytes_);
    filled_ = 0;
    ++written_;
}

Sink::Sink(const PackWork::Stream& stream, state::State& state)
    : stream_(stream),
      state_(state),
      data_(stream, stream.data, data_cells, state, stream.conversion.accumulate),
      exponents_(stream, stream.exponents, exponent_cells, state),
      row_starts_(stream, stream.row_starts, row_start_cells, state),
      grouped_(stream.grouped) {
    const auto cell = [&](Packer item) { return state[nth(stream.packer, item, 0)]; };
    if (stream.conversion.random_block) random_ = cell(Packer::packer_random);
    if (stream.data.in_cells) {
        grouped_ = cell(Packer::group_filled) & 15;
        counted_ = std::min(cell(Packer::rle_filled), compressed_group);
        for (unsigned i = 0; i < counted_; ++i)
            counters_[i] = state[nth(stream.packer, Packer::rle_0, i / 8)] >> i % 8 * 4 & 15;
        written_datums_ = cell(Packer::rsi_datums);
        row_number_ = cell(Packer::row_number);
        all_zero_flags_ = cell(Packer::all_zero_flags);
        row_open_ = cell(Packer::row_open) && counted_;
        row_zero_ = cell(Packer::row_zero);
    }
    if (stream.compressed) left_ = stream.packed();
    for (unsigned i = 0; i < grouped_; ++i)
        group_[i] = static_cast<std::uint16_t>(state[nth(stream.packer, Packer::group_0, i / 2)] >> i % 2 * 16);
}

void Sink::append(const std::uint32_t* datums, unsigned n) {
    if (!stream_.compressed) return convert(datums, n);
    for (unsigned i = 0; i < n; ++i) compress(datums[i]);
}

void Sink::append_zeros(unsigned n) {
    constexpr std::uint32_t zeros[16] = {};
    append(zeros, n);
}

// Late conversion of at most 16 datums.
void Sink::convert(const std::uint32_t* datums, unsigned n) {
    const auto& conversion = stream_.conversion;
    std::uint8_t words[16 * 4];
    conversion.late(datums, words, n);
    if (!conversion.block) return data_.append(words, n * conversion.word_bytes);
    const std::uint8_t* in = words;
    while (n) {
        const unsigned take = std::min(n, PackWork::Stream::group - grouped_);
        std::memcpy(group_ + grouped_, in, take * sizeof(std::uint16_t));
        grouped_ += take;
        in += take * sizeof(std::uint16_t);
        n -= take;
        if (grouped_ == PackWork::Stream::group) assemble();
    }
}

void Sink::assemble() {
    const auto& conversion = stream_.conversion;
    std::uint8_t bytes[PackWork::Stream::group];
    const std::uint8_t exponent =
        conversion.random_block ? conversion.random_block(group_, bytes, random_) : conversion.block(group_, bytes);
    exponents_.append(&exponent, 1);
    data_.append(bytes, (grouped_ * conversion.datum_bits + 7) / 8);
    std::fill_n(group_, PackWork::Stream::group, std::uint16_t{0});
    grouped_ = 0;
}

// Zeros are counted in the preceding datum's counter, except at the ends of a row (Packers, Compression; spec-notes
// E32).
void Sink::compress(std::uint32_t datum) {
    --left_;
    const bool first = !row_open_, last = stream_.ends_row && left_ == 0;
    if (first) {
        if (row_number_ == 0) append_row_start();
        row_open_ = row_zero_ = true;
    }
    row_zero_ &= datum == 0;
    if (!first && !last && datum == 0 && counters_[counted_ - 1] < most_zeros)
        ++counters_[counted_ - 1];
    else
        emit(datum);
}

void Sink::emit(std::uint32_t datum) {
    if (counted_ == compressed_group) finish_counters();
    counters_[counted_++] = 0;
    written_datums_ = (written_datums_ + 1) & 0xFFFF;
    convert(&datum, 1);
}

// Writes the counters of each 32 datums behind them.
void Sink::finish_counters() {
    const unsigned bits = stream_.conversion.datum_bits;
    data_.append_zeros((compressed_group * bits - (counted_ * bits + 7) / 8 * 8) / 8);
    std::uint8_t bytes[compressed_group / 2] = {};
    for (unsigned i = 0; i < counted_; ++i) bytes[i / 2] |= static_cast<std::uint8_t>(counters_[i] << i % 2 * 4);
    data_.append(bytes, sizeof(bytes));
    std::fill_n(counters_, compressed_group, 0);
    counted_ = 0;
}

void Sink::append_row_start() {
    const auto start = static_cast<std::uint16_t>(written_datums_);
    std::uint8_t bytes[2];
    std::memcpy(bytes, &start, 2);
    row_starts_.append(bytes, 2);
}

void Sink::end_row() {
    // If no datum followed, the last datum of the row is in another datum's counter.
    if (!stream_.packed() && counters_[counted_ - 1]) {
        --counters_[counted_ - 1];
        emit(0);
    }
    append_row_start();
    if (row_zero_ && stream_.zero_flags && row_number_ < 32) all_zero_flags_ |= 1u << row_number_;
    row_number_ = (row_number_ + 1) & 0xFFFF;
    row_open_ = false;
}

void Sink::finish() {
    const auto cell = [&](Packer item) { return nth(stream_.packer, item, 0); };
    if (stream_.compressed && stream_.ends_row && row_open_) end_row();
    if (stream_.conversion.block) {
        if (grouped_ && stream_.flush) assemble();
        if (grouped_)
            for (unsigned w = 0; w < group_words; ++w)
                state_.write(nth(stream_.packer, Packer::group_0, w),
                             group_[2 * w] | std::uint32_t{group_[2 * w + 1]} << 16);
    }
    if (stream_.compressed) {
        if (stream_.flush && counted_) finish_counters();
        state_.write(cell(Packer::group_filled), stream_.flush ? 0 : grouped_);
        state_.write(cell(Packer::rle_filled), counted_);
        for (unsigned w = 0; w < counter_words; ++w) {
            std::uint32_t word = 0;
            for (unsigned i = 0; i < 8; ++i) word |= counters_[8 * w + i] << 4 * i;
            state_.write(nth(stream_.packer, Packer::rle_0, w), word);
        }
        state_.write(cell(Packer::rsi_datums), written_datums_);
        state_.write(cell(Packer::row_number), row_number_);
        state_.write(cell(Packer::all_zero_flags), all_zero_flags_);
        state_.write(cell(Packer::row_open), row_open_);
        state_.write(cell(Packer::row_zero), row_zero_);
        row_starts_.finish();
    }
    exponents_.finish();
    data_.finish();
    if (stream_.conversion.random_block) state_.write(cell(Packer::packer_random), random_);
    count_tile(stream_, data_.written() + exponents_.written() + row_starts_.written(),
               PackerCells(stream_.packer, state_));
}

}  // namespace tessera::units::packer
