// SPDX-License-Identifier: Apache-2.0
#include "frontend/auto_sync.hpp"

#include <bit>

namespace tessera::frontend::auto_sync {

namespace {

using namespace state::resources;
using isa::mnemonic;
using registers::field;
using state::Resources;

constexpr auto track_config = field("TENSIX_TRISC_SYNC_TrackGlobalCfg");
constexpr auto subdivided = field("TENSIX_TRISC_SYNC_EnSubdividedCfgForUnpacr");
constexpr auto track_gprs = field("TENSIX_TRISC_SYNC_TrackGPR");
constexpr auto track_tdma = field("TENSIX_TRISC_SYNC_TrackTDMARegs");
constexpr auto track_instructions = field("TENSIX_TRISC_SYNC_TrackTensixInstructions");
constexpr auto math_offset = field("DEST_TARGET_REG_CFG_MATH_Offset");

/// Configuration words, from one field's to another's, that the page's table assigns to tracked parts. All fields of a
/// word have the same parts.
struct Words {
    registers::Field first, last;
    Resources parts;
};
constexpr Words unpacker_words[] = {
    {field("UNP0_ADDR_CTRL_XY_REG_0_Xstride"), field("UNP0_ADDR_CTRL_XY_REG_0_Ystride"), unpacker0},
    {field("UNP0_ADDR_CTRL_ZW_REG_0_Zstride"), field("UNP0_ADDR_CTRL_ZW_REG_0_Wstride"), unpacker0 | unpacker1},
    {field("UNP1_ADDR_CTRL_XY_REG_0_Xstride"), field("UNP1_ADDR_CTRL_ZW_REG_0_Wstride"), unpacker1},
    {field("UNP0_ADDR_BASE_REG_0_Base"), field("UNP0_FORCED_SHARED_EXP_shared_exp"), all_parts},
    {field("UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start"), field("UNP0_NOP_REG_CLR_VAL_nop_reg_clr_val"), unpacker0},
    {field("UNP1_ADDR_CTRL_XY_REG_1_Xstride"), field("UNP1_NOP_REG_CLR_VAL_nop_reg_clr_val"), unpacker1},
    // Hardware bug: only the first word of a tile descriptor is tracked.
    {field("THCON_SEC0_REG0_TileDescriptor_word0"), field("THCON_SEC0_REG0_TileDescriptor_word0"), unpacker0},
    {field("THCON_SEC0_REG2_Out_data_format"), field("THCON_SEC0_REG5_Tile_x_dim_cntx3"), unpacker0},
    {field("THCON_SEC0_REG7_Offset_address"), field("THCON_SEC0_REG7_Offset_cntx3_address"), unpacker0},
    {field("THCON_SEC0_REG10_Unpack_limit_address"), field("THCON_SEC0_REG10_Unpack_fifo_size"), unpacker0},
    {field("THCON_SEC1_REG0_TileDescriptor_word0"), field("THCON_SEC1_REG0_TileDescriptor_word0"), unpacker1},
    {field("THCON_SEC1_REG2_Out_data_format"), field("THCON_SEC1_REG2_Force_shared_exp"), unpacker1},
    {field("THCON_SEC1_REG3_Base_address"), field("THCON_SEC1_REG3_Base_cntx1_address"), unpacker1},
    {field("THCON_SEC1_REG7_Offset_address"), field("THCON_SEC1_REG7_Offset_cntx1_address"), unpacker1},
};

/// Classes of RESOURCEDECL; unlisted instructions are of class 15.
struct ClassRow {
    isa::Mnemonic what;
    std::uint8_t instruction_class;
};
constexpr ClassRow classes[] = {
    {mnemonic("ADDDMAREG"), 0},    {mnemonic("SUBDMAREG"), 0},   {mnemonic("MULDMAREG"), 0},
    {mnemonic("BITWOPDMAREG"), 0}, {mnemonic("SHIFTDMAREG"), 0}, {mnemonic("CMPDMAREG"), 0},
    {mnemonic("SETDMAREG"), 0},    {mnemonic("ATINCGET"), 1},    {mnemonic("ATINCGETPTR"), 1},
    {mnemonic("ATSWAP"), 1},       {mnemonic("ATCAS"), 1},       {mnemonic("REG2FLOP"), 2},
    {mnemonic("LOADIND"), 3},      {mnemonic("STOREIND"), 3},    {mnemonic("STREAMWRCFG"), 4},
    {mnemonic("CFGSHIFTMASK"), 4}, {mnemonic("STOREREG"), 5},    {mnemonic("LOADREG"), 6},
    {mnemonic("FLUSHDMA"), 7},     {mnemonic("WRCFG"), 8},       {mnemonic("RDCFG"), 9},
    {mnemonic("XMOV"), 10},        {mnemonic("UNPACR"), 11},     {mnemonic("UNPACR_NOP"), 11},
    {mnemonic("PACR"), 12},        {mnemonic("MOP"), 13},        {mnemonic("REPLAY"), 14},
};
constexpr unsigned unpacker_class = 11, other_class = 15;
constexpr isa::Mnemonic untracked[] = {mnemonic("NOP"), mnemonic("MOP_CFG"), mnemonic("RESOURCEDECL")};

constexpr auto declared_linger = isa::operand("RESOURCEDECL", "linger_time");
constexpr auto declared_uses = isa::operand("RESOURCEDECL", "resources");
constexpr auto declared_class = isa::operand("RESOURCEDECL", "op_class");
constexpr std::uint32_t which_unpacker = 1u << 23;  // of UNPACR and UNPACR_NOP
constexpr std::uint32_t uses_mask = (1u << linger_at) - 1, linger_mask = 0xF;

bool tracked(const state::State& state, unsigned thread, const registers::Field& what) {
    return state.config(thread, what) && state.config(thread, track_instructions);
}

unsigned class_of(const isa::Instruction& instruction) {
    for (const auto& row : classes)
        if (instruction.is(row.what)) return row.instruction_class;
    return other_class;
}

}  // namespace

bool tracks(const state::State& state, unsigned thread) { return state.config(thread, track_instructions) != 0; }

Resources config_word(const state::State& state, unsigned thread, unsigned bank, unsigned addr32) {
    if (!tracked(state, thread, track_config)) return 0;
    const bool in_parts = state.config(thread, subdivided);
    if (addr32 >= state.arch().shared_config_base) return of_banks(in_parts ? remainder : all_parts);
    if (!in_parts) return of_bank(bank, all_parts);
    const Arch arch = state.arch().arch;
    for (const auto& words : unpacker_words)
        if (words.first[arch].present() && addr32 >= words.first[arch].addr32 && addr32 <= words.last[arch].addr32)
            return of_bank(bank, words.parts);
    return of_bank(bank, remainder);
}

Resources dual_word(const state::State& state, unsigned thread) {
    if (!tracked(state, thread, track_config)) return 0;
    return of_banks(state.config(thread, subdivided) ? remainder : all_parts);
}

Resources thread_config_word(const state::State& state, unsigned thread, unsigned whose, unsigned addr32) {
    if (!tracked(state, thread, track_config)) return 0;
    if (!state.config(thread, subdivided)) return of_banks(all_parts);
    const bool offset = whose == 0 && addr32 == math_offset[state.arch().arch].addr32;
    return of_banks(offset ? unpacker0 | unpacker1 : remainder);
}

Resources gprs(const state::State& state, unsigned thread) {
    return tracked(state, thread, track_gprs) ? state::resources::gprs : Resources{0};
}

Resources tdma(const state::State& state, unsigned thread) {
    return tracked(state, thread, track_tdma) ? state::resources::tdma : Resources{0};
}

state::Uses uses(const state::State& state, unsigned thread, const isa::Instruction& instruction, unsigned bank) {
    if (!tracks(state, thread)) return {};
    for (const auto what : untracked)
        if (instruction.is(what)) return {};
    const unsigned instruction_class = class_of(instruction);
    const std::uint32_t declared = state[state::cells::declared_resources(thread, instruction_class)];
    auto parts = static_cast<Resources>(declared >> parts_at & all_parts);
    if (instruction_class == unpacker_class && state.config(thread, subdivided))
        parts = instruction.word & which_unpacker ? unpacker1 : unpacker0;
    const auto of = [&](std::uint32_t config, std::uint32_t gpr, std::uint32_t tdma_registers) {
        return static_cast<Resources>((declared & config ? of_bank(bank, parts) : 0) |
                                      (declared & gpr ? state::resources::gprs : 0) |
                                      (declared & tdma_registers ? state::resources::tdma : 0));
    };
    return {of(reads_config, reads_gprs, reads_tdma), of(writes_config, writes_gprs, writes_tdma),
            static_cast<std::uint8_t>(std::bit_width(declared >> linger_at))};
}

state::Cell declare(state::State& state, unsigned thread, const isa::Instruction& declaration) {
    const auto cell = state::cells::declared_resources(thread, declaration[declared_class]);
    state.write(cell, (declaration[declared_uses] & uses_mask) | (declaration[declared_linger] & linger_mask)
                                                                     << linger_at);
    return cell;
}

}  // namespace tessera::frontend::auto_sync
