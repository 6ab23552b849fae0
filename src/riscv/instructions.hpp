// SPDX-License-Identifier: Apache-2.0
// Table of all RISC-V instructions, one row each. Decoder, executor and disassembler use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tessera::riscv {

// clang-format off
enum class Op : std::uint8_t {
    lui, auipc, jal, jalr, beq, bne, blt, bge, bltu, bgeu, lb, lh, lw, lbu, lhu, sb, sh, sw,
    addi, slti, sltiu, xori, ori, andi, slli, srli, srai, add, sub, sll, slt, sltu, xor_, srl, sra, or_, and_,
    fence, fence_i, ecall, ebreak, mret, mul, mulh, mulhsu, mulhu, div, divu, rem, remu,
    csrrw, csrrs, csrrc, csrrwi, csrrsi, csrrci,
    amoswap, amoadd, amoxor, amoand, amoor, amomin, amomax, amominu, amomaxu,
    sh1add, sh2add, sh3add, andn, orn, xnor, clz, ctz, cpop, max, maxu, min, minu, sext_b, sext_h, zext_h, rol, ror, rori,
    orc_b, rev8, pack, brev8, grevi,
    ttinsn, unsupported, illegal,
    count
};
// clang-format on

/// The fixed bits and the operands of an instruction.
enum class Form : std::uint8_t {
    r,         ///< rd, rs1, rs2
    unary,     ///< rd, rs1
    i,         ///< rd, rs1, 12 bits
    shift,     ///< rd, rs1, 5 bits
    u,         ///< rd, upper 20 bits
    jump,      ///< rd, target
    jalr,      ///< rd, 12 bits (rs1)
    branch,    ///< rs1, rs2, target
    load,      ///< rd, 12 bits (rs1)
    store,     ///< rs2, 12 bits (rs1)
    amo,       ///< rd, rs2, (rs1); aq and rl are free
    csr,       ///< rd, CSR, rs1
    csr_imm,   ///< rd, CSR, 5 bits
    fence,     ///< predecessors, successors
    none,      ///< the whole word is fixed
};

enum class Extension : std::uint8_t {
    base,    ///< RV32IM and its companions
    zicsr, zaamo, zba, zbb,
    zbkb,    ///< pack and brev8
    draft,   ///< grevi, of Bitmanip 0.94-draft
    machine  ///< mret
};

/// The bits that identify an instruction of the form.
constexpr std::uint32_t mask(Form form) {
    switch (form) {
        case Form::u:
        case Form::jump: return 0x0000'007F;
        case Form::r:
        case Form::shift: return 0xFE00'707F;
        case Form::unary: return 0xFFF0'707F;
        case Form::amo: return 0xF800'707F;
        case Form::none: return 0xFFFF'FFFF;
        default: return 0x0000'707F;
    }
}

struct InstructionRow {
    Op op;
    std::string_view mnemonic;  ///< as assemblers spell it
    Form form;
    std::uint32_t match;
    Extension extension = Extension::base;
};

