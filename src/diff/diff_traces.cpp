// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <tuple>

#include "tensor/host_file.hpp"
#include "tessera/diff.hpp"
#include "tessera/trace.hpp"

namespace tessera {

namespace {

using nlohmann::json;

/// Version 1 had nothing but instructions, and no kinds.
bool is_format(std::string_view format) { return format == trace_format() || format == "tessera-trace-1"; }
constexpr const char* not_a_trace = "not a tessera-trace-2";

struct Trace {
    std::string arch;
    std::vector<TracedInstruction> instructions;  ///< by thread, op and position
    std::vector<std::uint32_t> words;             ///< of the same
};

auto place(const TracedInstruction& one) { return std::tie(one.thread, one.index, one.position); }
auto when(const TracedInstruction& one) { return std::tie(one.unit, one.issue, one.start, one.land, one.end); }

Result<Trace> read_trace(const std::string& path) {
    const auto text = tensor::read_file(path, "trace.open");
    if (!text) return tl::make_unexpected(text.error());
    Trace trace;
    std::vector<std::pair<TracedInstruction, std::uint32_t>> lines;
    int number = 0;
    try {
        for (std::string_view rest = *text; !rest.empty();) {
            ++number;
            const auto end = rest.find('\n');
            const json line = json::parse(rest.substr(0, end));
            rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
            if (number == 1) {
                if (!is_format(line.value("format", ""))) return fail("trace.format", not_a_trace, path, 1);
                trace.arch = line.at("arch").get<std::string>();
                continue;
            }
            if (line.value("kind", "instruction") != "instruction") continue;
            TracedInstruction one;
            line.at("thread").get_to(one.thread);
            line.at("index").get_to(one.index);
            one.position = line.value("position", one.position);
            line.at("instruction").get_to(one.instruction);
            line.at("unit").get_to(one.unit);
            line.at("issue").get_to(one.issue);
            line.at("start").get_to(one.start);
            line.at("land").get_to(one.land);
            line.at("end").get_to(one.end);
            std::replace(one.instruction.begin(), one.instruction.end(), '\t', ' ');
            lines.emplace_back(std::move(one), line.value("command", false) ? 0 : line.at("word").get<std::uint32_t>());
        }
    } catch (const json::exception& e) {
        return fail("trace.syntax", e.what(), path, number);
    }
    if (number == 0) return fail("trace.format", not_a_trace, path);
    std::stable_sort(lines.begin(), lines.end(),
                     [](const auto& a, const auto& b) { return place(a.first) < place(b.first); });
    for (auto& [one, word] : lines) {
        trace.instructions.push_back(std::move(one));
        trace.words.push_back(word);
    }
    return trace;
}

class Comparison {
public:
    Comparison(const Trace& a, const Trace& b) : a_(a), b_(b) {}

    TraceDifference compare() {
        result_.arch_a = a_.arch;
        result_.arch_b = b_.arch;
        result_.instructions_a = a_.instructions.size();
        result_.instructions_b = b_.instructions.size();
        for (int thread = 0; thread < 3; ++thread) compare_thread(thread);
        return std::move(result_);
    }

private:
    void compare_thread(int thread) {
        auto [i, end_i] = of_thread(a_, thread);
        auto [k, end_k] = of_thread(b_, thread);
        for (; i < end_i || k < end_k; ++i, ++k) {
            const bool same_place = i < end_i && k < end_k && place(a_.instructions[i]) == place(b_.instructions[k]);
            if (!same_place || a_.words[i] != b_.words[k]) return other_instruction(i, end_i, k, end_k);
            compare_times(a_.instructions[i], b_.instructions[k]);
        }
    }

    static std::pair<std::size_t, std::size_t> of_thread(const Trace& trace, int thread) {
        const auto& all = trace.instructions;
        auto below = [](const TracedInstruction& one, int t) { return one.thread < t; };
        const auto first = std::lower_bound(all.begin(), all.end(), thread, below),
                   last = std::lower_bound(all.begin(), all.end(), thread + 1, below);
        return {static_cast<std::size_t>(first - all.begin()), static_cast<std::size_t>(last - all.begin())};
    }

    void other_instruction(std::size_t i, std::size_t end_i, std::size_t k, std::size_t end_k) {
        TraceDifference::Pair pair;
        if (i < end_i) pair.a = a_.instructions[i];
        if (k < end_k) pair.b = b_.instructions[k];
        // What only one has, or has first, stands alone.
        if (pair.a && pair.b && place(*pair.a) != place(*pair.b)) {
            if (place(*pair.a) < place(*pair.b))
                pair.b.reset();
            else
                pair.a.reset();
        }
        if (!result_.instruction || issue(pair) < issue(*result_.instruction)) result_.instruction = std::move(pair);
    }

    void compare_times(const TracedInstruction& a, const TracedInstruction& b) {
        if (when(a) == when(b)) return;
        ++result_.times;
        if (!result_.time || a.issue < result_.time->a->issue) result_.time = TraceDifference::Pair{a, b};
    }

    static std::uint64_t issue(const TraceDifference::Pair& pair) { return pair.a ? pair.a->issue : pair.b->issue; }

    const Trace &a_, &b_;
    TraceDifference result_;
};

}  // namespace

bool is_trace(const std::string& path) {
    std::ifstream in(path);
    std::string line;
    if (!std::getline(in, line)) return false;
    const json header = json::parse(line, nullptr, false);
    return header.is_object() && header.contains("format") && header["format"].is_string() &&
           is_format(header["format"].get<std::string>());
}

Result<TraceDifference> diff_traces(const std::string& a, const std::string& b) {
    const auto trace_a = read_trace(a), trace_b = read_trace(b);
    if (!trace_a) return tl::make_unexpected(trace_a.error());
    if (!trace_b) return tl::make_unexpected(trace_b.error());
    return Comparison(*trace_a, *trace_b).compare();
}

}  // namespace tessera
