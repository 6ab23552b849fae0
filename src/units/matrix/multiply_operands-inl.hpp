// SPDX-License-Identifier: Apache-2.0
// What a multiplication reads of SrcA and SrcB, in lanes of 16 bits (docs/numerics.md 1, 5): made when it is first needed, and
// kept with the bank until the bank is written. Included once per target; what is kept is the same for each.
#if defined(TESSERA_UNITS_MATRIX_MULTIPLY_OPERANDS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_MATRIX_MULTIPLY_OPERANDS_INL_HPP_
#undef TESSERA_UNITS_MATRIX_MULTIPLY_OPERANDS_INL_HPP_
#else
#define TESSERA_UNITS_MATRIX_MULTIPLY_OPERANDS_INL_HPP_
#endif

#include "formats/layouts.hpp"
#include "plan/matrix_work.hpp"
#include "state/state.hpp"
#include "units/matrix/short_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

/// Products that are summed with one exponent. A pair has an operand of the lower group in its lower half, and the one that
/// is a group behind it in the upper half.
inline constexpr unsigned group = 8;

/// Exponents of operands that are not zero are too large by this, so that a product's is too large by twice as much; those of
/// zeros are 0, and a product of one is out of the others' reach.
inline constexpr int exponent_offset = 8192, product_offset = 2 * exponent_offset;

/// How the slice of an operand becomes a half: its highest bit is bit 14 or below.
struct Slice {
    std::uint16_t mantissa;  // bits of the half that come from the datum
    std::uint16_t hidden;    // the bit that comes from nowhere, if it is in the slice
    std::uint16_t exponent;  // bits that count
    std::int16_t zero;       // the exponent of zero; none if zeros are not flushed
    std::int16_t more;       // added to the exponent of what is not zero
    int shift;               // from the place in the datum

    // `slice`: bits of the 11 of a mantissa; `lowest` goes to bit 0, which is at `place` in the half.
    Slice(unsigned slice, unsigned lowest, unsigned place, std::uint32_t keep, bool flush, int phase_exponent)
        : more(static_cast<std::int16_t>(exponent_offset + phase_exponent)),
          shift(static_cast<int>(13 + lowest - place)) {
        mantissa = static_cast<std::uint16_t>((keep & (slice & 0x3FFu) << 13) >> shift);
        hidden = static_cast<std::uint16_t>((slice & 0x400u) << 13 >> shift);
        exponent = static_cast<std::uint16_t>(keep >> 23 & 255);
        zero = static_cast<std::int16_t>(flush ? 0 : -1);
    }
};

/// Negative slices lack one unit, which is below what counts: the upper half of a product of unequal signs then is rounded down
/// to one less than four times that of the slices, which lets its ties go away from zero like a positive one's.
HWY_INLINE void slice(Words low, Words high, const Slice& how, std::uint32_t* exponents, std::uint32_t* mantissas) {
    const Columns d;
    const Shorts upper = as_shorts(halves(hn::ShiftRight<16>(low), high));
    const Shorts exponent = hn::And(hn::ShiftRight<7>(upper), shorts(how.exponent));
    const auto zero = hn::Eq(exponent, shorts(how.zero));
    const Words by = word(static_cast<std::uint32_t>(how.shift)),
                rest = word(static_cast<std::uint32_t>(16 - how.shift));
    const Shorts bits = as_shorts(halves(low >> by, high << rest));
    const Shorts mantissa =
        hn::Xor(hn::BroadcastSignBit(upper), hn::OrAnd(shorts(how.hidden), bits, shorts(how.mantissa)));
    hn::Store(as_words(hn::IfThenZeroElse(zero, hn::Add(exponent, shorts(how.more)))), d, exponents);
    hn::Store(as_words(hn::IfThenZeroElse(zero, mantissa)), d, mantissas);
}

/// Sign and magnitude, in the place of a mantissa, become an integer; zero if the exponent is `zero`. The bits of `keep` count.
HWY_INLINE Words integer_pair(Words low, Words high, std::uint32_t keep, int zero) {
    const Shorts upper = as_shorts(halves(hn::ShiftRight<16>(low), high));
    const Shorts bits = as_shorts(halves(hn::ShiftRight<13>(low), hn::ShiftLeft<3>(high)));
    const Shorts exponent = hn::And(upper, shorts(static_cast<int>(keep >> 16 & 0x7F80)));
    const Shorts magnitude = hn::And(bits, shorts(static_cast<int>(keep >> 13 & 1023)));
    const Shorts sign = hn::BroadcastSignBit(upper);
    return as_words(hn::IfThenZeroElse(hn::Eq(exponent, shorts(zero)), hn::Sub(hn::Xor(magnitude, sign), sign)));
}

