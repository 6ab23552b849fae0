// SPDX-License-Identifier: Apache-2.0
// UNPACR: from L1 to SrcA, SrcB, Dst (UNPACR_Regular, Functional model; names below are its own).
#include "formats/datum_size.hpp"
#include "units/unpacker/unpacker.hpp"

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
constexpr auto base_address = fields<2>("THCON_SEC#_REG3_Base_address");
constexpr auto offset_address = fields<2>("THCON_SEC#_REG7_Offset_address");
constexpr auto context_destination = fields<4>("THCON_SEC0_REG5_Dest_cntx#_address");
constexpr std::array<std::array<Field, 3>, 2> context_offset_address = {
    fields<3>("THCON_SEC0_REG7_Offset_cntx#_address", 1), fields<3>("THCON_SEC1_REG7_Offset_cntx#_address", 1)};

constexpr unsigned first_row = 4;  // of unpacker 0: output rows below it are before SrcA and Dst (spec-notes A14)
constexpr unsigned bank_datums = state::SrcBank::rows * state::columns;

std::optional<std::string_view> missing_form(const Look& look) {
    if (look[flush_cache]) return "UNPACR that flushes the row start cache";
    if (look[increment_context]) return "UNPACR that increments the context counter";
    if (look[all_zero]) return "UNPACR of zeros";
    if (look[use_context_counter]) return "UNPACR with the context counter";
    if (look[row_search]) return "UNPACR with row search";
    if (look[bit5]) return look.blackhole() ? "UNPACR with SrcB broadcast" : "UNPACR with rareb_en";
    return std::nullopt;
}

// L1 address of the tile in units of 16 bytes: of context 0, or of one of the seven others.
std::uint32_t tile_address(const Look& look, const Mode& mode) {
    const unsigned u = mode.which;
    if (!mode.multi_context || mode.context == 0) return look[base_address[u]] + (look[offset_address[u]] & 0xFFFF);
    const std::uint32_t offset =
        mode.context & 3 ? look[context_offset_address[u][(mode.context & 3) - 1]] : look[offset_address[u]];
    return look.word(base_address[u], mode.context) + (offset & 0xFFFF);
}

const Setup& setup_of(const Look& look, const Mode& mode, Setup& fresh) {
    auto make = [&] { return make_setup(look, mode); };
    if (!look.slots()) return fresh = make();
    const unsigned bank = look.bank();
    const std::uint32_t key = mode.which | mode.multi_context << 1 | mode.context << 2 | bank << 5 | look.thread << 6;
    return look.slots()->unpack.get(
        key,
        stamp(look.generations(), look.thread, bank, mode.which ? state::Group::unpacker1 : state::Group::unpacker0,
              state::Group::packer, state::Group::unpacker0, state::Group::alu),
        make);
}

// Where datums and exponents are; the bytes of datums. Exponents lie before their datums, so they are in L1 with them.
std::uint64_t place_input(const Look& look, const Setup& setup, std::uint64_t tile, std::uint64_t first_datum,
                          plan::UnpackInput& input, plan::Plan& plan) {
    // A block begins with a byte; datums of other formats do by themselves.
    const bool blocks = setup.exponents != plan::UnpackInput::Exponents::none;
    const std::uint64_t phase = blocks ? first_datum % formats::block_datums : 0, origin = first_datum - phase;
    const std::uint64_t address = tile + setup.exponent_bytes + origin * setup.datum_bits / 8;
    const std::uint64_t begin = phase * setup.datum_bits / 8;
    const std::uint64_t end = ((phase + input.count) * setup.datum_bits + 7) / 8;
    const std::uint64_t bytes = input.count ? end - begin : 0;
    if (!bytes) return 0;
    if (!look.state().l1.contains(address + begin, bytes)) {
        plan.fail(findings::id("unpack.l1-address"), {static_cast<std::uint32_t>(address + begin),
                                                      static_cast<std::uint32_t>(bytes), look.arch().l1_bytes});
        return 0;
    }
    input.address = static_cast<std::uint32_t>(address);
    input.phase = static_cast<std::uint8_t>(phase);
    if (setup.exponents == plan::UnpackInput::Exponents::section)
        input.exponents = static_cast<std::uint32_t>(tile + origin / formats::block_datums);
    return bytes;
}

