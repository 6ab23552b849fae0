// SPDX-License-Identifier: Apache-2.0
// PACR: from Dst to L1 (Packers, Input and Output address generator; PACR of both architectures; spec-notes C5, E12,
// H13).
//
// Loops: direct_loops.cpp; reference: reference/models/pack.cpp.
#include <algorithm>

#include "units/behaviour.hpp"
#include "units/packer/config_rules.hpp"
#include "units/packer/remarks.hpp"
#include "units/packer/start.hpp"
#include "units/packer/streams.hpp"
#include "units/resolved.hpp"
#include "units/slot_tables.hpp"

namespace tessera::units::packer {

namespace {

using registers::fields;
using state::Adc;
using state::AdcUnit;
using state::Packer;

constexpr auto last = isa::operand("PACR", "Last");
constexpr auto flush = isa::operand("PACR", "Flush");
constexpr auto which = isa::operand("PACR", "ReadIntfSel", "PackSel");
constexpr auto ovrd_thread_id = isa::operand("PACR", "OvrdThreadId");
constexpr auto zero_write = isa::operand("PACR", "ZeroWrite");
constexpr auto addr_mode = isa::operand("PACR", "AddrMode");
constexpr auto ctxt_ctrl = isa::operand("PACR", "CtxtCtrl");
constexpr auto dst_access_mode = isa::operand("PACR", "DstAccessMode");
constexpr auto row_pad_zero = isa::operand("PACR", "RowPadZero");
constexpr auto cfg_context = isa::operand("PACR", "CfgContext");
constexpr auto concat = isa::operand("PACR", "Concat");
constexpr auto acc_stats = registers::field("ENABLE_ACC_STATS_Enable");

constexpr auto y_src_incr = fields<4>("ADDR_MOD_PACK_SEC#_YsrcIncr");
constexpr auto y_src_cr = fields<4>("ADDR_MOD_PACK_SEC#_YsrcCR");
constexpr auto y_src_clear = fields<4>("ADDR_MOD_PACK_SEC#_YsrcClear");
constexpr auto y_dst_incr = fields<4>("ADDR_MOD_PACK_SEC#_YdstIncr");
constexpr auto y_dst_cr = fields<4>("ADDR_MOD_PACK_SEC#_YdstCR");
constexpr auto y_dst_clear = fields<4>("ADDR_MOD_PACK_SEC#_YdstClear");
constexpr auto z_src_incr = fields<4>("ADDR_MOD_PACK_SEC#_ZsrcIncr");
constexpr auto z_src_clear = fields<4>("ADDR_MOD_PACK_SEC#_ZsrcClear");
constexpr auto z_dst_incr = fields<4>("ADDR_MOD_PACK_SEC#_ZdstIncr");
constexpr auto z_dst_clear = fields<4>("ADDR_MOD_PACK_SEC#_ZdstClear");

// Notes modes that the pages do not describe in full (spec-notes E37, E38).
void note_decided(const StateView& view, plan::Plan& plan) {
    const auto decided = [&](std::string_view what) { plan.note(findings::id("pack.decided"), {}, what); };
    if (view[ctxt_ctrl] || view[cfg_context]) decided("a context");
    if (view.blackhole() && view[ovrd_thread_id]) decided("OvrdThreadId on Blackhole");
    if (view[row_pad_zero]) decided("RowPadZero");
}

using Position = std::array<std::uint32_t, 4>;

struct Counters {
    const StateView& view;
    unsigned thread;

