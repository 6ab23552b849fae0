// SPDX-License-Identifier: Apache-2.0
#include "tessera/trace.hpp"

#include "trace/observers.hpp"

namespace tessera {

Result<Run> trace_job(const Job& job, Core& core, const RunOptions& options, const TraceForms& forms) {
    trace::Observers observers({job, core, options}, forms);
    RunOptions traced = options;
    observers.watch(traced, options);
    auto run = run_job(job, core, traced);
    if (run) observers.finish(*run);
    return run;
}

}  // namespace tessera
