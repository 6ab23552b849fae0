// SPDX-License-Identifier: Apache-2.0
// Measures kernels per tile in several ways of running, alternating with the vendor's simulator.
#include "kernel_lines.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>

#include "findings/catalogue.hpp"
#include "jobs.hpp"
#include "kernels.hpp"
#include "times.hpp"
#include "vendor_simulator.hpp"

namespace tessera::bench {

namespace {

enum class Way : std::uint8_t { first, again, instant, no_findings, bare, functional, short_run, carried, carried_functional };

struct WayName {
    Way way;
    std::string_view text;  ///< appended to the kernel's name
};
constexpr WayName ways[] = {
    {Way::first, ""},
    {Way::again, ", again"},
    {Way::instant, ", instant"},
    {Way::no_findings, ", no findings"},
    {Way::bare, ", instant, no findings"},
    {Way::functional, ", functional"},
    {Way::short_run, ", 64 tiles"},
    {Way::carried, ", carried"},
    {Way::carried_functional, ", carried, functional"},
};

bool carries(Way way) { return way == Way::carried || way == Way::carried_functional; }

/// True if its job differs from that of Way::first.
bool has_another_job(Way way) { return way == Way::short_run || carries(way); }

RunOptions options_of(Way way) {
    RunOptions options = by_engine();
    options.max_cycles = 1'000'000'000'000;
    if (way == Way::instant || way == Way::bare) options.timing = Timing::instant;
    if (way == Way::functional || way == Way::carried_functional) options.timing = Timing::functional;
    if (way == Way::no_findings || way == Way::bare)
        for (const auto& entry : findings::catalogue)
            if (entry.kind == findings::Kind::finding) options.levels[std::string(entry.code)] = Level::off;
    return options;
}

/// A line during its measurement.
struct Measured {
    Way way{};
    unsigned tiles = 0;
    std::optional<Job> job;
    std::optional<Core> core;  ///< a core that has run it, for lines with a warm core
    KernelLine line;
    std::vector<double> ns, peer_ns;
    std::vector<std::byte> result;
};

std::uint64_t retired(const Core& core) {
    const Section& counts = **core.find_section("riscv_count");
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < riscv_cores; ++i)
        all += core.read(counts, 4 * i + 2) | core.read(counts, 4 * i + 3) << 32;
    return all;
}

/// Makes a core with the job's initial memory. Error: prepare().
Result<void> make_core(Measured& measured) {
    if (measured.core && measured.way == Way::again) return prepare(*measured.job, *measured.core);
    auto made = prepare(*measured.job);
    if (!made) return tl::make_unexpected(std::move(made.error()));
    measured.core = std::move(*made);
    return {};
}

void run_once(Measured& measured) {
    KernelLine& line = measured.line;
    if (auto made = make_core(measured); !made) {
        line.error = made.error().describe();
        return;
    }
    const RunOptions options = options_of(measured.way);
    const double begin = thread_ns();
    const auto run = measured.core->run(*measured.job->kernels, options);
    const double ns = thread_ns() - begin;
    if (!run || !run->good()) {
        line.error = run ? "the run ends with a fault" : run.error().describe();
        return;
    }
    measured.ns.push_back(ns / measured.tiles);
    line.instructions = static_cast<double>(std::accumulate(run->instructions.begin(), run->instructions.end(), 0ull)) /
                        measured.tiles;
    line.riscv = static_cast<double>(retired(*measured.core)) / measured.tiles;
    const auto& output = measured.job->outputs.front();
    measured.result = measured.core->read_l1(output.address, output.size).value();
    if (measured.way != Way::again) measured.core.reset();
}

/// Runs the vendor's simulator for all lines with the same job.
void run_peer(const std::string& library, std::vector<Measured>& lines, Measured& first) {
    constexpr std::uint32_t clocks = 1000;
    const auto peer = run_in_vendor_simulator(library, {&*first.job, 1}, clocks);
    for (Measured& one : lines) {
        const bool same_job = one.way == first.way || (first.way == Way::first && !has_another_job(one.way));
        if (!same_job || !one.line.error.empty()) continue;
        if (!peer)
            one.line.error = peer.error().describe();
        else if (peer->front().result != one.result)
            one.line.error = "the other simulator's result is another";
        else
            one.peer_ns.push_back(peer->front().ns / one.tiles);
    }
}

bool has_job_of_its_own(const Measured& one, const std::vector<Measured>& lines) {
    return has_another_job(one.way) || &one == &lines.front();
}

KernelLine finished(Measured& measured) {
    KernelLine& line = measured.line;
    if (!line.error.empty() || measured.ns.empty()) return line;
    std::sort(measured.ns.begin(), measured.ns.end());
    std::sort(measured.peer_ns.begin(), measured.peer_ns.end());
    line.ns = median(measured.ns);
    line.least = measured.ns.front();
    line.most = measured.ns.back();
    if (!measured.peer_ns.empty()) {
        line.peer_ns = median(measured.peer_ns);
        line.times = *line.peer_ns / line.ns;
    }
    return line;
}

}  // namespace

std::vector<KernelLine> measure_kernel_lines(const Options& options, const std::regex& filter) {
    std::vector<KernelLine> all;
    for (const KernelSpec& spec : kernel_specs()) {
        std::vector<Measured> lines;
        for (const auto& [way, text] : ways) {
            Measured one;
            one.way = way;
            one.tiles = way == Way::short_run ? 64 : options.tiles;
            one.line.name = std::string(spec.name) + std::string(text);
            if (!std::regex_search(one.line.name, filter)) continue;
            auto job = kernel_job(options.kernels, spec, one.tiles, carries(way));
            if (job)
                one.job = std::move(*job);
            else
                one.line.error = job.error().describe();
            lines.push_back(std::move(one));
        }
        for (unsigned repetition = 0; repetition < options.repetitions; ++repetition) {
            for (Measured& one : lines) {
                if (!one.line.error.empty()) continue;
                if (one.way == Way::again && repetition == 0) {
                    run_once(one);
                    one.ns.clear();
                }
                run_once(one);
            }
            for (Measured& one : lines)
                if (!options.peer.empty() && one.line.error.empty() && has_job_of_its_own(one, lines))
                    run_peer(options.peer, lines, one);
        }
        for (Measured& one : lines) all.push_back(finished(one));
    }
    return all;
}

}  // namespace tessera::bench
