// SPDX-License-Identifier: Apache-2.0
// MVMUL's sums of products by the host's multiply-add (docs/numerics.md 2, 3): an operand's slice is a float, and a product that is
// added to 1.5 * 2^23 units, the last bits of a product with the group's largest exponent, is aligned to them. For operands that are
// neither very small nor very large. Included once per target.
#if defined(TESSERA_UNITS_MATRIX_MULTIPLY_FLOATS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_MATRIX_MULTIPLY_FLOATS_INL_HPP_
#undef TESSERA_UNITS_MATRIX_MULTIPLY_FLOATS_INL_HPP_
#else
#define TESSERA_UNITS_MATRIX_MULTIPLY_FLOATS_INL_HPP_
#endif

#include <optional>

#include "units/matrix/accumulate_nearest-inl.hpp"
#include "units/matrix/block_rows.hpp"
#include "units/matrix/multiply_operands-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

using Floats = hn::Vec<FloatColumns>;

HWY_INLINE Floats as_floats(Words x) { return hn::BitCast(FloatColumns(), x); }
HWY_INLINE Words bits_of(Floats x) { return hn::BitCast(Columns(), x); }
HWY_INLINE Floats real(float x) { return hn::Set(FloatColumns(), x); }

/// 1.5 * 2^23 units of the group whose largest exponents are in the lower, or the upper halves.
inline constexpr std::uint32_t many_units = (2 * float_raised + 13) << 23 | 1u << 22;
HWY_INLINE Floats units_of_lower(Words exponents) {
    return as_floats(hn::Add(hn::ShiftLeft<23>(exponents), word(many_units)));
}
HWY_INLINE Floats units_of_upper(Words exponents) {
    return as_floats(hn::Add(hn::And(hn::ShiftLeft<7>(exponents), word(0xFF800000)), word(many_units)));
}

/// Which exponents products have, and what they are added to: no sum but 0 then has an exponent of 0 or less, and no float ends.
inline constexpr int least_float_exponent = 11, most_float_exponent = 220;

/// Both operands of a multiplication as floats; of SrcB, the rows from its first one on.
struct FloatOperands {
    const state::KeptOperands* a;
    const std::uint32_t* b_exponents;
    const float* b_floats;
    unsigned b_step;  // pairs from one row of SrcB to the next
};

/// Nothing, if not all of these operands can be floats.
HWY_INLINE std::optional<FloatOperands> float_operands_of(const plan::MultiplyWork& work, state::State& state) {
    const auto& a = float_operands<OperandsOfA>(work, state.bank(state::Src::a, work.a_bank));
    const auto& b = float_operands<OperandsOfB>(work, state.bank(state::Src::b, work.b_bank));
    if (!a.as_floats || !b.as_floats || a.least + b.least < product_offset + least_float_exponent ||
        a.most + b.most > product_offset + most_float_exponent)
        return std::nullopt;
    const unsigned first = OperandsOfB::first_pair(work);
    return FloatOperands{&a, &b.exponents[first], &b.floats[first], OperandsOfB::step(work)};
}

/// For each column of all rows of a work, the groups' sums.
template <DstForm Form>
class SumsOfFloats {
public:
    HWY_INLINE SumsOfFloats(const plan::MultiplyWork& work, const FloatOperands& in) {
        for (unsigned c = 0; c < state::columns; c += hn::Lanes(Columns())) {
            find_exponents(work, in, c);
            add_up<0>(work, in, c);
            add_up<1>(work, in, c);
        }
    }

    HWY_INLINE void as_terms(unsigned row, unsigned c, WideTerm (&terms)[2]) const {
        const Words exponents = hn::Load(Columns(), exponents_[row] + c);
        const FloatColumns d;
        Floats sums[] = {hn::Load(d, sums_[0][row] + c), hn::Load(d, sums_[1][row] + c)};
        if constexpr (Form != DstForm::wide) {
            sums[0] = hn::Add(sums[0], units_of_lower(exponents));
            sums[1] = hn::Add(sums[1], units_of_upper(exponents));
        }
        // Of so many units as a float, and of their sum with another number of units, the lower bits are that number.
        terms[0] = {as_integers(hn::And(exponents, word(0xFFFF))), as_integers(hn::ShiftLeft<16>(bits_of(sums[0])))};
        terms[1] = {as_integers(hn::ShiftRight<16>(exponents)), as_integers(hn::ShiftLeft<16>(bits_of(sums[1])))};
    }

