// SPDX-License-Identifier: Apache-2.0
#include "bench.hpp"

#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <map>
#include <set>

#include "cases.hpp"
#include "collector.hpp"
#include "goals.hpp"
#include "kernel_lines.hpp"
#include "long_runs.hpp"
#include "machine.hpp"
#include "peer.hpp"
#include "program_lines.hpp"
#include "scaling.hpp"
#include "vectors.hpp"

namespace tessera::bench {

namespace {

constexpr const char* no_line = "no line has this in its name";

Result<void> choose_vectors(const std::string& name) {
    if (use_at_most(name.empty() ? vectors_in_use() : name)) return {};
    return fail("bench.vectors", fmt::format("no vectors '{}' here; at best {}", name, vectors_in_use()));
}

tl::unexpected<Error> refused_filter(const std::string& filter, const char* why) {
    return fail("bench.filter", fmt::format("'{}': {}", filter, why));
}

Result<std::regex> expression_of(const std::string& filter) {
    try {
        return std::regex(filter);
    } catch (const std::regex_error& error) {
        return refused_filter(filter, error.what());
    }
}

Result<Cases> cases_with(const std::string& filter) {
    auto expression = expression_of(filter);
    if (!expression) return tl::make_unexpected(std::move(expression.error()));
    Cases cases(std::move(*expression));
    add_units(cases);
    add_engine(cases);
    add_text(cases);
    add_tensors(cases);
    add_start(cases);
    add_riscv(cases);
    add_trace(cases);
    add_layout(cases);
    if (cases.all().empty()) return refused_filter(filter, no_line);
    return cases;
}

/// ns of memcpy, by the number of bytes that lines write.
std::map<double, double> copies_for(const std::vector<Sample>& samples, const Options& options) {
    std::set<double> sizes;
    for (const Sample& sample : samples)
        if (sample.error.empty() && sample.bytes > 0) sizes.insert(sample.bytes);
    Cases cases{std::regex("")};
    for (const double bytes : sizes) add_copy(cases, static_cast<long>(bytes));
    std::map<double, double> copies;
    for (const Sample& sample : collect(cases.all(), options.repetitions, options.seconds))
        copies[sample.bytes] = sample.median();
    return copies;
}

void compare(Line& line, const Peer* peer) {
    const std::string work = line_of_same_work(line.name);
    const Goal* goal = goal_of(work);
    if (peer) {
        if (const auto at = peer->ns.find(work); at != peer->ns.end()) line.peer_ns = at->second;
    } else if (goal && goal->peer_ns > 0) {
        line.peer_ns = goal->peer_ns;
    }
    if (line.peer_ns) line.times = *line.peer_ns / line.ns;
    if (!goal) return;
    line.goal_is_ns = goal->most_ns > 0;
    line.goal = line.goal_is_ns ? goal->most_ns : vectors_are_wide() ? goal->wide : goal->narrow;
    if (line.goal_is_ns)
        line.reached = *line.goal / line.ns;
    else if (line.times)
        line.reached = *line.times / *line.goal;
}

Report begun(const Options& options) {
    Report report;
    report.machine = this_machine();
    report.repetitions = options.repetitions;
    report.seconds = options.seconds;
    return report;
}

}  // namespace

Result<Report> measure(const Options& options) {
    if (auto chosen = choose_vectors(options.vectors); !chosen) return tl::make_unexpected(std::move(chosen.error()));
    std::optional<Peer> peer;
    if (!options.peer.empty()) {
        auto read = read_peer(options.peer);
        if (!read) return tl::make_unexpected(std::move(read.error()));
        peer = std::move(*read);
    }
    const auto cases = cases_with(options.filter);
    if (!cases) return tl::make_unexpected(cases.error());

    const auto samples = collect(cases->all(), options.repetitions, options.seconds);
    const auto copies = copies_for(samples, options);
    Report report = begun(options);
    report.peer = peer ? peer->name : published_peer();
    std::map<std::string, std::size_t> line_of;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const Case& what = cases->all()[i];
        const Sample& sample = samples[i];
        const bool good = sample.error.empty();
        if (what.role == Role::line) {
            Line line;
            line.name = what.name;
            line.error = sample.error;
            if (good) {
                line.ns = sample.median();
                line.least = sample.ns.front();
                line.most = sample.ns.back();
                line.repetitions = static_cast<unsigned>(sample.ns.size());
                line.bytes = sample.bytes;
                line.kept = sample.kept;
                if (const auto copy = copies.find(line.bytes); copy != copies.end()) line.copy = line.ns / copy->second;
                compare(line, peer ? &*peer : nullptr);
            }
            line_of[what.name] = report.lines.size();
            report.lines.push_back(std::move(line));
        } else if (Line& line = report.lines[line_of.at(what.name)]; good && line.error.empty()) {
            if (what.role == Role::reference)
                line.reference = sample.median() / line.ns;
            else
                line.without = line.ns / sample.median();
        }
    }
    return report;
}

Result<Report> measure_scaling(const Options& options) {
    if (auto chosen = choose_vectors(options.vectors); !chosen) return tl::make_unexpected(std::move(chosen.error()));
    Report report = begun(options);
    try {
        report.scaling = scale(options.repetitions, options.seconds);
    } catch (const std::exception& error) {
        return fail("bench.scaling", error.what());
    }
    return report;
}

Result<Report> measure_long(const Options& options) {
    if (auto chosen = choose_vectors(options.vectors); !chosen) return tl::make_unexpected(std::move(chosen.error()));
    Report report = begun(options);
    try {
        report.long_runs = measure_long_runs(options.repetitions);
    } catch (const std::exception& error) {
        return fail("bench.scaling", error.what());
    }
    return report;
}

Result<Report> measure_kernels(const Options& options) {
    if (auto chosen = choose_vectors(options.vectors); !chosen) return tl::make_unexpected(std::move(chosen.error()));
    auto expression = expression_of(options.filter);
    if (!expression) return tl::make_unexpected(std::move(expression.error()));
    Report report = begun(options);
    report.peer = std::filesystem::path(options.peer).filename().string();
    report.tiles = options.tiles;
    report.kernels = measure_kernel_lines(options, *expression);
    if (report.kernels.empty()) return refused_filter(options.filter, no_line);
    return report;
}

Result<Report> measure_programs(const Options& options) {
    if (auto chosen = choose_vectors(options.vectors); !chosen) return tl::make_unexpected(std::move(chosen.error()));
    auto expression = expression_of(options.filter);
    if (!expression) return tl::make_unexpected(std::move(expression.error()));
    Report report = begun(options);
    report.peer = std::filesystem::path(options.peer).filename().string();
    report.programs = measure_program_lines(options, *expression);
    if (report.programs.empty()) return refused_filter(options.filter, no_line);
    return report;
}

}  // namespace tessera::bench