// Where the first datum goes, in datums from the start of the output address space.
std::optional<std::uint32_t> output_address(const Look& look, const Mode& mode, const Setup& setup, plan::Plan& plan) {
    const auto unit = mode.which ? AdcUnit::unpacker1 : AdcUnit::unpacker0;
    auto counter = [&](Adc c) { return look[state::cells::adc(look.thread, unit, 1, c)]; };
    std::uint32_t address = setup.out_base + counter(Adc::y) * setup.y_stride + counter(Adc::z) * setup.z_stride +
                            counter(Adc::w) * setup.w_stride;
    if (address % setup.out_unit) {
        plan.fail(findings::id("unpack.out-address-misaligned"), {address, setup.out_unit});
        return std::nullopt;
    }
    address /= setup.out_unit;
    if (mode.multi_context && mode.which == 0) {
        const std::uint32_t context = look[context_destination[mode.context & 3]];
        address = setup.add_context_address ? address + context : context;
    }
    return address;
}

// Which datums are kept and where the first of them lands in its bank.
plan::UnpackWork to_bank(const Look& look, const Mode& mode, const Setup& setup, std::uint32_t out,
                         const plan::UnpackInput& input, plan::Plan& plan) {
    plan::UnpackWork work;
    work.input = input;
    work.src = state::Src(mode.which);
    work.bank = plan.banks[0].bank;
    const std::uint32_t src_row = look[state::cells::unpacker(mode.which, Unpacker::src_row_t0, look.thread)];
    const std::uint32_t last = out + input.count - 1;
    if (mode.which == 1) {
        const std::uint32_t last_row = last / 16 + src_row;
        if (input.count && last_row >= 64) plan.note(findings::id("unpack.srcb-row-wrap"), {last_row});
        work.position = static_cast<std::uint16_t>((out + src_row * 16) % bank_datums);
        return work;
    }
    const std::uint32_t dropped_until = first_row * 16;
    if (out < dropped_until) work.skip = std::min(input.count, dropped_until - out);
    const std::uint32_t first = out + work.skip - dropped_until;
    if (work.skip < input.count) {
        const std::uint32_t last_row = (last - dropped_until) / 16;
        if (!setup.set_row_from_address && last_row >= 16) plan.note(findings::id("unpack.srca-row-16"), {last_row});
        if (setup.set_row_from_address && last_row >= 64 && !look.blackhole())
            plan.note(findings::id("unpack.srca-row-64"), {last_row});
    }
    work.position = static_cast<std::uint16_t>((first + (setup.set_row_from_address ? 0 : src_row * 16)) % bank_datums);
    return work;
}

// All datums are kept: rows before the first wrap to the end of Dst (spec-notes A14).
plan::UnpackToDstWork to_dst(const Setup& setup, std::uint32_t out, const plan::UnpackInput& input, plan::Plan& plan) {
    plan::UnpackToDstWork work;
    work.input = input;
    work.first_row = static_cast<std::uint16_t>((out / 16 - first_row) % state::Dst::rows);
    work.row_mask = setup.dst_row_mask;
    work.column = out % 16;
    work.map = setup.dst_map;
    if (input.count) plan.note(findings::id("unpack.dst-clobbers-src-a"), {plan.banks[0].bank});
    return work;
}

