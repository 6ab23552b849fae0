// SPDX-License-Identifier: Apache-2.0
// Measures the cost of a block in short and long programs, on one thread and on several. Each run has a new core.
#include "scaling.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <stdexcept>
#include <thread>

#include "jobs.hpp"
#include "machine.hpp"
#include "tessera/trace.hpp"
#include "times.hpp"

namespace tessera::bench {

namespace {

using Clock = std::chrono::steady_clock;

const TraceForms to_nowhere = {.lines = [](std::string_view) {}};

/// ns of the runs, sorted: processor time of the threads, and elapsed time.
struct Times {
    std::vector<double> used, passed;
};

/// Runs on a new core; making the core is not measured.
void run_once(const Job& job, const TraceForms& forms, Times& times) {
    auto core = prepare(job);
    if (!core) throw std::runtime_error(core.error().describe());
    const auto begin = Clock::now();
    const double begin_used = thread_ns();
    const auto run = trace_job(job, *core, by_engine(), forms);
    times.used.push_back(thread_ns() - begin_used);
    times.passed.push_back(std::chrono::duration<double, std::nano>(Clock::now() - begin).count());
    if (!run) throw std::runtime_error(run.error().describe());
    if (!run->good()) throw std::runtime_error("the product ends with a fault");
}

/// Runs the job on so many threads until each has reached both minima.
Times run_all(const Job& job, const TraceForms& forms, unsigned threads, unsigned repetitions, double seconds) {
    std::vector<Times> times(threads);
    std::vector<std::string> errors(threads);
    std::atomic<unsigned> left = threads;
    auto work = [&](unsigned thread) {
        auto run_while = [&](auto&& wanted) {
            try {
                while (errors[thread].empty() && wanted()) run_once(job, forms, times[thread]);
            } catch (const std::exception& error) {
                errors[thread] = error.what();
            }
        };
        const auto begin = Clock::now();
        run_while([&] {
            return times[thread].used.size() < repetitions ||
                   std::chrono::duration<double>(Clock::now() - begin).count() < seconds;
        });
        --left;
        // Threads that are done keep running, so that no measured thread is alone.
        run_while([&] { return left > 0; });
    };
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads; ++i) others.emplace_back(work, i);
    work(0);
    for (auto& other : others) other.join();
    for (const auto& error : errors)
        if (!error.empty()) throw std::runtime_error(error);
    Times all;
    for (const Times& some : times) {
        all.used.insert(all.used.end(), some.used.begin(), some.used.end());
        all.passed.insert(all.passed.end(), some.passed.begin(), some.passed.end());
    }
    std::sort(all.used.begin(), all.used.end());
    std::sort(all.passed.begin(), all.passed.end());
    return all;
}

}  // namespace

std::vector<Scaling> scale(unsigned repetitions, double seconds) {
    // Large depths first, so that a block is the same work in each: blocks share the remaining cost of a tile of the
    // result.
    constexpr Product products[] = {{1, 1, 1}, {1, 8, 1}, {1, 64, 1}, {2, 64, 4}, {8, 64, 8}};
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
                const Times times = run_all(job, traced ? to_nowhere : TraceForms{}, threads, repetitions, seconds);
                Scaling row;
                row.blocks = product.blocks();
                row.traced = traced;
                row.threads = threads;
                const std::size_t middle = times.used.size() / 2;
                row.ns = times.used[middle] / row.blocks;
                row.least = times.used.front() / row.blocks;
                row.most = times.used.back() / row.blocks;
                if (threads == 1) alone = times.passed[middle];
                row.speed_up = threads * alone / times.passed[middle];
                row.peak_mib = peak_mib();
                if (&product != std::begin(products)) {
                    const Scaling& less = rows[rows.size() - counts.size()];
                    row.further = (row.ns * row.blocks - less.ns * less.blocks) / (row.blocks - less.blocks);
                }
                rows.push_back(row);
            }
        }
    return rows;
}

}  // namespace tessera::bench
