// SPDX-License-Identifier: Apache-2.0
// ATGETM, ATRELM (their pages, Functional model). A mutex cell holds its holder + 1, or 0.
// Reference: reference/models/sync.cpp.
#include "units/sync/sync.hpp"

namespace tessera::units::sync {

namespace {

constexpr auto get_index = isa::operand("ATGETM", "mutex_index");
constexpr auto release_index = isa::operand("ATRELM", "mutex_index");

bool exists(const StateView& view, std::uint32_t index, plan::Plan& plan) {
    if (index != 1 && index < view.arch().mutexes) return true;
    plan.fail(findings::id("sync.mutex-index"), {index});
    return false;
}

void resolve_atgetm(const StateView& view, plan::Plan& plan) {
    const std::uint32_t index = view[get_index];
    if (!exists(view, index, plan)) return;
    plan.mutex = static_cast<std::int8_t>(index);
    plan.effect(state::cells::mutex(index), view.thread + 1, plan::When::issue);
}

void resolve_atrelm(const StateView& view, plan::Plan& plan) {
    const std::uint32_t index = view[release_index];
    if (!exists(view, index, plan)) return;
    const auto cell = state::cells::mutex(index);
    if (view.remark(cell) != view.thread + 1) plan.note(findings::id("sync.mutex-not-held"), {index});
    plan.effect(cell, view.thread + 1, plan::When::start, plan::CellOp::release);
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("ATGETM"), resolve_atgetm, {1, 1, unit_page}},
    {isa::mnemonic("ATRELM"), resolve_atrelm, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> mutexes_rules() { return behaviours; }

}  // namespace tessera::units::sync
