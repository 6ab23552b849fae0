// SPDX-License-Identifier: Apache-2.0
#include "engine/pipes/workload.hpp"

namespace tessera::engine {

void Workload::change(plan::PipeMask pipes, Cycle now, void (Load::*how)(Cycle)) {
    plan::for_each_pipe(pipes, [&](unsigned p) { (loads_[p].*how)(now); });
    const unsigned group = group_of(pipes);
    if (group == groups) return;
    count_overlap(now);
    (of_group_[group].*how)(now);
}

void Workload::run(plan::PipeMask pipes, unsigned thread, Cycle now, Cycle end) {
    plan::for_each_pipe(pipes, [&](unsigned p) {
        loads_[p].run(now, end);
        raise(activity_.busy_until[p][thread], end);
    });
    run_in_group(pipes, now, end);
    run_until(thread, end);
}

void Workload::run_in_group(plan::PipeMask pipes, Cycle now, Cycle end) {
    const unsigned group = group_of(pipes);
    if (group == groups) return;
    if (of_group_[group].until() < now) count_overlap(now);
    of_group_[group].run(now, end);
}

// Since the last count each group is busy for some time and then idle. So two of them are busy as long as the second
// longest of the three.
void Workload::count_overlap(Cycle now) {
    if (now <= of_group_[0].counted_until()) return;
    std::array<Cycle, groups> busy{};
    for (unsigned i = 0; i < groups; ++i) {
        busy[i] = of_group_[i].since_counted(now);
        of_group_[i].count(now);
    }
    const auto [a, b, c] = busy;
    overlapped_ += std::max(std::min(a, b), std::min(std::max(a, b), c));
}

Cycle Workload::overlapped(Cycle now) {
    count_overlap(now);
    return overlapped_;
}

}  // namespace tessera::engine
