// SPDX-License-Identifier: Apache-2.0
// The work of UNPACR in the modes other than a contiguous copy: reads pieces, spreads them over output positions, and
// stores these a row at a time.
#include <array>
#include <cstring>

#include "state/state.hpp"
#include "units/unpacker/input_walk.hpp"
#include "units/unpacker/stream_loops.hpp"
#include "util/set_bits.hpp"

namespace tessera::plan {

namespace {

using Target = UnpackStreamWork::Target;
using state::columns;
using Row = std::array<std::uint32_t, columns>;

constexpr unsigned first_row = 4;  // of unpacker 0: output rows below it are before SrcA (spec-notes A14)

void store_columns(std::uint32_t* to, const Row& row, std::uint16_t mask) {
    if (mask == 0xFFFF) return void(std::memcpy(to, row.data(), sizeof row));
    for (const unsigned column : util::SetBits(mask)) to[column] = row[column];
}

// Each target's way to store output row `row`; `mask` has the columns present.
struct SrcA {
    static void store(const UnpackStreamWork& work, state::State& state, std::uint32_t row, const Row& datums,
                      std::uint16_t mask) {
        if (row < first_row) return;
        auto& bank = state.bank(state::Src::a, work.bank);
        row = (row - first_row + work.src_row) % state::SrcBank::rows;
        const auto shifted = static_cast<std::uint16_t>(mask >> work.column_shift);
        if (!shifted) return;
        std::uint32_t* to = bank.datums.data() + row * columns;
        bank.written |= std::uint64_t{1} << row;
        if (!work.column_shift) return store_columns(to, datums, mask);
        for (const unsigned column : util::SetBits(shifted)) to[column] = datums[column + work.column_shift];
    }
};

struct TransposedSrcA {
    static void store(const UnpackStreamWork& work, state::State& state, std::uint32_t row, const Row& datums,
                      std::uint16_t mask) {
        if (row < first_row) return;
        auto& bank = state.bank(state::Src::a, work.bank);
        row = (row - first_row + work.src_row) % state::SrcBank::rows;
        std::uint32_t* const out = bank.datums.data();
        for (const unsigned column : util::SetBits(static_cast<std::uint16_t>(mask >> work.column_shift))) {
            const unsigned to = (row & ~15u) | column;
            out[to * columns + row % 16] = datums[column + work.column_shift];
            bank.written |= std::uint64_t{1} << to;
        }
    }
};

struct SrcB {
    static void store(const UnpackStreamWork& work, state::State& state, std::uint32_t row, const Row& datums,
                      std::uint16_t mask) {
        auto& bank = state.bank(state::Src::b, work.bank);
        for (unsigned copy = 0; copy < work.copies; ++copy) {
            const unsigned to = (row + work.src_row + copy) % state::SrcBank::rows;
            store_columns(bank.datums.data() + to * columns, datums, mask);
            bank.written |= std::uint64_t{1} << to;
        }
    }
};

template <bool Wide>
struct DstRow {
    static void store(const UnpackStreamWork& work, state::State& state, std::uint32_t row, const Row& datums,
                      std::uint16_t mask) {
        auto& dst = state.dst;
        const unsigned high = work.map.row((row - first_row) & work.row_mask), low = DstMap::low_half(high);
        for (const unsigned column : util::SetBits(mask)) {
            const std::uint32_t x = datums[column];
            dst.datums[high * columns + column] = static_cast<std::uint16_t>(Wide ? x >> 16 : x);
            if constexpr (Wide) dst.datums[low * columns + column] = static_cast<std::uint16_t>(x);
        }
        mark_written(dst, high, Wide);
    }
};

/// Collects output positions into rows.
template <class To>
class Rows {
public:
    Rows(const UnpackStreamWork& work, state::State& state) : work_(work), state_(state), at_(work.out) {}
    ~Rows() { flush(); }
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;

