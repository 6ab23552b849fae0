// SPDX-License-Identifier: Apache-2.0
// Registers as bits: SFPAND, SFPOR, SFPXOR, SFPNOT, SFPSHFT, SFPMOV.
// Rules: rules/bitwise.cpp, rules/sfpmov.cpp; reference: reference/models/vector_config.cpp, reference/models/vector_integer.cpp.
#include "units/vector/loops/bitwise_loops.hpp"

#include "util/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "units/vector/loops/bitwise_loops.cpp"
#include <hwy/foreach_target.h>

#include "units/vector/loops/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::vector::HWY_NAMESPACE {

namespace {

struct And {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) { return hn::And(x[w.b], x[w.c]); }
};
struct Or {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) { return hn::Or(x[w.b], x[w.c]); }
};
struct Xor {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) { return hn::Xor(x[w.b], x[w.c]); }
};
struct Not {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) { return hn::Not(x[w.c]); }
};
struct Copy {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) { return x[w.c]; }
};
struct Negate {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) { return hn::Xor(x[w.c], word(sign_bit)); }
};
struct Constant {
    static HWY_INLINE Words value(const LaneWork& w, const Part&) { return word(w.immediate); }
};

struct ByRegister {
    static HWY_INLINE Words amount(const LaneWork& w, const Part& x) { return x[w.c]; }
};
struct ByImmediate {
    static HWY_INLINE Words amount(const LaneWork& w, const Part&) { return word(w.immediate); }
};
template <class By, bool Arithmetic>
struct Shift {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) {
        const Words amount = By::amount(w, x), b = x[w.b];
        const Words right = hn::And(hn::Sub(word(0), amount), word(31));
        Words shifted;
        if constexpr (Arithmetic)
            shifted = as_words(as_integers(b) >> as_integers(right));
        else
            shifted = b >> right;
        return hn::IfThenElse(negative(amount), shifted, b << hn::And(amount, word(31)));
    }
};

LaneWork::Loop loop_of(Bits operation) {
    static constexpr LaneWork::Loop loops[] = {compute<And>,
                                               compute<Or>,
                                               compute<Xor>,
                                               compute<Not>,
                                               compute<Copy>,
                                               compute<Negate>,
                                               compute<Shift<ByRegister, false>>,
                                               compute<Shift<ByRegister, true>>,
                                               compute<Shift<ByImmediate, false>>,
                                               compute<Shift<ByImmediate, true>>};
    static_assert(std::size(loops) == static_cast<unsigned>(Bits::count));
    return loops[static_cast<unsigned>(operation)];
}

LaneWork::Loop constant() { return compute<Constant>; }

}  // namespace

}  // namespace tessera::units::vector::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::units::vector {

namespace {

TESSERA_VERSIONS(loop_of);
TESSERA_VERSIONS(constant);

}  // namespace

plan::LaneWork::Loop bits_loop(Bits operation) { return TESSERA_BEST_VERSION(loop_of)(operation); }
plan::LaneWork::Loop constant_loop() { return TESSERA_BEST_VERSION(constant)(); }

}  // namespace tessera::units::vector

#endif  // HWY_ONCE
