// SPDX-License-Identifier: Apache-2.0
// The fields of an instruction; Vector Unit, PRNG; SFPSWAP, Supporting definitions.
#include "reference/vector_machine.hpp"

#include "reference/prng.hpp"

namespace tessera::reference {

namespace {

using isa::mnemonic;

// Instructions whose VB is the low bits of imm12_math. SFPAND and SFPOR have it on Blackhole, when they use it.
bool VB_is_in_Imm12(const isa::Instruction& instruction, std::uint32_t Mod1) {
    if (instruction.is(mnemonic("SFPSHFT2")) || instruction.is(mnemonic("SFPARECIP"))) return true;
    constexpr std::uint32_t USE_VB = 1;
    return (instruction.is(mnemonic("SFPAND")) || instruction.is(mnemonic("SFPOR"))) &&
           instruction.arch == Arch::blackhole && (Mod1 & USE_VB);
}

}  // namespace

Insn ParseInsn(const isa::Instruction& instruction) {
    Insn i;
    for (unsigned n = 0; n < instruction.spec->operand_count; ++n) {
        const isa::OperandSpec& operand = instruction.spec->operands[n];
        if (operand.bits == 0) continue;
        const std::uint32_t value = (instruction.word & operand.used_mask()) >> operand.lo;
        const std::string_view name = operand.name;
        if (name == "lreg_src_a") i.VA = value;
        if (name == "lreg_src_b") i.VB = value;
        if (name == "lreg_c" || name == "lreg_src_c") i.VC = value;
        if (name == "lreg_dest" || name == "lreg_ind" || name == "config_dest") i.VD = value;
        if (name == "instr_mod0" || name == "instr_mod1") i.Mod = value;
        if (name.starts_with("imm") || name == "dest_reg_addr") i.Imm = value;
        if (name == "rnd_mode") i.RoundingMode = value;
        if (name == "sfpu_addr_mode") i.AddrMod = value;
    }
    if (VB_is_in_Imm12(instruction, i.Mod)) i.VB = i.Imm & 15;
    return i;
}

std::uint32_t VectorMachine::AdvancePRNG(std::uint32_t Lane) {
    const state::Cell State = state::cells::prng_block[Lane];
    const std::uint32_t Result = (*this)[State];
    set(State, NextPRNG(Result));
    return Result;
}

bool SignMagIsSmaller(std::uint32_t C, std::uint32_t D) {
    // -0 ... -(2^31-1) become -1 ... -2^31.
    const auto remap = [](std::uint32_t x) { return static_cast<std::int32_t>(x & 0x80000000 ? x ^ 0x7FFFFFFF : x); };
    return remap(C) < remap(D);
}

}  // namespace tessera::reference
