// SPDX-License-Identifier: Apache-2.0
// MVMUL's sums of products with the host's multiply-add (numerics.md 2, 3). An operand's slice is a float. Adding a
// product to 1.5 * 2^23 units aligns it; a unit is the last bit of a product with the group's largest exponent. For
// medium exponents only. Included once per target.
#if defined(TESSERA_UNITS_MATRIX_MULTIPLY_FLOATS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_MATRIX_MULTIPLY_FLOATS_INL_HPP_
#undef TESSERA_UNITS_MATRIX_MULTIPLY_FLOATS_INL_HPP_
#else
#define TESSERA_UNITS_MATRIX_MULTIPLY_FLOATS_INL_HPP_
#endif

#include <optional>

#include "units/matrix/loops/accumulate_nearest-inl.hpp"
#include "units/matrix/loops/column_floats-inl.hpp"
#include "units/matrix/loops/dst_two_rows-inl.hpp"
#include "units/matrix/loops/multiply_operands-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

/// 1.5 * 2^23 units, from bits in the place of an exponent.
HWY_INLINE Floats units_of(Words exponents) {
    return as_floats(hn::OrAnd(word(constants.half), exponents, word(constants.exponent)));
}
/// The same for a group with its exponents in that byte.
template <unsigned Byte>
HWY_INLINE Floats units_of_byte(Words exponents) {
    if constexpr (Byte == 3)
        return units_of(hn::ShiftRight<1>(exponents));
    else
        return units_of(hn::ShiftLeft<23 - 8 * Byte>(exponents));
}

/// Exponent of a group of zeros: below those of products, so it aligns nothing away.
inline constexpr unsigned no_exponent = least_float_exponent - 1;

/// Both operands of a multiplication as floats; SrcB from its first row on.
struct FloatOperands {
    const state::KeptOperands* a;
    const std::uint32_t* b_exponents;  // of two rows each
    const float* b_floats;
};

/// None if some operand cannot be a float.
HWY_INLINE std::optional<FloatOperands> float_operands_of(const plan::MultiplyWork& work, state::State& state) {
    const auto kept = kept_floats(work, state, least_float_exponent, most_float_exponent);
    if (!kept) return std::nullopt;
    const unsigned first = OperandsOfB::first_pair(work);
    return FloatOperands{kept->a, &kept->b->exponents[first / (2 * group) * group], &kept->b->floats[first]};
}

/// One row of SrcB repeated for all rows of a work.
struct SameRows {
    std::uint32_t exponents[state::Dst::block_rows / 2 * group];
    float floats[state::KeptOperands::pairs + state::Dst::block_rows * group];
};
/// `exponents` and `floats`: those of the row.
HWY_NOINLINE inline void repeat_row(const plan::MultiplyWork& work, const std::uint32_t* exponents, const float* floats,
                                    SameRows& out) {
    for (unsigned k = 0; k < group; ++k) {
        const std::uint32_t both = (exponents[k] >> work.b_row % 2 * 8 & 0xFF00FF) * 0x101;
        for (unsigned row = 0; row < work.rows; ++row) {
            out.exponents[row / 2 * group + k] = both;
            for (unsigned half : {0u, state::KeptOperands::pairs})
                out.floats[half + row * group + k] = floats[half + k];
        }
    }
}

/// Both groups of products of a row of SrcB with SrcA's columns.
struct FloatGroups {
    Floats sums[2];   // onto BF16: with a tiny excess, so that ties go up
    Floats units;     // of the group with the larger exponent
    Words exponents;  // in bytes 0 and 2

    HWY_INLINE void as_terms(WideTerm (&terms)[2]) const {
        terms[0] = term(sums[0], exponents);
        terms[1] = term(sums[1], hn::ShiftRight<16>(exponents));
    }

private:
    static HWY_INLINE WideTerm term(Floats sum, Words exponents) {
        const Words byte = hn::And(exponents, word(255));
        const auto none = hn::Eq(byte, word(no_exponent + unit_bits));
        const Words exponent = hn::Add(byte, word(product_offset - unit_bits));
        // The low bits of such a sum in units are the number that was added.
        const Words with_units = bits_of(hn::Add(sum, units_of(hn::ShiftLeft<23>(byte))));
        return {as_integers(hn::IfThenElse(none, word(product_offset + 1), exponent)),
                as_integers(hn::ShiftLeft<16>(with_units))};
    }
};

