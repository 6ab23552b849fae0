// SPDX-License-Identifier: Apache-2.0
// Rows of Dst as vectors of FP32 fields, for every target that Highway compiles for. Included once per target.
#if defined(TESSERA_UNITS_MATRIX_DST_ROWS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_MATRIX_DST_ROWS_INL_HPP_
#undef TESSERA_UNITS_MATRIX_DST_ROWS_INL_HPP_
#else
#define TESSERA_UNITS_MATRIX_DST_ROWS_INL_HPP_
#endif

#include <hwy/highway.h>

#include "plan/dst_rows.hpp"
#include "state/memories.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// As many columns of a row as a vector has lanes of 32 bits, at most all.
using Columns = hn::CappedTag<std::uint32_t, state::columns>;
using SignedColumns = hn::RebindToSigned<Columns>;
using HalfColumns = hn::Rebind<std::uint16_t, Columns>;
using Words = hn::Vec<Columns>;
using Integers = hn::Vec<SignedColumns>;

HWY_INLINE Words word(std::uint32_t x) { return hn::Set(Columns(), x); }
HWY_INLINE Integers integer(std::int32_t x) { return hn::Set(SignedColumns(), x); }
HWY_INLINE Integers as_integers(Words x) { return hn::BitCast(SignedColumns(), x); }
HWY_INLINE Words as_words(Integers x) { return hn::BitCast(Columns(), x); }

/// What a row of Dst holds for the arithmetic: 32-bit values, or BF16 or FP16 of the 16-bit view. A raw exponent of FP16
/// lies where FP32 has its own.
enum class DstForm { wide, bf16, fp16 };

/// What lies at `column` and behind it. Rows that are not valid read as 0: `valid` is ones or zeros.
template <DstForm Form>
HWY_INLINE Words load_dst(const state::Dst& dst, unsigned row, unsigned column, Words valid) {
    const HalfColumns half;
    const Columns whole;
    auto read = [&](unsigned r) HWY_ATTR {
        return hn::And(hn::PromoteTo(whole, hn::LoadU(half, &dst.datums[r * state::columns + column])), valid);
    };
    const Words x = read(row);
    if constexpr (Form == DstForm::bf16) return hn::ShiftLeft<16>(x);
    if constexpr (Form == DstForm::fp16)
        return hn::Or(hn::ShiftLeft<16>(hn::And(x, word(0x8FFF))), hn::ShiftLeft<1>(hn::And(x, word(0x7000))));
    const Words low = read(plan::DstMap::low_half(row));
    return hn::Or(hn::Or(hn::ShiftLeft<16>(x), hn::And(low, word(0x8000))),
                  hn::Or(hn::ShiftLeft<8>(hn::And(low, word(0x7F))), hn::ShiftRight<7>(hn::And(low, word(0x7F80)))));
}

template <DstForm Form>
HWY_INLINE void store_dst(state::Dst& dst, unsigned row, unsigned column, Words x) {
    const HalfColumns half;
    auto write = [&](unsigned r, Words value) HWY_ATTR {
        hn::StoreU(hn::DemoteTo(half, as_integers(value)), half, &dst.datums[r * state::columns + column]);
    };
    const Words high = hn::ShiftRight<16>(x);
    if constexpr (Form == DstForm::fp16)
        return write(row, hn::Or(hn::And(high, word(0x8FFF)), hn::And(hn::ShiftRight<1>(x), word(0x7000))));
    write(row, high);
    if constexpr (Form == DstForm::wide)
        write(plan::DstMap::low_half(row),
              hn::Or(hn::And(x, word(0x8000)),
                     hn::Or(hn::And(hn::ShiftRight<8>(x), word(0x7F)), hn::ShiftLeft<7>(hn::And(x, word(0xFF))))));
}

/// INT32 in Dst is sign and magnitude.
HWY_INLINE Integers integers_of(Words x) {
    const Integers magnitude = as_integers(hn::And(x, word(0x7FFFFFFF)));
    return hn::IfThenElse(hn::Lt(as_integers(x), integer(0)), hn::Sub(integer(0), magnitude), magnitude);
}
HWY_INLINE Words sign_magnitude_of(Integers x) {
    return hn::Or(hn::And(as_words(x), word(0x80000000)), as_words(hn::Abs(x)));
}
/// Clamped to ±(2^31 - 1). Neither is the lowest integer.
HWY_INLINE Integers saturated_sum(Integers a, Integers b) {
    const Integers sum = hn::Add(a, b);
    const Integers limit =
        hn::Sub(integer(0x7FFFFFFF), hn::ShiftLeft<1>(hn::And(hn::BroadcastSignBit(a), integer(0x7FFFFFFF))));
    // Of equal signs, and the sum's differs; or the sum is the lowest integer.
    const auto over = hn::BroadcastSignBit(hn::AndNot(hn::Xor(a, b), hn::Xor(a, sum)));
    const auto lowest = hn::Eq(sum, integer(std::numeric_limits<std::int32_t>::min()));
    return hn::IfThenElse(hn::Or(hn::MaskFromVec(over), lowest), limit, sum);
}

inline void mark_written(state::Dst& dst, unsigned row, bool wide) {
    dst.valid[row] = true;
    dst.written[row] = true;
    if (wide) dst.written[plan::DstMap::low_half(row)] = true;
}

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_MATRIX_DST_ROWS_INL_HPP_
