// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "riscv/csrs.hpp"
#include "riscv/decode.hpp"

namespace tessera::riscv {

namespace {

constexpr std::string_view register_names[] = {"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
                                          "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
                                          "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

// The access letters of a fence; "iorw" for all four bits.
std::string accesses(std::uint32_t bits) {
    std::string text;
    for (unsigned i = 0; i < 4; ++i)
        if (bits >> (3 - i) & 1) text += "iorw"[i];
    return text.empty() ? "unknown" : text;
}

std::string csr_name(std::uint32_t number) {
    const auto place = find_csr(number);
    return place ? std::string(csrs[*place].name) : fmt::format("0x{:x}", number);
}

std::string operands(const InstructionRow& row, const DecodedOp& op, std::uint32_t pc) {
    const auto rd = register_names[op.rd], rs1 = register_names[op.rs1], rs2 = register_names[op.rs2];
    const auto imm = static_cast<std::uint32_t>(op.imm);
    switch (row.form) {
        case Form::r: return fmt::format("{},{},{}", rd, rs1, rs2);
        case Form::unary: return fmt::format("{},{}", rd, rs1);
        case Form::i: return fmt::format("{},{},{}", rd, rs1, op.imm);
        case Form::shift: return fmt::format("{},{},0x{:x}", rd, rs1, imm);
        case Form::u: return fmt::format("{},0x{:x}", rd, imm >> 12);
        case Form::jump: return fmt::format("{},0x{:x}", rd, pc + imm);
        case Form::jalr:
        case Form::load: return fmt::format("{},{}({})", rd, op.imm, rs1);
        case Form::branch: return fmt::format("{},{},0x{:x}", rs1, rs2, pc + imm);
        case Form::store: return fmt::format("{},{}({})", rs2, op.imm, rs1);
        case Form::amo: return fmt::format("{},{},({})", rd, rs2, rs1);
        case Form::csr: return fmt::format("{},{},{}", rd, csr_name(imm), rs1);
        case Form::csr_imm: return fmt::format("{},{},{}", rd, csr_name(imm), op.rs1);
        case Form::fence: return row.op == Op::fence ? accesses(imm >> 4 & 15) + "," + accesses(imm & 15) : "";
        case Form::none: return "";
    }
    return "";
}

}  // namespace

std::string_view register_name(unsigned i) { return register_names[i]; }

std::string disassemble(Arch arch, std::uint32_t word, std::uint32_t pc) {
    const DecodedOp op = decode(arch, word);
    if (op.op == Op::ttinsn) return fmt::format(".ttinsn 0x{:08x}", static_cast<std::uint32_t>(op.imm));
    if (op.op == Op::illegal || op.op == Op::unsupported) return fmt::format(".word 0x{:08x}", word);
    const InstructionRow& row = riscv::row(op.op);
    std::string text(row.mnemonic);
    if (row.form == Form::amo) {
        constexpr std::string_view order[] = {"", ".rl", ".aq", ".aqrl"};
        text += order[word >> 25 & 3];
    }
    const std::string rest = operands(row, op, pc);
    return rest.empty() ? text : text + " " + rest;
}

}  // namespace tessera::riscv
