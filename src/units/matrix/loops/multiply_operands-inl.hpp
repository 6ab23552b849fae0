// SPDX-License-Identifier: Apache-2.0
// Operands of a multiplication in lanes of 16 bits (docs/internals/numerics.md 1, 5). They are computed on demand and
// memoised with the bank until it is written. Included once per target; all targets memoise the same values.
#if defined(TESSERA_UNITS_MATRIX_MULTIPLY_OPERANDS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_MATRIX_MULTIPLY_OPERANDS_INL_HPP_
#undef TESSERA_UNITS_MATRIX_MULTIPLY_OPERANDS_INL_HPP_
#else
#define TESSERA_UNITS_MATRIX_MULTIPLY_OPERANDS_INL_HPP_
#endif

#include <optional>
#include <utility>

#include "formats/layouts.hpp"
#include "plan/matrix_work.hpp"
#include "state/state.hpp"
#include "units/matrix/loops/float_constants.hpp"
#include "units/matrix/loops/short_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

/// Products that share one exponent in their sum. A pair has an operand of the lower group in its lower half, and the
/// operand one group further in its upper half.
inline constexpr unsigned group = 8;

/// Exponents of nonzero operands are raised by this, and a product's by twice as much. Exponents of zeros are 0,
/// which keeps their products below all others.
inline constexpr int exponent_offset = 8192, product_offset = 2 * exponent_offset;

/// The exponent of a float product (units/matrix/loops/float_constants.hpp) is SrcA's byte minus SrcB's. SrcA's byte
/// is its float's exponent plus `a_more`; SrcB's is `b_most` minus its float's exponent.
inline constexpr int a_more = 70, b_most = 127 + a_more - static_cast<int>(unit_bits);

HWY_INLINE Shorts load_pairs(const std::uint32_t* p) { return as_shorts(hn::Load(Columns(), p)); }
HWY_INLINE Shorts same_pair(const std::uint32_t& p) { return as_shorts(word(p)); }

/// Extracts the slice of an operand into a half; its highest bit is bit 14 or below.
struct Slice {
    std::uint16_t mantissa;  // bits of the half that come from the datum
    std::uint16_t hidden;    // the hidden bit, if it is in the slice
    std::uint16_t exponent;  // used exponent bits
    std::int16_t zero;       // exponent of zero; none if zeros are not flushed
    std::int16_t more;       // added to exponents of nonzero operands
    int shift;               // from the place in the datum

    // `slice`: a mask of the mantissa's 11 bits. `lowest` goes to bit 0, which is at `place` in the half.
    Slice(unsigned slice, unsigned lowest, unsigned place, std::uint32_t keep, bool flush, int phase_exponent)
        : more(static_cast<std::int16_t>(exponent_offset + phase_exponent)),
          shift(static_cast<int>(13 + lowest - place)) {
        mantissa = static_cast<std::uint16_t>((keep & (slice & 0x3FFu) << 13) >> shift);
        hidden = static_cast<std::uint16_t>((slice & 0x400u) << 13 >> shift);
        exponent = static_cast<std::uint16_t>(keep >> 23 & 255);
        zero = static_cast<std::int16_t>(flush ? 0 : -1);
    }
};

/// Which operands with these upper halves are zeros, and the exponents of the others; 0 for zeros.
struct CountedExponents {
    hn::Mask<Halves> zero;
    Shorts exponent;
};
HWY_INLINE CountedExponents counted_exponents(Shorts upper, const Slice& how) {
    const Shorts exponent = hn::And(hn::ShiftRight<7>(upper), shorts(how.exponent));
    const auto zero = hn::Eq(exponent, shorts(how.zero));
    return {zero, hn::IfThenZeroElse(zero, hn::Add(exponent, shorts(how.more)))};
}

