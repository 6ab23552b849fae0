// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <tuple>

#include "diff/align.hpp"
#include "diff/operand_changes.hpp"
#include "tensor/host_file.hpp"
#include "tessera/diff.hpp"
#include "tessera/trace.hpp"
#include "util/golden_ratio.hpp"

namespace tessera {

namespace {

using nlohmann::json;

/// Version 1 had only instructions, without kinds.
bool is_format(std::string_view format) { return format == trace_format() || format == "tessera-trace-1"; }
constexpr const char* not_a_trace = "not a tessera-trace-2";

struct Trace {
    std::string arch;
    std::vector<TracedInstruction> instructions;  ///< by thread, op and position
    std::vector<std::uint32_t> words;             ///< of the same instructions
};

auto place(const TracedInstruction& one) { return std::tie(one.thread, one.index, one.position); }
auto when(const TracedInstruction& one) { return std::tie(one.unit, one.issue, one.start, one.land, one.end); }

Result<Trace> read_trace(const std::string& path, const std::atomic<bool>* stop) {
    const auto text = tensor::read_file(path, "trace.open");
    if (!text) return tl::make_unexpected(text.error());
    Trace trace;
    std::vector<std::pair<TracedInstruction, std::uint32_t>> lines;
    int number = 0;
    try {
        for (std::string_view rest = *text; !rest.empty();) {
            ++number;
            if (stop && stop->load(std::memory_order_relaxed))
                return fail("diff.interrupted", "interrupted before both traces had been read; no comparison was made",
                            path);
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

using diff::align;
using diff::Key;
using diff::Step;

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
    /// Ops of a trace; the instructions of one op are contiguous.
    struct Ops {
        std::vector<Key> keys;
        std::vector<std::size_t> starts;  ///< index in the trace, and the end
    };

    static Ops ops_of(const Trace& trace, int thread) {
        const auto& all = trace.instructions;
        Ops ops;
        std::size_t i = 0;
        while (i < all.size() && all[i].thread < thread) ++i;
        while (i < all.size() && all[i].thread == thread) {
            const std::size_t first = i;
            std::uint64_t digest = 0;
            for (; i < all.size() && all[i].thread == thread && all[i].index == all[first].index; ++i)
                digest = (digest ^ trace.words[i]) * util::golden_ratio + 1;
            const bool expanded = i - first > 1;
            ops.keys.push_back({digest, opcode(trace.words[first]) << 1 | std::uint32_t{expanded}, 0});
            ops.starts.push_back(first);
        }
        ops.starts.push_back(i);
        return ops;
    }

    void compare_thread(int thread) {
        const Ops ops_a = ops_of(a_, thread), ops_b = ops_of(b_, thread);
        for (const Step& op : align(ops_a.keys, ops_b.keys)) {
            const auto keys_a = keys_of(a_, ops_a, op.a), keys_b = keys_of(b_, ops_b, op.b);
            for (const Step& step : align(keys_a, keys_b)) {
                std::optional<std::size_t> a, b;
                if (step.a) a = ops_a.starts[*op.a] + *step.a;
                if (step.b) b = ops_b.starts[*op.b] + *step.b;
                if (step.same)
                    compare_times(a_.instructions[*a], b_.instructions[*b]);
                else
                    report(a, b);
            }
        }
    }

    static std::vector<Key> keys_of(const Trace& trace, const Ops& ops, std::optional<std::size_t> op) {
        std::vector<Key> keys;
        if (!op) return keys;
        for (std::size_t i = ops.starts[*op]; i < ops.starts[*op + 1]; ++i)
            keys.push_back({trace.words[i], opcode(trace.words[i]), 0});
        return keys;
    }

    static std::uint32_t opcode(std::uint32_t word) {
        constexpr unsigned opcode_bit = 24;
        return word >> opcode_bit;
    }

    void report(std::optional<std::size_t> a, std::optional<std::size_t> b) {
        constexpr std::size_t most_edits = 1000;
        TraceDifference::Edit edit;
        edit.kind = !a ? EditKind::inserted : !b ? EditKind::removed : EditKind::changed;
        if (a) edit.a = a_.instructions[*a];
        if (b) edit.b = b_.instructions[*b];
        if (a && b) edit.operands = diff::operand_changes(a_.words[*a], b_.words[*b], arch());
        if (!result_.instruction || issue(edit) < issue(*result_.instruction)) result_.instruction = edit;
        if (result_.edit_count++ < most_edits) result_.edits.push_back(std::move(edit));
    }

    Arch arch() const { return parse_arch(a_.arch).value_or(Arch::blackhole); }

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
    std::error_code ignored;
    // Opening a FIFO would block until it has a writer.
    if (!std::filesystem::is_regular_file(path, ignored)) return false;
    std::ifstream in(path);
    std::string line;
    if (!std::getline(in, line)) return false;
    const json header = json::parse(line, nullptr, false);
    return header.is_object() && header.contains("format") && header["format"].is_string() &&
           is_format(header["format"].get<std::string>());
}

Result<TraceDifference> diff_traces(const std::string& a, const std::string& b, const std::atomic<bool>* stop) {
    const auto trace_a = read_trace(a, stop);
    if (!trace_a) return tl::make_unexpected(trace_a.error());
    const auto trace_b = read_trace(b, stop);
    if (!trace_b) return tl::make_unexpected(trace_b.error());
    return Comparison(*trace_a, *trace_b).compare();
}

}  // namespace tessera
