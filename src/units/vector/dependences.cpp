// SPDX-License-Identifier: Apache-2.0
#include "units/vector/dependences.hpp"

#include <algorithm>
#include <bit>

#include "units/lane_config.hpp"
#include "units/vector/sub_units.hpp"

namespace tessera::units::vector {

namespace {

using isa::mnemonic;

constexpr std::uint32_t lreg(unsigned i) { return 1u << i; }

// SFPSHFT2's modes that take two cycles.
constexpr unsigned rotate_and_copy4 = 2, shift_lanes = 4;
constexpr unsigned lane_config_dest = 15;

// Operands with the same place in all instructions that are tested here.
constexpr auto mode1 = isa::operand("SFPSHFT2", "instr_mod1");
constexpr auto vc_bits = isa::operand("SFPSHFT2", "lreg_src_c");
constexpr auto vd_bits = isa::operand("SFPSHFT2", "lreg_dest");
constexpr auto ind_bits = isa::operand("SFPSTORE", "lreg_ind");
constexpr auto mode0 = isa::operand("SFPLOAD", "instr_mod0");
// Width 0 on Wormhole, whose vector unit never stalls.
constexpr auto mode1_mirror = isa::operand("SFPLUTFP32", "mod1_mirror");

std::uint32_t mode_of(const RegisterUse& use) { return use.instruction[mode1]; }
std::uint32_t vc_of(const RegisterUse& use) { return lreg(use.instruction[vc_bits]); }

bool is_any_of(const isa::Instruction& instruction, std::span<const isa::Mnemonic> list) {
    return std::any_of(list.begin(), list.end(), [&](isa::Mnemonic m) { return instruction.is(m); });
}

bool moves_between_lanes(const isa::Instruction& instruction) {
    const std::uint32_t mode = instruction[mode1];
    return instruction.is(mnemonic("SFPSHFT2")) && mode >= rotate_and_copy4 && mode <= shift_lanes;
}

struct Registers {
    std::uint32_t reads = 0, writes = 0;
};

struct RegistersOf {
    isa::Instruction instruction;