/// Negative slices are one unit smaller, below the used bits. A product of unequal signs then has an upper half of
/// one less than four times the slices' product. So its ties go away from zero, as for equal signs.
HWY_INLINE void slice(Words low, Words high, const Slice& how, std::uint32_t* exponents, std::uint32_t* mantissas) {
    const Columns d;
    const Shorts upper = as_shorts(halves(hn::ShiftRight<16>(low), high));
    const CountedExponents counted = counted_exponents(upper, how);
    const Words by = word(static_cast<std::uint32_t>(how.shift)),
                rest = word(static_cast<std::uint32_t>(16 - how.shift));
    const Shorts bits = as_shorts(halves(low >> by, high << rest));
    const Shorts mantissa =
        hn::Xor(hn::BroadcastSignBit(upper), hn::OrAnd(shorts(how.hidden), bits, shorts(how.mantissa)));
    hn::Store(as_words(counted.exponent), d, exponents);
    hn::Store(as_words(hn::IfThenZeroElse(counted.zero, mantissa)), d, mantissas);
}

/// Extracts the slice of an operand as a float of its value. SrcA's is larger by 2^-8 of its last bit: too little to
/// add half a unit to a product, but enough to break ties.
struct FloatSlice {
    std::uint32_t keep;        // used bits of the datum
    int raised;                // added to its exponent
    std::uint32_t kept, more;  // datum bits in the slice, and bits set in it
    std::uint32_t less;        // bits of the subtrahend: of the hidden bit, unless it is in the slice

    FloatSlice(const plan::FidelityPhase& phase, unsigned slice, unsigned lowest, std::uint32_t keep_, bool no_ties)
        : keep(keep_),
          // Exponents of 5 bits onto 32-bit Dst: a product's are 224 larger than those of 8 bits would be.
          raised(phase.zero_exponent > 0 ? 112 : 0),
          kept(0xFF800000 | (slice & 0x3FFu) << 13),
          more(no_ties ? 1u << (13 + lowest - 8) : 0),
          less(slice & 0x400u ? 0 : 0xFF800000) {}
};

HWY_INLINE void float_slice(Words x, const FloatSlice& how, float* out) {
    const FloatColumns d;
    const Words kept = hn::And(x, word(how.keep));
    const auto zero = hn::Eq(hn::And(kept, word(0x7F800000)), word(0));
    const Words raised = hn::Add(kept, word(static_cast<std::uint32_t>(how.raised) << 23));
    const auto slice = hn::BitCast(d, hn::OrAnd(word(how.more), raised, word(how.kept)));
    const auto rest = hn::BitCast(d, hn::And(raised, word(how.less)));
    hn::Store(hn::BitCast(d, hn::IfThenZeroElse(zero, hn::BitCast(Columns(), hn::Sub(slice, rest)))), d, out);
}

