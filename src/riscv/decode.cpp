// SPDX-License-Identifier: Apache-2.0
#include "riscv/decode.hpp"

#include <bit>

namespace tessera::riscv {

namespace {

constexpr std::uint32_t field(std::uint32_t word, unsigned first, unsigned bits) {
    return word >> first & ((1u << bits) - 1);
}

constexpr std::int32_t extend(std::uint32_t value, unsigned bits) {
    return static_cast<std::int32_t>(value << (32 - bits)) >> (32 - bits);
}

// Opcodes (lowest seven bits) of floating-point and vector instructions.
constexpr std::uint32_t unsupported_opcodes[] = {0x07, 0x27, 0x43, 0x47, 0x4B, 0x4F, 0x53, 0x57};

bool has(Arch arch, Extension extension) { return arch == Arch::blackhole || extension == Extension::base; }

std::int32_t immediate(Form form, std::uint32_t word) {
    switch (form) {
        case Form::i:
        case Form::jalr:
        case Form::load: return extend(field(word, 20, 12), 12);
        case Form::store: return extend(field(word, 25, 7) << 5 | field(word, 7, 5), 12);
        case Form::branch:
            return extend(
                field(word, 31, 1) << 12 | field(word, 7, 1) << 11 | field(word, 25, 6) << 5 | field(word, 8, 4) << 1,
                13);
        case Form::jump:
            return extend(field(word, 31, 1) << 20 | field(word, 12, 8) << 12 | field(word, 20, 1) << 11 |
                              field(word, 21, 10) << 1,
                          21);
        case Form::u: return static_cast<std::int32_t>(word & 0xFFFF'F000);
        case Form::shift: return static_cast<std::int32_t>(field(word, 20, 5));
        case Form::csr:
        case Form::csr_imm: return static_cast<std::int32_t>(field(word, 20, 12));
        case Form::fence: return static_cast<std::int32_t>(field(word, 20, 12));
        default: return 0;
    }
}

bool writes_rd(Form form) {
    return form != Form::branch && form != Form::store && form != Form::fence && form != Form::none;
}

bool reads_rs1(Form form) { return form != Form::u && form != Form::jump && form != Form::fence && form != Form::none; }

bool reads_rs2(Form form) {
    return form == Form::r || form == Form::branch || form == Form::store || form == Form::amo;
}

}  // namespace

DecodedOp decode(Arch arch, std::uint32_t word) {
    DecodedOp decoded{.word = word};
    if ((word & 3) != 3) {
        decoded.op = Op::ttinsn;
        decoded.imm = static_cast<std::int32_t>(std::rotr(word, 2));
        return decoded;
    }
    for (const InstructionRow& candidate : instruction_rows) {
        if ((word & mask(candidate.form)) != candidate.match || !has(arch, candidate.extension)) continue;
        decoded.op = candidate.op;
        decoded.imm = immediate(candidate.form, word);
        // csrrwi and similar forms have their immediate in the rs1 field.
        if (writes_rd(candidate.form)) decoded.rd = static_cast<std::uint8_t>(field(word, 7, 5));
        if (reads_rs1(candidate.form)) decoded.rs1 = static_cast<std::uint8_t>(field(word, 15, 5));
        if (reads_rs2(candidate.form)) decoded.rs2 = static_cast<std::uint8_t>(field(word, 20, 5));
        return decoded;
    }
    if (arch == Arch::blackhole)
        for (std::uint32_t opcode : unsupported_opcodes)
            if ((word & 0x7F) == opcode) decoded.op = Op::unsupported;
    return decoded;
}

}  // namespace tessera::riscv
