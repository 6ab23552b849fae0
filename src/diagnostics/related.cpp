// SPDX-License-Identifier: Apache-2.0
#include "tessera/related.hpp"

#include <optional>

#include "diagnostics/related.hpp"
#include "findings/catalogue.hpp"
#include "tessera/assembly.hpp"
#include "tessera/timing.hpp"

namespace tessera {

namespace {

/// FindingsLog::tell_places().
std::vector<Where> in_kernels(const Finding& finding, const Kernels& kernels) {
    std::vector<Where> all;
    unsigned core = riscv_cores;
    for (const NamedValue& one : finding.values) {
        if (one.name.ends_with("_core")) core = static_cast<unsigned>(one.value);
        if (one.name == "other_pc" || one.name == "store_pc")
            all.push_back(diagnostics::place_in(kernels, core, static_cast<std::uint32_t>(one.value)));
    }
    return all;
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
    if (job.kernels) return in_kernels(finding, *job.kernels);
    auto thread = static_cast<std::uint64_t>(finding.where.thread);
    for (const NamedValue& one : finding.values)
        if (one.name == "other_thread" || one.name == "store_thread") thread = one.value;
    std::vector<Where> all;
    for (const NamedValue& one : finding.values) {
        if (!findings::is_op(one.name)) continue;
        if (auto other = in_program(job.program, thread, one.value)) all.push_back(std::move(*other));
    }
    return all;
}

}  // namespace tessera
