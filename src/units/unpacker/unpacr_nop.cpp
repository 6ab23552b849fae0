// SPDX-License-Identifier: Apache-2.0
// UNPACR_NOP: set-dvalid and clear (spec-notes C4). The encodings of the two architectures differ.
#include "formats/layouts.hpp"
#include "units/unpacker/unpacker.hpp"

namespace tessera::units::unpacker {

namespace {

using registers::field;
using registers::fields;

constexpr auto which_unpacker = isa::operand("UNPACR_NOP", "Unpacker_Select", "Unpack_block_selection");
// Blackhole
constexpr auto pop = isa::operand("UNPACR_NOP", "Unpack_Pop");
constexpr auto clear_value = isa::operand("UNPACR_NOP", "Src_ClrVal_Ctrl");
constexpr auto clear_all_banks = isa::operand("UNPACR_NOP", "Bank_Clr_Ctrl");
constexpr auto wait_like_unpacr = isa::operand("UNPACR_NOP", "Stall_Clr_Cntrl");
constexpr auto clear_format = isa::operand("UNPACR_NOP", "Clr_to1_fmt_Ctrl");
constexpr auto set_dvalid = isa::operand("UNPACR_NOP", "Set_Dvalid");
// Wormhole
constexpr auto no_op = isa::operand("UNPACR_NOP", "NoOp");

constexpr auto out_format = fields<2>("THCON_SEC#_REG2_Out_data_format");
constexpr std::array src_set_base = {field("SRCA_SET_Base"), field("SRCB_SET_Base")};

/// What the instruction asks for, in either encoding.
struct Request {
    bool clear = false;
    bool flip = false;
    bool all_banks = false;
    bool wait_for_unpack_bank = false;  ///< else: until the matrix unit's bank is not valid
    std::uint32_t value = 0;
};

std::optional<Request> blackhole_request(const Look& look, plan::Plan& plan) {
    if (look[pop] != 1) {
        plan.not_implemented("UNPACR_NOP other than clear and set-dvalid");
        return std::nullopt;
    }
    Request request;
    if (look[clear_format] == 3) {
        request.flip = true;
        return request;
    }
    if (look[clear_value] >= 2) {
        plan.not_implemented("UNPACR_NOP that clears to one or to an immediate");
        return std::nullopt;
    }
    request.clear = true;
    request.value = look[clear_value] ? formats::src_negative_infinity : 0;
    request.all_banks = look[clear_all_banks];
    request.wait_for_unpack_bank = look[wait_like_unpacr];
    request.flip = look[set_dvalid];
    return request;
}

std::optional<Request> wormhole_request(const Look& look, plan::Plan& plan) {
    const std::uint32_t mode = look[no_op];
    Request request;
    if ((mode & 7) == 7) {
        request.flip = true;
        return request;
    }
    if ((mode & 3) != 1) {
        plan.not_implemented("UNPACR_NOP other than clear and set-dvalid");
        return std::nullopt;
    }
    request.clear = true;
    request.value = (mode & 4) && look[which_unpacker] == 0 ? formats::src_negative_infinity : 0;
    request.all_banks = mode & 8;
    request.wait_for_unpack_bank = mode & 16;
    return request;
}

}  // namespace

void resolve_unpacr_nop(const Look& look, plan::Plan& plan) {
    const auto request = look.blackhole() ? blackhole_request(look, plan) : wormhole_request(look, plan);
    if (!request) return;
    const unsigned which = look[which_unpacker];
    const auto src = state::Src(which);
    const unsigned bank = look[state::cells::unpacker(which, state::Unpacker::next_bank)];
    plan.pipes = bit(which ? plan::Pipe::unpacker1 : plan::Pipe::unpacker0);

    if (request->clear) {
        const unsigned waited = request->wait_for_unpack_bank ? bank : look[state::cells::matrix_bank(src)];
        plan.banks.push_back({src, static_cast<std::uint8_t>(waited), state::Owner::unpackers, true});
        if (request->all_banks) plan.note(findings::id("unpack.both-banks"));
        plan::FillWork work;
        work.banks[which] = static_cast<std::uint8_t>(request->all_banks ? 3 : 1u << bank);
        work.value[which] = request->value;
        plan.work = work;
    }
    if (request->flip) flip_bank(look, plan, which, look[src_set_base[which]], DataFormat(look[out_format[which]]));
}

}  // namespace tessera::units::unpacker
