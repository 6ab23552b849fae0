// SPDX-License-Identifier: Apache-2.0
// Vectors of lanes: registers, active lanes, lane flags. Everything is computed in all lanes and stored in the active
// ones. Included once per target.
#if defined(TESSERA_UNITS_VECTOR_LANES_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_VECTOR_LANES_INL_HPP_
#undef TESSERA_UNITS_VECTOR_LANES_INL_HPP_
#else
#define TESSERA_UNITS_VECTOR_LANES_INL_HPP_
#endif

#include <hwy/highway.h>

#include <array>

#include "plan/vector_work.hpp"
#include "state/state.hpp"
#include "units/vector/flag_update.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::vector::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using plan::LaneWork;

/// A vector of lanes, at most all.
using Lanes = hn::CappedTag<std::uint32_t, state::LRegs::lanes>;
using SignedLanes = hn::RebindToSigned<Lanes>;
using Words = hn::Vec<Lanes>;
using Integers = hn::Vec<SignedLanes>;
using Chosen = hn::Mask<Lanes>;

HWY_INLINE Words word(std::uint32_t x) { return hn::Set(Lanes(), x); }
HWY_INLINE Integers integer(std::int32_t x) { return hn::Set(SignedLanes(), x); }
HWY_INLINE Integers as_integers(Words x) { return hn::BitCast(SignedLanes(), x); }
HWY_INLINE Words as_words(Integers x) { return hn::BitCast(Lanes(), x); }
HWY_INLINE Chosen negative(Words x) { return hn::MaskFromVec(as_words(hn::BroadcastSignBit(as_integers(x)))); }
HWY_INLINE Chosen lanes_of(hn::Mask<SignedLanes> mask) { return hn::RebindMask(Lanes(), mask); }
HWY_INLINE Chosen less(Words a, Words b) { return lanes_of(hn::Lt(as_integers(a), as_integers(b))); }

constexpr std::uint32_t sign_bit = 0x80000000, exponent_bits = 0x7F800000, mantissa_bits = 0x007FFFFF;

HWY_INLINE Words exponent_of(Words x) { return hn::And(hn::ShiftRight<23>(x), word(255)); }

/// Maps sign and magnitude to integers of the same order; -0 is below +0.
HWY_INLINE Words ordered(Words x) {
    return hn::Xor(x, hn::And(as_words(hn::BroadcastSignBit(as_integers(x))), word(~sign_bit)));
}

/// 127 plus the place of the highest one, for numbers below 2^31; 0 for 0.
HWY_INLINE Integers biased_place(Words x) {
    // Without its next lower bit, a number cannot round up to the next power of two in the conversion to float.
    const Integers highest = as_integers(hn::AndNot(hn::ShiftRight<1>(x), x));
    const hn::RebindToFloat<SignedLanes> floats;
    return hn::ShiftRight<23>(hn::BitCast(SignedLanes(), hn::ConvertTo(floats, highest)));
}

/// Zeros above the highest one; 32 for 0.
HWY_INLINE Words leading_zeros(Words x) {
    const Words zeros = as_words(hn::Min(hn::Sub(integer(158), biased_place(x)), integer(32)));
    return hn::IfThenZeroElse(negative(x), zeros);
}

/// One vector of lanes, from `first` on.
class Part {
public:
    HWY_INLINE Part(state::State& state, unsigned first) : registers_(state.lregs.lane.data()), first_(first) {}

    HWY_INLINE Words operator[](unsigned lreg) const { return hn::LoadU(Lanes(), at(lreg)); }

    /// In each lane the register named by the low four bits of `lreg`.
    HWY_INLINE Words named_by(Words lreg) const {
        const Integers i = as_integers(hn::ShiftLeft<5>(hn::And(lreg, word(15))));
        return hn::GatherIndex(Lanes(), registers_ + first_, hn::Add(i, hn::Iota(SignedLanes(), 0)));
    }

    /// The part of `lanes`, a bit each, that is in this vector.
    HWY_INLINE Chosen chosen(std::uint32_t lanes) const {
#if HWY_TARGET <= HWY_AVX3
        const std::uint64_t here = lanes >> first_;
        return hn::LoadMaskBits(Lanes(), reinterpret_cast<const std::uint8_t*>(&here));
#else
        return hn::TestBit(word(lanes), hn::LoadU(Lanes(), bits.data() + first_));
#endif
    }

    HWY_INLINE void store(unsigned lreg, Chosen lanes, Words x) const {
        hn::StoreU(hn::IfThenElse(lanes, x, (*this)[lreg]), Lanes(), at(lreg));
    }
    HWY_INLINE void store(unsigned lreg, Words x) const { hn::StoreU(x, Lanes(), at(lreg)); }

    /// A bit per lane.
    HWY_INLINE std::uint32_t bits_of(Chosen lanes) const {
        std::uint8_t bytes[8] = {};
        hn::StoreMaskBits(Lanes(), lanes, bytes);
        return (bytes[0] | bytes[1] << 8 | bytes[2] << 16 | static_cast<std::uint32_t>(bytes[3]) << 24) << first_;
    }

    HWY_INLINE unsigned first() const { return first_; }

private:
    static constexpr auto bits = [] {
        std::array<std::uint32_t, state::LRegs::lanes> all{};
        for (unsigned i = 0; i < all.size(); ++i) all[i] = 1u << i;
        return all;
    }();

    HWY_INLINE std::uint32_t* at(unsigned lreg) const { return registers_ + lreg * state::LRegs::lanes + first_; }

    std::uint32_t* registers_;
    unsigned first_;
};

template <class F>
HWY_INLINE void for_each_part(state::State& state, F&& f) {
    HWY_UNROLL(2)
    for (unsigned first = 0; first < state::LRegs::lanes; first += hn::Lanes(Lanes())) f(Part(state, first));
}

/// VD = Operation.
template <class Operation>
void compute(const LaneWork& what, state::State& state) {
    const LaneWork work = what;  // a local copy: stores cannot change it
    if (work.lanes == ~0u)
        for_each_part(state, [&](const Part& part) HWY_ATTR { part.store(work.d, Operation::value(work, part)); });
    else
        for_each_part(state, [&](const Part& part) HWY_ATTR {
            part.store(work.d, part.chosen(work.lanes), Operation::value(work, part));
        });
}

/// VD = Operation. Its flags update the lane flags by work.mode.
template <class Operation>
void compute_and_flag(const LaneWork& work, state::State& state) {
    std::uint32_t flags = 0;
    for_each_part(state, [&](const Part& part) HWY_ATTR {
        const Words x = Operation::value(work, part);
        flags |= part.bits_of(Operation::flag(work, part, x));
        part.store(work.d, part.chosen(work.lanes), x);
    });
    update_flags(state, work.lanes, FlagUpdate(work.mode), flags);
}

}  // namespace tessera::units::vector::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_VECTOR_LANES_INL_HPP_
