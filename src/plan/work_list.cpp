// SPDX-License-Identifier: Apache-2.0
#include "plan/work_list.hpp"

namespace tessera::plan {

WorkList::Step WorkList::add(const Work& work) {
    const Step step = std::visit(
        [&](const auto& one) {
            auto& list = std::get<std::vector<std::decay_t<decltype(one)>>>(works_);
            list.push_back(one);
            work_bytes_ += sizeof one;
            return Step{static_cast<std::uint32_t>(work.index()) & 31,
                        static_cast<std::uint32_t>(list.size() - 1) & ((1u << 27) - 1)};
        },
        work);
    add(step);
    return step;
}

bool WorkList::is(Step step, const Work& work) const {
    return step.kind == work.index() && std::visit(
                                            [&](const auto& one) {
                                                using Kind = std::decay_t<decltype(one)>;
                                                return std::get<std::vector<Kind>>(works_)[step.index] == one;
                                            },
                                            work);
}

void WorkList::settle() {
    std::apply([](auto&... list) { (list.shrink_to_fit(), ...); }, works_);
    steps_.shrink_to_fit();
}

template <std::size_t Kind>
void WorkList::run_one(const Lists& works, std::size_t index, state::State& state) {
    if constexpr (Kind != 0) plan::run(std::get<Kind>(works)[index], state);
}

template <std::size_t... Kinds>
void WorkList::run_all(state::State& state, std::index_sequence<Kinds...>) const {
    static_assert(std::is_same_v<std::variant_alternative_t<0, Work>, NoWork>);
    using Runner = void (*)(const Lists&, std::size_t, state::State&);
    constexpr Runner runners[] = {run_one<Kinds>...};
    for (const Step step : steps_) runners[step.kind](works_, step.index, state);
}

void WorkList::run(state::State& state) const {
    run_all(state, std::make_index_sequence<std::variant_size_v<Work>>());
}

}  // namespace tessera::plan
