// SPDX-License-Identifier: Apache-2.0
#include "old_and_new/step_digests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "old_and_new/digest.hpp"
#include "support/random_programs.hpp"
#include "tessera/execution.hpp"
#include "tessera/job.hpp"

namespace tessera::test {

namespace {

class Steps {
public:
    explicit Steps(Job job) : job_(std::move(job)), before_(prepare(job_).value()) {}

    bool print() {
        Core straight = before_;
        const auto whole = run_job(job_, straight, job_.options);
        if (!whole) return wrong("refused: " + whole.error().describe());
        end_ = digest(straight);
        reported_ = reported(*whole);
        issued_ = std::accumulate(whole->instructions.begin(), whole->instructions.end(), std::uint64_t{0});

        Core core = before_;
        auto run = begin(core);
        if (!run) return wrong("refused: " + run.error().describe());
        Core other = before_;
        bool good = true;
        for (std::uint64_t step = 0; good; ++step) {
            const Execution::Snapshot snapshot = run->snapshot();
            const Pause pause = run->step();
            const std::uint64_t now = digest(run->core());
            fmt::print("{} {} {} T{} {} {} {:016x}\n", step, pause.cycle, name(pause.why), pause.where.thread,
                       pause.where.index, pause.where.position, now);
            good = goes_on(other, snapshot, step, pause, now);
            if (pause.why != Pause::Why::instruction) break;
        }
        good = good && ends_alike(*run, "in steps");
        fmt::print("{}end {:016x}, {} steps, {} snapshots, {} of them to the end\n", reported_, end_,
                   run->instructions(), snapshots_, to_the_end_);
        return good;
    }

private:
    static bool wrong(const std::string& what) {
        fmt::print("WRONG: {}\n", what);
        return false;
    }
    std::uint64_t digest(const Core& core) const { return state_digest(core, before_, !job_.kernels); }

    Result<Execution> begin(Core& core) const {
        if (job_.kernels) return Execution::begin(core, *job_.kernels, job_.options);
        return Execution::begin(core, job_.program, job_.options);
    }

    bool ends_alike(Execution& run, const std::string& how) const {
        run.finish();
        if (reported(run.run()) != reported_) return wrong(how + ": another run is told:\n" + reported(run.run()));
        return digest(run.core()) == end_ || wrong(how + ": another state at the end");
    }

    /// From the snapshot before a step on a core that has done something else.
    bool goes_on(Core& other, const Execution::Snapshot& snapshot, std::uint64_t step, const Pause& pause,
                 std::uint64_t now) {
        auto again = Execution::begin(other, snapshot, job_.options);
        if (!again) return wrong("refused: " + again.error().describe());
        const Pause same = again->step();
        const std::string from = fmt::format("from the snapshot before step {}", step);
        if (same.why != pause.why || same.cycle != pause.cycle || same.where.index != pause.where.index ||
            digest(other) != now)
            return wrong(from + ": another step");
        ++snapshots_;
        const std::uint64_t apart = std::max<std::uint64_t>(1, issued_ / most_to_the_end);
        if (step % apart) return true;
        ++to_the_end_;
        return ends_alike(*again, from);
    }

    static constexpr std::uint64_t most_to_the_end = 100;
    Job job_;
    Core before_;
    std::uint64_t end_ = 0, issued_ = 0, snapshots_ = 0, to_the_end_ = 0;
    std::string reported_;
};

}  // namespace

bool print_steps(const std::string& job_file) {
    auto job = load_job(job_file);
    if (!job) {
        fmt::print("WRONG: {}\n", job.error().describe());
        return false;
    }
    return Steps(std::move(*job)).print();
}

}  // namespace tessera::test
