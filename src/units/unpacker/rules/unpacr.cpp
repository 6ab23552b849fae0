// SPDX-License-Identifier: Apache-2.0
// UNPACR: from L1 to SrcA, SrcB, Dst (UNPACR_Regular, Functional model; names below are its own).
// Reference: reference/models/unpack.cpp.
#include <algorithm>

#include "findings/about_data.hpp"
#include "formats/layouts.hpp"
#include "units/slot_tables.hpp"
#include "units/unpacker/block_exponents.hpp"
#include "units/unpacker/input_place.hpp"
#include "units/unpacker/remarks.hpp"
#include "units/unpacker/row_starts.hpp"
#include "units/unpacker/stream_loops.hpp"

namespace tessera::units::unpacker {

namespace {

using registers::Field;
using registers::field;
using registers::fields;
using state::Adc;
using state::AdcUnit;
using state::Unpacker;

constexpr auto which_unpacker = isa::operand("UNPACR", "Unpack_block_selection");
constexpr auto addr_mode = isa::operand("UNPACR", "AddrMode");
constexpr auto increment_context = isa::operand("UNPACR", "CfgContextCntInc");
constexpr auto context_number = isa::operand("UNPACR", "CfgContextId");
constexpr auto context_adc = isa::operand("UNPACR", "AddrCntContextId");
constexpr auto multi_context = isa::operand("UNPACR", "OvrdThreadId");
constexpr auto flip_src = isa::operand("UNPACR", "SetDatValid");
constexpr auto bit5 = isa::operand("UNPACR", "srcb_bcast", "rareb_en");
constexpr auto all_zero = isa::operand("UNPACR", "ZeroWrite2");
constexpr auto use_context_counter = isa::operand("UNPACR", "AutoIncContextID");
constexpr auto row_search = isa::operand("UNPACR", "RowSearch");
constexpr auto flush_cache = isa::operand("UNPACR", "SearchCacheFlush");

constexpr auto context_offset = fields<2>("UNPACK_MISC_CFG_CfgContextOffset_#");
constexpr auto context_count_inc = fields<2>("UNPACK_MISC_CFG_CfgContextCntInc_#");
constexpr auto context_count = fields<2>("THCON_SEC#_REG2_Context_count");
constexpr auto context_count_non_log2 = fields<2>("THCON_SEC#_REG2_Context_count_non_log2");
constexpr auto context_count_non_log2_en = fields<2>("THCON_SEC#_REG2_Context_count_non_log2_en");
constexpr auto context_destination = fields<4>("THCON_SEC0_REG5_Dest_cntx#_address");

constexpr unsigned first_row = 4;  // of unpacker 0: output rows below it are before SrcA and Dst (spec-notes A14)
constexpr unsigned bank_datums = state::SrcBank::rows * state::columns;

constexpr unsigned broadcast_rows = 8;

const Setup& setup_of(const StateView& view, const Mode& mode, std::optional<Setup>& fresh) {
    const auto make = [&](const StateView& at) { return make_setup(at, mode); };
    if (!view.slots()) return fresh.emplace(make(view));
    const unsigned bank = view.bank();
    // A setup includes costs, and a core's next run may have another cost table.
    const std::uint32_t key = mode.which | mode.multi_context << 1 | mode.context << 2 | bank << 5 | view.thread << 6 |
                              static_cast<std::uint32_t>(view.costs.timing) << 8;
    return view.slots()->of<SlotTable<Setup, 64, SlotPlace::unpacker>>().get(
        key,
        stamp(view.generations(), view.thread, bank, mode.which ? state::Group::unpacker1 : state::Group::unpacker0,
              state::Group::packer, state::Group::unpacker0, state::Group::alu),
        view, make);
}

// The output address of the first datum, in datums.
std::optional<std::uint32_t> output_address(const StateView& view, const Mode& mode, const Setup& setup,
                                            plan::Plan& plan) {
    const auto unit = mode.which ? AdcUnit::unpacker1 : AdcUnit::unpacker0;
    auto counter = [&](Adc c) { return view[state::cells::adc(view.thread, unit, 1, c)]; };
    std::uint32_t address = setup.out_base + counter(Adc::y) * setup.y_stride + counter(Adc::z) * setup.z_stride +
                            counter(Adc::w) * setup.w_stride;
    if (address % setup.out_unit) {
        plan.fail(findings::id("unpack.out-address-misaligned"), {address, setup.out_unit});
        return std::nullopt;
    }
    address /= setup.out_unit;
    if (mode.multi_context && mode.which == 0) {
        const std::uint32_t context = view[context_destination[mode.context & 3]];
        address = setup.add_context_address ? address + context : context;
    }
    return address;
}

std::uint32_t src_row(const StateView& view, const Mode& mode) {
    return view[state::cells::unpacker(mode.which, Unpacker::src_row_t0, view.thread)];
}

std::uint8_t next_bank(const StateView& view, const Mode& mode) {
    return static_cast<std::uint8_t>(view[state::cells::unpacker(mode.which, Unpacker::next_bank)]);
}

// Notes rows of a source bank that no page defines. `last`: the last output position written.
void note_rows(const Mode& mode, const Setup& setup, const StateView& view, std::uint32_t last, plan::Plan& plan) {
    if (mode.which == 1) {
        const std::uint32_t last_row = last / 16 + src_row(view, mode);
        if (last_row >= state::SrcBank::rows && !view.blackhole()) plan.note(findings::id("unpack.srcb-row-wrap"), {last_row});
        return;
    }
    const std::uint32_t row = last / 16;
    if (!setup.set_row_from_address && row >= first_row + 16)
        plan.note(findings::id("unpack.srca-row-16"), {row - first_row});
    if (setup.set_row_from_address && row >= first_row + 64 && !view.blackhole())
        plan.note(findings::id("unpack.srca-row-64"), {row - first_row});
}

plan::DstDatums unpacked_datums(const Setup& setup) {
    using Numbers = plan::DstDatums::Numbers;
    plan::DstDatums datums{setup.dst_map.places(), Numbers::unknown};
    const bool integers =
        setup.out == DataFormat::Int32 || setup.out == DataFormat::UInt16 || setup.out == DataFormat::Int8;
    // Some pairs of the two kinds convert nothing.
    const bool narrows = setup.in == DataFormat::Float32;
    if (!integers && (narrows || formats::has_wide_exponent(setup.in) == formats::has_wide_exponent(setup.out)))
        datums.numbers = formats::has_wide_exponent(setup.out) ? Numbers::exponent_8 : Numbers::exponent_5;
    return datums;
}

// The kept datums, and the first one's place in its bank.
plan::UnpackWork to_bank(const StateView& view, const Mode& mode, const Setup& setup, std::uint32_t out,
                         const plan::UnpackInput& input, plan::Plan& plan) {
    plan::UnpackWork work;
    work.input = input;
    work.src = state::Src(mode.which);
    work.bank = next_bank(view, mode);
    if (input.count) note_rows(mode, setup, view, out + input.count - 1, plan);
    if (mode.which == 1) {
        work.position = static_cast<std::uint16_t>((out + src_row(view, mode) * 16) % bank_datums);
        return work;
    }
    const std::uint32_t dropped_until = first_row * 16;
    work.skip = std::min(input.count, dropped_until - std::min(out, dropped_until));
    const std::uint32_t first = out + work.skip - dropped_until;
    const std::uint32_t added = setup.set_row_from_address ? 0 : src_row(view, mode) * 16;
    work.position = static_cast<std::uint16_t>((first + added) % bank_datums);
    return work;
}

// All datums are kept: rows before the first wrap to the end of Dst (spec-notes A14).
plan::UnpackToDstWork to_dst(const StateView& view, const Mode& mode, const Setup& setup, std::uint32_t out,
                             const plan::UnpackInput& input, plan::Plan& plan) {
    plan::UnpackToDstWork work;
    work.input = input;
    work.first_row = static_cast<std::uint16_t>((out / 16 - first_row) % state::Dst::rows);
    work.row_mask = setup.dst_row_mask;
    work.column = out % 16;
    work.map = setup.dst_map;
    if (input.count) plan.note(findings::id("unpack.dst-clobbers-src-a"), {next_bank(view, mode)});
    return work;
}

plan::UnpackStreamWork to_stream(const StateView& view, const Mode& mode, const Setup& setup, std::uint32_t out,
                                 const Extent& extent, const PlacedStream& placed, bool broadcast, plan::Plan& plan) {
    using Target = plan::UnpackStreamWork::Target;
    plan::UnpackStreamWork work;
    work.input = placed.input;
    work.out = out;
    work.drop = extent.drop;
    work.kept = placed.kept;
    work.gap = setup.gap;
    work.fill_gaps = setup.fill_gaps;
    work.bank = next_bank(view, mode);
    work.column_shift = setup.column_shift;
    work.transpose = setup.transpose;
    work.target = setup.to_dst ? Target::dst : mode.which ? Target::src_b : Target::src_a;
    if (setup.to_dst) {
        work.row_mask = setup.dst_row_mask;
        work.map = setup.dst_map;
    } else if (!setup.set_row_from_address) {
        work.src_row = static_cast<std::uint8_t>(src_row(view, mode));
    }
    if (broadcast) work.copies = broadcast_rows;
    work.loop = plan::stream_loop(work);
    if (!work.kept) return work;
    if (setup.to_dst)
        plan.note(findings::id("unpack.dst-clobbers-src-a"), {work.bank});
    else
        note_rows(mode, setup, view, out + (work.kept - 1) * (work.gap + 1u) + (work.fill_gaps ? work.gap : 0), plan);
    return work;
}

// The counter wraps at the number of contexts, which includes its own offset (spec-notes A25).
void advance_context(const StateView& view, const Mode& mode, std::uint32_t context, plan::Plan& plan) {
    const unsigned u = mode.which;
    std::uint32_t limit = 1u << view[context_count[u]];
    if (view[context_count_non_log2_en[u]]) {
        limit = view[context_count_non_log2[u]];
        plan.note(findings::id("unpack.context-count-non-log2"), {limit});
    }
    const std::uint32_t next = (context + 1) & 7;
    plan.effect(state::cells::unpacker(u, Unpacker::context_counter_t0, view.thread), next >= limit ? 0 : next,
                plan::When::issue);
}

void advance_counters(const StateView& view, const Mode& mode, plan::Plan& plan) {
    const std::uint32_t increments = view[addr_mode];
    const auto unit = mode.which ? AdcUnit::unpacker1 : AdcUnit::unpacker0;
    const std::uint32_t z_mask = (1u << view.arch().adc_zw_bits) - 1;
    for (unsigned thread = 0; thread < state::threads; ++thread) {
        if (thread != view.thread && thread != mode.adc_thread) continue;
        for (unsigned channel = 0; channel < 2; ++channel) {
            auto add = [&](Adc c, std::uint32_t by, std::uint32_t mask) {
                if (!by) return;
                const auto cell = state::cells::adc(thread, unit, channel, c);
                plan.effect(cell, (view[cell] + by) & mask, plan::When::issue);
            };
            add(Adc::z, increments >> 4 * channel & 3, z_mask);
            add(Adc::y, increments >> (4 * channel + 2) & 3, 0x1FFF);
        }
    }
}

// None if there is no such context.
std::optional<Mode> mode_of(const StateView& view, plan::Plan& plan) {
    Mode mode;
    mode.which = static_cast<std::uint8_t>(view[which_unpacker]);
    mode.multi_context = view[multi_context];
    mode.row_search = view[row_search];
    mode.adc_thread = static_cast<std::uint8_t>(view.thread);
    if (!mode.multi_context) return mode;
    const std::uint32_t number =
        view[use_context_counter] ? view[state::cells::unpacker(mode.which, Unpacker::context_counter_t0, view.thread)]
                                  : view[context_number];
    mode.context = (number + view[context_offset[mode.which]]) & 7;
    mode.adc_thread = static_cast<std::uint8_t>(view[context_adc]);
    if (mode.adc_thread == state::threads) {
        plan.fail(findings::id("unpack.context-adc-3"));
        return std::nullopt;
    }
    if (mode.which == 1 && mode.context >= 2) plan.note(findings::id("unpack.unpacker1-context"), {mode.context});
    return mode;
}

// Bit 5 has a meaning on Blackhole only, and for SrcB only (spec-notes A57).
bool broadcasts(const StateView& view, const Mode& mode, plan::Plan& plan) {
    if (!view[bit5]) return false;
    const bool broadcast = view.arch().unpacks_broadcast && mode.which == 1;
    plan.note(broadcast ? findings::id("unpack.srcb-broadcast") : findings::id("unpack.bit5-ignored"));
    return broadcast;
}

// A contiguous copy has loops of its own.
bool is_plain(const Setup& setup) {
    return !setup.compressed && !setup.tilize && !setup.gap && !setup.transpose && !setup.column_shift;
}

// A fault hides later ones; this reports those that can be found without the first.
void report_more_faults(const StateView& view, const Mode& mode, const Setup& setup, const plan::Plan& plan) {
    const auto report = [&](const plan::Plan& other) {
        if (other.fault && other.fault->id != plan.fault->id) view.listener()->add_fault(*other.fault);
    };
    plan::Plan input, output;
    const std::uint64_t tile = tile_address(view, mode, setup, input);
    const auto extent = extent_of(view, mode, setup, tile, input);
    if (extent && setup.convert) place_stream(view, setup, tile, *extent, view[all_zero], input);
    report(input);
    if (setup.convert) output_address(view, mode, setup, output);
    report(output);
}

void resolve_checked(const StateView& view, const Mode& mode, const Setup& setup, plan::Plan& plan) {
    for (const auto& finding : setup.findings)
        if (!view[all_zero] || !findings::is_about_data(finding.id))
            plan.note(finding.id, finding.values, finding.detail);
    const bool broadcast = broadcasts(view, mode, plan), zeros = view[all_zero];

    const std::uint64_t tile = tile_address(view, mode, setup, plan);
    const auto extent = extent_of(view, mode, setup, tile, plan);
    if (!extent) return;
    if (view.listener()) report_input(mode, setup, tile, *extent, *view.listener());
    const bool stream = zeros || broadcast || !is_plain(setup) || wraps(setup, tile, *extent);
    std::optional<PlacedInput> input;
    std::optional<PlacedStream> pieces;
    if (stream)
        pieces = place_stream(view, setup, tile, *extent, zeros, plan);
    else
        input = place_input(view, setup, tile, *extent, plan);
    if (plan.fault) return;
    pieces ? note_exponents(view, setup, pieces->input, plan) : note_exponents(view, setup, input->input, plan);

    const auto out = output_address(view, mode, setup, plan);
    if (!out) return;
    if (mode.multi_context && (view[use_context_counter] || view[context_count_inc[mode.which]])) {
        if (!view[use_context_counter]) plan.note(findings::id("unpack.context-count-inc"));
        advance_context(view, mode, mode.context, plan);
    }
    advance_counters(view, mode, plan);
    hand_over(view, plan, mode.which, pieces ? pieces->kept : input->input.count, view[flip_src], setup);
    if (pieces)
        plan.work = to_stream(view, mode, setup, *out, *extent, *pieces, broadcast, plan);
    else if (setup.to_dst)
        plan.work = to_dst(view, mode, setup, *out, input->input, plan);
    else
        plan.work = to_bank(view, mode, setup, *out, input->input, plan);
    if (setup.to_dst) plan.dst_datums = unpacked_datums(setup);

    const auto& cost = view.costs.unpack;
    auto& transfer = plan.cost.transfer = setup.throttle.transfer;
    const std::uint64_t bytes = pieces ? pieces->bytes : input->bytes;
    if (view.listener()) report_output(view, mode, setup, *out, plan.work, *view.listener());
    plan.cost.address = static_cast<std::uint16_t>(cost.address_cycles + cost.row_start_cycles * extent->row_starts);
    transfer.bytes = transfer.alone ? static_cast<std::uint32_t>(bytes) : 0;
    const std::uint32_t fetches =
        transfer.alone ? std::max<std::uint32_t>((transfer.bytes + transfer.alone - 1) / transfer.alone, 1) : 0;
    plan.cost.occupancy = fetches + (fetches ? cost.drain : 0);
    plan.cost.latency = fetches + cost.pipeline;
    if (view.listener()) report_speed(view, mode, setup, plan.cost, *extent, *view.listener());
}

void resolve_regular(const StateView& view, plan::Plan& plan) {
    const auto mode = mode_of(view, plan);
    if (!mode) return;
    std::optional<Setup> fresh;
    const Setup& setup = setup_of(view, *mode, fresh);
    if (view.listener()) report_setup(view, *mode, setup, *view.listener());
    plan.fault = setup.fault;
    if (!plan.fault) resolve_checked(view, *mode, setup, plan);
    if (plan.fault && view.listener()) report_more_faults(view, *mode, setup, plan);
}

void resolve_unpacr(const StateView& view, plan::Plan& plan) {
    Mode mode;
    mode.which = static_cast<std::uint8_t>(view[which_unpacker]);
    plan.pipes = bit(mode.which ? plan::Pipe::unpacker1 : plan::Pipe::unpacker0);
    if (view[flush_cache]) return flush_row_starts(view, mode.which, view[multi_context], plan);
    if (view[increment_context])
        return advance_context(
            view, mode, view[state::cells::unpacker(mode.which, Unpacker::context_counter_t0, view.thread)], plan);
    resolve_regular(view, plan);
}

// The distance of the present tile from the plan's, if only its base has changed and no address wraps. Lines are
// counted from 0.
std::optional<std::uint32_t> further_by_base(const StateView& view, std::span<const std::uint32_t> before,
                                             const Resolved& kept) {
    std::uint32_t lines = 0;
    for (const plan::CellBits& each : kept.captures->places) {
        const std::uint32_t then = before.front(), now = view[state::Cell(each.cell)] & each.mask;
        before = before.subspan(1);
        if (now == then) continue;
        const bool is_base = state::cells::config_block.contains(state::Cell(each.cell)) && each.mask == ~0u;
        if (!is_base || now > view.arch().l1_bytes) return std::nullopt;
        lines = now - then;
    }
    return lines * state::L1::line_bytes;
}

std::optional<plan::UnpackInput> placed_anew(const StateView& view, const plan::UnpackInput& before) {
    plan::Plan remarks;
    const auto mode = mode_of(view, remarks);
    std::optional<Setup> fresh;
    const Setup& setup = setup_of(view, *mode, fresh);
    if (setup.fifo) return std::nullopt;
    remarks.findings.clear();
    const std::uint64_t tile = tile_address(view, *mode, setup, remarks);
    const auto extent = extent_of(view, *mode, setup, tile, remarks);
    const auto placed = extent ? place_input(view, setup, tile, *extent, remarks) : std::nullopt;
    if (!placed || !remarks.findings.empty() || placed->input.phase != before.phase) return std::nullopt;
    return placed->input;
}

// Null: of no work that reads tiles.
plan::UnpackInput* input_of(plan::Plan& plan) {
    if (auto* const to_bank = std::get_if<plan::UnpackWork>(&plan.work)) return &to_bank->input;
    auto* const to_dst = std::get_if<plan::UnpackToDstWork>(&plan.work);
    return to_dst ? &to_dst->input : nullptr;
}

bool move_unpacr(const StateView& view, std::span<const std::uint32_t> before, Resolved& kept) {
    plan::UnpackInput* const of_plan = input_of(kept.plan);
    if (!of_plan) return false;
    plan::UnpackInput& input = *of_plan;
    const bool sections = input.exponent_source == plan::Exponents::section;
    if (const auto further = further_by_base(view, before, kept)) {
        const std::uint32_t begin = input.phase * input.datum_bits / 8u;
        const std::uint32_t end = ((input.phase + input.count) * input.datum_bits + 7) / 8;
        if (!input.count) return true;
        if (!view.in_l1(input.address + *further + begin, end - begin)) return false;
        input.address += *further;
        if (sections) input.exponents += *further;
        kept.shift_l1(*further);
        return true;
    }
    const auto placed = placed_anew(view, input);
    if (!placed) return false;
    const std::uint32_t further = placed->address - input.address;
    const bool together = !sections || placed->exponents - input.exponents == further;
    input = *placed;
    if (together)
        kept.shift_l1(further);
    else
        kept.derive();
    return true;
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("UNPACR"), resolve_unpacr, {}, move_unpacr},
};

}  // namespace

std::span<const Behaviour> unpacr_rules() { return behaviours; }

std::optional<DataFormat> input_format(const StateView& view) {
    if (!view.instruction.is(isa::mnemonic("UNPACR"))) return std::nullopt;
    plan::Plan remarks;
    const auto mode = mode_of(view, remarks);
    return mode ? std::optional(input_format(view, *mode)) : std::nullopt;
}

}  // namespace tessera::units::unpacker
