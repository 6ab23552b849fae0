// SPDX-License-Identifier: Apache-2.0
#include "diff/align_programs.hpp"

#include "diff/operand_changes.hpp"
#include "tessera/assembly.hpp"

namespace tessera::diff {

namespace {

Key key_of(const Op& op) {
    const auto family = static_cast<std::uint32_t>(op.kind);
    const std::uint32_t kind = op.kind == Op::Kind::ins ? opcode(op.value) : op.index;
    return {std::uint64_t{family} << 48 | std::uint64_t{op.index} << 32 | op.value, family << 16 | kind, family};
}

std::vector<Key> keys_of(const std::vector<Op>& ops) {
    std::vector<Key> keys;
    keys.reserve(ops.size());
    for (const Op& op : ops) keys.push_back(key_of(op));
    return keys;
}

/// Of stores to the same word of configuration: its fields.
std::vector<OperandChange> changes(const Op& a, const Op& b, Arch arch) {
    if (a.kind != b.kind) return {};
    if (a.kind == Op::Kind::ins) return operand_changes(a.value, arch, b.value, arch);
    if (a.kind != Op::Kind::cfg || a.index != b.index) return {};
    return field_changes(RegisterSpace::backend, a.index, a.value, b.value, arch);
}

std::optional<ProgramOp> op_at(const Program& program, unsigned thread, std::optional<std::size_t> index) {
    if (!index) return std::nullopt;
    return ProgramOp{static_cast<int>(thread), static_cast<std::int64_t>(*index),
                     op_text(program.threads[thread][*index], program.arch), program.place(thread, *index)};
}

}  // namespace

ProgramAlignment align_programs(const Program& a, const Program& b) {
    ProgramAlignment alignment;
    for (unsigned t = 0; t < alignment.size(); ++t) alignment[t] = align(keys_of(a.threads[t]), keys_of(b.threads[t]));
    return alignment;
}

void report_edits(const ProgramAlignment& alignment, const Program& a, const Program& b, RunDifference& difference) {
    constexpr std::size_t most_edits = 1000;
    for (unsigned t = 0; t < alignment.size(); ++t)
        for (const Step& step : alignment[t]) {
            if (step.same || difference.edit_count++ >= most_edits) continue;
            const EditKind kind = !step.a ? EditKind::inserted : !step.b ? EditKind::removed : EditKind::changed;
            ProgramEdit edit{kind, op_at(a, t, step.a), op_at(b, t, step.b), {}};
            if (step.a && step.b) edit.operands = changes(a.threads[t][*step.a], b.threads[t][*step.b], a.arch);
            difference.edits.push_back(std::move(edit));
        }
}

}  // namespace tessera::diff
