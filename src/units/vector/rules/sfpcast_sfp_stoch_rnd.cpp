// SPDX-License-Identifier: Apache-2.0
// SFPCAST, SFP_STOCH_RND (their pages, Functional model).
// Loops: loops/integers_loops.cpp, loops/rounding_loops.cpp; reference: reference/models/vector_casts.cpp.
#include "isa/values/vector.hpp"
#include "units/vector/loops/integers_loops.hpp"
#include "units/vector/loops/rounding_loops.hpp"
#include "units/vector/named.hpp"
#include "units/vector/vector.hpp"

namespace tessera::units::vector {

namespace {

// Generators step even if the result is discarded.
plan::LaneWork random_work(const Vector& v, plan::LaneWork::Loop loop, std::uint32_t reads) {
    plan::LaneWork work = lane_work(v, loop);
    work.random = true;
    if (!v.writes_d()) return work;
    work.reads = reads;
    work.writes = lreg_set({v.d});
    return work;
}

Rounding rounding_of(const StateView& view, plan::Plan& plan, std::uint32_t given) {
    using isa::value, isa::values::rounding_modes;
    constexpr std::uint32_t stochastic = value(rounding_modes, "stochastic"), zero = value(rounding_modes, "to_zero"),
                            reserved = 3;
    if (!view.blackhole()) return given ? Rounding::stochastic : Rounding::nearest;
    const std::uint32_t mode = acting(plan, given, given == reserved ? stochastic : given, "rounding mode");
    if (mode == zero) return Rounding::zero;
    return mode == stochastic ? Rounding::stochastic : Rounding::nearest;
}

constexpr std::uint32_t sign_stays = 1u << 31;

struct Form {
    Narrowing narrowing;
    std::uint32_t immediate;
};
// By the low three bits of the mode.
constexpr Form forms[] = {{Narrowing::to_tf32, 0},        {Narrowing::to_bf16, 0},
                          {Narrowing::to_integer, 255},   {Narrowing::to_integer, sign_stays | 127},
                          {Narrowing::by_register, 255},  {Narrowing::by_register, sign_stays | 127},
                          {Narrowing::to_integer, 65535}, {Narrowing::to_integer, sign_stays | 32767}};

void resolve_sfpcast(const StateView& view, plan::Plan& plan) {
    static constexpr auto vd = isa::operand("SFPCAST", "lreg_dest"), vc = isa::operand("SFPCAST", "lreg_src_c"),
                          mode_bits = isa::operand("SFPCAST", "instr_mod1");
    using isa::value, isa::values::cast_modes;
    constexpr std::uint32_t to_float = value(cast_modes, "rnd_even"),
                            to_float_stochastic = value(cast_modes, "rnd_stoch"),
                            absolute = value(cast_modes, "int32_abs");
    const Vector v = named_by(view, plan, vd, vc);
    const std::uint32_t given = view[mode_bits];
    const std::uint32_t mode = acting(plan, given, given & (view.blackhole() ? 3 : 1));
    if (mode == to_float_stochastic) {
        plan.work = random_work(v, integer_to_float_loop(true), lreg_set({v.c}));
        return;
    }
    if (!stores_d(plan, v)) return;
    const auto loop = mode == to_float   ? integer_to_float_loop(false)
                      : mode == absolute ? absolute_loop(Absolute::integer)
                                         : absolute_loop(Absolute::sign_exchange);
    plan.work = writing_d(v, loop, lreg_set({v.c}));
}

void resolve_sfp_stoch_rnd(const StateView& view, plan::Plan& plan) {
    static constexpr auto vd = isa::operand("SFP_STOCH_RND", "lreg_dest"),
                          vc = isa::operand("SFP_STOCH_RND", "lreg_src_c"),
                          vb = isa::operand("SFP_STOCH_RND", "lreg_src_b"),
                          mode_bits = isa::operand("SFP_STOCH_RND", "instr_mod1"),
                          rounding_mode = isa::operand("SFP_STOCH_RND", "rnd_mode"),
                          immediate = isa::operand("SFP_STOCH_RND", "imm8_math");
    constexpr std::uint32_t use_immediate = isa::value(isa::values::stochrnd_modes, "use_imm");
    Vector v = named_by(view, plan, vd, vc);
    if (!view.macro_step) v.b = view[vb];
    const std::uint32_t given = view[mode_bits];
    Form form = forms[given & 7];
    const bool scales = form.narrowing == Narrowing::by_register;
    if (scales && given & use_immediate) form.narrowing = Narrowing::by_immediate;
    const auto loop = narrowing_loop(form.narrowing, rounding_of(view, plan, view[rounding_mode]));
    plan::LaneWork work =
        random_work(v, loop, form.narrowing == Narrowing::by_register ? lreg_set({v.b, v.c}) : lreg_set({v.c}));
    work.immediate = form.immediate;
    work.mode = static_cast<std::uint8_t>(view[immediate]);
    plan.work = work;
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SFPCAST"), resolve_sfpcast, {1, 1, unit_page}},
    {isa::mnemonic("SFP_STOCH_RND"), resolve_sfp_stoch_rnd, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> sfpcast_sfp_stoch_rnd_rules() { return behaviours; }

}  // namespace tessera::units::vector
