// SPDX-License-Identifier: Apache-2.0
// Whether a block costs the same in a long program and in a short one, alone and beside others: a thread each with a new core for each run.
#include "scaling.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "jobs.hpp"
#include "machine.hpp"
#include "tessera/trace.hpp"

namespace tessera::bench {

namespace {

using Clock = std::chrono::steady_clock;

const TraceForms to_nowhere = {.lines = [](std::string_view) {}};

/// ns of a run on a new core, as time passes.
double run_once(const Job& job, const TraceForms& forms) {
    auto core = prepare(job);
    if (!core) throw std::runtime_error(core.error().describe());
    const auto begin = Clock::now();
    const auto run = trace_job(job, *core, job.options, forms);
    const auto end = Clock::now();
    if (!run) throw std::runtime_error(run.error().describe());
    if (!run->good()) throw std::runtime_error("the product ends with a fault");
    return std::chrono::duration<double, std::nano>(end - begin).count();
}

/// Runs it in so many threads until each has done so often and so long; ns of all runs, sorted.
std::vector<double> run_all(const Job& job, const TraceForms& forms, unsigned threads, unsigned repetitions,
                            double seconds) {
    std::vector<std::vector<double>> times(threads);
    std::vector<std::string> errors(threads);
    std::atomic<unsigned> left = threads;
    auto work = [&](unsigned thread) {
        auto run_while = [&](auto&& wanted) {
            try {
                while (errors[thread].empty() && wanted()) times[thread].push_back(run_once(job, forms));
            } catch (const std::exception& error) {
                errors[thread] = error.what();
            }
        };
        const auto begin = Clock::now();
        run_while([&] {
            return times[thread].size() < repetitions ||
                   std::chrono::duration<double>(Clock::now() - begin).count() < seconds;
        });
        --left;
        // Nobody is alone before all are done.
        run_while([&] { return left > 0; });
    };
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads; ++i) others.emplace_back(work, i);
    work(0);
    for (auto& other : others) other.join();
    for (const auto& error : errors)
        if (!error.empty()) throw std::runtime_error(error);
    std::vector<double> all;
    for (const auto& some : times) all.insert(all.end(), some.begin(), some.end());
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace

std::vector<Scaling> scale(unsigned repetitions, double seconds) {
    constexpr Product products[] = {{1, 1, 1}, {2, 2, 2}, {4, 4, 4}, {8, 8, 8}, {8, 64, 8}};
    std::vector<unsigned> counts;
    const unsigned most = std::max(1u, std::thread::hardware_concurrency());
    for (unsigned threads = 1; threads < most; threads *= 2) counts.push_back(threads);
    counts.push_back(most);

    std::vector<Scaling> rows;
    for (const bool traced : {false, true})
        for (const Product& product : products) {
            const Job job = product_job(product);
            double alone = 0;
            for (const unsigned threads : counts) {
                forget_peak();
                const auto times = run_all(job, traced ? to_nowhere : TraceForms{}, threads, repetitions, seconds);
                Scaling row;
                row.blocks = product.blocks();
                row.traced = traced;
                row.threads = threads;
                row.ns = times[times.size() / 2] / row.blocks;
                row.least = times.front() / row.blocks;
                row.most = times.back() / row.blocks;
                if (threads == 1) alone = row.ns;
                row.speed_up = threads * alone / row.ns;
                row.peak_mib = peak_mib();
                rows.push_back(row);
            }
        }
    return rows;
}

}  // namespace tessera::bench
