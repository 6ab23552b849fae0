// SPDX-License-Identifier: Apache-2.0
#include "tessera/related.hpp"

#include <fmt/format.h>

#include <optional>

#include "diagnostics/op_index.hpp"
#include "diagnostics/related.hpp"
#include "findings/catalogue.hpp"
#include "tessera/assembly.hpp"
#include "tessera/timing.hpp"

namespace tessera {

namespace {

/// Index -1, an instruction of an earlier run, as a finding's values have it.
constexpr auto of_before = static_cast<std::uint32_t>(-1);

Where in_kernels(const Kernels& kernels, std::uint64_t value) {
    const auto op = diagnostics::KernelOp::of(static_cast<std::int64_t>(value & diagnostics::KernelOp::place_mask));
    return diagnostics::place_in(kernels, op.core, op.pc);
}

std::optional<Where> in_program(const Program& program, std::uint64_t thread, std::uint64_t index) {
    if (thread >= program.threads.size() || index >= program.threads[thread].size()) return std::nullopt;
    const Op& op = program.threads[thread][index];
    Where where;
    where.cycle = no_cycle;
    where.thread = static_cast<int>(thread);
    where.index = static_cast<std::int64_t>(index);
    if (op.kind == Op::Kind::ins) where.instruction = disassemble_named(op.value, program.arch);
    where.place = program.place(static_cast<unsigned>(thread), index);
    return where;
}

}  // namespace

Where diagnostics::place_in(const Kernels& kernels, unsigned core, std::uint32_t pc) {
    Where where;
    where.cycle = no_cycle;
    where.pc = pc;
    if (core >= kernels.images.size()) return where;
    where.core = name(RiscvCore(core));
    if (const auto& image = kernels.images[core]) {
        where.function = image->function(pc);
        where.frames = image->frames(pc);
        if (const Frame* users = users_frame(where.frames)) where.place = users->place;
    }
    return where;
}

void diagnostics::add_store(Finding& finding, const Places& places, unsigned thread, std::int64_t index) {
    finding.message += "; the store: " + (places.of_kernels() ? places.core_op_text(static_cast<std::uint32_t>(index))
                                                              : places.op_text(thread, index));
    finding.values.push_back({"store_thread", thread});
    finding.values.push_back({"store_op", static_cast<std::uint32_t>(index)});
}

std::vector<Where> related_instructions(const Finding& finding, const Job& job) {
    auto thread = static_cast<std::uint64_t>(finding.where.thread);
    for (const NamedValue& one : finding.values)
        if (one.name == "other_thread" || one.name == "store_thread") thread = one.value;
    std::vector<Where> all;
    for (const NamedValue& one : finding.values) {
        if (!findings::is_op(one.name) || one.value == of_before) continue;
        if (job.kernels)
            all.push_back(in_kernels(*job.kernels, one.value));
        else if (auto other = in_program(job.program, thread, one.value))
            all.push_back(std::move(*other));
    }
    return all;
}

}  // namespace tessera
