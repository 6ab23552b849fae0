// SPDX-License-Identifier: Apache-2.0
// Measures first runs of programs, alternating with the vendor's simulator.
#include "program_lines.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "jobs.hpp"
#include "new_programs.hpp"
#include "op_kernels.hpp"
#include "times.hpp"
#include "vendor_simulator.hpp"

namespace tessera::bench {

namespace {

struct Own {
    double ns = 0, instructions = 0;
    std::vector<std::byte> result;
};

/// Runs on a new core without recorded runs. Throws the error of a rejected run.
Own run_once(const Job& job, Timing timing) {
    auto core = prepare(job);
    if (!core) throw std::runtime_error(core.error().describe());
    RunOptions options = by_engine();
    options.timing = timing;
    options.max_cycles = 1'000'000'000;
    const double begin = thread_ns();
    const auto run = job.kernels ? core->run(*job.kernels, options) : core->run(job.program, options);
    Own own;
    own.ns = thread_ns() - begin;
    if (!run || run->fault) throw std::runtime_error(run ? run->fault->describe() : run.error().describe());
    own.instructions = static_cast<double>(std::accumulate(run->instructions.begin(), run->instructions.end(), 0ull));
    own.result = core->read_l1(job.outputs.front().address, job.outputs.front().size).value();
    return own;
}

Job by_cores(const Job& job) {
    auto kernels = kernels_of(job.program);
    if (!kernels) throw std::runtime_error(kernels.error().describe());
    Job same = job;
    same.program = {};
    same.kernels = std::move(*kernels);
    return same;
}

/// Figures of all repetitions.
struct Figures {
    std::vector<double> instructions, ns, functional_ns, peer_ns, times, functional_times;
};

/// Measures one program. The other simulator's process is a new one each time, so it first runs another program of
/// the same kind, and so do both ways here. None of the three then pays for cold code and memory.
void repeat(const Options& options, const NewProgram& program, unsigned repetition, Figures& figures) {
    const Job before = program.make(program, 2 * repetition + 1), job = program.make(program, 2 * repetition + 2);
    const Own first = run_once(before, Timing::documented), own = run_once(job, Timing::documented);
    const Own first_functional = run_once(before, Timing::functional), functional = run_once(job, Timing::functional);
    const Job jobs[] = {by_cores(before), by_cores(job)};
    if (run_once(jobs[0], Timing::functional).result != first.result) throw std::runtime_error("pushed by cores the result is another");
    if (first.result != first_functional.result) throw std::runtime_error("without time the result is another");
    if (own.result != functional.result) throw std::runtime_error("without time the result is another");
    figures.instructions.push_back(own.instructions);
    figures.ns.push_back(own.ns / own.instructions);
    figures.functional_ns.push_back(functional.ns / own.instructions);
    if (options.peer.empty()) return;
    constexpr std::uint32_t clocks = 20;
    const auto peer = run_in_vendor_simulator(options.peer, jobs, clocks);
    if (!peer) throw std::runtime_error(peer.error().describe());
    if (peer->front().result != first.result) throw std::runtime_error("the other simulator's result is another");
    figures.peer_ns.push_back(peer->back().ns / own.instructions);
    figures.times.push_back(peer->back().ns / own.ns);
    figures.functional_times.push_back(peer->back().ns / functional.ns);
}

double sorted_median(std::vector<double>& values) {
    std::sort(values.begin(), values.end());
    return median(values);
}

ProgramLine measured(const Options& options, const NewProgram& program) {
    ProgramLine line;
    line.name = program.name;
    Figures figures;
    try {
        for (unsigned repetition = 0; repetition < options.repetitions; ++repetition) repeat(options, program, repetition, figures);
    } catch (const std::exception& error) {
        line.error = error.what();
        return line;
    }
    line.instructions = sorted_median(figures.instructions);
    line.ns = sorted_median(figures.ns);
    line.functional_ns = sorted_median(figures.functional_ns);
    if (figures.times.empty()) return line;
    line.peer_ns = sorted_median(figures.peer_ns);
    line.times = sorted_median(figures.times);
    line.functional_times = sorted_median(figures.functional_times);
    line.least = figures.times.front();
    line.most = figures.times.back();
    return line;
}

}  // namespace

std::vector<ProgramLine> measure_program_lines(const Options& options, const std::regex& filter) {
    std::vector<ProgramLine> lines;
    for (const NewProgram& program : new_programs())
        if (std::regex_search(program.name.begin(), program.name.end(), filter)) lines.push_back(measured(options, program));
    return lines;
}

}  // namespace tessera::bench
