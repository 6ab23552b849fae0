// SPDX-License-Identifier: Apache-2.0
#include "tessera/trace.hpp"

#include <algorithm>

#include "trace/observer.hpp"

namespace tessera {

Result<Run> trace_job(const Job& job, Core& core, const RunOptions& options, const TraceForms& forms) {
    std::vector<std::unique_ptr<trace::Observer>> observers;
    const trace::Subject subject{job, core, options};
    if (forms.lines) observers.push_back(trace::make_lines(subject, forms.lines, forms.writes));
    if (forms.perfetto) observers.push_back(trace::make_perfetto(subject, forms.perfetto));
    if (forms.report) observers.push_back(trace::make_report(subject, *forms.report));

    RunOptions traced = options;
    if (!observers.empty()) {
        traced.on_event = [&](const Event& event) {
            for (const auto& observer : observers) observer->event(event);
            if (options.on_event) options.on_event(event);
        };
        traced.on_wait = [&](const Wait& wait) {
            for (const auto& observer : observers) observer->wait(wait);
            if (options.on_wait) options.on_wait(wait);
        };
    }
    if (std::any_of(observers.begin(), observers.end(), [](const auto& observer) { return observer->wants_writes(); }))
        traced.on_write = [&](const Write& write) {
            for (const auto& observer : observers)
                if (observer->wants_writes()) observer->write(write);
            if (options.on_write) options.on_write(write);
        };
    auto run = run_job(job, core, traced);
    if (run)
        for (const auto& observer : observers) observer->finish(*run);
    return run;
}

}  // namespace tessera
