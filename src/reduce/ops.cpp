// SPDX-License-Identifier: Apache-2.0
// Reduces ops (delta debugging). It drops parts of all threads' ops, from halves down to single ops and pairs. Then it
// replaces MOPs and REPLAYs by their expansion, if fewer ops suffice.
#include <algorithm>

#include "diff/write_log.hpp"
#include "isa/instruction.hpp"
#include "reduce/trial.hpp"

namespace tessera::reduction {

namespace {

/// Pairs that must go together (a post and its wait) are tried only in lists up to this length.
constexpr std::size_t most_for_pairs = 32;
/// Longer expansions are not tried.
constexpr std::size_t most_expanded = 4096;

/// The job without ops in [first, last) and without `other`, numbered through all threads.
Job without(const Job& job, std::size_t first, std::size_t last, std::size_t other = ~std::size_t{0}) {
    Job smaller = job;
    std::size_t number = 0;
    for (auto& ops : smaller.program.threads)
        std::erase_if(ops, [&](const Op&) {
            const std::size_t at = number++;
            return (at >= first && at < last) || at == other;
        });
    return smaller;
}

bool leave_out_pair(Trial& trial) {
    const std::size_t count = count_ops(trial.best().program);
    if (count > most_for_pairs) return false;
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = i + 1; k < count; ++k)
            if (trial.accept(without(trial.best(), i, i + 1, k))) return true;
    return false;
}

/// The job with each op replaced by the instructions issued for it; unreached ops stay.
Job expanded(const Job& job) {
    Job result = job;
    auto core = prepare(job);
    if (!core) return result;
    diff::WriteLog log(*core);
    RunOptions options = job.options;
    options.on_write = [&](const Write& write) { log.note(write); };
    if (auto run = core->run(job.program, options); !run) return result;
    for (unsigned t = 0; t < job.program.threads.size(); ++t) {
        const auto& issued = log.entries(static_cast<int>(t), false);
        const std::int64_t last = issued.empty() ? -1 : issued.back().index;
        auto next = issued.begin();
        std::vector<Op> ops;
        for (std::size_t i = 0; i < job.program.threads[t].size(); ++i) {
            const Op& op = job.program.threads[t][i];
            const auto index = static_cast<std::int64_t>(i);
            if (index > last || (op.kind != Op::Kind::ins && op.kind != Op::Kind::mop)) ops.push_back(op);
            for (; next != issued.end() && next->index == index; ++next)
                ops.push_back({.kind = Op::Kind::ins, .index = 0, .value = next->word, .line = op.line});
        }
        result.program.threads[t] = std::move(ops);
    }
    return result;
}

bool expands(const Op& op, Arch arch) {
    const isa::Instruction instruction = isa::decode(op.value, arch);
    return op.kind == Op::Kind::ins &&
           (instruction.is(isa::mnemonic("MOP")) || instruction.is(isa::mnemonic("REPLAY")));
}

bool has_expansions(const Job& job) {
    for (const auto& ops : job.program.threads)
        for (const Op& op : ops)
            if (expands(op, job.arch)) return true;
    return false;
}

}  // namespace

bool leave_out_ops(Trial& trial) {
    bool smaller = false;
    for (std::size_t part = count_ops(trial.best().program); part > 0;) {
        bool found = false;
        for (std::size_t first = 0; first < count_ops(trial.best().program) && !trial.over();) {
            const std::size_t last = std::min(first + part, count_ops(trial.best().program));
            if (trial.accept(without(trial.best(), first, last)))
                found = true;
            else
                first = last;
        }
        smaller |= found;
        if (trial.over()) break;
        // An op that was needed before may be removable once others are gone.
        if (part > 1)
            part /= 2;
        else if (!found && !leave_out_pair(trial))
            break;
    }
    return smaller;
}

bool replace_expansions(Trial& trial) {
    if (!has_expansions(trial.best()) || trial.over()) return false;
    const Job before = trial.best();
    Job flat = expanded(before);
    if (count_ops(flat.program) > most_expanded || !trial.accept(std::move(flat))) return false;
    leave_out_ops(trial);
    if (count_ops(trial.best().program) <= count_ops(before.program)) return true;
    trial.take(before);
    return false;
}

}  // namespace tessera::reduction