    /// What the groups and `old` make in BF16 of the 16-bit view. That rounds a group twice, to a 2^13th of the common unit and to the
    /// unit: as once, if it is a 2^14th of it larger.
    HWY_INLINE Words onto_bf16(unsigned row, unsigned c, Words old) const {
        const FloatColumns d;
        const Words exponent = hn::And(old, word(0x7F800000));
        const Floats common = hn::Max(hn::Load(d, units_[row] + c), as_floats(hn::Add(exponent, word(many_units))));
        // So little that a tie goes away from zero.
        const Words not_a_tie = hn::Or(old, word(1 << 11));
        const auto number = hn::Ne(exponent, word(0));
        Floats sum = hn::MulAdd(as_floats(hn::IfThenElseZero(number, not_a_tie)), real(1 << 2 * float_raised), common);
        const Floats more = real(0x1p-37f / 1.5f);
        sum = hn::Add(sum, hn::MulAdd(common, more, hn::Load(d, sums_[0][row] + c)));
        sum = hn::Add(sum, hn::MulAdd(common, more, hn::Load(d, sums_[1][row] + c)));
        sum = hn::Mul(hn::Sub(sum, common), real(1.0f / (1 << 2 * float_raised)));
        return hn::Add(bits_of(sum), word(1 << 15));
    }
    /// Whether onto_bf16() can have these.
    static HWY_INLINE bool can_be_old(Words old) {
        const Words exponent = hn::And(old, word(0x7F800000));
        const Words above = hn::Sub(exponent, word(least_float_exponent << 23));
        constexpr std::uint32_t range = (most_float_exponent - least_float_exponent) << 23;
        return hn::AllFalse(Columns(), hn::And(hn::Ne(exponent, word(0)), hn::Gt(above, word(range))));
    }

private:
    // At least 1, which changes nothing.
    HWY_INLINE void find_exponents(const plan::MultiplyWork& work, const FloatOperands& in, unsigned c) {
        const Shorts least = shorts(product_offset + std::max<int>(work.phase.zero_exponent, 1));
        const std::uint32_t* const at = &in.a->exponents[c];
        Shorts a[group];
        HWY_UNROLL(8)
        for (unsigned k = 0; k < group; ++k) a[k] = load_pairs(at + k * state::columns);
        const std::uint32_t* b = in.b_exponents;
        for (unsigned i = 0; i < work.rows; ++i, b += in.b_step) {
            Shorts largest = least;
            HWY_UNROLL(8)
            for (unsigned k = 0; k < group; ++k) largest = hn::Max(largest, hn::Add(a[k], same_pair(b[k])));
            hn::Store(as_words(largest), Columns(), exponents_[i] + c);
        }
    }
    // A sum above so many units; onto BF16 without them, but with so little more that a tie goes up.
    template <unsigned Half>
    HWY_INLINE void add_up(const plan::MultiplyWork& work, const FloatOperands& in, unsigned c) {
        const FloatColumns d;
        const float* const at = &in.a->floats[Half * state::KeptOperands::pairs + c];
        Floats a[group];
        HWY_UNROLL(8)
        for (unsigned k = 0; k < group; ++k) a[k] = hn::Load(d, at + k * state::columns);
        const float* b = in.b_floats + Half * state::KeptOperands::pairs;
        for (unsigned i = 0; i < work.rows; ++i, b += in.b_step) {
            const Words exponents = hn::Load(Columns(), exponents_[i] + c);
            const Floats units = Half ? units_of_upper(exponents) : units_of_lower(exponents);
            Floats sum = units;
            HWY_UNROLL(8)
            for (unsigned k = 0; k < group; ++k) sum = hn::MulAdd(a[k], real(b[k]), sum);
            if constexpr (Form != DstForm::wide) {
                sum = hn::MulAdd(units, real(0x1p-31f), hn::Sub(sum, units));
                hn::Store(Half ? hn::Max(units, hn::Load(d, units_[i] + c)) : units, d, units_[i] + c);
            }
            hn::Store(sum, d, sums_[Half][i] + c);
        }
    }

    HWY_ALIGN std::uint32_t exponents_[BlockRows::most][state::columns];
    HWY_ALIGN float sums_[2][BlockRows::most][state::columns];
    HWY_ALIGN float units_[BlockRows::most][state::columns];
};

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_MATRIX_MULTIPLY_FLOATS_INL_HPP_
