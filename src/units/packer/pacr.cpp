// SPDX-License-Identifier: Apache-2.0
// PACR: from Dst to L1 (Packers, Input and Output address generator; PACR of both architectures; spec-notes C5, E12, H13).
#include "units/packer/packer.hpp"

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
constexpr auto addr_cnt_context = isa::operand("PACR", "AddrCntContext");
constexpr auto dst_access_mode = isa::operand("PACR", "DstAccessMode");
constexpr auto row_pad_zero = isa::operand("PACR", "RowPadZero");
constexpr auto cfg_context = isa::operand("PACR", "CfgContext");

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

std::optional<std::string_view> missing_form(const Look& look) {
    if (look[ctxt_ctrl] || look[addr_cnt_context] || look[cfg_context]) return "PACR with contexts";
    if (look.blackhole() && look[ovrd_thread_id]) return "PACR with OvrdThreadId on Blackhole";
    if (look[dst_access_mode]) return "PACR with strided Dst access";
    if (look[row_pad_zero]) return "PACR with RowPadZero";
    return std::nullopt;
}

const Setup& setup_of(const Look& look, Setup& fresh) {
    auto make = [&] { return make_setup(look); };
    if (!look.slots()) return fresh = make();
    const unsigned bank = look.bank();
    return look.slots()->pack.get(bank | look.thread << 1,
                                  stamp(look.generations(), look.thread, bank, state::Group::alu, state::Group::packer),
                                  make);
}

struct Counters {
    const Look& look;
    unsigned thread;

    std::uint32_t operator()(unsigned channel, Adc c) const {
        return look[state::cells::adc(thread, AdcUnit::packers, channel, c)];
    }
};

// First datum in Dst, counted from Dst's start.
std::uint32_t dst_datum(const Setup& setup, const PackerSetup& packer, const Counters& counter) {
    const std::uint32_t x = counter(0, Adc::x);
    const std::uint32_t bytes = setup.in_base + x * setup.in_x_stride + counter(0, Adc::y) * setup.in_y_stride +
                                counter(0, Adc::z) * setup.in_z_stride + counter(0, Adc::w) * setup.in_w_stride;
    const std::uint32_t mask = packer.x_mask;
    const std::uint32_t datum = ((bytes / packer.address_bytes) & ~mask) + (x & mask) + (packer.dst_offset << 4);
    return datum & 0x3FFF;
}

// Where the streams would begin, in units of 16 bytes of L1. The counters move it by bytes on Blackhole and by steps of 16
// units on Wormhole (spec-notes E12).
std::uint32_t l1_start(const Look& look, const Setup& setup, const PackerSetup& packer, const Counters& counter) {
    const std::uint32_t yzw = setup.out_base + counter(1, Adc::y) * setup.out_y_stride +
                              counter(1, Adc::z) * setup.out_z_stride + counter(1, Adc::w) * setup.out_w_stride;
    const std::uint32_t start = packer.l1_address + (look.blackhole() ? yzw >> 4 : yzw & ~0xFu);
    return start > packer.limit ? start - packer.fifo : start;
}

// Gives the segments their tile positions, and moves the packer's on. Blackhole's page counts the rows, not the datums, and
// steps over the limit (spec-notes H12).
void advance_tile_position(const Look& look, plan::Plan& plan, plan::PackWork::Stream& stream) {
    auto cell = [&](Packer item) { return state::cells::packer(stream.packer, item); };
    auto now = [&](Packer item) { return static_cast<std::uint8_t>(look[cell(item)]); };
    const auto& walk = stream.edges.walk;
    plan::TilePosition tile{static_cast<std::uint8_t>(now(Packer::tile_x) & 0xF), now(Packer::tile_y),
                            now(Packer::tile_z)};
    for (unsigned s = 0; s < stream.segments; ++s) {
        stream.segment[s].tile = tile;
        if (look.blackhole()) {
            stream.segment[s].tile.x = 0;
            ++tile.y;
        } else {
            tile.advance(stream.segment[s].count, walk);
        }
    }
    if (look.blackhole() && stream.segments && tile.y == walk.rows_per_plane) tile.y = 0;
    auto set = [&](Packer item, std::uint32_t value) {
        if (value != look[cell(item)]) plan.effect(cell(item), value, plan::When::issue);
    };
    set(Packer::tile_x, tile.x);
    set(Packer::tile_y, tile.y);
    set(Packer::tile_z, tile.z);
}

