// SPDX-License-Identifier: Apache-2.0
// Works to run in order. Each distinct work is stored once, in the size of its kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "plan/work.hpp"

namespace tessera::plan {

class WorkList {
public:
    /// Identifies a work of the list.
    struct Step {
        std::uint32_t kind : 5;
        std::uint32_t index : 27;  ///< among works of its kind
    };

    /// Appends a work and returns its name.
    Step add(const Work& work);
    /// Appends a known work once more.
    void add(Step step) { steps_.push_back(step); }
    bool is(Step step, const Work& work) const;
    /// Releases spare memory; call it after the last add().
    void settle();

    void run(state::State& state) const;

    std::size_t size() const { return steps_.size(); }
    std::size_t bytes() const { return work_bytes_ + steps_.size() * sizeof(Step); }

private:
    template <class>
    struct ByKind;
    template <class... Kinds>
    struct ByKind<std::variant<Kinds...>> {
        using Lists = std::tuple<std::vector<Kinds>...>;
    };
    using Lists = ByKind<Work>::Lists;
    static_assert(std::variant_size_v<Work> <= 32);

    template <std::size_t Kind>
    static void run_one(const Lists& works, std::size_t index, state::State& state);
    template <std::size_t... Kinds>
    void run_all(state::State& state, std::index_sequence<Kinds...> kinds) const;

    Lists works_;
    std::vector<Step> steps_;
    std::size_t work_bytes_ = 0;
};

}  // namespace tessera::plan
