// SPDX-License-Identifier: Apache-2.0
#include "options/op_selection.hpp"

#include <fmt/format.h>

#include <charconv>

#include "tessera/instruction_set.hpp"

namespace tessera::cli {

namespace {

std::optional<std::int64_t> read_number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 0) return {};
    return value;
}

/// "T3" of "T3:1": written as a thread, but there is none of that number.
bool is_no_thread(std::string_view text) {
    return text.size() > 1 && (text[0] == 't' || text[0] == 'T') && read_number(text.substr(1)) && !read_thread_name(text);
}

}  // namespace

std::optional<unsigned> read_thread_name(std::string_view text) {
    if (text.size() != 2 || (text[0] != 't' && text[0] != 'T') || text[1] < '0' || text[1] > '2') return {};
    return static_cast<unsigned>(text[1] - '0');
}

Result<Breakpoints::Instruction> read_op_selection(const std::string& text, const char* code) {
    const std::size_t colon = text.rfind(':');
    const auto number = colon == text.npos ? std::nullopt : read_number(std::string_view(text).substr(colon + 1));
    if (!number) {
        const bool instruction = describe_instruction(text).has_value();
        const std::string hint =
            instruction ? fmt::format("; 'tessera explain JOB --instruction {}' lists the ops of an instruction", text)
                        : std::string();
        return fail(code, fmt::format("'{}' is not the place of an op: {}{}", text, op_spellings, hint));
    }
    const std::string_view place = std::string_view(text).substr(0, colon);
    if (is_no_thread(place)) return fail(code, fmt::format("there is no thread {}: threads are T0 to T2", place));
    Breakpoints::Instruction ops;
    ops.thread = read_thread_name(place);
    if (ops.thread)
        ops.index = *number;
    else
        ops.place = text;
    return ops;
}

bool selects(const Breakpoints::Instruction& ops, const Program& program, unsigned thread, std::int64_t index) {
    if (ops.thread && *ops.thread != thread) return false;
    if (ops.index && *ops.index != index) return false;
    return index >= 0 &&
           (ops.place.empty() || program.place(thread, static_cast<std::size_t>(index)).ends_with(ops.place));
}

std::string problem(const Breakpoints::Instruction& ops, const Program& program) {
    for (unsigned thread = 0; thread < program.threads.size(); ++thread)
        for (std::size_t i = 0; i < program.threads[thread].size(); ++i)
            if (selects(ops, program, thread, static_cast<std::int64_t>(i))) return {};
    if (!ops.thread) return fmt::format("no op comes from {}", ops.place);
    const std::size_t count = program.threads[*ops.thread].size();
    return count == 0 ? fmt::format("T{} has no ops", *ops.thread)
                      : fmt::format("T{} has ops 0 to {}", *ops.thread, count - 1);
}

}  // namespace tessera::cli