void advance_counters(const Look& look, plan::Plan& plan, const Counters& counter) {
    const unsigned i = look[addr_mode];
    const std::uint32_t z_mask = (1u << look.arch().adc_zw_bits) - 1;
    auto set = [&](unsigned channel, Adc c, std::uint32_t value) {
        if (value != counter(channel, c))
            plan.effect(state::cells::adc(counter.thread, AdcUnit::packers, channel, c), value, plan::When::issue);
    };
    auto advance_y = [&](unsigned channel, std::uint32_t clear, std::uint32_t cr, std::uint32_t incr) {
        if (clear) {
            set(channel, Adc::y, 0);
            set(channel, Adc::y_cr, 0);
        } else if (cr) {
            const std::uint32_t value = (counter(channel, Adc::y_cr) + incr) & 0x1FFF;
            set(channel, Adc::y_cr, value);
            set(channel, Adc::y, value);
        } else {
            set(channel, Adc::y, (counter(channel, Adc::y) + incr) & 0x1FFF);
        }
    };
    auto advance_z = [&](unsigned channel, std::uint32_t clear, std::uint32_t incr) {
        if (clear) {
            set(channel, Adc::z, 0);
            set(channel, Adc::z_cr, 0);
        } else {
            set(channel, Adc::z, (counter(channel, Adc::z) + incr) & z_mask);
        }
    };
    advance_y(0, look[y_src_clear[i]], look[y_src_cr[i]], look[y_src_incr[i]]);
    advance_z(0, look[z_src_clear[i]], look[z_src_incr[i]]);
    advance_y(1, look[y_dst_clear[i]], look[y_dst_cr[i]], look[y_dst_incr[i]]);
    advance_z(1, look[z_dst_clear[i]], look[z_dst_incr[i]]);
}

// The segments of Dst that one packer takes; false when the plan has failed.
bool choose_segments(const Look& look, plan::Plan& plan, const Counters& counter, std::uint32_t first,
                     plan::PackWork::Stream& stream) {
    if (look[flush]) return true;
    const std::uint32_t x_start = counter(0, Adc::x), x_end = counter(1, Adc::x);
    if (x_end + 1 < x_start) {
        plan.fail(findings::id("pack.count-negative"), {x_end, x_start});
        return false;
    }
    const std::uint32_t count = x_end + 1 - x_start;
    if (!look.blackhole()) {
        if (count > 0x4000) {
            plan.not_implemented("PACR of more datums than Dst has");
            return false;
        }
        stream.segments = 1;
        stream.segment[0] = {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(count), {}};
        return true;
    }
    if (first % 16 + count > 16) {
        plan.fail(findings::id("pack.x-range"), {x_start, x_end});
        return false;
    }
    const std::uint32_t mask = look[which] ? look[which] : 0xF;
    if ((mask << (first / 16 & 3)) > 0xF) plan.note(findings::id("pack.interface-group"), {mask, first / 16});
    for (unsigned i = 0; i < 4; ++i) {
        if (!(mask >> i & 1)) continue;
        stream.segment[stream.segments++] = {
            static_cast<std::uint16_t>((first + i * 16) & 0x3FFF), static_cast<std::uint16_t>(count), {}};
    }
    return true;
}

/// The cells of a packer that say where an output stream stands.
struct OutputCells {
    state::Cell needs_address, address, filled;
};
OutputCells output_cells(unsigned packer, Packer needs_address, Packer address, Packer filled) {
    return {state::cells::packer(packer, needs_address), state::cells::packer(packer, address),
            state::cells::packer(packer, filled)};
}

plan::PackWork::Output output_now(const Look& look, const OutputCells& cells, std::uint32_t start) {
    if (look[cells.needs_address]) return {(start & 0x1FFFF) << 4, 0};
    return {look[cells.address], static_cast<std::uint8_t>(look[cells.filled] & 0xF)};
}

bool move_output(const Look& look, plan::Plan& plan, const OutputCells& cells, const plan::PackWork::Output& output,
                 std::uint32_t bytes, bool ends) {
    const std::uint32_t written = output.written(bytes, ends);
    if (written && !look.state().l1.contains(output.address, written)) {
        plan.fail(findings::id("pack.l1-address"), {output.address, written, look.arch().l1_bytes});
        return false;
    }
    plan.effect(cells.needs_address, ends, plan::When::issue);
    plan.effect(cells.address, output.address + (ends ? 0 : written), plan::When::issue);
    plan.effect(cells.filled, output.left(bytes, ends), plan::When::issue);
    return true;
}

