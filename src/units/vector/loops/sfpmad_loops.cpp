// SPDX-License-Identifier: Apache-2.0
// SFPMAD, SFPADD, SFPMUL, SFPADDI, SFPMULI.
// Rules: rules/multiply_add.cpp; reference: reference/models/vector_arithmetic.cpp, reference/models/vector_lut.cpp.
#include "util/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "units/vector/loops/sfpmad_loops.cpp"
#include <hwy/foreach_target.h>

#include "units/vector/loops/fma-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::vector::HWY_NAMESPACE {

namespace {

HWY_INLINE Words negated(Words x, std::uint32_t immediate, std::uint32_t bit) {
    return hn::Xor(x, word(immediate & bit ? sign_bit : 0));
}
HWY_INLINE Words upper_half(std::uint32_t immediate) { return word(immediate & 0xFFFF0000); }

template <Arch Chip, bool IndirectA, bool Negates = true>
struct MultiplyAdd {
    static constexpr Arch chip = Chip;
    template <class Fma>
    static HWY_INLINE Words value(const LaneWork& w, const Part& x, Fma&& fma) {
        const Words a = IndirectA ? x.named_by(x[index_lreg]) : x[w.a];
        if constexpr (!Negates) return fma(a, x[w.b], x[w.c]);
        return fma(negated(a, w.immediate, negate_a), x[w.b], negated(x[w.c], w.immediate, negate_c));
    }
};
template <Arch Chip>
struct AddImmediate {
    static constexpr Arch chip = Chip;
    template <class Fma>
    static HWY_INLINE Words value(const LaneWork& w, const Part& x, Fma&& fma) {
        return fma(upper_half(w.immediate), word(0x3F800000), negated(x[w.c], w.immediate, negate_c));
    }
};
template <Arch Chip>
struct MultiplyImmediate {
    static constexpr Arch chip = Chip;
    template <class Fma>
    static HWY_INLINE Words value(const LaneWork& w, const Part& x, Fma&& fma) {
        return fma(upper_half(w.immediate), negated(x[w.c], w.immediate, negate_c), word(0));
    }
};

template <Arch Chip>
LaneWork::Loop multiply_add_of(bool negates, bool indirect_a, bool indirect) {
    // The most frequent case.
    if (!negates && !indirect_a && !indirect) return compute_sum<MultiplyAdd<Chip, false, false>>;
    return indirect_a ? sum_loop_for<MultiplyAdd<Chip, true>>(indirect)
                      : sum_loop_for<MultiplyAdd<Chip, false>>(indirect);
}

LaneWork::Loop multiply_add(Arch arch, bool negates, bool indirect_a, bool indirect) {
    return arch == Arch::blackhole ? multiply_add_of<Arch::blackhole>(negates, indirect_a, indirect)
                                   : multiply_add_of<Arch::wormhole>(negates, indirect_a, indirect);
}
LaneWork::Loop add_immediate(Arch arch, bool indirect) {
    return arch == Arch::blackhole ? sum_loop_for<AddImmediate<Arch::blackhole>>(indirect)
                                   : sum_loop_for<AddImmediate<Arch::wormhole>>(indirect);
}
LaneWork::Loop multiply_immediate(Arch arch, bool indirect) {
    return arch == Arch::blackhole ? sum_loop_for<MultiplyImmediate<Arch::blackhole>>(indirect)
                                   : sum_loop_for<MultiplyImmediate<Arch::wormhole>>(indirect);
}

}  // namespace

}  // namespace tessera::units::vector::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::units::vector {

namespace {

TESSERA_VERSIONS(multiply_add);
TESSERA_VERSIONS(add_immediate);
TESSERA_VERSIONS(multiply_immediate);

}  // namespace

plan::LaneWork::Loop multiply_add_loop(Arch arch, bool negates, bool indirect_a, bool indirect) {
    return TESSERA_BEST_VERSION(multiply_add)(arch, negates, indirect_a, indirect);
}
plan::LaneWork::Loop add_immediate_loop(Arch arch, bool indirect) {
    return TESSERA_BEST_VERSION(add_immediate)(arch, indirect);
}
plan::LaneWork::Loop multiply_immediate_loop(Arch arch, bool indirect) {
    return TESSERA_BEST_VERSION(multiply_immediate)(arch, indirect);
}

}  // namespace tessera::units::vector

#endif  // HWY_ONCE
