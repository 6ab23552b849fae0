// SPDX-License-Identifier: Apache-2.0
// Checks at the start of an instruction's work: its accesses.
#include <bit>
#include <cstring>

#include "checks/checker.hpp"
#include "checks/noc_conflicts.hpp"
#include "diagnostics/op_index.hpp"

namespace tessera::checks {

using diagnostics::KernelOp;

namespace {

// Whether all rows of the access are written. False also if they span two 64-bit words of `written`.
bool all_written(const state::Dst& dst, const plan::Access& access) {
    const std::uint32_t first = access.first / state::columns,
                        rows = (access.first + access.count - 1) / state::columns - first + 1;
    if (first % 64 + rows > 64) return false;
    static_assert(sizeof dst.written == state::Dst::rows / 8);
    std::uint64_t word;
    std::memcpy(&word, reinterpret_cast<const char*>(&dst.written) + first / 64 * sizeof word, sizeof word);
    return (~word >> first % 64 & ~std::uint64_t{0} >> (64 - rows)) == 0;
}

// The first byte of the access that lies in an unwritten line.
std::optional<std::uint32_t> first_unwritten(const state::L1& l1, const plan::Access& access) {
    if (l1.all_written(access.first, access.count)) return std::nullopt;
    std::uint32_t first = access.first;
    while (l1.all_written(first, 1)) first = (first / state::L1::line_bytes + 1) * state::L1::line_bytes;
    return first;
}

bool meets(const plan::Access& access, const UnwrittenRead& read) {
    using plan::Storage;
    if (access.storage != read.storage && !(access.storage == Storage::dst_valid && read.storage == Storage::dst))
        return false;
    const std::uint32_t unit = access.storage == Storage::dst ? state::columns : 1;
    return access.first / unit <= read.last && read.first <= (access.first + access.count - 1) / unit;
}

}  // namespace

void Checker::report_conflict(const units::Resolved& resolved, const At& at, const hazards::Conflict& c) {
    const plan::Plan& plan = resolved.plan;
    if (c.request.use != hazards::NocUse::none) {
        report_meeting(
            diagnostics_, {plan.thread, word_of(plan, at)}, [&] { return diagnostics_.where(subject_of(plan, at)); }, c,
            memory_.order.noc_tile());
        return;
    }
    const bool l1 = c.storage == plan::Storage::l1, dst = c.storage == plan::Storage::dst;
    if (c.core >= 0) {
        const auto core = static_cast<unsigned>(c.core);
        const std::int64_t by = KernelOp{0, core, c.core_pc}.index();
        const findings::Note reported{l1 ? findings::id("hazard.l1-core") : findings::id("hazard.dst-core"),
                                      {c.first, c.last, static_cast<std::uint32_t>(by)}};
        diagnostics_.add(
            reported, {plan.thread, word_of(plan, at), diagnostics_.places().key(state::threads, by)},
            [&] { return diagnostics_.where(subject_of(plan, at)); },
            [&](std::string_view value, std::uint32_t) {
                return findings::is_op(value) ? diagnostics_.places().core_access_text(core, c.core_pc, "the core's access at ") : std::string();
            });
        return;
    }
    const std::uint32_t index = static_cast<std::uint32_t>(c.other_index);
    const findings::Note reported = l1 || dst
                                        ? findings::Note{l1 ? findings::id("hazard.l1") : findings::id("hazard.dst"),
                                                         {c.first, c.last, c.other_thread, index}}
                                        : findings::Note{findings::id("hazard.src"),
                                                         {c.first, c.other_thread, index},
                                                         c.storage == plan::Storage::src_a ? "SrcA" : "SrcB"};
    Other other{c.other_thread, c.other_pipes, c.other_index, {}, {}, writes_for(resolved, c)};
    const auto src = c.storage == plan::Storage::src_a ? state::Src::a : state::Src::b;
    const bool behind_flip =
        !l1 && !dst && plan.pipes & bit(plan::Pipe::matrix) && memory_.order.bank_may_have_flipped(plan.thread, src);
    if (behind_flip) other.flips = src;
    note_pair(reported, plan, at, other);
}

bool Checker::writes_for(const units::Resolved& resolved, const hazards::Conflict& c) const {
    const auto& reads = memory_.threads[c.other_thread].unwritten_reads;
    for (std::size_t i = 0; i < reads.size(); ++i) {
        const UnwrittenRead& read = reads.before_last(i);
        if (read.index != c.other_index || read.storage != c.storage) continue;
        for (const auto& access : resolved.work().accesses)
            if (access.write && meets(access, read)) return true;
    }
    return false;
}

// Checks accesses to source banks, Dst and L1 against earlier ones, and whether all data read was ever written. A request
// reads later: check_arrival() checks what it reads.
void Checker::check_accesses(const units::Resolved& resolved, const hazards::Ticket& ticket,
                             const hazards::VectorClock& known, const At& at) {
    note_l1_formats(resolved);
    const plan::Plan& plan = resolved.plan;

    // An instruction that waits for L1 is meant to meet the write that it waits for.
    if (ordered_ && !plan.waits_in_unit) {
        const bool atomic = std::holds_alternative<plan::IncrementWork>(plan.work);
        for (const auto& c :
             memory_.order.check_accesses(ticket, known, resolved.work().ordered(), resolved.work().exact, atomic))
            report_conflict(resolved, at, c);
        if (resolved.work().meets_dst) check_dst_contents(resolved, at);
        if (plan.pipes == bit(plan::Pipe::matrix)) memory_.order.matrix_begins(ticket, plan.cost.latency <= 1);
    }
    if (!plan.cost.lands_at_end) check_written(resolved, at);
}

void Checker::check_written(const units::Resolved& resolved, const At& at) {
    if (asks_for_written(resolved) && all_read_is_written(resolved, at)) resolved.reads_written_in = run_;
}

bool Checker::all_read_is_written(const units::Resolved& resolved, const At& at) {
    constexpr auto unwritten = findings::id("state.read-before-write");
    using plan::Storage;
    const plan::Plan& plan = resolved.plan;
    bool all = true;
    const auto report = [&](const findings::Note& what) {
        note(what, plan, at);
        all = false;
    };
    const auto remember = [&](Storage storage, std::uint32_t first, std::uint32_t last) {
        memory_.threads[plan.thread].unwritten_reads.add({at.index, storage, first, last});
    };
    for (const auto& access : resolved.work().accesses) {
        if (access.write) continue;
        constexpr std::uint32_t bank_datums = state::SrcBank::rows * state::columns;
        if (access.storage == Storage::l1) {
            if (const auto first = first_unwritten(state_.l1, access)) {
                report({unwritten, {*first}, "L1"});
                remember(Storage::l1, *first, access.first + access.count - 1);
            }
        } else if (access.storage == Storage::src_a || access.storage == Storage::src_b) {
            const bool a = access.storage == Storage::src_a;
            const auto& bank = state_.bank(a ? state::Src::a : state::Src::b, access.first / bank_datums);
            const unsigned first = access.first % bank_datums / state::columns;
            const unsigned last = (access.first + access.count - 1) % bank_datums / state::columns;
            const std::uint64_t missing = ~bank.written & ~std::uint64_t{0} >> (63 - (last - first)) << first;
            if (!missing) continue;
            report({unwritten, {static_cast<std::uint32_t>(std::countr_zero(missing))}, a ? "SrcA row" : "SrcB row"});
            return false;
        } else if (access.storage == Storage::dst && !all_written(state_.dst, access)) {
            const std::uint32_t last = (access.first + access.count - 1) / state::columns;
            for (std::uint32_t row = access.first / state::columns; row <= last; ++row) {
                if (state_.dst.written[row]) continue;
                report({unwritten, {row}, "Dst row"});
                remember(Storage::dst, row, last);
                return false;
            }
        }
    }
    return all;
}

}  // namespace tessera::checks
