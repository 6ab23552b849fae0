// SPDX-License-Identifier: Apache-2.0
// Unpackers that read L1 in another format than it was written in.
#include "checks/l1_formats.hpp"

#include <algorithm>

#include "checks/checker.hpp"
#include "units/unpacker/unpacker.hpp"

namespace tessera::checks {

std::span<const L1Format> L1Formats::meeting(std::uint32_t first, std::uint32_t last) const {
    const auto begin =
        std::partition_point(pieces_.begin(), pieces_.end(), [&](const L1Format& piece) { return piece.last < first; });
    const auto end =
        std::partition_point(begin, pieces_.end(), [&](const L1Format& piece) { return piece.first <= last; });
    return {begin, end};
}

void L1Formats::forget(std::uint32_t first, std::uint32_t last) {
    const auto met = meeting(first, last);
    if (met.empty()) return;
    const auto at = pieces_.begin() + (met.data() - pieces_.data());
    L1Format before = met.front(), behind = met.back();
    before.last = first - 1;
    behind.first = last + 1;
    const bool has_before = before.first < first;
    const bool has_behind = behind.last > last;
    auto next = pieces_.erase(at, at + static_cast<std::ptrdiff_t>(met.size()));
    if (pieces_.size() >= most_pieces) return;
    if (has_behind) next = pieces_.insert(next, behind);
    if (has_before) pieces_.insert(next, before);
}

void L1Formats::put(L1Format put) {
    const auto is_alike = [&](const L1Format& piece) {
        return piece.format == put.format && piece.compressed == put.compressed;
    };
    const auto met = meeting(put.first, put.last);
    if (met.size() == 1 && is_alike(met[0]) && met[0].first <= put.first && met[0].last >= put.last) return;
    forget(put.first, put.last);
    if (pieces_.size() >= most_pieces) return;
    auto behind = std::partition_point(pieces_.begin(), pieces_.end(),
                                       [&](const L1Format& piece) { return piece.last < put.first; });
    if (behind != pieces_.end() && behind->first == put.last + 1 && is_alike(*behind)) {
        put.last = behind->last;
        behind = pieces_.erase(behind);
    }
    if (behind != pieces_.begin() && std::prev(behind)->last + 1 == put.first && is_alike(*std::prev(behind)))
        std::prev(behind)->last = put.last;
    else
        pieces_.insert(behind, put);
}

namespace {

/// Integers keep the bits of floats as wide. The vendor's kernels that only select among BF16 numbers read them so.
bool keeps_bits(DataFormat written, DataFormat read) {
    return hardware_format(read) == DataFormat::UInt16 &&
           (written == DataFormat::Float16 || written == DataFormat::Float16_b);
}

}  // namespace

// Called before an UNPACR is issued.
void Checker::check_l1_format(const units::Resolved& resolved, const At& at) {
    const plan::Plan& plan = resolved.plan;
    const auto format = units::unpacker::input_format({plan.instruction, plan.thread, state_, costs_, nullptr});
    if (!format) return;
    const auto* const work = std::get_if<plan::UnpackStreamWork>(&plan.work);
    const bool decompresses = work && work->input.compressed;
    for (const plan::Access& access : resolved.work().accesses) {
        if (access.storage != plan::Storage::l1 || access.write || access.count == 0) continue;
        for (const L1Format& met : memory_.l1_formats.meeting(access.first, access.first + access.count - 1)) {
            const bool stays_compressed = met.compressed && !decompresses;
            const bool is_right = are_read_alike(met.format, *format) || keeps_bits(met.format, *format);
            if (is_right && !stays_compressed) continue;
            return note({findings::id("l1.format"),
                         {std::max(met.first, access.first), static_cast<std::uint32_t>(*format),
                          static_cast<std::uint32_t>(met.format)},
                         stays_compressed ? ", compressed" : ""},
                        plan, at);
        }
    }
}

// Called when an instruction's work begins. What packers write without gaps has their format.
void Checker::note_l1_formats(const units::Resolved& resolved) {
    if (resolved.plan.pipes & (bit(plan::Pipe::matrix) | plan::unpackers)) return;  // which write none of it
    const auto* work = std::get_if<plan::PackWork>(&resolved.plan.work);
    const auto* packed = work && work->writes_one_format() ? &work->stream[0].conversion : nullptr;
    if (!work && memory_.l1_formats.empty()) return;
    for (const plan::Access& access : resolved.work().accesses) {
        if (access.storage != plan::Storage::l1 || !access.write || !access.count) continue;
        const std::uint32_t last = access.first + access.count - 1;
        if (packed)
            memory_.l1_formats.put({access.first, last, packed->format});
        else
            memory_.l1_formats.forget(access.first, last);
    }
    if (!work || packed) return;
    // How far it reaches depends on its zeros, so only the first line is known: that of row starts.
    for (const plan::PackWork::Stream& stream : std::span(work->stream).first(work->streams))
        if (stream.compressed)
            memory_.l1_formats.put(
                {stream.reach_first, stream.reach_first + state::L1::line_bytes - 1, stream.conversion.format, true});
}

}  // namespace tessera::checks
