// SPDX-License-Identifier: Apache-2.0
#include "units/packer/streams.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "plan/plan.hpp"
#include "units/packer/output.hpp"
#include "units/packer/start.hpp"

namespace tessera::units::packer {

namespace {

constexpr std::uint32_t bytes_of(std::uint32_t start) { return (start & 0x1FFFF) << 4; }

plan::PackWork::Output output_now(const StateView& view, unsigned packer, const OutputCells& cells,
                                  std::uint32_t start) {
    if (view[nth(packer, cells.needs_address, 0)]) return {bytes_of(start), 0};
    return {view.place(nth(packer, cells.address, 0)),
            static_cast<std::uint8_t>(view[nth(packer, cells.filled, 0)] & 0xF)};
}

bool outside_l1(const StateView& view, plan::Plan& plan, std::uint32_t first, std::uint32_t bytes) {
    if (!bytes || view.in_l1(first, bytes)) return false;
    plan.fail(findings::id("pack.l1-address"), {first, bytes, view.arch().l1_bytes});
    return true;
}

bool move_output(const StateView& view, plan::Plan& plan, unsigned packer, const OutputCells& cells,
                 const plan::PackWork::Output& output, std::uint32_t bytes, bool ends, std::uint8_t& left) {
    const std::uint32_t written = output.written(bytes, ends);
    if (outside_l1(view, plan, output.address, written)) return false;
    plan.effect(nth(packer, cells.needs_address, 0), ends, plan::When::issue);
    left = static_cast<std::uint8_t>(plan.effects.size());
    plan.effect(nth(packer, cells.address, 0), output.address + (ends ? 0 : written), plan::When::issue);
    plan.effect(nth(packer, cells.filled, 0), output.left(bytes, ends), plan::When::issue);
    return true;
}

/// An output stream whose place changes when its plan is moved.
struct Moved {
    plan::PackWork::Output* output = nullptr;
    plan::CellEffect* effect = nullptr;  ///< its next position
    std::uint32_t written = 0;           ///< bytes
    std::uint32_t to = 0;                ///< address