// Latches the addresses of streams that the PACR before has ended, and moves them on; false when the plan has failed. A
// format of 16 bits or more leaves the exponents alone, unless it ends the streams.
bool continue_streams(const Look& look, plan::Plan& plan, const PackerSetup& packer, std::uint32_t start,
                      plan::PackWork::Stream& stream) {
    const OutputCells data =
        output_cells(stream.packer, Packer::data_needs_address, Packer::data_address, Packer::data_filled);
    const OutputCells exponents =
        output_cells(stream.packer, Packer::exp_needs_address, Packer::exp_address, Packer::exp_filled);
    const auto group = state::cells::packer(stream.packer, Packer::group_filled);
    stream.flush = look[last] || look[flush];
    if (stream.conversion.block)
        stream.grouped = static_cast<std::uint8_t>(look[group] & 0xF);
    else if (stream.flush && look[group])
        plan.note(findings::id("pack.group-dropped"), {look[group]});
    const bool with_exponents = packer.has_exponent_section || (stream.flush && !look[exponents.needs_address]);
    if (with_exponents) {
        stream.exponents = output_now(look, exponents, start);
        if (!move_output(look, plan, exponents, stream.exponents, stream.exponent_bytes(), stream.flush)) return false;
    }
    stream.data = output_now(look, data, packer.has_exponent_section ? start + packer.exponent_section : start);
    if (stream.flush || stream.conversion.block) plan.effect(group, stream.ungrouped(), plan::When::issue);
    return move_output(look, plan, data, stream.data, stream.data_bytes(), stream.flush);
}

void add_blocks(plan::DstBlocks& blocks, const plan::DstMap& map, const plan::PackWork::Stream& stream) {
    for (unsigned s = 0; s < stream.segments; ++s) {
        const auto& segment = stream.segment[s];
        for (unsigned row = segment.datum / 16; row <= (segment.datum + segment.count - 1u) / 16; ++row) {
            blocks.add_row(map.row(row));
            if (map.wide) blocks.add_row(plan::DstMap::low_half(map.row(row)));
        }
    }
}

}  // namespace

void resolve_pacr(const Look& look, plan::Plan& plan) {
    if (const auto missing = missing_form(look)) return plan.not_implemented(*missing);
    Setup fresh;
    const Setup& setup = setup_of(look, fresh);
    if (setup.fault) {
        plan.fault = setup.fault;
        return;
    }

    std::uint32_t packers = 1;
    if (!look.blackhole()) {
        packers = look[which] ? look[which] : 1;
        if (packers & (packers - 1) && packers != 3 && packers != 12 && packers != 15)
            plan.note(findings::id("pack.packer-mask"), {packers});
    }

    if (setup.negative_threshold) plan.note(findings::id("pack.relu-threshold"));

    plan::PackWork work;
    work.map = setup.map;
    work.zeros = look[zero_write];
    work.edge_masks = setup.edge_masks;
    std::uint8_t threads_to_advance = 0;
    std::uint32_t most_datums = 0, most_bytes = 0;
    for (unsigned i = 0; i < look.arch().packers; ++i) {
        if (!(packers >> i & 1)) continue;
        const PackerSetup& packer = setup.packers[i];
        if (packer.fault) {
            plan.fault = packer.fault;
            return;
        }
        unsigned thread = look.thread;
        if (look[ovrd_thread_id]) thread = packer.adc_override == 3 ? 0 : packer.adc_override;
        const Counters counter{look, thread};
        threads_to_advance |= static_cast<std::uint8_t>(1u << thread);

        auto& stream = work.stream[work.streams++];
        stream.packer = static_cast<std::uint8_t>(i);
        stream.conversion = packer.conversion;
        stream.edges = packer.edges;
        const std::uint32_t first = work.zeros ? 0 : dst_datum(setup, packer, counter);
        if (!choose_segments(look, plan, counter, first, stream)) return;
        if (!continue_streams(look, plan, packer, l1_start(look, setup, packer, counter), stream)) return;
        if (!work.zeros) {
            advance_tile_position(look, plan, stream);
            add_blocks(plan.dst_reads, work.map, stream);
        }
        plan.pipes |= bit(plan::Pipe(static_cast<unsigned>(plan::Pipe::packer0) + i));
        most_datums = std::max(most_datums, stream.datums());
        most_bytes = std::max(most_bytes, stream.data_bytes());
    }
    for (unsigned thread = 0; thread < state::threads; ++thread)
        if (threads_to_advance >> thread & 1) advance_counters(look, plan, Counters{look, thread});

    const auto& cost = look.costs.pack;
    if (cost.bytes_per_cycle) {
        plan.cost.occupancy =
            static_cast<std::uint16_t>(std::max({1u, (most_bytes + cost.bytes_per_cycle - 1) / cost.bytes_per_cycle,
                                                 (most_datums + cost.datums_per_cycle - 1) / cost.datums_per_cycle}));
        plan.cost.latency = static_cast<std::uint16_t>(plan.cost.occupancy + cost.pipeline);
    }
    plan.work = work;
}

}  // namespace tessera::units::packer
