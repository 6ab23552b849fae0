// SPDX-License-Identifier: Apache-2.0
#include "units/trace.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "units/costs/costs.hpp"

namespace tessera::units {

namespace {

class Walk {
public:
    Walk(const CostTable& costs, std::size_t steps)
        : block_cycles_(costs.interlocks.dst_block_cycles), vector_place_(costs.interlocks.vector_place) {
        for (auto* list : {&made.issued, &made.words, &made.acting}) list->reserve(steps);
    }

    void take(const Trace::Step& step) {
        const plan::Plan& plan = step.plan->plan;
        for (const plan::BankNeed& need : plan.banks)
            if (std::find(made.banks.begin(), made.banks.end(), need) == made.banks.end()) made.banks.push_back(need);
        wait_for_blocks(plan);
        const bool waits_in_place = vector_place_ && step.of_vector;
        if (!waits_in_place && step.is_adjacent && may_come_ == now_) wait(false, step.pipe, now_ + 1);
        TraceTiming::OfPipe& pipe = of(plan::Pipe(step.pipe));
        if (waits_in_place) {
            if (place_free_ > now_) wait(false, step.pipe, place_free_);
        } else if (!(bit(pipe.pipe) & plan::one_per_thread)) {
            const std::uint32_t free = std::max(pipe.free, step.interval ? pipe.interval_over : 0);
            const bool follows = step.chain != plan::Chain::none && step.chain == pipe.chain;
            if (free > now_ + step.fills_pause && !follows) wait(false, step.pipe, free);
        }
        issue(step, pipe, waits_in_place ? vector_start(step, pipe) : now_);
        if (block_cycles_) plan.dst_writes.for_each([&](unsigned block) { ready_[block] = now_ + block_cycles_ + 1; });
        const auto number = static_cast<std::uint32_t>(made.issued.size());
        const bool of_matrix = pipe.pipe == plan::Pipe::matrix;  // a counter tracks its overlap with others
        if (step.has_effects_at_issue || step.has_effects_at_start || step.has_work || step.uses_config ||
            step.is_gated || step.writes_dst || of_matrix)
            made.acting.push_back(number);
        if (step.of_vector) made.last_of_vector = number;
        made.issued.push_back(now_++);
        made.words.push_back(step.word);
        made.cycles = may_come_ = now_;
    }

    TraceTiming made;

private:
    void wait(bool for_dst, unsigned pipe, std::uint32_t until) {
        made.waits.push_back({for_dst, plan::Pipe(pipe), until - now_});
        now_ = until;
    }
    void wait_for_blocks(const plan::Plan& plan) {
        std::uint32_t until = now_;
        plan.dst_reads.for_each([&](unsigned block) {
            if (!ready_[block])
                made.blocks.push_back({block, now_});
            else if (*ready_[block])
                until = std::max(until, *ready_[block]);
            if (!ready_[block]) ready_[block] = 0;
        });
        if (until > now_) wait(true, 0, until);
    }
    // When the unit executes a step that is issued now.
    std::uint32_t vector_start(const Trace::Step& step, const TraceTiming::OfPipe& pipe) {
        const std::uint32_t pause = step.fills_pause && pipe.instructions && pipe.last + 1 < pipe.free;
        std::uint32_t start = std::max(now_, pipe.free - pause);
        // The instruction before the trace, if it matters to this step, started in the preceding cycle.
        if (step.held_back && (pipe.instructions ? place_free_ == start : start == 0)) ++start;
        place_free_ = start + 1;
        return start;
    }
    TraceTiming::OfPipe& of(plan::Pipe pipe) {
        const auto known = std::find_if(made.pipes.begin(), made.pipes.end(),
                                        [&](const TraceTiming::OfPipe& each) { return each.pipe == pipe; });
        if (known != made.pipes.end()) return *known;
        TraceTiming::OfPipe one;
        one.pipe = pipe;
        one.asked = one.first = one.resumed = one.end = now_;
        return made.pipes.emplace_back(one);
    }
    void issue(const Trace::Step& step, TraceTiming::OfPipe& pipe, std::uint32_t start) {
        if (pipe.instructions++ == 0) pipe.first = pipe.resumed = pipe.end = now_;
        pipe.last = start;
        pipe.chain = step.chain;
        pipe.free = std::max(pipe.free, start + step.occupancy);
        if (step.interval) pipe.interval_over = now_ + step.interval;
        if (pipe.end < now_) {
            if (pipe.resumed == pipe.first) pipe.paused = pipe.end;
            pipe.busy += pipe.end - pipe.resumed;
            pipe.resumed = now_;
        }
        pipe.end = std::max(pipe.end, start + step.latency);
        made.end = std::max(made.end, pipe.end);
    }

    const std::uint32_t block_cycles_;
    const bool vector_place_;
    std::uint32_t place_free_ = 0;  ///< in front of the vector unit
    std::uint32_t now_ = 0,
                  may_come_ = 0;                                                ///< the cycle after the last issue
    std::array<std::optional<std::uint32_t>, plan::DstBlocks::count> ready_{};  ///< of accessed blocks
};

}  // namespace

TraceTiming timing_of(const Trace& trace, const CostTable& costs) {
    Walk walk(costs, trace.steps.size());
    for (const Trace::Step& step : trace.steps) walk.take(step);
    return std::move(walk.made);
}

}  // namespace tessera::units
