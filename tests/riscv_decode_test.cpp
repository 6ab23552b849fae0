// SPDX-License-Identifier: Apache-2.0
// Decoding and disassembly of RISC-V words, and illegal words. scripts/check_riscv compares them with objdump.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "riscv/decode.hpp"
#include "support/riscv_machine.hpp"
#include "support/riscv_words.hpp"

namespace {

using namespace tessera;
using namespace tessera::test::rv;
using riscv::Op;
using riscv::decode;
using riscv::disassemble;

TEST(RiscvDecode, EachRowIsFoundAmongAll) {
    for (const auto& row : riscv::instruction_rows) {
        const std::uint32_t word = row.op == Op::pack ? r(Op::pack, a0, a1, a2) : row.match;  // by x0, it is zext.h
        EXPECT_EQ(decode(Arch::blackhole, word).op, row.op) << row.mnemonic;
        const bool base = row.extension == riscv::Extension::base;
        EXPECT_EQ(decode(Arch::wormhole, row.match).op, base ? row.op : Op::illegal) << row.mnemonic;
    }
}

TEST(RiscvDecode, TextIsObjdumps) {
    EXPECT_EQ(disassemble(Arch::blackhole, 0xFE010113, 0), "addi sp,sp,-32");
    EXPECT_EQ(disassemble(Arch::blackhole, 0x00112E23, 0), "sw ra,28(sp)");
    EXPECT_EQ(disassemble(Arch::blackhole, 0xFFB007B7, 0), "lui a5,0xffb00");
    EXPECT_EQ(disassemble(Arch::blackhole, 0x0FF0000F, 0), "fence iorw,iorw");
    EXPECT_EQ(disassemble(Arch::blackhole, jal(ra, -16), 0x100), "jal ra,0xf0");
    EXPECT_EQ(disassemble(Arch::blackhole, csr(Op::csrrw, zero, 0x7C0, t0), 0), "csrrw zero,cfg0,t0");
    EXPECT_EQ(disassemble(Arch::blackhole, ttinsn(0x02000000), 0), ".ttinsn 0x02000000");
    EXPECT_EQ(disassemble(Arch::blackhole, 0xFFFFFFFF, 0), ".word 0xffffffff");
}

TEST(RiscvDecode, FloatingPointAndVectorWordsAreUnsupportedOnBlackhole) {
    constexpr std::uint32_t fadd_s = 0x00208053, flw = 0x00052007, vadd = 0x02008057, fmadd = 0x18208043;
    for (std::uint32_t word : {fadd_s, flw, vadd, fmadd}) {
        EXPECT_EQ(decode(Arch::blackhole, word).op, Op::unsupported);
        EXPECT_EQ(decode(Arch::wormhole, word).op, Op::illegal);
    }
    constexpr std::uint32_t lr_w = 0x1000202F, bset = 0x28001033;
    for (std::uint32_t word : {lr_w, bset, 0x0000'0073u | 1u << 25})
        EXPECT_EQ(decode(Arch::blackhole, word).op, Op::illegal);
}

TEST(RiscvDecode, WhatCannotBeExecutedStopsWithItsFault) {
    struct Case {
        RiscvCore core;
        std::uint32_t word;
        const char* code;
    };
    constexpr std::uint32_t mret = 0x30200073, no_csr = csr(Op::csrrs, t0, 0x123, zero);
    for (const Case& each :
         {Case{RiscvCore::t0, 0xFFFFFFFF, "riscv.illegal"}, Case{RiscvCore::t0, 0x00208053, "riscv.unsupported"},
          Case{RiscvCore::b, mret, "riscv.interrupt-return"}, Case{RiscvCore::t0, mret, "riscv.illegal"},
          Case{RiscvCore::t0, no_csr, "riscv.illegal"}}) {
        test::RiscvMachine machine(Arch::blackhole, each.core);
        machine.put(machine.code, {nop, each.word});
        const auto stop = machine.run(10);
        EXPECT_EQ(stop.why, riscv::Stop::Why::illegal);
        EXPECT_EQ(machine.state.pc, machine.code + 4);
        EXPECT_EQ(findings::entry(machine.hart.fault().id).code, each.code);
        EXPECT_EQ(machine.hart.fault().values[0], machine.code + 4);
        EXPECT_EQ(machine.hart.fault().values[1], each.word);
    }
}

TEST(RiscvDecode, ProgramCountersThatCannotBeAreFaults) {
    for (std::uint32_t target : {0x1002u, 0xFFB00000u, 1536u * 1024}) {
        test::RiscvMachine machine(Arch::blackhole);
        machine.put(machine.code, {riscv::row(Op::jalr).match | t0 << 15});
        machine.state.x[t0] = target;
        EXPECT_EQ(machine.run(10).why, riscv::Stop::Why::fetch);
        EXPECT_EQ(machine.state.pc, target);
        EXPECT_EQ(findings::entry(machine.hart.fault().id).code, "riscv.fetch");
    }
}

TEST(RiscvDecode, CodeThatChangesIsDecodedAgain) {
    test::RiscvMachine machine(Arch::blackhole);
    machine.put(machine.code, {li(a0, 1), li(a0, 2), jal(zero, -8)});
    machine.run(3);
    machine.put(machine.code, {li(a0, 7)});
    machine.run(1);
    EXPECT_EQ(machine.state.x[a0], 7u);
}

// The specification's table of divisions that have no quotient.
TEST(RiscvArithmetic, DivisionsWithoutQuotient) {
    struct Case {
        Op op;
        std::uint32_t dividend, divisor, result;
    };
    constexpr std::uint32_t least = 0x80000000, minus_one = 0xFFFFFFFF;
    for (const Case& each :
         {Case{Op::divu, 5, 0, minus_one}, Case{Op::remu, 5, 0, 5}, Case{Op::div, 5, 0, minus_one},
          Case{Op::rem, 5, 0, 5}, Case{Op::div, least, minus_one, least}, Case{Op::rem, least, minus_one, 0}})
        for (Arch arch : all_archs) {
            test::RiscvMachine machine(arch);
            machine.put(machine.code, {r(each.op, a0, a1, a2)});
            machine.state.x[a1] = each.dividend;
            machine.state.x[a2] = each.divisor;
            machine.run(1);
            EXPECT_EQ(machine.state.x[a0], each.result) << riscv::row(each.op).mnemonic;
        }
}

TEST(RiscvArithmetic, GreviIsRev8AndBrev8AndMore) {
    test::RiscvMachine machine(Arch::blackhole);
    machine.put(machine.code, {i(Op::grevi, a1, a0, 24), i(Op::grevi, a2, a0, 7), i(Op::grevi, a3, a0, 31),
                               i(Op::grevi, a4, a0, 16)});
    machine.state.x[a0] = 0x01234567;
    machine.run(4);
    EXPECT_EQ(machine.state.x[a1], 0x67452301u);
    EXPECT_EQ(machine.state.x[a2], 0x80C4A2E6u);
    EXPECT_EQ(machine.state.x[a3], 0xE6A2C480u);
    EXPECT_EQ(machine.state.x[a4], 0x45670123u);
}

TEST(RiscvArithmetic, ShiftsTakeFiveBits) {
    test::RiscvMachine machine(Arch::wormhole);
    machine.put(machine.code, {r(Op::sll, a2, a0, a1), r(Op::srl, a3, a0, a1), r(Op::sra, a4, a0, a1)});
    machine.state.x[a0] = 0x80000001;
    machine.state.x[a1] = 33;
    machine.run(3);
    EXPECT_EQ(machine.state.x[a2], 2u);
    EXPECT_EQ(machine.state.x[a3], 0x40000000u);
    EXPECT_EQ(machine.state.x[a4], 0xC0000000u);
}

}  // namespace
