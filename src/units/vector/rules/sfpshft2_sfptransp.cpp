// SPDX-License-Identifier: Apache-2.0
// SFPSHFT2, SFPTRANSP (their pages, Functional model): values that move between lanes and registers.
// Reference: reference/models/vector_shuffles.cpp.
#include <algorithm>
#include <array>

#include "isa/values/vector.hpp"
#include "units/vector/dst_places.hpp"
#include "units/vector/lanes.hpp"
#include "units/vector/vector.hpp"

namespace tessera::units::vector {

namespace {

using plan::LaneWork;
using state::State;

constexpr auto imm12 = isa::operand("SFPSHFT2", "imm12_math");
constexpr auto vc = isa::operand("SFPSHFT2", "lreg_src_c");
constexpr auto vd = isa::operand("SFPSHFT2", "lreg_dest");
constexpr auto mode = isa::operand("SFPSHFT2", "instr_mod1");
constexpr auto transpose_vd = isa::operand("SFPTRANSP", "lreg_dest");

using isa::value, isa::values::shift2_modes;
enum Mode : std::uint8_t {
    copy4 = value(shift2_modes, "copy4"),
    chained_copy4 = value(shift2_modes, "subvec_chained_copy4"),
    rotate_and_copy4 = value(shift2_modes, "subvec_shflror1_and_copy4"),
    rotate = value(shift2_modes, "subvec_shflror1"),
    shift_lanes = value(shift2_modes, "subvec_shflshr1"),
    shift_by_lreg = value(shift2_modes, "shft_lreg"),
    shift_by_imm = value(shift2_modes, "shft_imm")
};

using Lanes = std::array<std::uint32_t, lanes>;

std::uint32_t& at(State& state, unsigned lreg, unsigned lane) { return state.lregs.lane[lreg * lanes + lane]; }

Lanes copy_of(const State& state, unsigned lreg) {
    Lanes copy;
    std::copy_n(&state.lregs.lane[lreg * lanes], lanes, copy.begin());
    return copy;
}

template <class F>
void for_each_lane(const LaneWork& work, F&& f) {
    for (unsigned lane = 0; lane < lanes; ++lane)
        if (work.lanes >> lane & 1) f(lane);
}

std::uint32_t rotated(const Lanes& in, unsigned lane) { return in[lane % row_lanes ? lane - 1 : lane + row_lanes - 1]; }

void copy_down(State& state, unsigned lane, std::uint32_t last) {
    for (unsigned r = 0; r < 3; ++r) at(state, r, lane) = at(state, r + 1, lane);
    at(state, 3, lane) = last;
}

void keep_rotated(const LaneWork& work, State& state, const Lanes& in) {
    if (!work.keeps_rotated) return;
    for (unsigned row = 0; row < state::cells::rotated_rows; ++row)
        state.write(state::cells::last_rotated(row), in[row * row_lanes + row_lanes - 1]);
}

void run_copy4(const LaneWork& work, State& state) {
    for_each_lane(work, [&](unsigned lane) { copy_down(state, lane, 0); });
}

void run_chained_copy4(const LaneWork& work, State& state) {
    const Lanes first = copy_of(state, 0);
    for_each_lane(
        work, [&](unsigned lane) { copy_down(state, lane, lane + row_lanes < lanes ? first[lane + row_lanes] : 0); });
}

void run_rotate_and_copy4(const LaneWork& work, State& state) {
    const Lanes in = copy_of(state, work.c);
    for_each_lane(work, [&](unsigned lane) { copy_down(state, lane, rotated(in, lane)); });
    keep_rotated(work, state, in);
}

void run_rotate(const LaneWork& work, State& state) {
    const Lanes in = copy_of(state, work.c);
    if (work.writes) for_each_lane(work, [&](unsigned lane) { at(state, work.d, lane) = rotated(in, lane); });
    keep_rotated(work, state, in);
}

void run_shift_lanes(const LaneWork& work, State& state) {
    const Lanes in = copy_of(state, work.c);
    for_each_lane(work, [&](unsigned lane) {
        const std::uint32_t moved_in = work.takes_rotated ? state[state::cells::last_rotated(lane / row_lanes)] : 0;
        at(state, work.d, lane) = lane % row_lanes ? in[lane - 1] : moved_in;
    });
}

constexpr std::uint32_t shifted(std::uint32_t x, std::int32_t by) {
    return by >= 0 ? x << (by & 31) : x >> ((0u - static_cast<std::uint32_t>(by)) & 31);
}

void run_shift_by_lreg(const LaneWork& work, State& state) {
    for_each_lane(work, [&](unsigned lane) {
        at(state, work.d, lane) = shifted(at(state, work.b, lane), static_cast<std::int32_t>(at(state, work.c, lane)));
    });
}

void run_shift_by_imm(const LaneWork& work, State& state) {
    for_each_lane(work, [&](unsigned lane) {
        at(state, work.d, lane) = shifted(at(state, work.b, lane), static_cast<std::int32_t>(work.immediate));
    });
}

// Transposes 4 registers of 4 rows, and the next 4. If only one of two exchanged lanes is active, only that one is
// written.
void run_transpose(const LaneWork& work, State& state) {
    for (unsigned base = 0; base < state::LRegs::writable; base += 4)
        for (unsigned column = 0; column < columns; ++column)
            for (unsigned i = 0; i < 4; ++i)
                for (unsigned j = 0; j < i; ++j) {
                    const unsigned lane_i = i * row_lanes + column, lane_j = j * row_lanes + column;
                    const std::uint32_t ij = at(state, base + i, lane_j), ji = at(state, base + j, lane_i);
                    if (work.lanes >> lane_j & 1) at(state, base + i, lane_j) = ji;
                    if (work.lanes >> lane_i & 1) at(state, base + j, lane_i) = ij;
                }
}

// Whether nonzero values are shifted in.
bool takes_bug(const StateView& view, const LaneWork& work) {
    if (!work.takes_rotated) return false;
    for (unsigned row = 0; row < state::cells::rotated_rows; ++row)
        if (work.lanes >> row * row_lanes & 1 && view.remark(state::cells::last_rotated(row))) return true;
    return false;
}

constexpr std::uint32_t lregs_0_to(unsigned last) { return (2u << last) - 1; }

constexpr std::int32_t signed_12(std::uint32_t x) { return static_cast<std::int32_t>(x << 20) >> 20; }

// The registers that a mode reads and writes, and its loop.
struct Shuffle {
    LaneWork::Loop loop;
    bool across;
    bool reads_b, reads_c, writes_d;
    std::uint32_t reads, writes;
};
constexpr Shuffle shuffles[] = {
    {run_copy4, false, false, false, false, lregs_0_to(3) & ~1u, lregs_0_to(3)},
    {run_chained_copy4, true, false, false, false, lregs_0_to(3), lregs_0_to(3)},
    {run_rotate_and_copy4, true, false, true, false, lregs_0_to(3) & ~1u, lregs_0_to(3)},
    {run_rotate, true, false, true, true, 0, 0},
    {run_shift_lanes, true, false, true, true, 0, 0},
    {run_shift_by_lreg, false, true, true, true, 0, 0},
    {run_shift_by_imm, false, true, false, true, 0, 0},
};

void resolve_sfpshft2(const StateView& view, plan::Plan& plan) {
    Vector vector = vector_of(view, plan, vd);
    if (!view.macro_step) {
        vector.b = view[imm12] & 15;
        vector.c = view[vc];
    }
    const std::uint32_t how = view[mode];
    if (how >= std::size(shuffles)) return plan.note(findings::id("vector.undefined-mode"), {how});
    const Shuffle& shuffle = shuffles[how];
    LaneWork work = lane_work(vector, shuffle.loop);
    work.across = shuffle.across;
    work.reads = shuffle.reads | (shuffle.reads_b ? 1u << vector.b : 0) | (shuffle.reads_c ? 1u << vector.c : 0);
    work.writes = shuffle.writes | (shuffle.writes_d && vector.writes_d() ? 1u << vector.d : 0);
    work.immediate = static_cast<std::uint32_t>(signed_12(view[imm12]));
    if (!view.blackhole()) {
        work.keeps_rotated = (how == rotate || how == rotate_and_copy4) && vector.d < state::LRegs::recorded;
        work.takes_rotated = how == shift_lanes;
    }
    if (!work.writes) work.lanes = 0;
    if (takes_bug(view, work)) plan.note(findings::id("vector.shift-takes-rotated"));
    if (work.lanes || work.keeps_rotated) plan.work = work;
    if (how == rotate || how == rotate_and_copy4 || how == shift_lanes) {
        plan.cost.latency *= 2;
        if (view.blackhole()) plan.cost.occupancy *= 2;
    }
}

void resolve_sfptransp(const StateView& view, plan::Plan& plan) {
    LaneWork work = lane_work(vector_of(view, plan, transpose_vd), run_transpose);
    work.across = true;
    work.reads = work.writes = lregs_0_to(7);
    if (work.lanes) plan.work = work;
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SFPSHFT2"),
     resolve_sfpshft2,
     {1,
      1,
      {"VectorUnit, tables of latencies: twice as long in modes that move values between lanes of a row; SFPSHFT2, "
       "Instruction "
       "scheduling: Blackhole accepts only SFPNOP in their second cycle"}}},
    {isa::mnemonic("SFPTRANSP"), resolve_sfptransp, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> sfpshft2_sfptransp_rules() { return behaviours; }

}  // namespace tessera::units::vector