// If two rows match a word, the first one wins.
inline constexpr InstructionRow instruction_rows[] = {
    {Op::lui, "lui", Form::u, 0x0000'0037},
    {Op::auipc, "auipc", Form::u, 0x0000'0017},
    {Op::jal, "jal", Form::jump, 0x0000'006F},
    {Op::jalr, "jalr", Form::jalr, 0x0000'0067},
    {Op::beq, "beq", Form::branch, 0x0000'0063},
    {Op::bne, "bne", Form::branch, 0x0000'1063},
    {Op::blt, "blt", Form::branch, 0x0000'4063},
    {Op::bge, "bge", Form::branch, 0x0000'5063},
    {Op::bltu, "bltu", Form::branch, 0x0000'6063},
    {Op::bgeu, "bgeu", Form::branch, 0x0000'7063},
    {Op::lb, "lb", Form::load, 0x0000'0003},
    {Op::lh, "lh", Form::load, 0x0000'1003},
    {Op::lw, "lw", Form::load, 0x0000'2003},
    {Op::lbu, "lbu", Form::load, 0x0000'4003},
    {Op::lhu, "lhu", Form::load, 0x0000'5003},
    {Op::sb, "sb", Form::store, 0x0000'0023},
    {Op::sh, "sh", Form::store, 0x0000'1023},
    {Op::sw, "sw", Form::store, 0x0000'2023},
    {Op::addi, "addi", Form::i, 0x0000'0013},
    {Op::slti, "slti", Form::i, 0x0000'2013},
    {Op::sltiu, "sltiu", Form::i, 0x0000'3013},
    {Op::xori, "xori", Form::i, 0x0000'4013},
    {Op::ori, "ori", Form::i, 0x0000'6013},
    {Op::andi, "andi", Form::i, 0x0000'7013},
    {Op::slli, "slli", Form::shift, 0x0000'1013},
    {Op::srli, "srli", Form::shift, 0x0000'5013},
    {Op::srai, "srai", Form::shift, 0x4000'5013},
    {Op::add, "add", Form::r, 0x0000'0033},
    {Op::sub, "sub", Form::r, 0x4000'0033},
    {Op::sll, "sll", Form::r, 0x0000'1033},
    {Op::slt, "slt", Form::r, 0x0000'2033},
    {Op::sltu, "sltu", Form::r, 0x0000'3033},
    {Op::xor_, "xor", Form::r, 0x0000'4033},
    {Op::srl, "srl", Form::r, 0x0000'5033},
    {Op::sra, "sra", Form::r, 0x4000'5033},
    {Op::or_, "or", Form::r, 0x0000'6033},
    {Op::and_, "and", Form::r, 0x0000'7033},
    {Op::fence, "fence", Form::fence, 0x0000'000F},
    {Op::fence_i, "fence.i", Form::fence, 0x0000'100F},
    {Op::ecall, "ecall", Form::none, 0x0000'0073},
    {Op::ebreak, "ebreak", Form::none, 0x0010'0073},
    {Op::mret, "mret", Form::none, 0x3020'0073, Extension::machine},
    {Op::mul, "mul", Form::r, 0x0200'0033},
    {Op::mulh, "mulh", Form::r, 0x0200'1033},
    {Op::mulhsu, "mulhsu", Form::r, 0x0200'2033},
    {Op::mulhu, "mulhu", Form::r, 0x0200'3033},
    {Op::div, "div", Form::r, 0x0200'4033},
    {Op::divu, "divu", Form::r, 0x0200'5033},
    {Op::rem, "rem", Form::r, 0x0200'6033},
    {Op::remu, "remu", Form::r, 0x0200'7033},
    {Op::csrrw, "csrrw", Form::csr, 0x0000'1073, Extension::zicsr},
    {Op::csrrs, "csrrs", Form::csr, 0x0000'2073, Extension::zicsr},
    {Op::csrrc, "csrrc", Form::csr, 0x0000'3073, Extension::zicsr},
    {Op::csrrwi, "csrrwi", Form::csr_imm, 0x0000'5073, Extension::zicsr},
    {Op::csrrsi, "csrrsi", Form::csr_imm, 0x0000'6073, Extension::zicsr},
    {Op::csrrci, "csrrci", Form::csr_imm, 0x0000'7073, Extension::zicsr},
    {Op::amoswap, "amoswap.w", Form::amo, 0x0800'202F, Extension::zaamo},
    {Op::amoadd, "amoadd.w", Form::amo, 0x0000'202F, Extension::zaamo},
    {Op::amoxor, "amoxor.w", Form::amo, 0x2000'202F, Extension::zaamo},
    {Op::amoand, "amoand.w", Form::amo, 0x6000'202F, Extension::zaamo},
    {Op::amoor, "amoor.w", Form::amo, 0x4000'202F, Extension::zaamo},
    {Op::amomin, "amomin.w", Form::amo, 0x8000'202F, Extension::zaamo},
    {Op::amomax, "amomax.w", Form::amo, 0xA000'202F, Extension::zaamo},
    {Op::amominu, "amominu.w", Form::amo, 0xC000'202F, Extension::zaamo},
    {Op::amomaxu, "amomaxu.w", Form::amo, 0xE000'202F, Extension::zaamo},
    {Op::sh1add, "sh1add", Form::r, 0x2000'2033, Extension::zba},
    {Op::sh2add, "sh2add", Form::r, 0x2000'4033, Extension::zba},
    {Op::sh3add, "sh3add", Form::r, 0x2000'6033, Extension::zba},
    {Op::andn, "andn", Form::r, 0x4000'7033, Extension::zbb},
    {Op::orn, "orn", Form::r, 0x4000'6033, Extension::zbb},
    {Op::xnor, "xnor", Form::r, 0x4000'4033, Extension::zbb},
    {Op::clz, "clz", Form::unary, 0x6000'1013, Extension::zbb},
    {Op::ctz, "ctz", Form::unary, 0x6010'1013, Extension::zbb},
    {Op::cpop, "cpop", Form::unary, 0x6020'1013, Extension::zbb},
    {Op::max, "max", Form::r, 0x0A00'6033, Extension::zbb},
    {Op::maxu, "maxu", Form::r, 0x0A00'7033, Extension::zbb},
    {Op::min, "min", Form::r, 0x0A00'4033, Extension::zbb},
    {Op::minu, "minu", Form::r, 0x0A00'5033, Extension::zbb},
    {Op::sext_b, "sext.b", Form::unary, 0x6040'1013, Extension::zbb},
    {Op::sext_h, "sext.h", Form::unary, 0x6050'1013, Extension::zbb},
    {Op::zext_h, "zext.h", Form::unary, 0x0800'4033, Extension::zbb},
    {Op::rol, "rol", Form::r, 0x6000'1033, Extension::zbb},
    {Op::ror, "ror", Form::r, 0x6000'5033, Extension::zbb},
    {Op::rori, "rori", Form::shift, 0x6000'5013, Extension::zbb},
    {Op::orc_b, "orc.b", Form::unary, 0x2870'5013, Extension::zbb},
    {Op::rev8, "rev8", Form::unary, 0x6980'5013, Extension::zbb},
    {Op::pack, "pack", Form::r, 0x0800'4033, Extension::zbkb},
    {Op::brev8, "brev8", Form::unary, 0x6870'5013, Extension::zbkb},
    {Op::grevi, "grevi", Form::shift, 0x6800'5013, Extension::draft},
};

static_assert([] {
    for (std::size_t i = 0; i < std::size(instruction_rows); ++i)
        if (static_cast<std::size_t>(instruction_rows[i].op) != i || (instruction_rows[i].match & ~mask(instruction_rows[i].form)))
            return false;
    return std::size(instruction_rows) == static_cast<std::size_t>(Op::ttinsn);
}(), "rows stand in the order of Op, and match nothing that is an operand");

constexpr const InstructionRow& row(Op op) { return instruction_rows[static_cast<std::size_t>(op)]; }

}  // namespace tessera::riscv
