// SPDX-License-Identifier: Apache-2.0
// Registers as integers: SFPIADD, SFPLZ, SFPEXEXP, SFPABS, and SFPCAST between integers.
// Rules: rules/integers.cpp, rules/sfpcast_sfp_stoch_rnd.cpp; reference: reference/models/vector_casts.cpp,
//    reference/models/vector_fields.cpp, reference/models/vector_integer.cpp.
#include "units/vector/loops/integers_loops.hpp"

#include "util/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "units/vector/loops/integers_loops.cpp"
#include <hwy/foreach_target.h>

#include "units/vector/loops/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::vector::HWY_NAMESPACE {

namespace {

struct FlagIsSign {
    static HWY_INLINE Chosen flag(const LaneWork&, const Part&, Words result) { return negative(result); }
};
struct Add : FlagIsSign {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) { return hn::Add(x[w.c], x[w.b]); }
};
struct Subtract : FlagIsSign {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) { return hn::Sub(x[w.c], x[w.b]); }
};
struct AddImmediate : FlagIsSign {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) { return hn::Add(x[w.c], word(w.immediate)); }
};
struct LeadingZeros {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) {
        return leading_zeros(hn::And(x[w.c], word(w.immediate)));
    }
    static HWY_INLINE Chosen flag(const LaneWork&, const Part&, Words result) { return hn::Ne(result, word(32)); }
};
struct Exponent : FlagIsSign {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) {
        return hn::Sub(exponent_of(x[w.c]), word(w.immediate));
    }
};

struct IntegerAbsolute {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) {
        const Words c = x[w.c];
        return hn::IfThenElse(negative(c), hn::Sub(word(0), c), c);
    }
};
struct FloatAbsolute {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) {
        const Words c = x[w.c];
        const auto negative_nan = hn::And(negative(c), less(word(sign_bit | exponent_bits), c));
        return hn::IfThenElse(negative_nan, c, hn::And(c, word(~sign_bit)));
    }
};
struct SignExchange {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) {
        const Words c = x[w.c];
        return hn::IfThenElse(negative(c), hn::Or(hn::Sub(word(0), c), word(sign_bit)), c);
    }
};

LaneWork::Loop loop_of(Integer operation, bool flags) {
    static constexpr LaneWork::Loop loops[][2] = {{compute<Add>, compute_and_flag<Add>},
                                                  {compute<Subtract>, compute_and_flag<Subtract>},
                                                  {compute<AddImmediate>, compute_and_flag<AddImmediate>},
                                                  {compute<LeadingZeros>, compute_and_flag<LeadingZeros>},
                                                  {compute<Exponent>, compute_and_flag<Exponent>}};
    static_assert(std::size(loops) == static_cast<unsigned>(Integer::count));
    return loops[static_cast<unsigned>(operation)][flags];
}

LaneWork::Loop absolute_of(Absolute operation) {
    static constexpr LaneWork::Loop loops[] = {compute<IntegerAbsolute>, compute<FloatAbsolute>, compute<SignExchange>};
    static_assert(std::size(loops) == static_cast<unsigned>(Absolute::count));
    return loops[static_cast<unsigned>(operation)];
}

}  // namespace

}  // namespace tessera::units::vector::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::units::vector {

namespace {

TESSERA_VERSIONS(loop_of);
TESSERA_VERSIONS(absolute_of);

}  // namespace

plan::LaneWork::Loop integer_loop(Integer operation, bool flags) {
    return TESSERA_BEST_VERSION(loop_of)(operation, flags);
}
plan::LaneWork::Loop absolute_loop(Absolute operation) { return TESSERA_BEST_VERSION(absolute_of)(operation); }

}  // namespace tessera::units::vector

#endif  // HWY_ONCE
