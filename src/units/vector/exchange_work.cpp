// SPDX-License-Identifier: Apache-2.0
// Footprint and description of transfers between LRegs and Dst, and of immediates.
#include <fmt/format.h>

#include <bit>

#include "plan/work.hpp"
#include "state/state.hpp"
#include "units/vector/dst_places.hpp"
#include "util/bit_runs.hpp"
#include "util/range_text.hpp"
#include "util/set_bits.hpp"

namespace tessera::plan {

namespace {

using units::vector::index_of, units::vector::lane_rows, units::vector::row_lanes;

constexpr unsigned lanes = state::LRegs::lanes;

// Adds the datums of the active lanes, and with a write the validity of their rows.
template <class Work>
void touch_dst(const Work& work, bool write, Footprint& out) {
    const auto touch = [&](unsigned datum, unsigned count) {
        write ? out.write(Storage::dst, datum, count) : out.read(Storage::dst, datum, count);
    };
    for (unsigned i = 0; i < lane_rows; ++i) {
        constexpr std::uint32_t row_mask = (1u << row_lanes) - 1;
        const std::uint32_t active = work.lanes >> i * row_lanes & row_mask, odd = work.odd >> i * row_lanes;
        if (!active) continue;
        const unsigned physical = work.map.row(work.dst_row + i);
        const auto column = [&](int lane) { return 2 * static_cast<unsigned>(lane) + (odd >> lane & 1); };
        for (unsigned half = 0; half < (work.map.wide ? 2u : 1u); ++half) {
            const unsigned row = (half ? DstMap::low_half(physical) : physical) * state::columns;
            if (out.rows_suffice) {
                const unsigned first = column(std::countr_zero(active)), last = column(static_cast<int>(std::bit_width(active)) - 1);
                touch(row + first, last - first + 1);
                continue;
            }
            for (const unsigned lane : util::SetBits(active)) touch(row + column(static_cast<int>(lane)), 1);
        }
        if (write) out.write(Storage::dst_valid, physical);
    }
}

template <class Work>
std::string describe_dst(const Work& work) {
    const char* columns = work.odd == ~0u ? "odd" : work.odd ? "even and odd" : "even";
    return fmt::format("Dst {}, {} columns ({}-bit view)",
                       util::range_text("rows", work.dst_row, work.dst_row + lane_rows - 1), columns,
                       work.map.wide ? 32 : 16);
}

std::string describe_lanes(std::uint32_t mask) {
    return mask == ~0u ? std::string("all 32") : fmt::format("mask 0x{:08X}", mask);
}

}  // namespace

void footprint(const LoadLRegWork& work, Footprint& out) {
    touch_dst(work, false, out);
    for (unsigned i = 0; i < lane_rows; ++i) out.read(Storage::dst_valid, work.map.row(work.dst_row + i));
    util::for_each_run(work.index_lanes, [&](unsigned first, unsigned count) {
        out.write(Storage::lreg, index_of(work.lreg) * lanes + first, count);
    });
    // Modes that keep one half also read the register.
    util::for_each_run(work.lanes, [&](unsigned first, unsigned count) {
        out.read(Storage::lreg, work.lreg * lanes + first, count);
        out.write(Storage::lreg, work.lreg * lanes + first, count);
    });
}

void footprint(const StoreLRegWork& work, Footprint& out) {
    util::for_each_run(work.lanes,
                       [&](unsigned first, unsigned count) { out.read(Storage::lreg, work.lreg * lanes + first, count); });
    touch_dst(work, true, out);
}

void footprint(const ImmediateWork& work, Footprint& out) {
    util::for_each_run(work.lanes, [&](unsigned first, unsigned count) {
        if (work.keep) out.read(Storage::lreg, work.lreg * lanes + first, count);
        out.write(Storage::lreg, work.lreg * lanes + first, count);
    });
}

void explain(const LoadLRegWork& work, Lines& lines) {
    lines.emplace_back("from", describe_dst(work));
    lines.emplace_back("to", fmt::format("LReg {}", work.lreg));
    if (work.index_lanes) lines.emplace_back("its index to", fmt::format("LReg {}", index_of(work.lreg)));
    lines.emplace_back("lanes", describe_lanes(work.lanes));
}

void explain(const StoreLRegWork& work, Lines& lines) {
    lines.emplace_back("from", fmt::format("LReg {}", work.lreg));
    lines.emplace_back("to", describe_dst(work));
    lines.emplace_back("lanes", describe_lanes(work.lanes));
}

void explain(const ImmediateWork& work, Lines& lines) {
    lines.emplace_back("to", fmt::format("LReg {}", work.lreg));
    lines.emplace_back("value", fmt::format("0x{:08X}{}", work.value, work.keep ? ", the other half unchanged" : ""));
    lines.emplace_back("lanes", describe_lanes(work.lanes));
}

}  // namespace tessera::plan
