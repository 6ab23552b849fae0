// SPDX-License-Identifier: Apache-2.0
// Footprint and description of transfers between LRegs and Dst, and of immediates.
#include <fmt/format.h>

#include "plan/work.hpp"
#include "state/state.hpp"
#include "units/vector/dst_places.hpp"
#include "util/range_text.hpp"

namespace tessera::plan {

namespace {

using units::vector::index_of, units::vector::lane_rows, units::vector::row_lanes;

constexpr unsigned lanes = state::LRegs::lanes;

// Calls f(lane, physical row, column) for each active lane.
template <class Work, class F>
void for_each_lane(const Work& work, F&& f) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(work.lanes >> lane & 1)) continue;
        f(lane, work.map.row(work.dst_row + lane / row_lanes), lane % row_lanes * 2 + (work.odd >> lane & 1));
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
    for_each_lane(work, [&](unsigned lane, unsigned row, unsigned column) {
        out.read(Storage::dst, row * state::columns + column);
        if (work.map.wide) out.read(Storage::dst, DstMap::low_half(row) * state::columns + column);
        out.write(Storage::lreg, work.lreg * lanes + lane);
    });
    for (unsigned lane = 0; lane < lanes; ++lane)
        if (work.index_lanes >> lane & 1) out.write(Storage::lreg, index_of(work.lreg) * lanes + lane);
    for (unsigned i = 0; i < lane_rows; ++i) out.read(Storage::dst_valid, work.map.row(work.dst_row + i));
    // Modes that keep one half also read the register.
    for (unsigned lane = 0; lane < lanes; ++lane)
        if (work.lanes >> lane & 1) out.read(Storage::lreg, work.lreg * lanes + lane);
}

void footprint(const StoreLRegWork& work, Footprint& out) {
    for_each_lane(work, [&](unsigned lane, unsigned row, unsigned column) {
        out.read(Storage::lreg, work.lreg * lanes + lane);
        out.write(Storage::dst, row * state::columns + column);
        if (work.map.wide) out.write(Storage::dst, DstMap::low_half(row) * state::columns + column);
        out.write(Storage::dst_valid, row);
    });
}

void footprint(const ImmediateWork& work, Footprint& out) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(work.lanes >> lane & 1)) continue;
        if (work.keep) out.read(Storage::lreg, work.lreg * lanes + lane);
        out.write(Storage::lreg, work.lreg * lanes + lane);
    }
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
