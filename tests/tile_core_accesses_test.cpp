// SPDX-License-Identifier: Apache-2.0
// Accesses of cores to Dst, L1 and the tile's registers: told writes, hazards and faults.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "support/tile_cores.hpp"

namespace tessera::test {
namespace {

using namespace rv;

TEST_P(TileCores, AStoreToTheFirstWordOfL1IsTold) {
    std::vector<std::uint32_t> t;
    poke(t, 0, 0x8765'4321);
    t.push_back(halt);
    kernel(RiscvCore::t0, t, 0x6000);
    const std::set<Told> told = told_writes(RiscvCore::t0);
    for (std::uint32_t byte = 0; byte < 4; ++byte) EXPECT_TRUE(told.contains({"l1", byte, 0x8765'4321 >> 8 * byte & 0xFF})) << byte;
}

// Dst, "RISCV access to Dst": 32 bits are in two rows, and a store makes the row valid.
TEST_P(TileCores, StoresToDstAreToldAsTheRowsThatTheyWrite) {
    if (!blackhole()) return;
    std::vector<std::uint32_t> t;
    poke(t, 0xFFBD'8000 + 4 * (16 * 9 + 3), 0x3F80'5678);
    t.push_back(halt);
    kernel(RiscvCore::t0, t, 0x6000);
    const std::set<Told> told = told_writes(RiscvCore::t0);
    const auto dst = [&](std::uint32_t row) {
        return std::ranges::count_if(told, [&](const Told& one) { return one.section == "dst" && one.element == 16 * row + 3; });
    };
    EXPECT_EQ(dst(17), 1);
    EXPECT_EQ(dst(25), 1);
    EXPECT_TRUE(told.contains({"dst_valid", 17, 1}));
    EXPECT_EQ(told.size(), 3u);
}

// T2 copies rows of Dst to SrcA, which only reads them. An access of T1 to 32 bits is one to two rows: its 8 is 16 and 24.
TEST_P(TileCores, AnAccessOfACoreToDstReadsOrWritesBothRowsOfAWord) {
    if (!blackhole()) return;
    constexpr std::uint32_t window = 0xFFBD'8000;
    const auto hazards = [&](unsigned copied, bool writes) {
        std::vector<std::uint32_t> t1, t2;
        if (writes)
            poke(t1, window + 64 * 8, 7);
        else
            peek(t1, a4, window + 64 * 8);
        t1.push_back(halt);
        spend(t2, 100);
        t2.push_back(ttinsn(instruction("SETDVALID setvalid=1")));
        t2.push_back(ttinsn(instruction("MOVD2A src=0 instr_mod=2 dst=" + std::to_string(copied))));
        spend(t2, 300);
        t2.push_back(halt);
        kernel(RiscvCore::t1, t1, 0xA000);
        kernel(RiscvCore::t2, t2, 0xE000);
        core_ = Core(GetParam(), Reset::vendor_sim);
        const tessera::Run done = run();
        EXPECT_FALSE(done.fault) << done.fault->describe();
        return std::ranges::count_if(done.findings, [](const Finding& one) { return one.code == "hazard.dst-core"; });
    };
    for (const unsigned copied : {8u, 16u, 24u, 32u}) {
        EXPECT_EQ(hazards(copied, true), copied == 16 || copied == 24 ? 1 : 0) << copied;
        EXPECT_EQ(hazards(copied, false), 0) << copied;
    }
}

// RISC_DEST_ACCESS_CTRL of T1: from bit 19 of word 3 on; fmt is two bits further, and 3 is bf16.
TEST_P(TileCores, AnAccessOfACoreToHalvesIsOneToOneRowOfDst) {
    if (!blackhole()) return;
    constexpr std::uint32_t window = 0xFFBD'8000, word_3 = 0xFFEF'0000 + 4 * 3, bf16 = 3;
    for (const unsigned copied : {0u, 8u, 16u, 24u}) {
        std::vector<std::uint32_t> t1, t2;
        poke(t1, word_3, bf16 << 21);
        peek(t1, a4, word_3);
        t1.push_back(i(Op::andi, a4, a4, 7));
        put(t1, a6, window + 32 * 8);
        t1.push_back(store(Op::sh, a6, 0, a6));
        t1.push_back(halt);
        spend(t2, 200);
        t2.push_back(ttinsn(instruction("SETDVALID setvalid=1")));
        t2.push_back(ttinsn(instruction("MOVD2A src=0 instr_mod=2 dst=" + std::to_string(copied))));
        spend(t2, 300);
        t2.push_back(halt);
        kernel(RiscvCore::t1, t1, 0xA000);
        kernel(RiscvCore::t2, t2, 0xE000);
        core_ = Core(GetParam(), Reset::vendor_sim);
        const tessera::Run done = run();
        EXPECT_FALSE(done.fault) << done.fault->describe();
        const auto hazards = std::ranges::count_if(done.findings, [](const Finding& one) { return one.code == "hazard.dst-core"; });
        EXPECT_EQ(hazards, copied == 8 ? 1 : 0) << copied;
    }
}

// A core's store to Dst counts as a write of its rows. A word is in rows 0 and 8.
TEST_P(TileCores, RowsThatACoreStoresAreWritten) {
    if (!blackhole()) return;
    for (const bool stores : {false, true}) {
        std::vector<std::uint32_t> t1;
        if (stores) {
            poke(t1, 0xFFBD'8000, 7);
            peek(t1, a4, 0xFFBD'8000);
            t1.push_back(i(Op::andi, a4, a4, 7));
        }
        t1.push_back(ttinsn(instruction("SETDVALID setvalid=1")));
        t1.push_back(ttinsn(instruction("MOVD2A src=0 instr_mod=2 dst=0")));
        spend(t1, 300);
        t1.push_back(halt);
        kernel(RiscvCore::t1, t1, 0xA000);
        core_ = Core(GetParam());
        const tessera::Run done = run();
        EXPECT_FALSE(done.fault) << done.fault->describe();
        const auto found = std::ranges::find_if(done.findings, [](const Finding& one) { return one.code == "state.read-before-write"; });
        ASSERT_NE(found, done.findings.end());
        EXPECT_EQ(found->message,
                  stores ? "reads Dst row 1, which was never written" : "reads Dst row 0, which was never written");
    }
}

// T1 fills a line and tells of it in a register of the tile; T2 has the mover copy it.
// A load of a part of the register orders them as one of the word does. Another register orders nothing.
TEST_P(TileCores, CoresMeetInAWordOfTheTilesRegisters) {
    constexpr std::uint32_t shared = 0x3'0000, mux = 0xFFB1'2218, readback = 0xFFB1'221C;  // PERF_CNT_MUX_CTRL, DBG_L1_READBACK_OFFSET
    const auto hazards = [&](std::uint32_t address, Op load) {
        std::vector<std::uint32_t> t1, t2;
        poke(t1, shared, 7);
        poke(t1, mux, 1);
        t1.push_back(halt);
        spend(t2, 300);
        put(t2, a6, address);
        t2.push_back(i(load, a4, a6, 0));
        t2.push_back(i(Op::andi, a4, a4, 0));
        give_command(t2, {shared / 16, 0x4'0000 / 16, 1, l1_to_l1}, move_command);
        t2.push_back(halt);
        kernel(RiscvCore::t1, t1, 0xA000);
        kernel(RiscvCore::t2, t2, 0xE000);
        core_ = Core(GetParam(), Reset::vendor_sim);
        const tessera::Run done = run();
        EXPECT_FALSE(done.fault) << done.fault->describe();
        return std::ranges::count_if(done.findings, [](const Finding& one) { return one.code.starts_with("hazard."); });
    };
    EXPECT_EQ(hazards(mux, Op::lw), 0);
    EXPECT_EQ(hazards(mux + 1, Op::lbu), 0);
    EXPECT_EQ(hazards(mux + 2, Op::lhu), 0);
    EXPECT_EQ(hazards(readback, Op::lw), 1);
}

// BabyRISCV, memory map: INSTRN_BUF_BASE is B's way to T0, and NC has none.
TEST_P(TileCores, ATtinsnOfBGoesToT0AndNcHasNone) {
    const std::uint32_t nop_of_thread = ttinsn(instruction("NOP"));
    kernel(RiscvCore::b, {nop_of_thread, halt}, 0x100);
    const tessera::Run of_b = run();
    EXPECT_FALSE(of_b.fault) << of_b.fault->describe();
    EXPECT_EQ(of_b.instructions[0], 1u);
    core_ = Core(GetParam(), Reset::vendor_sim);
    kernels_.images = {};
    kernel(RiscvCore::nc, {nop_of_thread, halt}, 0x1'2000);
    const tessera::Run of_nc = run();
    ASSERT_TRUE(of_nc.fault);
    EXPECT_EQ(of_nc.fault->code, "tile.no-access");
    EXPECT_EQ(of_nc.fault->message,
              "ncrisc pushes to 0xFFE40000: INSTRN_BUF_BASE + 0x0; only other cores have this access");
    core_ = Core(GetParam(), Reset::vendor_sim);
    kernels_.images = {};
    kernel(RiscvCore::nc, {0, halt}, 0x1'2000);
    EXPECT_TRUE(run().fault.value().message.ends_with("and zeros mostly are a jump to memory without code"));
}

TEST_P(TileCores, AFaultNamesTheInstructionUpToTheLastWordOfAMemory) {
    constexpr std::uint32_t breaks = ebreak, iram_end = 0x4000;
    const auto instruction = [&](RiscvCore core, std::uint32_t target) {
        core_ = Core(GetParam(), Reset::vendor_sim);
        EXPECT_TRUE(core_.write_l1(l1_end() - 4, std::as_bytes(std::span(&breaks, 1))));
        if (const auto iram = core_.find_section("riscv_iram"))
            for (std::size_t at = 0; at < 4; ++at) core_.write(**iram, iram_end - 4 + at, breaks >> 8 * at & 0xFF);
        std::vector<std::uint32_t> code;
        put(code, t0, target);
        code.push_back(rv::i(Op::jalr, zero, t0, 0));
        kernels_.images = {};
        kernel(core, code, 0x100);
        const tessera::Run done = run();
        EXPECT_TRUE(done.fault);
        EXPECT_EQ(done.fault->where.pc, target);
        EXPECT_EQ(done.fault->registers.size(), 31u);
        EXPECT_EQ(done.fault->registers.front().name, "ra");
        EXPECT_EQ(done.fault->registers.back().name, "t6");
        return done.fault->where.instruction;
    };
    EXPECT_EQ(instruction(RiscvCore::b, l1_end() - 4), "ebreak");
    EXPECT_EQ(instruction(RiscvCore::b, l1_end()), "");
    EXPECT_EQ(instruction(RiscvCore::b, 0x8000'0000), "");
    if (!blackhole()) {
        EXPECT_EQ(instruction(RiscvCore::nc, 0xFFC0'0000 + iram_end - 4), "ebreak");
    }
}

}  // namespace
}  // namespace tessera::test
