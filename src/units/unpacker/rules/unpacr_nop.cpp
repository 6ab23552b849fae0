// SPDX-License-Identifier: Apache-2.0
// UNPACR_NOP in all its forms (its pages; spec-notes A61 to A64, A80, A81, C4), which differ between the architectures.
// Reference: reference/models/unpacr_nop.cpp.
#include "formats/layouts.hpp"
#include "isa/form.hpp"
#include "isa/values/unpacker.hpp"
#include "state/mmio.hpp"
#include "units/tile_registers.hpp"
#include "units/unpacker/unpacker.hpp"

namespace tessera::units::unpacker {

namespace {

using isa::form_operand;
using registers::field;
using registers::fields;
using state::Src;
using state::Unpacker;

constexpr auto which_unpacker = isa::operand("UNPACR_NOP", "Unpacker_Select", "Unpack_block_selection");
constexpr auto all_banks = form_operand("UNPACR_NOP", "clear", "Bank_Clr_Ctrl", "BothBanks");
constexpr auto wait_like_unpacr = form_operand("UNPACR_NOP", "clear", "Stall_Clr_Cntrl", "WaitLikeUnpacr");
constexpr auto clear_value = form_operand("UNPACR_NOP", "clear", "Src_ClrVal_Ctrl", "NegativeInf");
constexpr auto clear_format = form_operand("UNPACR_NOP", "clear", "Clr_to1_fmt_Ctrl");
constexpr auto set_dvalid = form_operand("UNPACR_NOP", "clear", "Set_Dvalid");
constexpr auto pop_stream = form_operand("UNPACR_NOP", "explicit-pop", "Stream_Id");
constexpr auto pop_count = form_operand("UNPACR_NOP", "explicit-pop", "Msg_Clr_Cnt");
constexpr auto address_select = form_operand("UNPACR_NOP", "set-register", "AddrSelHi", "AddrSel");
constexpr auto address_select_low = form_operand("UNPACR_NOP", "set-register", "AddrSelLo");
constexpr auto address_middle = form_operand("UNPACR_NOP", "set-register", "AddrMid");
constexpr auto register_value = form_operand("UNPACR_NOP", "set-register", "Value11");
constexpr auto accumulate = form_operand("UNPACR_NOP", "set-register", "Accumulate");

constexpr auto out_format = fields<2>("THCON_SEC#_REG2_Out_data_format");
constexpr auto clear_immediate = fields<2>("UNP#_NOP_REG_CLR_VAL_nop_reg_clr_val");
constexpr auto stream_to_pop = fields<2>("NOC_OVERLAY_MSG_CLEAR_StreamId_#");
constexpr std::array src_set_base = {field("SRCA_SET_Base"), field("SRCB_SET_Base")};

enum class Value : std::uint32_t {
    zero = isa::value(isa::values::clear_values, "zero"),
    negative_infinity = isa::value(isa::values::clear_values, "neg_inf"),
    one = isa::value(isa::values::clear_values, "one"),
    immediate = isa::value(isa::values::clear_values, "imm")
};

// 1.0 of FP16, of BF16 and TF32, of integer "8"; format 3 is another form.
constexpr std::uint32_t ones[] = {15u << 23, 127u << 23, 16u << 23 | 1u << 13};

std::uint32_t value_to_write(const StateView& view, plan::Plan& plan, unsigned which) {
    switch (Value(view[clear_value])) {
        case Value::zero: return 0;
        case Value::negative_infinity:
            return which == 0 || view.blackhole() ? formats::src_negative_infinity : 0;  // spec-notes A62
        case Value::one: plan.note(findings::id("unpack.clear-value"), {}, "one"); return ones[view[clear_format]];
        case Value::immediate: break;
    }
    plan.note(findings::id("unpack.clear-value"), {}, "an immediate");
    return formats::src_from_stored(view[clear_immediate[which]] & 0x7FFFF);
}

void hand_over_bank(const StateView& view, plan::Plan& plan, unsigned which) {
    flip_bank(view, plan, which, view[src_set_base[which]], DataFormat(view[out_format[which]]));
}

void clear(const StateView& view, plan::Plan& plan, unsigned which) {
    const unsigned bank = view[state::cells::unpacker(which, Unpacker::next_bank)];
    // Waits until the unpackers own the unpacker's own bank, or the matrix unit's current one.
    const unsigned waited = view[wait_like_unpacr] ? bank : view[state::cells::matrix_bank(Src(which))];
    plan.banks.push_back({Src(which), static_cast<std::uint8_t>(waited), state::Owner::unpackers, true});
    // The other form begins when the matrix unit has no bank: spec-notes A63.
    if (view[all_banks] && view[wait_like_unpacr]) plan.note(findings::id("unpack.both-banks"));
    plan::FillWork work;
    work.banks[which] = static_cast<std::uint8_t>(view[all_banks] ? 3 : 1u << bank);
    work.value[which] = value_to_write(view, plan, which);
    plan.work = work;
    if (view[set_dvalid]) hand_over_bank(view, plan, which);
}

// A count means that the word names the stream; the written value is 1 in any case.
void pop(const StateView& view, plan::Plan& plan, unsigned which, bool named) {
    plan.note(findings::id("unpack.nop-unsupported"), {}, "clears a message of a stream");
    const std::uint32_t stream = named && view[pop_count] ? view[pop_stream] : view[stream_to_pop[which]];
    plan.effect(state::cells::stream_data_clear(stream), 1, plan::When::start);
}

void set_register(const StateView& view, plan::Plan& plan, unsigned which) {
    plan.note(findings::id("unpack.nop-unsupported"), {}, "writes a register of the tile");
    const std::uint32_t select =
        view.blackhole() ? view[address_select] << 1 | view[address_select_low] : view[address_select];
    const std::uint32_t base = view[state::cells::set_reg_base(select)];
    const std::uint32_t address = state::mmio::base + base + (view[address_middle] << 12);
    std::uint32_t value = view[register_value];
    if (view[accumulate]) {
        const auto sum = state::cells::unpacker(which, Unpacker::setreg_acc);
        const bool restart = value == 0;
        value = restart ? 0 : (view[sum] + value) & 0x1FFFF;
        plan.effect(sum, value, plan::When::issue);
        if (restart) return;
    }
    write_tile_register(view, plan, address, value, "UNPACR_NOP");
}

void resolve_unpacr_nop(const StateView& view, plan::Plan& plan) {
    const unsigned which = view[which_unpacker];
    plan.pipes = bit(which ? plan::Pipe::unpacker1 : plan::Pipe::unpacker0);
    const std::string_view form = isa::form_of(view.instruction)->name;
    if (form == "clear") return clear(view, plan, which);
    if (form == "set-dvalid") return hand_over_bank(view, plan, which);
    if (form == "pop" || form == "explicit-pop") return pop(view, plan, which, form == "explicit-pop");
    if (form == "set-register") return set_register(view, plan, which);
    if (form == "unspecified") plan.note(findings::id("unpack.nop-mode"), {view.instruction.word & 7});
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("UNPACR_NOP"),
     resolve_unpacr_nop,
     {1, 1, {"UNPACR_NOP (Nop): occupies the unpacker for one cycle"}}},
};

}  // namespace

std::span<const Behaviour> unpacr_nop_rules() { return behaviours; }

}  // namespace tessera::units::unpacker
