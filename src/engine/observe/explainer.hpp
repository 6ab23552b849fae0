// SPDX-License-Identifier: Apache-2.0
// RunOptions::explain and elements: describes an instruction's effects and cost at its issue.
#pragma once

#include <optional>

#include "engine/context.hpp"
#include "engine/observe/explanation_cache.hpp"
#include "engine/pipes/records.hpp"
#include "engine/pipes/transfers.hpp"

namespace tessera::engine {

class Explainer : private Context {
public:
    Explainer(const Context& context, const Transfers& transfers, const Records& records)
        : Context(context), transfers_(transfers), records_(records) {}

    /// Returns the explanation's place in Run::explanations if it wants elements, which follow at execution; else -1.
    std::int64_t explain_if_asked(const plan::Plan& plan, std::int64_t index, Cycle now);
    void trace_elements(const Record& record);
    /// Moves the last explanation out of Run::explanations.
    std::optional<Explanation> take_last();

private:
    /// Inputs of an explanation.
    struct Inputs {
        std::vector<state::Cell> cells;
        bool memory = false;  ///< contents of memories, too
    };
    Explanation explain(const plan::Plan& plan, std::int64_t index, Cycle now, Inputs* inputs = nullptr) const;
    /// Gives the explanation, from the cache if it can, to RunOptions::on_explanation.
    void hand_over(const plan::Plan& plan, std::int64_t index, Cycle now);
    Explanation::Line rival_now(const plan::Plan& plan, Cycle now) const;

    const Transfers& transfers_;
    const Records& records_;
    ExplanationCache cache_;
};

}  // namespace tessera::engine
