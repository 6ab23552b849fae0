// SPDX-License-Identifier: Apache-2.0
// Data that an UNPACR puts into a source's bank does not count before the matrix unit reads it. Findings about such
// data alone wait until the bank is handed over and an instruction reads it. The vendor's kernels for Wormhole have
// an UNPACR without hand-over behind each unpack to Dst (spec-notes A85). Their untilize for Blackhole hands a bank
// over by an UNPACR of a row that nobody reads, just behind a write of its address.
#include <algorithm>

#include "checks/checker.hpp"
#include "findings/about_data.hpp"
#include "registers/field.hpp"

namespace tessera::checks {

namespace {

constexpr plan::PipeMask users_of_banks = plan::unpackers | bit(plan::Pipe::matrix);

// Fields that only decide which address of L1 an UNPACR reads.
constexpr registers::Field whereabouts[] = {
    registers::field("THCON_SEC0_REG3_Base_address"),         registers::field("THCON_SEC1_REG3_Base_address"),
    registers::field("THCON_SEC0_REG3_Base_cntx1_address"),   registers::field("THCON_SEC1_REG3_Base_cntx1_address"),
    registers::field("THCON_SEC0_REG3_Base_cntx2_address"),   registers::field("THCON_SEC1_REG3_Base_cntx2_address"),
    registers::field("THCON_SEC0_REG3_Base_cntx3_address"),   registers::field("THCON_SEC1_REG3_Base_cntx3_address"),
    registers::field("THCON_SEC0_REG7_Offset_address"),       registers::field("THCON_SEC1_REG7_Offset_address"),
    registers::field("THCON_SEC0_REG7_Offset_cntx1_address"), registers::field("THCON_SEC1_REG7_Offset_cntx1_address"),
    registers::field("THCON_SEC0_REG7_Offset_cntx2_address"), registers::field("THCON_SEC1_REG7_Offset_cntx2_address"),
    registers::field("THCON_SEC0_REG7_Offset_cntx3_address"), registers::field("THCON_SEC1_REG7_Offset_cntx3_address"),
};

}  // namespace

bool Checker::decides_what_is_read(const plan::CellBits& bits) const {
    if (!state::cells::config_block.contains(state::Cell(bits.cell))) return false;
    std::uint32_t only_where = 0;
    for (const registers::Field& field : whereabouts)
        if (const auto& at = field[state_.arch().arch]; at.addr32 == addr32_of(state::Cell(bits.cell)))
            only_where |= at.mask() << at.lo;
    return !(bits.mask & ~only_where);
}

std::optional<Unread> Checker::unread_place(const units::Resolved& resolved, const At& at) const {
    const plan::Plan& plan = resolved.plan;
    if (!(plan.pipes & plan::unpackers) || resolved.work().meets_dst) return std::nullopt;
    Unread unread;
    bool one_bank = true;
    for_each_source_rows(resolved.work().accesses, true, RowPart::any, [&](const SourceRows& written) {
        one_bank &= !unread.rows || unread.bank == written.bank;
        unread.bank = written.bank;
        unread.rows |= written.rows;
    });
    if (!unread.rows || !one_bank) return std::nullopt;
    unread.handed_over = resolved.hands_over >> unread.bank & 1;
    unread.subject = subject_of(plan, at);
    return unread;
}

// A loop repeats the same note: equal ones are merged.
void Checker::set_aside(const Unread& unread) {
    const auto key = [&](const Unread& each) {
        return each.store ? diagnostics_.places().key(each.store->core, each.store->index) : 0;
    };
    const auto alike = [&](const Unread& each) {
        return key(each) == key(unread) && each.note == unread.note && each.bits == unread.bits &&
               each.bank == unread.bank && each.handed_over == unread.handed_over &&
               each.subject.thread == unread.subject.thread && each.subject.word == unread.subject.word;
    };
    const auto known = std::find_if(memory_.unread.begin(), memory_.unread.end(), alike);
    if (known == memory_.unread.end())
        memory_.unread.push_back(unread);
    else
        known->rows |= unread.rows;
}

void Checker::review_unread(const units::Resolved& resolved) {
    if (const plan::PipeMask pipes = resolved.plan.pipes; !(pipes & users_of_banks || resolved.hands_over)) return;
    const bool reads = resolved.plan.pipes & bit(plan::Pipe::matrix);
    if (reads)
        for_each_source_rows(resolved.work().accesses, false, RowPart::any, [&](const SourceRows& read) {
            for (Unread& unread : memory_.unread)
                if (unread.handed_over && unread.bank == read.bank && unread.rows & read.rows) {
                    report_unread(unread);
                    unread.rows = 0;
                }
        });
    for_each_source_rows(resolved.work().accesses, true, RowPart::whole, [&](const SourceRows& written) {
        for (Unread& unread : memory_.unread)
            if (unread.handed_over == reads && unread.bank == written.bank) unread.rows &= ~written.rows;
    });
    for (Unread& unread : memory_.unread) {
        if (!(resolved.hands_over >> unread.bank & 1)) continue;
        // A hand-over of a bank that was already handed over is its user giving it back.
        if (unread.handed_over) unread.rows = 0;
        unread.handed_over = true;
    }
    std::erase_if(memory_.unread, [](const Unread& unread) { return !unread.rows; });
}

// If the program never waits for the source, its result is the bank itself, so its data counts as read.
void Checker::report_what_is_unread() {
    for (const Unread& unread : memory_.unread)
        if (unread.handed_over && !memory_.order.waited_for(state::Src(unread.bank / 2))) report_unread(unread);
    memory_.unread.clear();
}

bool Checker::has_been_handed_over() const {
    return std::any_of(memory_.unread.begin(), memory_.unread.end(), [](const Unread& unread) { return unread.handed_over; });
}

void Checker::report_unread(const Unread& unread) {
    const Subject& subject = unread.subject;
    if (unread.store) return note_store(*unread.store, unread.distance, subject);
    diagnostics_.note(unread.note, subject, unread.bits);
}

void Checker::note_findings(const units::Resolved& resolved, const At& at) {
    const plan::Plan& plan = resolved.plan;
    for (const auto& finding : plan.findings) {
        // Instant runs are compared with a known state, unread data included, so nothing is held back there.
        const bool may_wait = ordered_ && findings::is_about_data(finding.id) && resolved.brings_only();
        auto unread = may_wait ? unread_place(resolved, at) : std::nullopt;
        if (!unread) {
            note(finding, plan, at);
            continue;
        }
        unread->note = finding;
        set_aside(*unread);
    }
}

}  // namespace tessera::checks
