// SPDX-License-Identifier: Apache-2.0
// ELWMUL onto BF16 of the 16-bit view (numerics.md 1, 3, 4) with floats of the host. Adding a term to 1.5 * 2^23
// units of the larger exponent aligns the term. For medium exponents only. Included once per target.
#if defined(TESSERA_UNITS_MATRIX_FLOAT_PRODUCT_ONTO_BF16_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_MATRIX_FLOAT_PRODUCT_ONTO_BF16_INL_HPP_
#undef TESSERA_UNITS_MATRIX_FLOAT_PRODUCT_ONTO_BF16_INL_HPP_
#else
#define TESSERA_UNITS_MATRIX_FLOAT_PRODUCT_ONTO_BF16_INL_HPP_
#endif

#include "units/matrix/loops/column_floats-inl.hpp"
#include "units/matrix/loops/dst_two_rows-inl.hpp"
#include "units/matrix/loops/multiply_operands-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

/// `Whole`: both slices include the hidden bit, as in fidelity phase 0.
template <bool Whole>
class FloatProductOntoBf16 {
public:
    /// Rows, and vectors of them, in flight at once, to hide latency.
    static constexpr unsigned rows = row_vectors == 1 ? 4 : 2, part = rows * row_vectors;

    explicit HWY_INLINE FloatProductOntoBf16(const plan::ElementwiseWork& work)
        : a_(31u << work.phase.a_shift, work.a_keep),
          b_(static_cast<unsigned>(work.phase.b_mask) << work.phase.b_shift, work.b_keep),
          // 2^-5 for SrcA's lower bits, 2^-7 for SrcB's.
          scale_(as_floats(word(static_cast<std::uint32_t>(254 + work.phase.exponent) << 23))) {}

    /// Adds the products to Dst's datums. False if an exponent is out of range; nothing is changed then.
    HWY_INLINE bool add(const Words (&a)[part], const Words (&b)[part], Words (&dst)[part]) const {
        Floats product[part];
        Words largest[part];
        HWY_UNROLL(8)
        for (unsigned i = 0; i < part; ++i) {
            product[i] = hn::Mul(a_.power_of(a[i]), b_.power_of(b[i]));
            if constexpr (!Whole) product[i] = hn::Mul(product[i], scale_);
            // Compared as words, so that NaN is the maximum.
            largest[i] = hn::Max(exponent_of(dst[i]), bits_of(product[i]));
        }
        if (HWY_UNLIKELY(!are_float_exponents(largest))) return false;

        Floats sum[part], units[part];
        HWY_UNROLL(8)
        for (unsigned i = 0; i < part; ++i) {
            units[i] = hn::Mul(as_floats(largest[i]), real(1.5f * (1 << 13)));
            // A tiny excess, so that ties round away from zero.
            const auto number = hn::Ne(exponent_of(dst[i]), word(0));
            sum[i] = hn::Add(as_floats(hn::IfThenElseZero(number, hn::Or(dst[i], word(1 << 11)))), units[i]);
        }
        HWY_UNROLL(8)
        for (unsigned i = 0; i < part; ++i) {
            const auto number = hn::Ne(bits_of(product[i]), word(0));
            const Floats x = as_floats(hn::IfThenElseZero(number, bits_of(a_.of(a[i]))));
            // A tiny excess, 2^-13 units, so that the product's ties round up.
            sum[i] = hn::Add(sum[i], hn::MulAdd(x, b_.of(b[i]), hn::Mul(as_floats(largest[i]), real(0x1p-23f))));
        }
        HWY_UNROLL(8)
        for (unsigned i = 0; i < part; ++i) dst[i] = hn::Add(bits_of(hn::Sub(sum[i], units[i])), word(1 << 15));
        return true;
    }

private:
    // Some of a mantissa's 11 bits, as a float.
    struct Slice {
        HWY_INLINE Slice(unsigned of_mantissa, std::uint32_t keep)
            : kept(word(keep & (0xFF800000 | (of_mantissa & 0x3FF) << 13))),
              less(word(of_mantissa & 0x400 ? 0 : keep & 0xFF800000)),
              exponent(word(keep & 0x7F800000)) {}
        HWY_INLINE Floats of(Words x) const {
            const Floats slice = as_floats(hn::And(x, kept));
            if constexpr (Whole) return slice;
            return hn::Sub(slice, as_floats(hn::And(x, less)));
        }
        // 2^exponent; 0 for zero.
        HWY_INLINE Floats power_of(Words x) const { return as_floats(hn::And(x, exponent)); }
        Words kept, less, exponent;
    };

    Slice a_, b_;
    Floats scale_;
};

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_MATRIX_FLOAT_PRODUCT_ONTO_BF16_INL_HPP_