/// Sign and magnitude, in the place of a mantissa, to integers; zero if the exponent is `zero`. `keep`: used bits.
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
    /// SrcA's share of the phase's exponent; the rest goes to SrcB.
    static int phase_exponent(const plan::MultiplyWork& work) { return low_bits(work) ? -5 : 0; }
    /// Five bits that end in bit 14.
    static Slice slice_of(const plan::MultiplyWork& work) {
        return {31u << work.phase.a_shift, work.phase.a_shift, 10, work.a_keep, true, phase_exponent(work)};
    }
    static FloatSlice float_slice_of(const plan::MultiplyWork& work) {
        return {work.phase, 31u << work.phase.a_shift, work.phase.a_shift, work.a_keep, true};
    }
    /// In bytes 0 and 2, and again in 1 and 3. A zero's byte makes the difference with any byte of SrcB saturate to
    /// 0.
    static HWY_INLINE Words exponent_bytes(Shorts counted, int raised) {
        const hn::RebindToUnsigned<Halves> d;
        const auto less = hn::Set(d, static_cast<std::uint16_t>(exponent_offset - raised - a_more));
        const Words bytes = hn::BitCast(Columns(), hn::SaturatedSub(hn::BitCast(d, counted), less));
        return hn::Or(bytes, hn::ShiftLeft<8>(bytes));
    }
    static HWY_INLINE void join_rows(std::uint32_t*) {}
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
    /// Seven bits that end in bit 14: the upper half of the product is four times the slices' product.
    static Slice slice_of(const plan::MultiplyWork& work) {
        const plan::FidelityPhase& p = work.phase;
        return {static_cast<unsigned>(p.b_mask) << p.b_shift,
                p.b_shift,
                8u + p.b_left,
                work.b_keep,
                work.flush_b,
                phase_exponent(work)};
    }
    static FloatSlice float_slice_of(const plan::MultiplyWork& work) {
        const plan::FidelityPhase& p = work.phase;
        return {p, static_cast<unsigned>(p.b_mask) << p.b_shift, p.b_shift, work.b_keep, false};
    }
    /// In bytes 0 and 2. A zero's byte makes the difference with any byte of SrcA saturate to 0.
    static HWY_INLINE Words exponent_bytes(Shorts counted, int raised) {
        const hn::RebindToUnsigned<Halves> d;
        const auto most = hn::Set(d, static_cast<std::uint16_t>(exponent_offset - 127 + raised + b_most));
        return hn::BitCast(Columns(), hn::Min(hn::Sub(most, hn::BitCast(d, counted)), hn::Set(d, 255)));
    }
    /// Moves the second row of each two to bytes 1 and 3.
    static HWY_INLINE void join_rows(std::uint32_t* exponents) {
        const hn::CappedTag<std::uint32_t, group> d;
        for (unsigned at = 0; at < state::KeptOperands::pairs / 2; at += hn::Lanes(d)) {
            const std::uint32_t* const first = exponents + at / group * 2 * group + at % group;
            hn::Store(hn::Or(hn::Load(d, first), hn::ShiftLeft<8>(hn::Load(d, first + group))), d, exponents + at);
        }
    }
    /// In the memoised operands: the first row's first pair, and the distance between rows.
    static unsigned first_pair(const plan::MultiplyWork& work) {
        return work.b_row % state::KeptOperands::rows * group;
    }
    static unsigned step(const plan::MultiplyWork& work) { return work.b_same_row ? 0 : group; }
    // A vector may hold the eight pairs of two rows.
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

/// The memoised operands for `work` in a bank: null if the bank has been written since, or they are of another kind.
template <class Side, bool Integers>
HWY_INLINE state::KeptOperands& kept_operands(const plan::MultiplyWork& work, state::SrcBank& bank) {
    const unsigned first_row = Side::first_row(work);
    const std::uint32_t keep = Side::keep(work);
    const bool flush = Side::flush(work);
    constexpr unsigned rows = state::KeptOperands::rows;
    state::KeptOperands& kept = bank.kept[first_row / rows][Side::low_bits(work)];
    constexpr int least_phase_exponent = -127 - 7;
    const auto phase_exponent = static_cast<std::uint32_t>(Side::phase_exponent(work) - least_phase_exponent);
    const bool narrow = work.phase.zero_exponent > 0;
    const std::uint32_t how = (keep & formats::src_bits) | phase_exponent << 5 | narrow << 3 |
                              (first_row % rows != 0) << 2 | flush << 1 | Integers;
    const std::uint64_t version = std::as_const(bank.datums).version();
    if (kept.version != version || kept.how != how) {
        kept.version = version;
        kept.how = how;
        kept.has_mantissas = kept.has_floats = false;
    }
    return kept;
}

/// The operands for `work` in a bank, as halves or integers; computed unless memoised.
template <class Side, bool Integers>
HWY_INLINE const state::KeptOperands& operands(const plan::MultiplyWork& work, state::SrcBank& bank) {
    state::KeptOperands& kept = kept_operands<Side, Integers>(work, bank);
    if (kept.has_mantissas) return kept;
    kept.has_mantissas = true;
    const std::uint32_t keep = Side::keep(work);
    const bool flush = Side::flush(work);
    const std::uint32_t* const datums = std::as_const(bank.datums).data();
    std::uint32_t *exponents = kept.exponents.data(), *mantissas = kept.mantissas.data();
    if constexpr (Integers) {
        Side::for_each_pair(datums, Side::first_row(work), [&](Words low, Words high, unsigned at) HWY_ATTR {
            hn::Store(integer_pair(low, high, keep, flush ? 0 : -1), Columns(), mantissas + at);
        });
    } else {
        const Slice how_sliced = Side::slice_of(work);
        Side::for_each_pair(datums, Side::first_row(work), [&](Words low, Words high, unsigned at) HWY_ATTR {
            slice(low, high, how_sliced, exponents + at, mantissas + at);
        });
    }
    return kept;
}