/// Rows, and vectors of each, in flight at once, to hide latency.
inline constexpr unsigned part_rows = row_vectors == 1 ? 4 : 2, part_vectors = row_vectors == 1 ? 1 : 2,
                          part = part_rows * part_vectors;

/// The groups of all rows of a work.
template <DstForm Form>
class ProductsOfFloats {
public:
    HWY_INLINE ProductsOfFloats(const plan::MultiplyWork& work, const FloatOperands& in)
        : in_(in),
          // At least the exponent that changes nothing.
          least_(hn::Set(
              Bytes(), static_cast<std::uint8_t>(std::max<int>(work.phase.zero_exponent, no_exponent) + unit_bits))) {}

    /// For a part of the rows from `row` on. In `out` a row's vectors are adjacent.
    HWY_INLINE void groups(unsigned row, unsigned c, FloatGroups (&out)[part]) const {
        Floats lower[part], upper[part];
        HWY_UNROLL(2)
        for (unsigned pair = 0; pair < part / 2; ++pair) {
            const unsigned r = pair / part_vectors * 2, v = pair % part_vectors;
            const Words exponents = largest_exponents(row + r, c + v * hn::Lanes(Columns()));
            const unsigned first = r * part_vectors + v, second = first + part_vectors;
            out[first].exponents = exponents;
            out[second].exponents = hn::ShiftRight<8>(exponents);
            lower[first] = units_of_byte<0>(exponents);
            lower[second] = units_of_byte<1>(exponents);
            upper[first] = units_of_byte<2>(exponents);
            upper[second] = units_of_byte<3>(exponents);
        }
        Floats sums[2][part];
        HWY_UNROLL(4)
        for (unsigned i = 0; i < part; ++i) {
            out[i].units = hn::Max(lower[i], upper[i]);
            sums[0][i] = lower[i];
            sums[1][i] = upper[i];
        }
        const float* b[part_rows];
        HWY_UNROLL(4)
        for (unsigned r = 0; r < part_rows; ++r) b[r] = in_.b_floats + (row + r) * group;
        const float* const a = &in_.a->floats[c];
        HWY_UNROLL(8)
        for (unsigned k = 0; k < group; ++k) {
            HWY_UNROLL(2)
            for (unsigned half = 0; half < 2; ++half) {
                constexpr unsigned to_half = state::KeptOperands::pairs;
                HWY_UNROLL(4)
                for (unsigned i = 0; i < part; ++i) {
                    const unsigned r = i / part_vectors, v = i % part_vectors;
                    sums[half][i] = hn::MulAdd(
                        hn::Load(FloatColumns(), a + half * to_half + k * state::columns + v * hn::Lanes(Columns())),
                        real(b[r][half * to_half + k]), sums[half][i]);
                }
            }
        }
        HWY_UNROLL(4)
        for (unsigned i = 0; i < part; ++i) {
            out[i].sums[0] = without(sums[0][i], lower[i]);
            out[i].sums[1] = without(sums[1][i], upper[i]);
        }
    }

private:
    using Bytes = hn::Repartition<std::uint8_t, Columns>;

    // Of two rows.
    HWY_INLINE Words largest_exponents(unsigned row, unsigned c) const {
        const std::uint32_t *const a = &in_.a->exponents[c], *const b = in_.b_exponents + row / 2 * group;
        auto largest = least_;
        HWY_UNROLL(8)
        for (unsigned k = 0; k < group; ++k)
            largest =
                hn::Max(largest, hn::SaturatedSub(hn::BitCast(Bytes(), hn::Load(Columns(), a + k * state::columns)),
                                                  hn::BitCast(Bytes(), word(b[k]))));
        return hn::BitCast(Columns(), largest);
    }
    static HWY_INLINE Floats without(Floats sum, Floats units) {
        sum = hn::Sub(sum, units);
        if constexpr (Form != DstForm::wide) return hn::MulAdd(units, real(0x1p-31f), sum);
        return sum;
    }

    FloatOperands in_;
    hn::Vec<Bytes> least_;
};

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_MATRIX_MULTIPLY_FLOATS_INL_HPP_