    // Modes that keep one half also read the register.
    Registers operator()(const plan::LoadLRegWork& w) const {
        constexpr std::uint32_t first_keeping_mode = 14;
        const std::uint32_t to = w.lanes ? lreg(w.lreg) : 0;
        return {instruction[mode0] >= first_keeping_mode ? to : 0, to | (w.index_lanes ? lreg(w.lreg + 4u) : 0)};
    }
    Registers operator()(const plan::StoreLRegWork& w) const { return {lreg(w.lreg), 0}; }
    Registers operator()(const plan::ImmediateWork& w) const { return {w.keep ? lreg(w.lreg) : 0, lreg(w.lreg)}; }
    Registers operator()(const plan::LaneWork& w) const { return {w.reads, w.writes}; }
    Registers operator()(const plan::ColumnConfigWork&) const { return {lreg(0), 0}; }
    template <class Work>
    Registers operator()(const Work&) const {
        return {};
    }
};

constexpr std::uint32_t every_lreg = (1u << state::LRegs::writable) - 1;

// Stalls for SFPLUTFP32 go by its mirrored mode, whatever the mode itself says (its page, Instruction scheduling).
bool is_believed_indirect(const RegisterUse& use) {
    constexpr std::uint32_t indirect_vd = 8;
    return use.instruction[mode1_mirror] & indirect_vd;
}

// The registers that Blackhole's stall logic assumes an instruction to read (SFPMAD, Instruction scheduling, second
// caution).
std::uint32_t believed_reads(const RegisterUse& use) {
    const auto& instruction = use.instruction;
    const std::uint32_t vd = lreg(use.vd);
    if (instruction.is(mnemonic("SFPLUTFP32")) && use.reads)
        return is_believed_indirect(use) ? every_lreg : every_lreg & ~lreg(7);
    constexpr std::uint32_t use_vb = 1;
    if (instruction.is(mnemonic("SFPAND")) || instruction.is(mnemonic("SFPOR")))
        return mode_of(use) & use_vb ? vd | vc_of(use) : use.reads;
    if (instruction.is(mnemonic("SFPIADD")) || instruction.is(mnemonic("SFPSHFT"))) return use.reads & vc_of(use);
    if (instruction.is(mnemonic("SFPCONFIG"))) return 0;
    if (instruction.is(mnemonic("SFPSWAP"))) return mode_of(use) == 0 ? use.reads : 0;
    if (!instruction.is(mnemonic("SFPSHFT2"))) return use.reads;
    if (moves_between_lanes(instruction)) return 0;
    constexpr std::uint32_t by_lreg = 5, by_imm = 6;
    if (mode_of(use) == by_lreg) return vd | vc_of(use);
    return mode_of(use) == by_imm ? vd : use.reads;
}

// The registers that it assumes an instruction to write.
std::uint32_t believed_writes(const RegisterUse& use) {
    if (!use.instruction.is(mnemonic("SFPLUTFP32")) || !use.writes) return use.writes;
    return is_believed_indirect(use) ? every_lreg : lreg(use.vd);
}

// Wormhole cannot execute these in the second cycle of a move between lanes.
bool collides_with_shuffle(const isa::Instruction& instruction) {
    constexpr isa::Mnemonic list[] = {mnemonic("SFPABS"),        mnemonic("SFPAND"),    mnemonic("SFPCAST"),
                                      mnemonic("SFPDIVP2"),      mnemonic("SFPEXEXP"),  mnemonic("SFPEXMAN"),
                                      mnemonic("SFPIADD"),       mnemonic("SFPLZ"),     mnemonic("SFPMOV"),
                                      mnemonic("SFPNOT"),        mnemonic("SFPOR"),     mnemonic("SFPSETEXP"),
                                      mnemonic("SFPSETMAN"),     mnemonic("SFPSETSGN"), mnemonic("SFPSHFT"),
                                      mnemonic("SFP_STOCH_RND"), mnemonic("SFPXOR")};
    if (instruction.is(mnemonic("SFPSHFT2"))) return !moves_between_lanes(instruction);
    return is_any_of(instruction, list);
}

std::optional<findings::Note> early_read(std::uint32_t registers, std::int64_t last_index) {
    if (!registers) return std::nullopt;
    return findings::Note{
        findings::id("hazard.vector-result"),
        {static_cast<std::uint32_t>(std::countr_zero(registers)), static_cast<std::uint32_t>(last_index)}};
}

std::optional<findings::Note> behind_shuffle(const RegisterUse& last, const RegisterUse& next, std::int64_t last_index) {
    if (const auto early = early_read(last.writes & next.reads, last_index)) return early;
    constexpr std::uint32_t copied = lreg(1) | lreg(2) | lreg(3);
    const bool overwrites = mode_of(last) == rotate_and_copy4 && next.writes & copied;
    if (!overwrites && !collides_with_shuffle(next.instruction)) return std::nullopt;
    return findings::Note{findings::id("hazard.vector-shuffle"), {static_cast<std::uint32_t>(last_index)}};
}

}  // namespace

RegisterUse register_use(const plan::Plan& plan) {
    RegisterUse use;
    use.instruction = plan.instruction;
    const auto registers = std::visit(RegistersOf{plan.instruction}, plan.work);
    use.reads = registers.reads;
    use.writes = registers.writes;
    if (const auto* lanes = std::get_if<plan::LaneWork>(&plan.work)) use.lreg7_chooses = lanes->data_decides;
    const bool in_high_bits = plan.instruction.is(mnemonic("SFPSTORE")) || plan.instruction.is(mnemonic("SFPLUT"));
    use.vd = static_cast<std::uint8_t>(plan.instruction[in_high_bits ? ind_bits : vd_bits]);
    use.in_mad = sub_unit_of(plan.instruction.mnemonic) == static_cast<std::int8_t>(SubUnit::mad);
    use.late = use.in_mad || moves_between_lanes(plan.instruction) || plan.instruction.is(mnemonic("SFPSWAP"));
    use.believed_reads = believed_reads(use);
    if (use.in_mad && plan.instruction.arch == Arch::blackhole) use.held = believed_writes(use);
    return use;
}

std::uint32_t writes_now(const RegisterUse& use, const state::State& state) {
    if (!use.lreg7_chooses) return use.writes;
    constexpr unsigned chooses = 7, index_mask = 15;
    std::uint32_t named = 0;
    for (unsigned i = 0; i < state::LRegs::lanes; ++i)
        named |= lreg(state.lregs.lane[chooses * state::LRegs::lanes + i] & index_mask);
    return use.writes & named;
}

std::uint8_t backdoor_shut(const state::State& state) {
    std::uint8_t shut = 0;
    for (unsigned column = 0; column < state::cells::lane_config_words; ++column)
        if (state[state::cells::lane_config_block[column]] >> static_cast<unsigned>(LaneConfig::disable_backdoor_load) &
            1)
            shut |= static_cast<std::uint8_t>(1u << column);
    return shut;
}

std::optional<findings::Note> hazard(const RegisterUse& last, const RegisterUse& next, std::int64_t last_index) {
    const bool records = sub_unit_of(next.instruction.mnemonic) >= 0 && !next.instruction.is(mnemonic("SFPCONFIG"));
    if (last.instruction.is(mnemonic("SFPCONFIG")) && last.vd == lane_config_dest && records &&
        next.vd >= state::LRegs::recorded && last.backdoor_shut != next.backdoor_shut)
        return findings::Note{findings::id("hazard.vector-backdoor"),
                              {next.vd, static_cast<std::uint32_t>(last_index)}};
    const bool blackhole = last.instruction.arch == Arch::blackhole;
    if (last.in_mad)
        return holds_back(last, next) ? std::nullopt : early_read(last.writes & next.reads, last_index);
    if (!blackhole && moves_between_lanes(last.instruction)) return behind_shuffle(last, next, last_index);
    return std::nullopt;
}

std::optional<findings::Note> spoiled_index(const RegisterUse& use, const state::State& state) {
    constexpr std::uint32_t places = 0xF0;
    const auto& instruction = use.instruction;
    if (!(use.writes & places) || sub_unit_of(instruction.mnemonic) < 0 || instruction.is(mnemonic("SFPCONFIG")) ||
        instruction.is(mnemonic("SFPSWAP")) || instruction.is(mnemonic("SFPTRANSP")))
        return std::nullopt;
    for (unsigned column = 0; column < state::cells::lane_config_words; ++column)
        if (state[state::cells::lane_config_block[column]] >> static_cast<unsigned>(LaneConfig::enable_dest_index) & 1)
            return findings::Note{findings::id("vector.dest-index"),
                                  {static_cast<std::uint32_t>(std::countr_zero(use.writes & places))}};
    return std::nullopt;
}

}  // namespace tessera::units::vector