HWY_INLINE std::int32_t least_half(Shorts x) {
    const Integers both = as_integers(as_words(x));
    const Integers least = hn::Min(hn::ShiftRight<16>(both), hn::ShiftRight<16>(hn::ShiftLeft<16>(both)));
    return hn::GetLane(hn::MinOfLanes(SignedColumns(), least));
}

template <class Side>
HWY_NOINLINE void make_floats(const plan::MultiplyWork& work, const state::SrcBank& bank, state::KeptOperands& kept) {
    kept.has_floats = true;
    kept.has_mantissas = false;
    const Slice halves_of = Side::slice_of(work);
    const FloatSlice floats_of = Side::float_slice_of(work);
    Shorts least = shorts(0x7FFF), most = shorts(0);
    Side::for_each_pair(bank.datums.data(), Side::first_row(work), [&](Words low, Words high, unsigned at) HWY_ATTR {
        const Shorts upper = as_shorts(halves(hn::ShiftRight<16>(low), high));
        const CountedExponents counted = counted_exponents(upper, halves_of);
        least = hn::Min(least, hn::IfThenElse(counted.zero, least, counted.exponent));
        most = hn::Max(most, counted.exponent);
        hn::Store(Side::exponent_bytes(counted.exponent, floats_of.raised), Columns(), &kept.exponents[at]);
        float_slice(low, floats_of, &kept.floats[at]);
        float_slice(high, floats_of, &kept.floats[at + state::KeptOperands::pairs]);
    });
    Side::join_rows(kept.exponents.data());
    kept.least = static_cast<std::int16_t>(least_half(least));
    kept.most = static_cast<std::int16_t>(-least_half(hn::Neg(most)));
    const int raised = floats_of.raised - halves_of.more;
    // The last set bit, 17 below the highest one, must be a normal number, too.
    constexpr int far = 17;
    kept.as_floats = kept.least > halves_of.more && kept.least + raised > far && kept.most + raised <= b_most;
}

/// Operands of a multiplication as floats.
struct KeptFloats {
    const state::KeptOperands *a, *b;
};
/// Both operands of `work` as floats; computed unless memoised. A word of exponents has those of a pair's halves in
/// bytes 0 and 2 for the first of two rows of SrcB, in bytes 1 and 3 for the second; SrcA's are repeated. None if the
/// operands' products could have exponents outside `least` to `most`.
HWY_INLINE std::optional<KeptFloats> kept_floats(const plan::MultiplyWork& work, state::State& state, int least,
                                                 int most) {
    state::SrcBank &a_bank = state.bank(state::Src::a, work.a_bank), &b_bank = state.bank(state::Src::b, work.b_bank);
    state::KeptOperands &a = kept_operands<OperandsOfA, false>(work, a_bank),
                        &b = kept_operands<OperandsOfB, false>(work, b_bank);
    if (HWY_UNLIKELY(!a.has_floats)) make_floats<OperandsOfA>(work, a_bank, a);
    if (HWY_UNLIKELY(!b.has_floats)) make_floats<OperandsOfB>(work, b_bank, b);
    if (!a.as_floats || !b.as_floats || a.least + b.least < product_offset + least ||
        a.most + b.most > product_offset + most)
        return std::nullopt;
    // The exponents stored so far were those of halves.
    if (HWY_UNLIKELY(a.has_mantissas)) make_floats<OperandsOfA>(work, a_bank, a);
    if (HWY_UNLIKELY(b.has_mantissas)) make_floats<OperandsOfB>(work, b_bank, b);
    return KeptFloats{&a, &b};
}

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_MATRIX_MULTIPLY_OPERANDS_INL_HPP_