    std::uint32_t operator()(unsigned channel, Adc c) const {
        return view[state::cells::adc(thread, AdcUnit::packers, channel, c)];
    }
    /// X, Y, Z and W.
    Position of(unsigned channel) const {
        return {(*this)(channel, Adc::x), (*this)(channel, Adc::y), (*this)(channel, Adc::z), (*this)(channel, Adc::w)};
    }
};

// The first datum, counted from Dst's start; for a source in L1 its byte address.
std::uint32_t first_input(const Setup& setup, const PackerSetup& packer, const Position& at) {
    const auto& [x, y, z, w] = at;
    const std::uint32_t bytes =
        setup.in_base + x * setup.in_x_stride + y * setup.in_y_stride + z * setup.in_z_stride + w * setup.in_w_stride;
    const std::uint32_t mask = packer.x_mask;
    if (packer.from_l1)
        return (((packer.l1_source + (bytes & 0x3FFFF)) & ~0xFu) + packer.address_bytes * (x & mask)) & 0x1FFFFF;
    const std::uint32_t datum = ((bytes / packer.address_bytes) & ~mask) + (x & mask) + (packer.dst_offset << 4);
    return datum & 0x3FFF;
}

// Sets the segments' tile positions, and advances the packer's. Blackhole's page counts rows, not datums, and steps
// over the limit (spec-notes H12). Only edge masks depend on the plane.
void advance_tile_position(const StateView& view, plan::Plan& plan, plan::PackWork::Stream& stream) {
    const auto cell = [&](Packer item) { return state::cells::packer(stream.packer, item); };
    const auto& walk = stream.edges.walk;
    const auto now = [&](Packer item) {
        constexpr std::uint32_t mask = 0xFF;
        const std::uint32_t value = item != plane_of(walk) ? view[cell(item)]
                                    : stream.edges.masked  ? view.place(cell(item))
                                                           : view.count(cell(item), mask);
        return static_cast<std::uint8_t>(value);
    };
    const plan::TilePosition before{now(Packer::tile_x), now(Packer::tile_y), now(Packer::tile_z)};
    plan::TilePosition tile = before;
    tile.x &= 0xF;
    auto& row = walk.transposed ? tile.z : tile.y;
    for (unsigned s = 0; s < stream.segments; ++s) {
        stream.segment[s].tile = tile;
        if (view.blackhole()) {
            stream.segment[s].tile.x = 0;
            ++row;
        } else {
            tile.advance(stream.segment[s].count, walk);
        }
    }
    if (view.blackhole() && stream.segments && row == walk.rows_per_plane) {
        row = 0;
        ++(walk.transposed ? tile.y : tile.z);
    }
    const auto set = [&](Packer item, std::uint8_t old, std::uint8_t value) {
        if (value == old) return;
        if (item == plane_of(walk)) stream.left.plane = static_cast<std::uint8_t>(plan.effects.size());
        plan.effect(cell(item), value, plan::When::issue);
    };
    set(Packer::tile_x, before.x, tile.x);
    set(Packer::tile_y, before.y, tile.y);
    set(Packer::tile_z, before.z, tile.z);
}

/// An address modifier's changes to the counters of one channel.
struct Advance {
    bool y_clear = false, y_cr = false, z_clear = false;
    std::uint16_t y_incr = 0, z_incr = 0;
};
/// By channel.
using AddrMod = std::array<Advance, 2>;
using AddrMods = SlotTable<AddrMod, 16, SlotPlace::packer_address_modifiers>;

AddrMod make_addr_mod(const StateView& view, unsigned i) {
    const auto increment = [&](const registers::Field& field) { return static_cast<std::uint16_t>(view[field]); };
    return {{{view[y_src_clear[i]] != 0, view[y_src_cr[i]] != 0, view[z_src_clear[i]] != 0, increment(y_src_incr[i]),
              increment(z_src_incr[i])},
             {view[y_dst_clear[i]] != 0, view[y_dst_cr[i]] != 0, view[z_dst_clear[i]] != 0, increment(y_dst_incr[i]),
              increment(z_dst_incr[i])}}};
}

AddrMod look_at_addr_mod(const StateView& view, unsigned i) {
    if (!view.slots()) return make_addr_mod(view, i);
    using state::Group;
    return view.slots()->of<AddrMods>().get(view.thread | i << 2,
                                            stamp(view.generations(), view.thread, 0, Group::none, Group::none), view,
                                            [&](const StateView& at) { return make_addr_mod(at, i); });
}

void advance_counters(const StateView& view, plan::Plan& plan, const Counters& counter) {
    const std::uint32_t z_mask = (1u << view.arch().adc_zw_bits) - 1;
    auto set = [&](unsigned channel, Adc c, std::uint32_t value) {
        if (value != counter(channel, c))
            plan.effect(state::cells::adc(counter.thread, AdcUnit::packers, channel, c), value, plan::When::issue);
    };
    const AddrMod mod = look_at_addr_mod(view, view[addr_mode]);
    for (unsigned channel = 0; channel < mod.size(); ++channel) {
        const Advance& how = mod[channel];
        if (how.y_clear) {
            set(channel, Adc::y, 0);
            set(channel, Adc::y_cr, 0);
        } else if (how.y_cr) {
            const std::uint32_t value = (counter(channel, Adc::y_cr) + how.y_incr) & 0x1FFF;
            set(channel, Adc::y_cr, value);
            set(channel, Adc::y, value);
        } else if (how.y_incr) {
            set(channel, Adc::y, (counter(channel, Adc::y) + how.y_incr) & 0x1FFF);
        }
        if (how.z_clear) {
            set(channel, Adc::z, 0);
            set(channel, Adc::z_cr, 0);
        } else if (how.z_incr) {
            set(channel, Adc::z, (counter(channel, Adc::z) + how.z_incr) & z_mask);
        }
    }
}

// Blackhole's read interfaces in use. The last PACR of a plane may take the remaining rows (spec-notes E39).
std::uint32_t interfaces(const StateView& view, plan::Plan& plan, const PackerSetup& packer) {
    const std::uint32_t mask = view[which] ? view[which] : 0xF;
    if (!packer.last_interfaces) return mask;
    plan.note(findings::id("pack.decided"), {}, "Auto_set_last_pacr_intf_sel");
    const auto& walk = packer.edges.walk;
    const std::uint32_t row = view[state::cells::packer(0, walk.transposed ? Packer::tile_z : Packer::tile_y)];
    const std::uint32_t remaining = walk.rows_per_plane - row;
    return remaining >= 1 && remaining <= 3 ? (1u << remaining) - 1 : mask;
}

plan::PackWork::Padding padding(const StateView& view) {
    const bool when[] = {false, true, !view[concat], view[last] != 0};
    if (!when[view[row_pad_zero] & 3]) return plan::PackWork::Padding::none;
    return view[row_pad_zero] & 4 ? plan::PackWork::Padding::end : plan::PackWork::Padding::rows;
}

// One packer's segments of Dst, or of its replacement.
void choose_segments(const StateView& view, const Issued& issued, plan::PackWork::Stream& stream) {
    const std::uint32_t count = issued.out[0] + 1 - issued.in[0];
    if (!issued.blackhole) {
        stream.segments = 1;
        stream.segment[0] = {static_cast<std::uint16_t>(issued.first), count, {}};
        return;
    }
    const std::uint32_t step = issued.strided ? 256 : 16;
    for (unsigned i = 0; i < 4; ++i) {
        if (!(issued.interfaces >> i & 1)) continue;
        stream.segment[stream.segments++] = {static_cast<std::uint16_t>((issued.first + i * step) & 0x3FFF), count, {}};
    }
    stream.padding = padding(view);
}

// One packer's part of the plan; false if the plan has failed.
bool resolve_packer(const StateView& view, plan::Plan& plan, const Setup& setup, unsigned i, const Counters& counter,
                    plan::PackWork::Stream& stream) {
    const PackerSetup& packer = setup.packers[i];
    stream.packer = static_cast<std::uint8_t>(i);
    stream.thread = static_cast<std::uint8_t>(view.thread);
    stream.conversion = packer.conversion;
    stream.edges = packer.edges;
    stream.flush = view[last] || view[flush];
    stream.last = view[last];
    stream.header = packer.header;
    stream.keep = packer.keep;
    stream.ends_row = stream.flush || !view[concat];
    if (setup.shift_by_z && !packer.from_l1) {
        stream.conversion.shift = descale_shift(view, counter(0, Adc::z));
        plan.note(findings::id("pack.decided"), {}, "INT_DESCALE_Mode");
    }
    using Source = plan::PackWork::Source;
    stream.source = view[zero_write] ? Source::zeros : packer.from_l1 ? Source::l1 : Source::dst;
    const Position in = counter.of(0);
    const Position out = judges_outputs(packer) ? counter.of(1) : Position{counter(1, Adc::x)};
    const std::uint32_t first = first_input(setup, packer, in);
    const bool begins = needs_start(view, packer, i);
    const Issued issued = {setup,
                           packer,
                           view.blackhole(),
                           view[dst_access_mode] != 0,
                           in,
                           out,
                           stream.source == Source::dst ? first : 0,
                           view.blackhole() && !view[flush] ? interfaces(view, plan, packer) : 0,
                           &stream,
                           begins ? destination(view, i, view[cfg_context]) : 0};
    if (!view[flush]) {
        if (!judge(Moment::ranges, issued, plan)) return false;
        choose_segments(view, issued, stream);
    }
    if (stream.source == Source::l1) {
        stream.l1_source = first;
        const std::uint32_t bytes = stream.datums() * packer.conversion.source_bytes;
        if (bytes && !view.in_l1(first, bytes)) {
            plan.fail(findings::id("pack.l1-source"), {first, bytes, view.arch().l1_bytes});
            return false;
        }
    }
    const std::uint32_t start = begins || view.listener() ? start_of(view, setup, i, view[cfg_context]) : 0;
    if (!continue_streams(view, plan, packer, start, stream)) return false;
    if (stream.source == Source::dst) advance_tile_position(view, plan, stream);
    if (view.listener()) report_streams(view, setup, stream, issued.interfaces, start, *view.listener());
    return judge(Moment::streams, issued, plan);
}

// Notes masks that replace everything: either on purpose, or never set.
void note_masked(const PackerSetup& packer, const plan::PackWork& work, const plan::PackWork::Stream& stream,
                 plan::Plan& plan) {
    if (!packer.all_masked || stream.source != plan::PackWork::Source::dst || !stream.segments) return;
    const auto& sets = stream.edges.row_set;
    const bool set_0_alone = std::all_of(sets.begin(), sets.end(), [](std::uint8_t set) { return set == 0; });
    if (set_0_alone && work.edge_masks == plan::PackWork::EdgeMasks{})
        return plan.note(findings::id("pack.edge-mask-unset"));
    plan.note(findings::id("pack.edge-mask-set"), {sets[0], stream.packer});
}

bool counts_histogram(const StateView& view) {
    const auto& at = acc_stats[view.arch().arch];
    bool enabled = false;
    for (unsigned thread = 0; thread < state::threads; ++thread)
        enabled |= at.extract(view[state::cells::thread_config(thread, at.addr32)]) != 0;
    return enabled;
}

// The amount of data moved. For compressed output: all datums and counters, as for uncompressed output.
PackTransfer transfer(const plan::PackWork::Stream& stream) {
    PackTransfer result;
    result.datums = stream.source == plan::PackWork::Source::dst ? stream.datums() : 0;
    if (stream.source == plan::PackWork::Source::l1)
        result.source_lines = (stream.datums() * stream.conversion.source_bytes + 15) / 16;
    if (stream.compressed)
        result.lines = (stream.data_bytes() + stream.exponent_bytes() + stream.packed() / 2 + 15) / 16;
    else
        result.lines = (stream.data.written(stream.data_bytes(), stream.flush) +
                        stream.exponents.written(stream.exponent_bytes(), stream.flush)) /
                       16;
    result.accumulates = stream.conversion.accumulate != nullptr;
    return result;
}

void add_blocks(plan::DstBlocks& blocks, const plan::DstMap& map, const plan::PackWork::Stream& stream) {
    for (unsigned s = 0; s < stream.segments; ++s) {
        const auto& segment = stream.segment[s];
        if (!segment.count) continue;
        if (segment.count >= 0x4000) return blocks.add_all();
        for (unsigned row = segment.datum / 16; row <= (segment.datum + segment.count - 1u) / 16; ++row) {
            blocks.add_row(map.row(row));
            if (map.wide) blocks.add_row(plan::DstMap::low_half(map.row(row)));
        }
    }
}

void resolve_pacr(const StateView& view, plan::Plan& plan) {
    std::unique_ptr<Setup> fresh;
    const Setup& setup = setup_of(view, view[cfg_context], fresh);
    std::uint32_t packers = 1;
    if (!view.blackhole()) {
        packers = view[which] ? view[which] : 1;
        if (packers & (packers - 1) && packers != 3 && packers != 12 && packers != 15)
            plan.note(findings::id("pack.packer-mask"), {packers});
    }
    if (setup.negative_threshold) plan.note(findings::id("pack.relu-threshold"));
    if (setup.stochastic) plan.note(findings::id("rounding.stochastic-undocumented"));
    note_decided(view, plan);

    auto& work = plan.work.emplace<plan::PackWork>();
    work.map = setup.map;
    work.edge_masks = setup.edge_masks;
    const bool histogram = counts_histogram(view);
    std::uint8_t threads_to_advance = 0;
    PackCost::Speed slowest;
    for (unsigned i = 0; i < view.arch().packers; ++i) {
        if (!(packers >> i & 1)) continue;
        const PackerSetup& packer = setup.packers[i];
        const unsigned thread = thread_of_counters(view, packer);
        if (view.listener()) report_setup(view, setup, i, view[cfg_context], thread, *view.listener());
        if (packer.fault) {
            plan.fault = packer.fault;
            break;
        }
        threads_to_advance |= static_cast<std::uint8_t>(1u << thread);

        auto& stream = work.stream[work.streams++];
        if (!resolve_packer(view, plan, setup, i, {view, thread}, stream)) break;
        for (const auto& note : packer.notes) plan.note(note.id, note.values, note.detail);
        note_masked(packer, work, stream, plan);
        if (stream.source == plan::PackWork::Source::dst) {
            stream.histogram = histogram;
            if (packer.direct.rows) choose_direct(packer.direct, work.map, stream);
            add_blocks(plan.dst_reads, work.map, stream);
        }
        plan.pipes |= bit(plan::Pipe(static_cast<unsigned>(plan::Pipe::packer0) + i));
        if (view.listener()) report_speed(view, transfer(stream), i, *view.listener());
        const auto speed = view.costs.pack.speed(transfer(stream));
        if (2 * speed.cycles + speed.half > 2 * slowest.cycles + slowest.half) slowest = speed;
    }
    if (plan.fault) {
        plan.work = plan::NoWork();
        return;
    }
    for (unsigned thread = 0; thread < state::threads; ++thread)
        if (threads_to_advance >> thread & 1) advance_counters(view, plan, Counters{view, thread});

    if (!view.costs.completes_at_issue) {
        plan.cost.occupancy = static_cast<std::uint16_t>(std::min(0xFFF0u, slowest.cycles));
        plan.cost.half = slowest.half;
        plan.cost.latency = static_cast<std::uint16_t>(plan.cost.occupancy + view.costs.pack.pipeline);
    }
}

bool move_pacr(const StateView& view, std::span<const std::uint32_t>, Resolved& kept) {
    auto* const work = std::get_if<plan::PackWork>(&kept.plan.work);
    return work && move_streams(view, view[cfg_context], *work, kept);
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("PACR"), resolve_pacr, {1, 1, {"Packers, Instructions: at most one started per cycle"}}, move_pacr},
};

}  // namespace

std::span<const Behaviour> pacr_rules() { return behaviours; }

}  // namespace tessera::units::packer
