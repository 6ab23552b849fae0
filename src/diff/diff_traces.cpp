// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>

#include "check/json_value.hpp"
#include "diff/align.hpp"
#include "diff/operand_changes.hpp"
#include "tensor/host_file.hpp"
#include "tessera/chip_trace.hpp"
#include "tessera/diff.hpp"
#include "tessera/trace.hpp"
#include "util/golden_ratio.hpp"

namespace tessera {

namespace {

using nlohmann::json;

using check::JsonValue;

/// Version 1 had only instructions, without kinds and without an end.
constexpr std::string_view first_format = "tessera-trace-1";

struct Trace {
    std::string arch;
    std::vector<TracedInstruction> instructions;  ///< by thread, op and position
    std::vector<std::uint32_t> words;             ///< of the same instructions
    std::optional<TraceDifference::End> end;      ///< only of the first format empty
};

auto place(const TracedInstruction& one) { return std::tie(one.thread, one.index, one.position); }
auto when(const TracedInstruction& one) { return std::tie(one.unit, one.issue, one.start, one.land, one.end); }

/// The format of the trace that begins with this line; empty if none does.
std::string format_of(std::string_view line) {
    const json header = json::parse(line, nullptr, false);
    const auto format = header.is_object() ? header.find("format") : header.end();
    if (format == header.end() || !format->is_string()) return {};
    const auto& text = format->get_ref<const std::string&>();
    return text == trace_format() || text == first_format || text == chip_trace_format() ? text : std::string();
}

/// Takes a trace line by line. Throws check::Refused, without the file and the line.
class TraceReader {
public:
    void add(std::string_view text) {
        constexpr check::JsonCodes codes{"trace.syntax", "trace.syntax"};
        if (format_.empty() && (format_ = format_of(text)).empty()) refuse_as_trace();
        if (format_ == chip_trace_format())
            refuse("trace.format",
                   "this is the trace of a grid, and only traces of one tile are compared: compare the jobs ('tessera diff JOB JOB')");
        if (trace_.end) refuse(codes.value, "this line stands behind the end of the trace");
        const json parsed = check::parse_json(text, codes, "not a line of a trace");
        const JsonValue line(parsed, {}, codes);
        if (trace_.arch.empty()) return read_header(line);
        const std::string kind = format_ == first_format ? "instruction" : line.at("kind").text();
        if (kind == "instruction") read_instruction(line);
        if (kind == "end") trace_.end = {line.at("cycles").number(), line.at("good").boolean()};
    }

    Trace finish() {
        if (format_.empty()) refuse_as_trace();
        if (!trace_.end && format_ != first_format)
            refuse("trace.syntax", "the trace is cut off: its last line is not of kind \"end\"; trace the job again");
        std::ranges::stable_sort(lines_, {}, [](const auto& line) { return place(line.first); });
        for (auto& [one, word] : lines_) {
            trace_.instructions.push_back(std::move(one));
            trace_.words.push_back(word);
        }
        return std::move(trace_);
    }

private:
    [[noreturn]] static void refuse(const char* code, std::string why) {
        throw check::Refused{fail(code, std::move(why)).value()};
    }
    [[noreturn]] static void refuse_as_trace() {
        refuse("trace.format",
               fmt::format("not a trace: its first line must be a header with \"format\": \"{}\"; 'tessera trace JOB -o "
                           "FILE' writes traces",
                           trace_format()));
    }

    void read_header(const JsonValue& line) {
        trace_.arch = line.at("arch").text();
        if (!parse_arch(trace_.arch)) line.at("arch").refuse("must be \"blackhole\" or \"wormhole\"");
    }

    void read_instruction(const JsonValue& line) {
        constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
        TracedInstruction one;
        one.thread = static_cast<int>(line.at("thread").number(0, 2));
        one.index = static_cast<std::int64_t>(line.at("index").number(0, most));
        if (const auto position = line.find("position"))
            one.position = static_cast<std::int64_t>(position->number(0, most));
        one.instruction = line.at("instruction").text();
        one.unit = line.at("unit").text();
        one.issue = line.at("issue").number();
        one.start = line.at("start").number();
        one.land = line.at("land").number();
        one.end = line.at("end").number();
        std::ranges::replace(one.instruction, '\t', ' ');
        const auto command = line.find("command");
        lines_.emplace_back(std::move(one), command && command->boolean() ? 0 : line.at("word").as<std::uint32_t>());
    }

    std::string format_;
    Trace trace_;
    std::vector<std::pair<TracedInstruction, std::uint32_t>> lines_;
};

Result<Trace> read_trace(const std::string& path, const std::atomic<bool>* stop) {
    const auto text = tensor::read_file(path, "trace.open");
    if (!text) return tl::make_unexpected(text.error());
    TraceReader reader;
    int number = 0;
    try {
        for (std::string_view rest = *text; !rest.empty();) {
            ++number;
            if (stop && stop->load(std::memory_order_relaxed))
                return fail("diff.interrupted", "interrupted before both traces had been read; no comparison was made",
                            path);
            const auto end = rest.find('\n');
            reader.add(rest.substr(0, end));
            rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
        }
        return reader.finish();
    } catch (check::Refused& refused) {
        refused.error.file = path;
        refused.error.line = number;
        return tl::make_unexpected(std::move(refused.error));
    }
}

using diff::align;
using diff::Key;
using diff::opcode;
using diff::Step;

class Comparison {
public:
    Comparison(const Trace& a, const Trace& b) : a_(a), b_(b) {}

    TraceDifference compare() {
        result_.arch_a = a_.arch;
        result_.arch_b = b_.arch;
        result_.instructions_a = a_.instructions.size();
        result_.instructions_b = b_.instructions.size();
        result_.end_a = a_.end;
        result_.end_b = b_.end;
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

    void report(std::optional<std::size_t> a, std::optional<std::size_t> b) {
        constexpr std::size_t most_edits = 1000;
        TraceDifference::Edit edit;
        edit.kind = !a ? EditKind::inserted : !b ? EditKind::removed : EditKind::changed;
        if (a) edit.a = a_.instructions[*a];
        if (b) edit.b = b_.instructions[*b];
        if (a && b) edit.operands = diff::operand_changes(a_.words[*a], arch_of(a_), b_.words[*b], arch_of(b_));
        if (!result_.instruction || issue(edit) < issue(*result_.instruction)) result_.instruction = edit;
        if (result_.edit_count++ < most_edits) result_.edits.push_back(std::move(edit));
    }

    static Arch arch_of(const Trace& trace) { return parse_arch(trace.arch).value_or(Arch::blackhole); }

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
    std::string line(std::size_t{1} << 16, '\0');  // a header is far shorter
    in.read(line.data(), static_cast<std::streamsize>(line.size()));
    line.resize(static_cast<std::size_t>(in.gcount()));
    line.resize(std::min(line.find('\n'), line.size()));
    return !format_of(line).empty();
}

Result<TraceDifference> diff_traces(const std::string& a, const std::string& b, const std::atomic<bool>* stop) {
    const auto trace_a = read_trace(a, stop);
    if (!trace_a) return tl::make_unexpected(trace_a.error());
    const auto trace_b = read_trace(b, stop);
    if (!trace_b) return tl::make_unexpected(trace_b.error());
    return Comparison(*trace_a, *trace_b).compare();
}

}  // namespace tessera
