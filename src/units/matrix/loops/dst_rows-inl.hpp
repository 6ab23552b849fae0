// SPDX-License-Identifier: Apache-2.0
// Rows of Dst as vectors of FP32 fields. Included once per target.
#if defined(TESSERA_UNITS_MATRIX_DST_ROWS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_MATRIX_DST_ROWS_INL_HPP_
#undef TESSERA_UNITS_MATRIX_DST_ROWS_INL_HPP_
#else
#define TESSERA_UNITS_MATRIX_DST_ROWS_INL_HPP_
#endif

#include "plan/dst_rows.hpp"
#include "state/memories.hpp"
#include "units/matrix/loops/halves-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

using plan::mark_written;

/// The form of a row of Dst for the arithmetic: 32-bit values, or BF16 or FP16 of the 16-bit view. FP16's raw
/// exponent is in the place of FP32's.
enum class DstForm { wide, bf16, fp16 };

/// x / 2^shift, rounded down; -1 or 0 for shifts of 32 or more.
HWY_INLINE Integers shifted_down(Integers x, Integers shift) {
#if HWY_TARGET <= HWY_AVX2
    return x >> shift;
#else
    return x >> hn::Min(shift, integer(31));  // Highway's shift is undefined from 32 on
#endif
}

/// A row of Dst as it reads: invalid rows are zeros.
struct ReadableRow {
    HWY_INLINE ReadableRow(const state::Dst& dst, unsigned row) : ReadableRow(dst, row, dst.valid[row]) {}
    /// `valid` replaces the row's own validity.
    HWY_INLINE ReadableRow(const state::Dst& dst, unsigned row, bool valid)
        : high(valid ? &dst.datums[row * state::columns] : zeros),
          low(valid ? &dst.datums[plan::DstMap::low_half(row) * state::columns] : zeros) {}
    HWY_INLINE ReadableRow(const std::uint16_t* high_half, const std::uint16_t* low_half)
        : high(high_half), low(low_half) {}

    const std::uint16_t *high, *low;

private:
    static constexpr std::uint16_t zeros[state::columns] = {};
};

/// The 16 bits of `x` for Dst, in the upper half; the lower half is undefined.
template <DstForm Form>
HWY_INLINE Words in_upper_half(Words x) {
    if constexpr (Form == DstForm::fp16)
        return hn::Or(hn::And(x, word(0x8FFF0000)), hn::And(hn::ShiftLeft<15>(x), word(0x70000000)));
    return x;
}
/// The inverse; the lower half of `x` is 0.
template <DstForm Form>
HWY_INLINE Words from_upper_half(Words x) {
    if constexpr (Form == DstForm::fp16)
        return hn::Or(hn::And(x, word(0x8FFF0000)), hn::And(hn::ShiftRight<15>(x), word(0xE000)));
    return x;
}

/// The datums from `column` on.
template <DstForm Form>
HWY_INLINE Words load_dst(const ReadableRow& row, unsigned column) {
    if constexpr (Form == DstForm::wide) {
        const Words x = load_halves(row.high + column, row.low + column);
        const Words turned = chosen_bits(word(0x7F00), hn::ShiftLeft<8>(x), hn::ShiftRight<7>(x));
        return chosen_bits(word(0x7FFF), turned, x);
    }
    return from_upper_half<Form>(load_upper_halves(row.high + column));
}

template <DstForm Form>
HWY_INLINE void store_dst(state::Dst& dst, unsigned row, unsigned column, Words x) {
    std::uint16_t* const high = &dst.datums[row * state::columns + column];
    if constexpr (Form != DstForm::wide) return store_upper_halves(in_upper_half<Form>(x), high);
    const Words turned = chosen_bits(word(0x7F), hn::ShiftRight<8>(x), hn::ShiftLeft<7>(x));
    std::uint16_t* const low = &dst.datums[plan::DstMap::low_half(row) * state::columns + column];
    store_halves(chosen_bits(word(0x7FFF), turned, x), high, low);
}

/// INT32 in Dst is sign and magnitude.
HWY_INLINE Integers integers_of(Words x) {
    const Integers magnitude = as_integers(hn::And(x, word(0x7FFFFFFF)));
    return hn::IfThenElse(hn::Lt(as_integers(x), integer(0)), hn::Sub(integer(0), magnitude), magnitude);
}
HWY_INLINE Words sign_magnitude_of(Integers x) {
    return hn::Or(hn::And(as_words(x), word(0x80000000)), as_words(hn::Abs(x)));
}
/// Clamped to ±(2^31 - 1); neither operand is the lowest integer.
HWY_INLINE Integers saturated_sum(Integers a, Integers b) {
    const Integers sum = hn::Add(a, b);
    const Integers limit =
        hn::Sub(integer(0x7FFFFFFF), hn::ShiftLeft<1>(hn::And(hn::BroadcastSignBit(a), integer(0x7FFFFFFF))));
    // Equal signs and a different sign of the sum, or the sum is the lowest integer.
    const auto over = hn::BroadcastSignBit(hn::AndNot(hn::Xor(a, b), hn::Xor(a, sum)));
    const auto lowest = hn::Eq(sum, integer(std::numeric_limits<std::int32_t>::min()));
    return hn::IfThenElse(hn::Or(hn::MaskFromVec(over), lowest), limit, sum);
}

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_MATRIX_DST_ROWS_INL_HPP_
