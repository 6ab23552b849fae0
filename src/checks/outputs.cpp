// SPDX-License-Identifier: Apache-2.0
#include "checks/outputs.hpp"

#include <algorithm>
#include <bit>

#include "checks/checker.hpp"
#include "registers/packer_fields.hpp"
#include "state/src_bank.hpp"
#include "util/set_bits.hpp"

namespace tessera::checks {

namespace {

using state::Adc;
using state::AdcUnit;

constexpr auto l1_dest_addr = registers::packer_fields("L1_Dest_addr");

constexpr std::uint64_t row_bits(const Extent& rows) {
    return ~std::uint64_t{0} >> (63 - (rows.last - rows.first)) << rows.first;
}
Extent extent_of(std::uint64_t rows) {
    const auto first = static_cast<std::uint32_t>(std::countr_zero(rows));
    return {first, first + static_cast<std::uint32_t>(std::countr_one(rows >> first)) - 1};
}

// Y, Z and W of channel 1, as one number.
std::uint32_t counters(const state::State& state, unsigned thread, AdcUnit unit) {
    const auto at = [&](Adc c) { return state[state::cells::adc(thread, unit, 1, c)]; };
    return at(Adc::y) | at(Adc::z) << 13 | at(Adc::w) << 21;
}

}  // namespace

std::optional<Extent> PackedOutputs::begin(unsigned packer, const Origin& at, std::uint32_t first, const Subject& who) {
    const Stream before = streams_[packer];
    streams_[packer] = {true, at, first, first};
    if (!before.known || before.at.tile != at.tile || before.at.counters == at.counters) return std::nullopt;
    if (first > before.end && steps_.size() < most_gaps) steps_.push_back({{before.end, first - 1}, who});
    if (first < before.first || first >= before.end) return std::nullopt;
    return Extent{before.first, before.end - 1};
}

void PackedOutputs::write(unsigned packer, std::uint32_t first, std::uint32_t end) {
    if (first == end) return;
    streams_[packer].end = end;
    if (!written_.empty() && written_.back().last + 1 == first)
        written_.back().last = end - 1;
    else if (written_.size() < most_pieces)
        written_.push_back({first, end - 1});
}

std::vector<PackedOutputs::Gap> PackedOutputs::gaps() const {
    if (steps_.empty() || written_.size() == most_pieces) return {};
    std::vector<Extent> sorted = written_;
    std::sort(sorted.begin(), sorted.end(), [](const Extent& a, const Extent& b) { return a.first < b.first; });
    std::vector<Gap> found;
    for (Gap gap : steps_) {
        Extent& rest = gap.bytes;
        for (const Extent& piece : sorted) {
            if (piece.last < rest.first) continue;
            if (piece.first > rest.first) {
                rest.last = std::min(rest.last, piece.first - 1);
                break;
            }
            rest.first = piece.last + 1;
        }
        if (rest.first <= rest.last) found.push_back(gap);
    }
    return found;
}

std::optional<Extent> UnpackedRows::write(const SourceRows& written, std::uint32_t counters) {
    Bank& kept = banks_[written.bank];
    const std::uint64_t again = kept.rows & written.rows;
    const bool moved = kept.counters != counters;
    kept.rows |= written.rows;
    kept.counters = counters;
    if (!again || !moved) return std::nullopt;
    return extent_of(again);
}

std::optional<Extent> UnpackedRows::hand_over(unsigned bank) {
    const std::uint64_t rows = banks_[bank].rows;
    banks_[bank] = {};
    if (!rows) return std::nullopt;
    const std::uint64_t between = row_bits({static_cast<std::uint32_t>(std::countr_zero(rows)),
                                            static_cast<std::uint32_t>(63 - std::countl_zero(rows))}) &
                                  ~rows;
    if (!between) return std::nullopt;
    return extent_of(between);
}

// Called before an instruction of packers or unpackers is issued.
void Checker::check_outputs(const units::Resolved& resolved, const At& at) {
    const plan::Plan& plan = resolved.plan;
    if (const auto* work = std::get_if<plan::PackWork>(&plan.work)) check_packed(*work, plan, at);
    if (!(plan.pipes & plan::unpackers)) return;
    check_unpacked(resolved, at);
    if (knows_l1_formats()) check_l1_format(resolved, at);
}

void Checker::check_packed(const plan::PackWork& work, const plan::Plan& plan, const At& at) {
    for (unsigned s = 0; s < work.streams; ++s) {
        const auto& stream = work.stream[s];
        if (stream.compressed) {
            memory_.packed.forget(stream.packer);
            continue;
        }
        const std::uint32_t data = stream.data.address, end = data + stream.data.written(stream.data_bytes(), stream.flush);
        const bool has_exponents = stream.conversion.block && stream.exponents.address < data;
        if (state_[state::cells::packer(stream.packer, state::Packer::data_needs_address)]) {
            const std::uint32_t first = has_exponents ? stream.exponents.address : data;
            const auto overlap = memory_.packed.begin(stream.packer,
                                                      {state_.config(plan.thread, l1_dest_addr[stream.packer]),
                                                       counters(state_, plan.thread, AdcUnit::packers)},
                                                      first, subject_of(plan, at));
            if (overlap)
                note({findings::id("pack.output-overlap"), {first, overlap->first, overlap->last}}, plan, at);
            // Exponents and the rest of their section belong to the stream, too.
            if (has_exponents) memory_.packed.write(stream.packer, first, data);
        }
        memory_.packed.write(stream.packer, data, end);
    }
}

void Checker::check_unpacked(const units::Resolved& resolved, const At& at) {
    constexpr std::uint64_t all_rows = ~std::uint64_t{0};
    const plan::Plan& plan = resolved.plan;
    const auto report = [&](findings::Id id, unsigned bank, const Extent& rows) {
        note({id, {rows.first, rows.last}, bank < 2 ? "SrcA" : "SrcB"}, plan, at);
    };
    for_each_source_rows(resolved.work().accesses, true, RowPart::any, [&](const SourceRows& written) {
        if (written.rows == all_rows) return;
        const auto unit = written.bank < 2 ? AdcUnit::unpacker0 : AdcUnit::unpacker1;
        if (const auto again = memory_.unpacked.write(written, counters(state_, plan.thread, unit)))
            report(findings::id("src.rows-overlap"), written.bank, *again);
    });
    for (const unsigned bank : util::SetBits(resolved.hands_over))
        if (const auto gap = memory_.unpacked.hand_over(bank)) report(findings::id("src.rows-gap"), bank, *gap);
}

void Checker::check_end(std::span<const BankPass, 4> banks, Cycle now) {
    if (!ordered_) return;
    report_what_is_unread();
    for (auto& [bytes, who] : memory_.packed.gaps()) {
        who.at = now;
        diagnostics_.note({findings::id("pack.output-gap"), {bytes.first, bytes.last}}, who);
    }
    for (const state::Src src : {state::Src::a, state::Src::b})
        for (unsigned bank = 0; bank < 2; ++bank) {
            const BankPass& by = banks[static_cast<unsigned>(src) * 2 + bank];
            const bool kept = state_[state::cells::bank_owner(src, bank)] == static_cast<unsigned>(state::Owner::matrix);
            // If the program never waits for the source, its result is the bank itself; that is no mistake.
            if (!kept || by.thread < 0 || !memory_.order.waited_for(src)) continue;
            diagnostics_.note(
                {memory_.order.bank_waited_for(src, bank) ? findings::id("matrix.bank-kept") : findings::id("matrix.bank-unread"),
                 {bank},
                 src == state::Src::a ? "SrcA" : "SrcB"},
                {static_cast<unsigned>(by.thread), by.index, -1, by.word, now});
        }
}

}  // namespace tessera::checks