void advance_counters(const Look& look, const Mode& mode, unsigned which_adc, plan::Plan& plan) {
    const std::uint32_t increments = look[addr_mode];
    const auto unit = mode.which ? AdcUnit::unpacker1 : AdcUnit::unpacker0;
    const std::uint32_t z_mask = (1u << look.arch().adc_zw_bits) - 1;
    for (unsigned thread = 0; thread < state::threads; ++thread) {
        if (thread != look.thread && thread != which_adc) continue;
        for (unsigned channel = 0; channel < 2; ++channel) {
            auto add = [&](Adc c, std::uint32_t by, std::uint32_t mask) {
                if (!by) return;
                const auto cell = state::cells::adc(thread, unit, channel, c);
                plan.effect(cell, (look[cell] + by) & mask, plan::When::issue);
            };
            add(Adc::z, increments >> 4 * channel & 3, z_mask);
            add(Adc::y, increments >> (4 * channel + 2) & 3, 0x1FFF);
        }
    }
}

}  // namespace

void resolve_unpacr(const Look& look, plan::Plan& plan) {
    if (const auto missing = missing_form(look)) return plan.not_implemented(*missing);

    Mode mode;
    mode.which = static_cast<std::uint8_t>(look[which_unpacker]);
    mode.multi_context = look[multi_context];
    unsigned which_adc = look.thread;
    if (mode.multi_context) {
        mode.context = (look[context_number] + look[context_offset[mode.which]]) & 7;
        which_adc = look[context_adc];
        if (which_adc == 3) return plan.fail(findings::id("unpack.context-adc-3"));
        if (mode.which == 1 && mode.context >= 2) plan.note(findings::id("unpack.unpacker1-context"), {mode.context});
        if (look[context_count_inc[mode.which]]) return plan.not_implemented("UNPACR with the context counter");
    }

    Setup fresh;
    const Setup& setup = setup_of(look, mode, fresh);
    if (setup.fault) {
        plan.fault = setup.fault;
        return;
    }
    for (const auto& finding : setup.findings) plan.findings.push_back(finding);

    plan::UnpackInput input;
    input.convert = setup.convert;
    input.datum_bits = setup.datum_bits;
    input.exponent_source = setup.exponents;
    input.shared_exponent = setup.shared_exponent;

    const auto unit = mode.which ? AdcUnit::unpacker1 : AdcUnit::unpacker0;
    auto xy = [&](unsigned channel, Adc c) { return look[state::cells::adc(which_adc, unit, channel, c)]; };
    auto zw = [&](Adc c) { return look[state::cells::adc(look.thread, unit, 0, c)] & 0xFF; };  // spec-notes A29
    const std::uint32_t x_start = xy(0, Adc::x), x_end = xy(1, Adc::x) + 1;
    if (x_end < x_start) return plan.fail(findings::id("unpack.count-negative"), {x_end - 1, x_start});
    input.count = x_end - x_start;

    const std::uint64_t first_datum =
        ((std::uint64_t{zw(Adc::w)} * setup.z_dim + zw(Adc::z)) * setup.y_dim + xy(0, Adc::y)) * setup.x_dim + x_start;
    const std::uint64_t tile = (std::uint64_t{tile_address(look, mode)} + 1 + setup.digest_size) * 16;
    const std::uint64_t bytes = place_input(look, setup, tile, first_datum, input, plan);
    if (plan.fault) return;

    const auto out = output_address(look, mode, setup, plan);
    if (!out) return;
    advance_counters(look, mode, which_adc, plan);
    hand_over(look, plan, mode.which, look[flip_src], setup);
    if (setup.to_dst)
        plan.work = to_dst(setup, *out, input, plan);
    else
        plan.work = to_bank(look, mode, setup, *out, input, plan);

    plan.pipes = bit(mode.which ? plan::Pipe::unpacker1 : plan::Pipe::unpacker0);
    const auto& cost = look.costs.unpack;
    const std::uint32_t rate = cost.rate(setup.throttle, setup.datum_bits, setup.to_dst);
    plan.cost.address = cost.address_cycles;
    plan.cost.occupancy = static_cast<std::uint16_t>(rate ? std::max<std::uint64_t>(1, (bytes + rate - 1) / rate) : 0);
    plan.cost.latency = static_cast<std::uint16_t>(plan.cost.occupancy + cost.pipeline);
}

}  // namespace tessera::units::unpacker
