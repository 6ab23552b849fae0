// SPDX-License-Identifier: Apache-2.0
// Differences as text.
#include <fmt/format.h>

#include "tessera/diff.hpp"
#include "tessera/op_place.hpp"
#include "util/first_error.hpp"

namespace tessera {

namespace {

std::string side(const char* name, const std::optional<Writer>& writer, const char* nobody) {
    return fmt::format("  {}: {}\n", name, writer ? writer->describe() : nobody);
}

std::string values(const StateDifference& difference) {
    return fmt::format("  {}\n    A: {}\n    B: {}\n", difference.name, difference.a_text, difference.b_text);
}

std::string describe(const InstructionDifference& difference) {
    std::string text;
    if (!difference.a || !difference.b)
        text = "the first instruction that only one run has:\n";
    else if (difference.same_text)
        text = "the first instruction that wrote different values:\n";
    else
        text = "the first instruction that is another one:\n";
    text += side("A", difference.a, "nothing there") + side("B", difference.b, "nothing there");
    if (difference.count == 0) return text;
    text +=
        fmt::format("it wrote {} {} differently:\n", difference.count, difference.count == 1 ? "element" : "elements");
    for (const auto& one : difference.wrote) text += values(one);
    if (difference.count > difference.wrote.size())
        text += fmt::format("  and {} more\n", difference.count - difference.wrote.size());
    return text;
}

constexpr std::size_t most_edits_told = 8;

std::string label(EditKind kind) { return fmt::format("  {:<8}  ", name(kind)); }

/// Describes edits of ops or instructions, one line each, with the kind first.
template <class Edit>
std::string describe_edits(const std::vector<Edit>& edits, std::uint64_t count, std::string_view of) {
    std::string text = fmt::format("{} {} {} inserted, removed or changed:\n", count, of, count == 1 ? "is" : "are");
    for (std::size_t i = 0; i < edits.size() && i < most_edits_told; ++i) {
        const Edit& edit = edits[i];
        const std::string first = label(edit.kind), second = std::string(first.size(), ' ');
        if (edit.a) text += fmt::format("{}A: {}\n", first, edit.a->describe());
        if (edit.b) text += fmt::format("{}B: {}\n", edit.a ? second : first, edit.b->describe());
        for (const OperandChange& one : edit.operands)
            text += fmt::format("{}{}: {} in A, {} in B\n", second, one.name, one.a, one.b);
    }
    if (count > most_edits_told) text += fmt::format("  and {} more\n", count - most_edits_told);
    return text;
}

std::string_view plural(std::uint64_t count, std::string_view one, std::string_view many) {
    return count == 1 ? one : many;
}

std::string end_text(const Run& run) {
    if (run.fault) return fmt::format("fault {}: {}", run.fault->code, run.fault->message);
    if (const Finding* const error = util::first_error(run)) return fmt::format("stopped at {}: {}", error->code, error->message);
    return fmt::format("good, {} cycles", run.cycles);
}

std::string end_text(const TraceDifference::End& end) {
    return fmt::format("{}, {} cycles", end.good ? "good" : "not good", end.cycles);
}

std::string traced(const char* name, const std::optional<TracedInstruction>& one) {
    return fmt::format("  {}: {}\n", name, one ? one->describe() : "nothing there");
}

}  // namespace

std::string_view name(EditKind kind) {
    switch (kind) {
        case EditKind::inserted: return "inserted";
        case EditKind::removed: return "removed";
        case EditKind::changed: break;
    }
    return "changed";
}

std::string ProgramOp::describe() const {
    return OpPlace{.thread = thread, .index = index, .instruction = text, .place = place}.describe();
}

std::string Writer::describe() const {
    return OpPlace{.thread = thread,
                   .index = index,
                   .position = position,
                   .by_core = by_core,
                   .cycle = cycle,
                   .instruction = text,
                   .place = place}
        .describe();
}

std::string RunDifference::describe() const {
    std::string text;
    if (edit_count) text += describe_edits(edits, edit_count, plural(edit_count, "op", "ops"));
    if (before) text += "they begin with different state:\n" + values(*before);
    if (same()) {
        text += "the same instructions wrote the same, and the end states are the same\n";
        return a.good() ? text : text + fmt::format("both runs end with {}\n", end_text(a));
    }
    if (instruction)
        text += tessera::describe(*instruction);
    else
        text += edit_count ? "the instructions that both have wrote the same\n" : "the same instructions wrote the same\n";
    if (state) {
        text += fmt::format("the end states differ in {} {}, first:\n", count, count == 1 ? "element" : "elements") +
                values(*state);
        const char* const nobody = state->writers_known ? "nobody" : "not recorded";
        text += "last written by\n" + side("  A", state->a_writer, nobody) + side("  B", state->b_writer, nobody);
    } else {
        text += "the end states are the same\n";
    }
    if (!same_end) text += fmt::format("the runs end differently:\n  A: {}\n  B: {}\n", end_text(a), end_text(b));
    return text;
}

std::string TracedInstruction::describe() const {
    const OpPlace op{.thread = thread, .index = index, .position = position, .instruction = instruction};
    return fmt::format("{} in {}, issue {}, start {}, land {}, end {}", op.describe(), unit, issue, start, land, end);
}

std::string TraceDifference::describe() const {
    std::string text;
    if (arch_a != arch_b) text += fmt::format("A is of {}, B of {}\n", arch_a, arch_b);
    if (edit_count)
        text += describe_edits(edits, edit_count, plural(edit_count, "instruction", "instructions"));
    else
        text += fmt::format("the same {} instruction{}\n", instructions_a, instructions_a == 1 ? "" : "s");
    if (time)
        text += fmt::format("{} {} another unit or other cycles, first:\n", times,
                            times == 1 ? "instruction has" : "instructions have") +
                traced("A", time->a) + traced("B", time->b);
    else if (!edit_count)
        text += "in the same cycles\n";
    if (!same_end()) text += fmt::format("the runs end differently:\n  A: {}\n  B: {}\n", end_text(*end_a), end_text(*end_b));
    return text;
}

}  // namespace tessera
