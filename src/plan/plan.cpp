// SPDX-License-Identifier: Apache-2.0
#include "plan/plan.hpp"

#include "state/config_store.hpp"

#include "state/state.hpp"

namespace tessera::plan {

void store(state::State& state, state::Cell cell, CellOp op, std::uint32_t value) {
    using namespace state::cells;
    if (!config_block.contains(cell))
        return state.write(cell, CellEffect{cell, op, When::start, value}.result(state[cell]));
    const unsigned word = state::index(cell) - config_block.first;
    state::store_config(state, word / max_config_words, word % max_config_words, value);
}

void apply(const Plan& plan, When when, state::State& state) {
    for (const auto& effect : plan.effects)
        if (effect.when == when) state.write(effect.cell, effect.result(state[effect.cell]));
}

namespace {

template <class W>
constexpr bool needs_l1 = std::is_same_v<W, IncrementWork> || std::is_same_v<W, CompareSetWork>;

}  // namespace

bool waits_for_l1(const Plan& plan) {
    return std::visit([](const auto& work) { return needs_l1<std::decay_t<decltype(work)>>; }, plan.work);
}

bool work_is_ready(const Plan& plan, const state::State& state) {
    return std::visit(
        [&](const auto& work) {
            if constexpr (needs_l1<std::decay_t<decltype(work)>>) return ready(work, state);
            return true;
        },
        plan.work);
}

std::string missing(const Plan& plan, const state::State& state) {
    return std::visit(
        [&](const auto& work) -> std::string {
            if constexpr (needs_l1<std::decay_t<decltype(work)>>)
                return ready(work, state) ? std::string{} : missing(work, state);
            return {};
        },
        plan.work);
}

namespace {

using Runner = void (*)(const Work&, state::State&);

template <std::size_t Kind>
void run_kind(const Work& work, state::State& state) {
    const auto* const kind = std::get_if<Kind>(&work);
    if constexpr (Kind != 0)
        if (kind) run(*kind, state);
}

// In place of std::visit(): run() then can make a tail call to each kind.
template <std::size_t... Kinds>
constexpr std::array<Runner, sizeof...(Kinds)> runners_of(std::index_sequence<Kinds...>) {
    return {run_kind<Kinds>...};
}
constexpr auto runners = runners_of(std::make_index_sequence<std::variant_size_v<Work>>());
static_assert(std::is_same_v<std::variant_alternative_t<0, Work>, NoWork>);

}  // namespace

void run_work(const Plan& plan, state::State& state) { runners[plan.work.index()](plan.work, state); }

void run_whole(const Plan& plan, state::State& state) {
    apply(plan, When::issue, state);
    apply(plan, When::start, state);
    run_work(plan, state);
    apply(plan, When::end, state);
}

void footprint_of_work(const Plan& plan, Footprint& result) {
    std::visit(
        [&](const auto& work) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(work)>, NoWork>) footprint(work, result);
        },
        plan.work);
}

Footprint footprint(const Plan& plan) {
    Footprint result;
    for (const auto& effect : plan.effects) {
        if (effect.op != CellOp::set) result.read(effect.cell);
        result.write(effect.cell);
    }
    footprint_of_work(plan, result);
    return result;
}

}  // namespace tessera::plan
