// SPDX-License-Identifier: Apache-2.0
#include "options/op_selection.hpp"

#include <fmt/format.h>

#include "tessera/instruction_set.hpp"

namespace tessera::cli {

Result<Breakpoints::Instruction> read_op_selection(const std::string& text, const char* code) {
    auto ops = parse_ops(text);
    if (ops) return ops;
    const bool instruction = describe_instruction(text).has_value();
    const std::string hint =
        instruction ? fmt::format("; 'tessera explain JOB --instruction {}' lists the ops of an instruction", text)
                    : std::string();
    return fail(code, ops.error().message + hint);
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
