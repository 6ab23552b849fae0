// SPDX-License-Identifier: Apache-2.0
#include "checks/dst_contents.hpp"

#include "checks/checker.hpp"

namespace tessera::checks {

namespace {

using plan::DstDatums;

bool contradict(const DstDatums& held, const DstDatums& taken) {
    using Places = DstDatums::Places;
    using Numbers = DstDatums::Numbers;
    if (held.places != Places::unknown && held.places != taken.places) return true;
    return held.numbers != Numbers::unknown && taken.numbers != Numbers::unknown && held.numbers != taken.numbers;
}

// A format whose datums look like this in Dst, for the message.
DataFormat format_of(const DstDatums& datums) {
    using Numbers = DstDatums::Numbers;
    switch (datums.numbers) {
        case Numbers::exponent_5: return DataFormat::Float16;
        case Numbers::integer: return DataFormat::Int32;
        case Numbers::exponent_8:
        case Numbers::unknown: break;
    }
    return datums.places == DstDatums::Places::of_32_bits ? DataFormat::Float32 : DataFormat::Float16_b;
}

unsigned bits_of(const DstDatums& datums) { return datums.places == DstDatums::Places::of_32_bits ? 32 : 16; }

}  // namespace

void DstContents::write(const plan::Plan& plan, std::span<const plan::Access> accesses, bool exact) {
    const DstDatums& datums = plan.dst_datums;
    // A store usually covers all even or all odd columns of four rows.
    if (const auto* store = std::get_if<plan::StoreLRegWork>(&plan.work)) {
        const bool all = store->lanes == ~0u && (store->odd == 0 || store->odd == ~0u);
        const unsigned first = store->map.row(store->dst_row);
        const auto put = [&](unsigned row) {
            for (unsigned odd = 0; odd < 2; ++odd) {
                DstDatums& held = rows_[row % state::Dst::rows][odd];
                if (all && (store->odd != 0) == (odd != 0))
                    hold(held, datums);
                else if (!all)
                    hold(held, held.common(datums));
            }
        };
        for (unsigned row = first; row < first + 4; ++row) {
            put(row);
            if (store->map.wide) put(plan::DstMap::low_half(row));
        }
        return;
    }
    const bool clears = std::holds_alternative<plan::ValidityWork>(plan.work);
    for (const plan::Access& access : accesses) {
        if (!access.write) continue;
        if (clears && access.storage == plan::Storage::dst_valid) forget(access.first, access.first + access.count - 1);
        if (access.storage != plan::Storage::dst) continue;
        const unsigned end = access.first + access.count;
        const Row all{datums, datums};
        for (unsigned row = access.first / state::columns; row * state::columns < end; ++row) {
            Row& held = rows_[row];
            const bool whole = exact && row * state::columns >= access.first && (row + 1) * state::columns <= end;
            if (whole)
                hold(held, all);
            else
                hold(held, {held[0].common(datums), held[1].common(datums)});
        }
    }
}

void DstContents::forget(unsigned first_row, unsigned last_row) {
    for (unsigned row = first_row; row <= last_row && row < state::Dst::rows; ++row) hold(rows_[row], {});
}

std::optional<DstContents::Mismatch> DstContents::first_mismatch(const plan::PackWork& work) const {
    for (unsigned s = 0; s < work.streams; ++s) {
        const plan::PackWork::Stream& stream = work.stream[s];
        if (stream.source != plan::PackWork::Source::dst) continue;
        const DstDatums taken{work.map.places(), stream.conversion.takes};
        for (unsigned i = 0; i < stream.segments; ++i) {
            const plan::PackWork::Segment& segment = stream.segment[i];
            if (!segment.count) continue;
            const unsigned first = segment.datum / state::columns,
                           last = (segment.datum + segment.count - 1) / state::columns;
            for (unsigned row = first; row <= last; ++row) {
                const unsigned physical = work.map.row(row);
                for (const DstDatums& held : rows_[physical])
                    if (contradict(held, taken)) return Mismatch{physical, held, taken};
            }
        }
    }
    return std::nullopt;
}

// At the start of an instruction's work. A repeated instruction has the same result until rows change, so it is
// skipped.
void Checker::check_dst_contents(const units::Resolved& resolved, const At& at) {
    const plan::Plan& plan = resolved.plan;
    DstContents& contents = memory_.dst_contents;
    auto& known = resolved.dst_known;
    if (known.run == run_ && known.version == contents.version()) return;
    const auto* pack = std::get_if<plan::PackWork>(&plan.work);
    if (!pack) contents.write(plan, resolved.work().accesses, resolved.work().exact);
    const auto mismatch = pack ? contents.first_mismatch(*pack) : std::nullopt;
    if (!mismatch) {
        known = {run_, contents.version()};
        return;
    }
    const auto& [row, held, taken] = *mismatch;
    const findings::Note reported =
        held.places == taken.places
            ? findings::Note{findings::id("pack.dst-format"),
                             {row, static_cast<std::uint32_t>(format_of(taken)),
                              static_cast<std::uint32_t>(format_of(held))}}
            : findings::Note{findings::id("pack.dst-width"), {row, bits_of(taken), bits_of(held)}};
    note(reported, plan, at);
}

}  // namespace tessera::checks
