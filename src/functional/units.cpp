// SPDX-License-Identifier: Apache-2.0
#include "functional/units.hpp"

#include <utility>

namespace tessera::functional {

void Units::queue(Waiting instruction) {
    count(instruction.plan(), 1);
    Queue& queue = queues_[pipe_of(instruction.plan())];
    queue.add() = std::move(instruction);
    ++queued_;
}

void Units::hold(Waiting instruction) {
    count(instruction.plan(), 1);
    held_ = std::move(instruction);
}

bool Units::goes_on(const plan::Plan& plan) const {
    return banks_ready(plan) && frontend::over(state_, activity_, plan.thread, plan.conditions) && plan::work_is_ready(plan, state_);
}

std::optional<Units::Waiting> Units::take_queued(unsigned pipe) {
    Queue& queue = queues_[pipe];
    if (queue.empty() || !banks_ready(queue.front().plan())) return std::nullopt;
    std::optional<Waiting> head = std::move(queue.front());
    queue.pop_front();
    --queued_;
    count(head->plan(), -1);
    return head;
}

std::optional<Units::Waiting> Units::take_held() {
    if (!held_ || !goes_on(held_->plan())) return std::nullopt;
    count(held_->plan(), -1);
    return std::exchange(held_, std::nullopt);
}

void Units::count(const plan::Plan& plan, int by) {
    plan::for_each_pipe(plan.pipes, [&](unsigned pipe) { activity_.in_pipe[pipe][plan.thread] += static_cast<std::uint32_t>(by); });
    if (plan::is_scalar_request(plan)) activity_.scalar_requests[plan.thread] += static_cast<std::uint32_t>(by);
}

}  // namespace tessera::functional
