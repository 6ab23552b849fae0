// SPDX-License-Identifier: Apache-2.0
// SEMINIT, SEMPOST, SEMGET (their pages, Functional model).
// Reference: reference/models/sync.cpp.
#include "units/sync/semaphore_limits.hpp"
#include "units/sync/sync.hpp"

namespace tessera::units::sync {

namespace {

constexpr auto init_mask = isa::operand("SEMINIT", "sem_sel");
constexpr auto init_max = isa::operand("SEMINIT", "max_value");
constexpr auto init_value = isa::operand("SEMINIT", "init_value");

template <class F>
void for_each_semaphore(std::uint32_t mask, plan::Plan& plan, F&& f) {
    if (mask == 0) plan.note(findings::id("sync.no-semaphore"));
    for (unsigned i = 0; i < 8; ++i)
        if (mask >> i & 1) f(i);
}

void note(plan::Plan& plan, const std::optional<findings::Note>& met) {
    if (met) plan.note(met->id, met->values, met->detail);
}

void resolve_seminit(const StateView& view, plan::Plan& plan) {
    const std::uint32_t value = view[init_value], max = view[init_max];
    for_each_semaphore(view[init_mask], plan, [&](unsigned i) {
        plan.effect(state::cells::semaphore_value(i), value, plan::When::start);
        plan.effect(state::cells::semaphore_max(i), max, plan::When::start);
    });
    if (view[init_mask] && max && value > max) plan.note(findings::id("sync.init-above-max"), {value, max});
}

void resolve_sempost(const StateView& view, plan::Plan& plan) {
    for_each_semaphore(view[post_mask], plan, [&](unsigned i) {
        const auto cell = state::cells::semaphore_value(i);
        note(plan, post_at_limit(i, view.remark(cell), view.remark(state::cells::semaphore_max(i)), "SEMPOST"));
        plan.effect(cell, 0, plan::When::start, plan::CellOp::post);
    });
}

void resolve_semget(const StateView& view, plan::Plan& plan) {
    for_each_semaphore(view[get_mask], plan, [&](unsigned i) {
        const auto cell = state::cells::semaphore_value(i);
        note(plan, get_at_limit(i, view.remark(cell), "SEMGET"));
        plan.effect(cell, 0, plan::When::start, plan::CellOp::get);
    });
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SEMINIT"), resolve_seminit, {1, 1, unit_page}},
    {isa::mnemonic("SEMPOST"), resolve_sempost, {1, 1, unit_page}},
    {isa::mnemonic("SEMGET"), resolve_semget, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> semaphores_rules() { return behaviours; }

}  // namespace tessera::units::sync
