// SPDX-License-Identifier: Apache-2.0
// SFPLUT, SFPLUTFP32: slope and offset by the magnitude of LReg 3 (their pages, Functional model).
// Rules: rules/multiply_add.cpp; reference: reference/models/vector_arithmetic.cpp, reference/models/vector_lut.cpp.
#include "util/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "units/vector/loops/sfplut_sfplutfp32_loops.cpp"
#include <hwy/foreach_target.h>

#include "units/vector/loops/fma-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::vector::HWY_NAMESPACE {

namespace {

// FP32
constexpr std::uint32_t one_half = 0x3F000000, one = 0x3F800000, one_and_a_half = 0x3FC00000, two = 0x40000000,
                        three = 0x40400000, four = 0x40800000;

constexpr unsigned argument = 3;

struct Line {
    Words slope, offset;
};

HWY_INLINE Words choose(Words at, Words below_1, Words below_2, Words above) {
    return hn::IfThenElse(less(at, word(one)), below_1, hn::IfThenElse(less(at, word(two)), below_2, above));
}

/// Sign, three bits of exponent, four of mantissa; 1.0 is the largest power of two. All ones means zero.
HWY_INLINE Words from_byte(Words x) {
    const Words byte = hn::And(x, word(0xFF));
    const Words sign = hn::ShiftLeft<24>(hn::And(byte, word(0x80)));
    const Words exponent = hn::Sub(word(127), hn::And(hn::ShiftRight<4>(byte), word(7)));
    const Words value = hn::Or(hn::Or(sign, hn::ShiftLeft<23>(exponent)), hn::ShiftLeft<19>(hn::And(byte, word(15))));
    return hn::IfThenZeroElse(hn::Eq(byte, word(0xFF)), value);
}

/// The low half as FP16 without denormals; the highest exponent becomes 0.
HWY_INLINE Words from_half(Words x) {
    const Words sign = hn::ShiftLeft<16>(hn::And(x, word(0x8000)));
    const Words exponent = hn::And(x, word(0x7C00));
    const Words rebiased = hn::Add(hn::ShiftLeft<13>(exponent), word(112 << 23));
    const Words field = hn::IfThenZeroElse(hn::Eq(exponent, word(0x7C00)), rebiased);
    return hn::Or(hn::Or(sign, field), hn::ShiftLeft<13>(hn::And(x, word(0x3FF))));
}

struct Bytes {
    static HWY_INLINE Line line(const Part& x, Words at) {
        const Words pair = choose(at, x[0], x[1], x[2]);
        return {from_byte(hn::ShiftRight<8>(pair)), from_byte(pair)};
    }
};
struct Floats {
    static HWY_INLINE Line line(const Part& x, Words at) {
        return {choose(at, x[0], x[1], x[2]), choose(at, x[4], x[5], x[6])};
    }
};
struct Halves {
    static HWY_INLINE Line line(const Part& x, Words at) {
        const Words pair = choose(at, x[0], x[1], x[2]);
        return {from_half(hn::ShiftRight<16>(pair)), from_half(pair)};
    }
};
template <std::uint32_t Cut>
struct SixHalves {
    static HWY_INLINE Line line(const Part& x, Words at) {
        const Words cut = choose(at, word(one_half), word(one_and_a_half), word(Cut));
        const auto low = less(at, cut);
        auto half = [&](Words pair) HWY_ATTR { return from_half(hn::IfThenElse(low, pair, hn::ShiftRight<16>(pair))); };
        return {half(choose(at, x[0], x[1], x[2])), half(choose(at, x[4], x[5], x[6]))};
    }
};

template <Arch Chip, class Lines>
struct Interpolate {
    static constexpr Arch chip = Chip;
    template <class Fma>
    static HWY_INLINE Words value(const LaneWork& w, const Part& x, Fma&& fma) {
        const Words given = x[argument], at = hn::And(given, word(~sign_bit));
        const Line line = Lines::line(x, at);
        const Words result = fma(line.slope, at, line.offset);
        return hn::Or(hn::And(result, word(~w.immediate)), hn::And(given, word(w.immediate)));
    }
};

template <Arch Chip>
LaneWork::Loop loop_of_chip(Table table, bool indirect) {
    switch (table) {
        case Table::bytes: return sum_loop_for<Interpolate<Chip, Bytes>>(indirect);
        case Table::words: return sum_loop_for<Interpolate<Chip, Floats>>(indirect);
        case Table::halves: return sum_loop_for<Interpolate<Chip, Halves>>(indirect);
        case Table::halves_to_3: return sum_loop_for<Interpolate<Chip, SixHalves<three>>>(indirect);
        default: return sum_loop_for<Interpolate<Chip, SixHalves<four>>>(indirect);
    }
}

LaneWork::Loop loop_of(Arch arch, Table table, bool indirect) {
    return arch == Arch::blackhole ? loop_of_chip<Arch::blackhole>(table, indirect)
                                   : loop_of_chip<Arch::wormhole>(table, indirect);
}

}  // namespace

}  // namespace tessera::units::vector::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::units::vector {

namespace {

TESSERA_VERSIONS(loop_of);

}  // namespace

plan::LaneWork::Loop table_loop(Arch arch, Table table, bool indirect) {
    return TESSERA_BEST_VERSION(loop_of)(arch, table, indirect);
}

}  // namespace tessera::units::vector

#endif  // HWY_ONCE
