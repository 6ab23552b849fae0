// SPDX-License-Identifier: Apache-2.0
#include "options/op_selection.hpp"

#include <fmt/format.h>

#include "tessera/instruction_set.hpp"
#include "tessera/op_place.hpp"

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

Result<SelectedOps> SelectedOps::read(const std::string& text, const Job& job, const char* code) {
    auto ops = read_op_selection(text, code);
    if (!ops) return tl::make_unexpected(ops.error());
    SelectedOps selected(std::move(*ops), job);
    if (!job.kernels) {
        const std::string what = never_issued(selected.ops_, job.program);
        if (!what.empty()) return fail(code, fmt::format("{}: {}", text, what), job.file);
    } else if (!selected.ops_.place.empty()) {
        if (auto found = selected.find_line_of_kernels(); !found) return tl::make_unexpected(found.error());
    }
    return selected;
}

Result<void> SelectedOps::find_line_of_kernels() {
    Result<Core> core = prepare(*job_);
    if (!core) return tl::make_unexpected(core.error());
    auto execution = Execution::begin(*core, *job_->kernels, job_->options);
    if (!execution) return tl::make_unexpected(execution.error());
    Breakpoints until;
    until.instructions.push_back(ops_);
    Pause pause;
    while ((pause = execution->run_until(until)).why == Pause::Why::instruction) of_line_.emplace(pause.where.thread, pause.where.index);
    // An instruction with a fault is not issued, but explained.
    if (const tessera::Run run = execution->run(); run.fault && is_end_of_place(ops_.place, run.fault->where))
        of_line_.emplace(run.fault->where.thread, run.fault->where.index);
    return {};
}

bool SelectedOps::has(unsigned thread, std::int64_t index) const {
    if (job_->kernels && !ops_.place.empty()) return of_line_.contains({static_cast<int>(thread), index});
    return selects(ops_, job_->program, thread, index);
}

}  // namespace tessera::cli