/// SrcA: rows k and k + 8 of a block, 16 pairs for each k.
struct OperandsOfA {
    static std::uint32_t keep(const plan::MultiplyWork& work) { return work.a_keep; }
    static bool flush(const plan::MultiplyWork&) { return true; }
    static unsigned first_row(const plan::MultiplyWork& work) { return work.a_row; }
    static bool low_bits(const plan::MultiplyWork& work) { return work.phase.number & 1; }
    /// What of the phase's exponent goes with these bits; the rest goes to SrcB.
    static int phase_exponent(const plan::MultiplyWork& work) { return low_bits(work) ? -5 : 0; }
    /// Five bits that end in bit 14.
    static Slice slice_of(const plan::MultiplyWork& work) {
        return {31u << work.phase.a_shift, work.phase.a_shift, 10, work.a_keep, true, phase_exponent(work)};
    }
    template <class F>
    static HWY_INLINE void for_each_pair(const std::uint32_t* datums, unsigned first_row, F&& f) {
        const Columns d;
        HWY_UNROLL(2)
        for (unsigned k = 0; k < group; ++k) {
            const std::uint32_t* low = datums + (first_row + k) % state::SrcBank::rows * state::columns;
            const std::uint32_t* high = datums + (first_row + k + group) % state::SrcBank::rows * state::columns;
            for (unsigned c = 0; c < state::columns; c += hn::Lanes(d))
                f(hn::Load(d, low + c), hn::Load(d, high + c), k * state::columns + c);
        }
    }
};

/// SrcB: columns k and k + 8 of 16 rows, eight pairs for each row.
struct OperandsOfB {
    static std::uint32_t keep(const plan::MultiplyWork& work) { return work.b_keep; }
    static bool flush(const plan::MultiplyWork& work) { return work.flush_b; }
    static unsigned first_row(const plan::MultiplyWork& work) { return work.b_row / 16 * 16; }
    static bool low_bits(const plan::MultiplyWork& work) { return work.phase.number >> 1 & 1; }
    static int phase_exponent(const plan::MultiplyWork& work) {
        return work.phase.exponent - OperandsOfA::phase_exponent(work);
    }
    /// Seven bits that end in bit 14: the upper half of the product has four times that of the slices.
    static Slice slice_of(const plan::MultiplyWork& work) {
        const plan::FidelityPhase& p = work.phase;
        return {static_cast<unsigned>(p.b_mask) << p.b_shift,
                p.b_shift,
                8u + p.b_left,
                work.b_keep,
                work.flush_b,
                phase_exponent(work)};
    }
    // A vector may have room for the eight pairs of two rows.
    template <class F>
    static HWY_INLINE void for_each_pair(const std::uint32_t* datums, unsigned first_row, F&& f) {
        const Columns d;
        constexpr unsigned rows = state::KeptOperands::rows;
        datums += first_row * state::columns;
        if constexpr (hn::MaxLanes(d) > group) {
            const hn::Half<Columns> half;
            for (unsigned i = 0; i < rows; i += 2, datums += 2 * state::columns) {
                const std::uint32_t* second = datums + state::columns;
                f(hn::Combine(d, hn::Load(half, second), hn::Load(half, datums)),
                  hn::Combine(d, hn::Load(half, second + group), hn::Load(half, datums + group)), i * group);
            }
        } else {
            for (unsigned i = 0; i < rows; ++i, datums += state::columns)
                for (unsigned k = 0; k < group; k += hn::Lanes(d))
                    f(hn::Load(d, datums + k), hn::Load(d, datums + k + group), i * group + k);
        }
    }
};

/// The operands that `work` finds in a bank; made unless they are kept.
template <class Side, bool Integers>
HWY_INLINE const state::KeptOperands& operands(const plan::MultiplyWork& work, state::SrcBank& bank) {
    const unsigned first_row = Side::first_row(work);
    const std::uint32_t keep = Side::keep(work);
    const bool flush = Side::flush(work);
    constexpr unsigned rows = state::KeptOperands::rows;
    state::KeptOperands& kept = bank.kept[first_row / rows][Side::low_bits(work)];
    const state::SrcDatums& datums = bank.datums;
    constexpr int least_phase_exponent = -127 - 7;
    const auto phase_exponent = static_cast<std::uint32_t>(Side::phase_exponent(work) - least_phase_exponent);
    const std::uint32_t how =
        (keep & formats::src_bits) | phase_exponent << 5 | (first_row % rows != 0) << 2 | flush << 1 | Integers;
    if (kept.version == datums.version() && kept.how == how) return kept;
    kept.version = datums.version();
    kept.how = how;
    std::uint32_t *exponents = kept.exponents.data(), *mantissas = kept.mantissas.data();
    if constexpr (Integers) {
        Side::for_each_pair(datums.data(), first_row, [&](Words low, Words high, unsigned at) HWY_ATTR {
            hn::Store(integer_pair(low, high, keep, flush ? 0 : -1), Columns(), mantissas + at);
        });
    } else {
        const Slice how_sliced = Side::slice_of(work);
        Side::for_each_pair(datums.data(), first_row, [&](Words low, Words high, unsigned at) HWY_ATTR {
            slice(low, high, how_sliced, exponents + at, mantissas + at);
        });
    }
    return kept;
}

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_MATRIX_MULTIPLY_OPERANDS_INL_HPP_
