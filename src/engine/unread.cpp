// SPDX-License-Identifier: Apache-2.0
// What an UNPACR puts into a source's bank is of no account as long as the unpackers keep the bank: what is to be said of such data alone
// waits until the bank is handed over with them still in it. The vendor's kernels for Wormhole have such an UNPACR behind each unpack to
// Dst (spec-notes A85).
#include <algorithm>
#include <iterator>

#include "engine/engine.hpp"
#include "registers/field_family.hpp"
#include "tessera/registers.hpp"

namespace tessera::engine {

namespace {

constexpr plan::PipeMask both_unpackers = bit(plan::Pipe::unpacker0) | bit(plan::Pipe::unpacker1);

constexpr findings::Id about_data[] = {
    findings::id("unpack.srca-row-64"),  findings::id("unpack.srca-row-16"),      findings::id("unpack.srcb-row-wrap"),
    findings::id("unpack.fp32-to-src"),  findings::id("unpack.tf32-to-src"),      findings::id("unpack.int32-to-src"),
    findings::id("unpack.format-mismatch"), findings::id("unpack.format-expanded"), findings::id("unpack.block-exponent"),
};

bool is_about_data(const findings::Note& note) {
    return std::find(std::begin(about_data), std::end(about_data), note.id) != std::end(about_data);
}

struct Rows {
    unsigned bank = 0;  ///< source * 2 + bank
    std::uint64_t rows = 0;
};

// Rows of source banks that the instruction writes: all of those that it touches, or only whole ones.
template <class F>
void for_each_written(const plan::Plan& plan, bool whole, F&& f) {
    constexpr unsigned columns = state::columns, bank_rows = state::SrcBank::rows;
    for (const auto& access : plan::footprint(plan).accesses) {
        const bool a = access.storage == plan::Storage::src_a;
        if (!access.write || !access.count || !(a || access.storage == plan::Storage::src_b)) continue;
        const unsigned end = access.first + access.count;
        const unsigned first = whole ? (access.first + columns - 1) / columns : access.first / columns;
        const unsigned last = whole ? end / columns : (end + columns - 1) / columns;
        for (unsigned row = first; row < last; ++row)
            f(Rows{(a ? 0u : 2u) + row / bank_rows, std::uint64_t{1} << row % bank_rows});
    }
}

}  // namespace

bool Engine::brings_only(const units::Resolved& resolved) {
    if (!(resolved.plan.pipes & both_unpackers) || resolved.hands_over) return false;
    const auto& accesses = resolved.accesses;
    return std::none_of(accesses.begin(), accesses.end(), [](const plan::Access& access) {
        return access.write && access.storage == plan::Storage::dst;
    });
}

bool Engine::decides_what_is_read(const plan::CellBits& bits) const {
    if (!state::cells::config_block.contains(state::Cell(bits.cell))) return false;
    const auto fields =
        register_fields_at(RegisterSpace::backend, addr32_of(state::Cell(bits.cell)), state_.arch().arch);
    if (!fields) return false;
    return std::all_of(fields->begin(), fields->end(), [&](const RegisterField& field) {
        if (field.kind == FieldKind::whole || !(field.mask() << field.lo & bits.mask)) return true;
        return registers::begins_with("THCON_SEC#_REG3_Base_", field.name) ||
               registers::begins_with("THCON_SEC#_REG7_Offset_", field.name);
    });
}

std::optional<Engine::Unread> Engine::unread_place(const units::Resolved& resolved, const GateWord& at) const {
    const plan::Plan& plan = resolved.plan;
    if (!brings_only(resolved)) return std::nullopt;
    Unread unread;
    bool one_bank = true;
    for_each_written(plan, false, [&](const Rows& written) {
        one_bank &= !unread.rows || unread.bank == written.bank;
        unread.bank = written.bank;
        unread.rows |= written.rows;
    });
    if (!unread.rows || !one_bank) return std::nullopt;
    unread.subject = {plan.thread, at.index, at.position, plan.instruction.word, now_};
    return unread;
}

// Loops do the same again and again.
void Engine::set_aside(const Unread& unread) {
    const auto key = [&](const Unread& each) {
        return each.store ? place_key(each.store->core, each.store->index) : 0;
    };
    const auto alike = [&](const Unread& each) {
        return key(each) == key(unread) && each.note == unread.note && each.bank == unread.bank &&
               each.subject.thread == unread.subject.thread && each.subject.word == unread.subject.word;
    };
    const auto known = std::find_if(unread_.begin(), unread_.end(), alike);
    if (known == unread_.end())
        unread_.push_back(unread);
    else
        known->rows |= unread.rows;
}

void Engine::review_unread(const units::Resolved& resolved) {
    const plan::Plan& plan = resolved.plan;
    if (plan.pipes & bit(plan::Pipe::matrix) || !(plan.pipes & both_unpackers || resolved.hands_over)) return;
    if (plan.pipes & both_unpackers)
        for_each_written(plan, true, [&](const Rows& written) {
            for (Unread& unread : unread_)
                if (unread.bank == written.bank) unread.rows &= ~written.rows;
        });
    for (const Unread& unread : unread_)
        if (unread.rows && resolved.hands_over >> unread.bank & 1) tell_unread(unread);
    std::erase_if(unread_, [&](const Unread& unread) { return !unread.rows || resolved.hands_over >> unread.bank & 1; });
}

void Engine::tell_unread(const Unread& unread) {
    const Subject& subject = unread.subject;
    if (unread.store) return note_store(*unread.store, unread.distance, subject);
    const auto place = [&] {
        return where(subject.thread, subject.index, subject.word, subject.at, subject.position);
    };
    if (log_.add(unread.note, {subject.thread, subject.word}, place)) stopped_ = true;
}

void Engine::note_findings(const units::Resolved& resolved, const GateWord& at) {
    const plan::Plan& plan = resolved.plan;
    for (const auto& finding : plan.findings) {
        // Under instant timing a run is held against a known state, what nobody reads included.
        const bool may_wait = !costs_.completes_at_issue && is_about_data(finding);
        auto unread = may_wait ? unread_place(resolved, at) : std::nullopt;
        if (!unread) {
            note(finding, plan.thread, at.index, plan.instruction.word, at.position);
            continue;
        }
        unread->note = finding;
        set_aside(*unread);
    }
}

}  // namespace tessera::engine