    std::uint32_t distance() const { return to - output->address; }
};

using Left = plan::PackWork::Left;

// Null: there is none.
plan::CellEffect* effect_at(plan::Plan& plan, std::uint8_t place) {
    return place == Left::none ? nullptr : &plan.effects[place];
}

// The position depends on the packed data, so it is in the cells. The plan only has its bounds.
bool continue_compressed(const StateView& view, plan::Plan& plan, const PackerSetup& packer, bool begins,
                         std::uint32_t start, plan::PackWork::Stream& stream) {
    const unsigned i = stream.packer;
    const auto cell = [&](Packer item) { return nth(i, item, 0); };
    const std::uint32_t n = stream.packed(), bits = stream.conversion.datum_bits;
    const std::uint32_t growth = (n * bits + 7) / 8 + n / 2 + 4 * bits + 64;
    stream.zero_flags = packer.zero_flags;
    stream.reach_first = view[cell(Packer::reach_first)];
    stream.reach_end = view[cell(Packer::reach_end)];
    const auto latch = [&](const OutputCells& cells, plan::PackWork::Output& output, std::uint32_t at) {
        output = {bytes_of(at), 0, !view[cell(cells.needs_address)]};
        if (!output.in_cells) {
            stream.reach_first = std::min(stream.reach_first, output.address);
            stream.reach_end = std::max(stream.reach_end, output.address);
        }
        plan.effect(cell(cells.needs_address), stream.flush, plan::When::issue);
    };
    if (begins) stream.reach_first = ~0u, stream.reach_end = 0;
    latch(row_start_cells, stream.row_starts, start);
    start += packer.row_start_section;
    if (packer.has_exponent_section) {
        latch(exponent_cells, stream.exponents, start);
        start += packer.exponent_section;
    } else {
        stream.exponents.in_cells = true;
        if (stream.flush) plan.effect(cell(exponent_cells.needs_address), 1, plan::When::issue);
    }
    latch(data_cells, stream.data, start);
    stream.reach_end = (stream.reach_end + growth + 15) & ~15u;
    if (stream.reach_end < stream.reach_first ||
        !view.in_l1(stream.reach_first, stream.reach_end - stream.reach_first)) {
        plan.fail(findings::id("pack.compressed-reach"), {stream.reach_end, view.arch().l1_bytes});
        return false;
    }
    plan.effect(cell(Packer::reach_first), stream.reach_first, plan::When::issue);
    plan.effect(cell(Packer::reach_end), stream.reach_end, plan::When::issue);
    return true;
}

// A format of 16 bits or more leaves the exponents alone, unless it ends the streams.
bool continue_uncompressed(const StateView& view, plan::Plan& plan, const PackerSetup& packer, std::uint32_t start,
                           plan::PackWork::Stream& stream) {
    const unsigned i = stream.packer;
    const auto group = nth(i, Packer::group_filled, 0);
    if (stream.conversion.block)
        stream.grouped = static_cast<std::uint8_t>(view[group] & 0xF);
    else if (stream.flush && view[group])
        plan.note(findings::id("pack.group-dropped"), {view[group]});
    if (packer.has_exponent_section || (stream.flush && !view[nth(i, exponent_cells.needs_address, 0)])) {
        stream.exponents = output_now(view, i, exponent_cells, start);
        if (!move_output(view, plan, i, exponent_cells, stream.exponents, stream.exponent_bytes(), stream.flush,
                         stream.left.exponents))
            return false;
    }
    stream.data =
        output_now(view, i, data_cells, packer.has_exponent_section ? start + packer.exponent_section : start);
    if (stream.flush || stream.conversion.block) plan.effect(group, stream.ungrouped(), plan::When::issue);
    return move_output(view, plan, i, data_cells, stream.data, stream.data_bytes(), stream.flush, stream.left.data);
}

// False: the streams' accesses are adjacent, before or now, and cannot be told apart.
bool move_accesses(Resolved& kept, std::span<const Moved> moved) {
    if (std::all_of(moved.begin(), moved.end(),
                    [&](const Moved& each) { return each.distance() == moved[0].distance(); })) {
        if (!moved.empty()) kept.shift_l1(moved[0].distance());
        return true;
    }
    for (const Moved& each : moved)
        for (const Moved& other : moved)
            if (&each != &other && (each.to == other.output->address || each.to + each.written == other.to))
                return false;
    return std::all_of(moved.begin(), moved.end(),
                       [&](const Moved& each) { return kept.move_l1(each.output->address, each.written, each.to); });
}

// Moves the stream to its tile's present plane.
void move_plane(const StateView& view, plan::Plan& plan, plan::PackWork::Stream& stream) {
    if (stream.source != plan::PackWork::Source::dst || !stream.segments) return;
    const auto& walk = stream.edges.walk;
    const auto plane = walk.transposed ? &plan::TilePosition::y : &plan::TilePosition::z;
    const auto further =
        static_cast<std::uint8_t>(view.place(nth(stream.packer, plane_of(walk), 0)) - stream.segment[0].tile.*plane);
    if (!further) return;
    for (unsigned segment = 0; segment < stream.segments; ++segment)
        stream.segment[segment].tile.*plane = static_cast<std::uint8_t>(stream.segment[segment].tile.*plane + further);
    if (plan::CellEffect* const effect = effect_at(plan, stream.left.plane))
        effect->value = (effect->value + further) & 0xFF;
}

// The common case: a stream that continues where the last PACR ended. None for all other cases.
std::optional<bool> move_on(const StateView& view, plan::PackWork& work, Resolved& kept) {
    auto& stream = work.stream[0];
    if (work.streams != 1 || stream.compressed || stream.flush || stream.source == plan::PackWork::Source::l1 ||
        !kept.plan.findings.empty() || view[nth(stream.packer, data_cells.needs_address, 0)])
        return std::nullopt;
    if (stream.left.exponents != Left::none || stream.left.data == Left::none) return std::nullopt;
    plan::CellEffect& left = kept.plan.effects[stream.left.data];
    const std::uint32_t to = view.place(nth(stream.packer, data_cells.address, 0));
    const std::uint32_t written = left.value - stream.data.address, further = to - stream.data.address;
    if (written && !view.in_l1(to, written)) return false;
    left.value += further;
    stream.data.address = to;
    kept.shift_l1(further);
    move_plane(view, kept.plan, stream);
    return true;
}

}  // namespace

bool needs_start(const StateView& view, const PackerSetup& packer, unsigned i) {
    return view[nth(i, data_cells.needs_address, 0)] || packer.compress || view[nth(i, Packer::compressing, 0)] ||
           (packer.has_exponent_section && view[nth(i, exponent_cells.needs_address, 0)]);
}

bool continue_streams(const StateView& view, plan::Plan& plan, const PackerSetup& packer, std::uint32_t start,
                      plan::PackWork::Stream& stream) {
    const auto compressing = nth(stream.packer, Packer::compressing, 0);
    const bool begins = view[nth(stream.packer, data_cells.needs_address, 0)];
    stream.compressed = begins ? packer.compress : view[compressing];
    if (begins) plan.effect(compressing, stream.compressed, plan::When::issue);
    if (stream.compressed != packer.compress) plan.note(findings::id("pack.compression-changed"));
    if (!stream.compressed) return continue_uncompressed(view, plan, packer, start, stream);
    if (!packer.without_compression.empty()) {
        plan.fail(findings::id("pack.undefined"), {}, packer.without_compression);
        return false;
    }
    return continue_compressed(view, plan, packer, begins, start, stream);
}

bool move_streams(const StateView& view, unsigned context, plan::PackWork& work, Resolved& kept) {
    if (const auto moved = move_on(view, work, kept)) return *moved;
    plan::Plan& plan = kept.plan;
    InlineVector<Moved, 8> moved;
    for (unsigned s = 0; s < work.streams; ++s) {
        auto& stream = work.stream[s];
        const unsigned i = stream.packer;
        if (stream.compressed || stream.source == plan::PackWork::Source::l1) return false;
        // The begin of a stream may have a finding, too, if compression has changed.
        if (!plan.findings.empty() && wraps(destination(view, i, context))) return false;
        // Most streams continue, which reads no configuration.
        const auto begin = [&](bool data) -> std::optional<std::uint32_t> {
            if (wraps(destination(view, i, context))) return std::nullopt;
            std::unique_ptr<Setup> fresh;
            const Setup& setup = setup_of(view, context, fresh);
            const PackerSetup& packer = setup.packers[i];
            const std::uint32_t start = start_of(view, setup, i, context);
            return bytes_of(data && packer.has_exponent_section ? start + packer.exponent_section : start);
        };
        const auto add = [&](plan::PackWork::Output& output, plan::CellEffect* effect, const OutputCells& cells) {
            if (!effect) return true;
            const bool data = &output == &stream.data;
            // For a stream that continues, the address includes these bytes (move_output()).
            const std::uint32_t written =
                stream.flush ? output.written(data ? stream.data_bytes() : stream.exponent_bytes(), true)
                             : effect->value - output.address;
            Moved each{&output, effect, written};
            if (view[nth(i, cells.needs_address, 0)]) {
                const auto to = begin(data);
                if (!to) return false;
                each.to = *to;
            } else {
                each.to = view.place(nth(i, cells.address, 0));
            }
            if (written && !view.in_l1(each.to, written)) return false;
            moved.push_back(each);
            return true;
        };
        if (!add(stream.exponents, effect_at(plan, stream.left.exponents), exponent_cells) ||
            !add(stream.data, effect_at(plan, stream.left.data), data_cells))
            return false;
        // The distance between exponents and datums is checked by a rule, and decides how they are written.
        if (stream.conversion.block && moved[moved.size() - 1].distance() != moved[moved.size() - 2].distance())
            return false;
    }
    const bool apart = move_accesses(kept, {moved.begin(), moved.end()});
    for (const Moved& each : moved) {
        each.effect->value += each.distance();
        each.output->address = each.to;
    }
    for (unsigned s = 0; s < work.streams; ++s) move_plane(view, plan, work.stream[s]);
    if (!apart) kept.derive();
    return true;
}

}  // namespace tessera::units::packer
