// SPDX-License-Identifier: Apache-2.0
#include "units/vector/schedule.hpp"

#include <algorithm>

#include "units/vector/macro_cells.hpp"

namespace tessera::units::vector {

namespace {

using state::Scheduled;

// Whether SFPLOADMACRO can have scheduled it: a caller can set cells to any bits.
bool may_be_scheduled(const ScheduledInstruction& what) {
    const auto& [b, c, d, mode, address] = what.step;
    return what.instruction.is_of(isa::Unit::vector) && what.thread < state::threads &&
           std::max({b, c, d}) < state::LRegs::registers && mode < 16;
}

}  // namespace

bool is_scheduled(const state::State& state, unsigned sub_unit, unsigned delay) {
    return scheduled(state, sub_unit, delay).has_value();
}

bool any_due(const state::State& state) {
    for (unsigned unit = 0; unit < sub_units; ++unit)
        if (is_scheduled(state, unit, 0)) return true;
    return false;
}

std::optional<ScheduledInstruction> scheduled(const state::State& state, unsigned sub_unit, unsigned delay) {
    const auto cell = [&](Scheduled item) { return state[state::cells::scheduled(sub_unit, delay, item)]; };
    const std::uint32_t word = cell(Scheduled::word);
    if (!word) return std::nullopt;
    const auto registers = RegisterCell::from(cell(Scheduled::registers));
    const auto store = StoreCell::from(cell(Scheduled::store));
    ScheduledInstruction result;
    result.instruction = isa::decode(word, state.arch().arch);
    result.thread = HowCell::from(cell(Scheduled::how)).thread;
    result.step = {registers.b, registers.c, registers.d, store.mode, store.address};
    return may_be_scheduled(result) ? std::optional(result) : std::nullopt;
}

bool counts_instructions(const state::State& state) {
    for (unsigned unit = 0; unit < sub_units; ++unit)
        for (unsigned delay = 0; delay < delays; ++delay)
            if (is_scheduled(state, unit, delay) &&
                HowCell::from(state[state::cells::scheduled(unit, delay, Scheduled::how)]).by_instructions)
                return true;
    return false;
}

unsigned scheduled_vd(const state::State& state, unsigned sub_unit) {
    return RegisterCell::from(state[state::cells::scheduled(sub_unit, 0, Scheduled::registers)]).d;
}

bool may_write_together(Arch arch, unsigned first, unsigned second) {
    constexpr unsigned hidden = 16, half = 4;
    if ((first == hidden) != (second == hidden)) return true;
    return arch == Arch::wormhole && (first < half) != (second < half);
}

void count_down(state::State& state) {
    for (unsigned unit = 0; unit < sub_units; ++unit)
        for (unsigned delay = 1; delay < delays; ++delay) {
            if (!is_scheduled(state, unit, delay)) continue;
            for (unsigned item = 0; item < state::cells::size<Scheduled>; ++item)
                state.write(state::cells::scheduled(unit, delay - 1, Scheduled(item)),
                            state[state::cells::scheduled(unit, delay, Scheduled(item))]);
            state.write(state::cells::scheduled(unit, delay, Scheduled::word), 0);
        }
}

void forget_due(state::State& state, unsigned sub_unit) {
    state.write(state::cells::scheduled(sub_unit, 0, Scheduled::word), 0);
}

}  // namespace tessera::units::vector