    void put(const std::uint32_t* datums, std::uint32_t n) {
        while (n) {
            const unsigned column = at_ % columns, length = std::min(n, columns - column);
            std::memcpy(row_.data() + column, datums, length * sizeof *datums);
            mask_ |= static_cast<std::uint16_t>(((1u << length) - 1) << column);
            move(length);
            datums += length;
            n -= length;
        }
    }
    void skip(std::uint32_t n) {
        while (n) {
            const unsigned length = std::min<std::uint32_t>(n, columns - at_ % columns);
            move(length);
            n -= length;
        }
    }

private:
    void move(unsigned length) {  // at most to the end of the row
        if (at_ % columns + length == columns) flush();
        at_ += length;
    }
    void flush() {
        if (mask_) To::store(work_, state_, at_ / columns, row_, mask_);
        mask_ = 0;
    }

    const UnpackStreamWork& work_;
    state::State& state_;
    std::uint32_t at_;
    std::uint16_t mask_ = 0;
    Row row_{};
};

constexpr std::array<std::uint32_t, 16> no_datums{};

// Datums with the zeros that follow them in a compressed tile, and with gaps.
template <class To>
class Widening {
public:
    Widening(const UnpackStreamWork& work, state::State& state)
        : work_(work), l1_(state.l1.bytes.data()), rows_(work, state), drop_(work.drop), left_(work.kept) {}

    void put(const InputWalk::Piece& piece, const std::uint32_t* datums) {
        for (std::uint32_t i = 0; i < piece.length; ++i) {
            put_one(datums[i]);
            if (!work_.input.compressed || work_.input.zeros) continue;
            for (unsigned zeros = run_length(l1_, piece.run_lengths, i); zeros; --zeros) put_one(0);
        }
    }

private:
    void put_one(std::uint32_t datum) {
        if (drop_) return void(--drop_);
        if (!left_) return;
        --left_;
        rows_.put(&datum, 1);
        work_.fill_gaps ? rows_.put(no_datums.data(), work_.gap) : rows_.skip(work_.gap);
    }

    const UnpackStreamWork& work_;
    const std::uint8_t* l1_;
    Rows<To> rows_;
    std::uint32_t drop_, left_;
};

template <class Emit>
void for_each_piece(const UnpackStreamWork& work, const state::State& state, Emit&& emit) {
    const UnpackStream& in = work.input;
    const std::uint8_t* l1 = state.l1.bytes.data();
    std::array<std::uint32_t, InputWalk::most> datums{};
    InputWalk walk(in);
    for (auto piece = walk.next(); piece.length; piece = walk.next()) {
        if (!in.zeros) {
            const std::uint8_t exponent = in.exponent_source == Exponents::section
                                              ? l1[piece.exponents / UnpackStream::per_byte]
                                              : in.shared_exponent;
            const auto within = static_cast<std::size_t>(piece.datums % UnpackStream::per_byte) / in.datum_size;
            in.convert({l1 + piece.datums / UnpackStream::per_byte, nullptr, exponent}, within, datums.data(),
                       piece.length);
        }
        emit(piece, datums.data());
    }
}

template <class To>
void copy(const UnpackStreamWork& work, state::State& state) {
    Rows<To> rows(work, state);
    for_each_piece(work, state,
                   [&](const InputWalk::Piece& piece, const std::uint32_t* datums) { rows.put(datums, piece.length); });
}

template <class To>
void widen(const UnpackStreamWork& work, state::State& state) {
    Widening<To> widening(work, state);
    for_each_piece(work, state,
                   [&](const InputWalk::Piece& piece, const std::uint32_t* datums) { widening.put(piece, datums); });
}

template <class To>
UnpackStreamWork::Loop loop_to(const UnpackStreamWork& work) {
    return work.input.compressed || work.gap ? widen<To> : copy<To>;
}

}  // namespace

UnpackStreamWork::Loop stream_loop(const UnpackStreamWork& work) {
    switch (work.target) {
        case Target::src_a: return work.transpose ? loop_to<TransposedSrcA>(work) : loop_to<SrcA>(work);
        case Target::src_b: return loop_to<SrcB>(work);
        case Target::dst: break;
    }
    return work.map.wide ? loop_to<DstRow<true>>(work) : loop_to<DstRow<false>>(work);
}

void run(const UnpackStreamWork& work, state::State& state) { work.loop(work, state); }

}  // namespace tessera::plan
