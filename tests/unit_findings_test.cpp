// SPDX-License-Identifier: Apache-2.0
// Findings and faults of the units: the limit from which each is told, and the numbers and names in its message.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "state/arch_description.hpp"
#include "support/timeline.hpp"
#include "tessera/assembly.hpp"
#include "tessera/core.hpp"

namespace tessera {
namespace {

class UnitFindings : public testing::TestWithParam<Arch> {
protected:
    bool blackhole() const { return GetParam() == Arch::blackhole; }
    unsigned l1_bytes() const { return (blackhole() ? 1536 : 1464) * 1024; }
    std::string stored() const { return test::wait_for_stores(GetParam()); }

    /// Messages of the findings and the fault with that code.
    std::string said(const std::string& text, std::string_view code, std::optional<Timing> timing = {}) const {
        const auto program = assemble(text, GetParam());
        if (!program) return program.error().describe();
        Core core(GetParam());
        RunOptions options{.max_cycles = 10'000};
        if (timing) options.timing = *timing;
        const auto run = core.run(*program, options);
        std::string messages;
        const auto add = [&](const Diagnosis& one) {
            if (one.code == code) messages += (messages.empty() ? "" : "; ") + one.message;
        };
        for (const Finding& finding : run->findings) add(finding);
        if (run->fault) add(*run->fault);
        return messages;
    }
};

// SEMPOST and SEMGET, Functional model: a semaphore counts from 0 to 15; only SEMWAIT looks at the maximum.
TEST_P(UnitFindings, SemaphoresAtTheirLimits) {
    const auto post = [&](unsigned value, unsigned max, std::string_view code) {
        return said(fmt::format("SEMINIT max_value={} init_value={} sem_sel=4\nSEMPOST sem_sel=4\n", max, value), code);
    };
    EXPECT_EQ(post(2, 3, "sync.post-above-max"), "");
    EXPECT_EQ(post(3, 3, "sync.post-above-max"), "SEMPOST of semaphore 2, which is at its maximum of 3");
    EXPECT_EQ(post(5, 3, "sync.post-above-max"), "SEMPOST of semaphore 2, which is at its maximum of 3");
    EXPECT_EQ(post(14, 0, "sync.post-above-max"), "") << "without a maximum";
    EXPECT_EQ(post(14, 15, "sync.post-at-15"), "");
    EXPECT_EQ(post(15, 15, "sync.post-at-15"), "SEMPOST of semaphore 2, which is at 15 already");
    EXPECT_EQ(post(15, 15, "sync.post-above-max"), "") << "told once";
    EXPECT_EQ(said("SEMINIT max_value=15 init_value=12 sem_sel=4\nSEMPOST sem_sel=4\nSEMPOST sem_sel=4\nSEMPOST sem_sel=4\n"
                   "SEMPOST sem_sel=4\n",
                   "sync.post-at-15"),
              "SEMPOST of semaphore 2, which is at 15 already")
        << "of the same word, posted at 12, 13 and 14 before";
    EXPECT_EQ(said("SEMGET sem_sel=0xA0\n", "sync.get-at-0"), "SEMGET of semaphore 5, which is at 0") << "the first of them";
    EXPECT_EQ(said("SEMPOST sem_sel=0x80\nSEMGET sem_sel=0x80\n", "sync.get-at-0"), "");
}

// SyncUnit, RISCV access to semaphores: such a store is like SEMPOST or SEMGET.
TEST_P(UnitFindings, CoresStoreToSemaphoresAtTheirLimits) {
    for (const Timing timing : {default_timing, Timing::functional}) {
        SCOPED_TRACE(name(timing));
        const auto post = [&](unsigned value, unsigned max, std::string_view code) {
            return said(fmt::format("SEMINIT max_value={} init_value={} sem_sel=4\n.drain\n.sem_post 2\n", max, value),
                        code, timing);
        };
        EXPECT_EQ(post(2, 3, "sync.post-above-max"), "");
        EXPECT_EQ(post(3, 3, "sync.post-above-max"), "a core's post of semaphore 2, which is at its maximum of 3");
        EXPECT_EQ(post(14, 0, "sync.post-above-max"), "") << "without a maximum";
        EXPECT_EQ(post(14, 15, "sync.post-at-15"), "");
        EXPECT_EQ(post(15, 15, "sync.post-at-15"), "a core's post of semaphore 2, which is at 15 already");
        EXPECT_EQ(post(15, 15, "sync.post-above-max"), "") << "told once";
        EXPECT_EQ(said(".sem_get 5\n", "sync.get-at-0", timing), "a core's get of semaphore 5, which is at 0");
        EXPECT_EQ(said(".sem_post 5\n.sem_get 5\n", "sync.get-at-0", timing), "");
    }
}

TEST_P(UnitFindings, ACoresGetIsToldAtItsPlace) {
    const auto program = assemble("NOP\n.thread math\nNOP\n.sem_get 5\n", GetParam());
    ASSERT_TRUE(program);
    for (const Timing timing : {default_timing, Timing::functional}) {
        Core core(GetParam());
        RunOptions options;
        options.timing = timing;
        const auto run = core.run(*program, options);
        ASSERT_EQ(run->findings.size(), 1u) << name(timing);
        const Where& where = run->findings[0].where;
        EXPECT_EQ(std::tuple(where.thread, where.index, where.instruction), std::tuple(1, 1, std::string()));
    }
}

TEST_P(UnitFindings, SemaphoresThatNobodySelects) {
    for (const char* name : {"SEMINIT max_value=2 init_value=1", "SEMPOST", "SEMGET"}) {
        EXPECT_EQ(said(fmt::format("{}\n", name), "sync.no-semaphore"), "selects no semaphore, and changes nothing")
            << name;
        EXPECT_EQ(said(fmt::format("{} sem_sel=0x80\n", name), "sync.no-semaphore"), "") << name;
    }
}

TEST_P(UnitFindings, SemaphoresThatBeginBeyondTheirMaximum) {
    const auto init = [&](unsigned max, unsigned value, unsigned mask) {
        return said(fmt::format("SEMINIT max_value={} init_value={} sem_sel={}\n", max, value, mask),
                    "sync.init-above-max");
    };
    EXPECT_EQ(init(1, 2, 4), "SEMINIT sets a semaphore to 2, above its maximum of 1");
    EXPECT_EQ(init(1, 2, 0xC), "SEMINIT sets a semaphore to 2, above its maximum of 1") << "told once";
    EXPECT_EQ(init(2, 2, 4), "");
    EXPECT_EQ(init(0, 2, 4), "") << "without a maximum";
    EXPECT_EQ(init(1, 2, 0), "") << "of none";
}

TEST_P(UnitFindings, CountersThatNobodySelects) {
    const auto selects = [&](const std::string& text) { return said(text + "\n", "misc.no-counter"); };
    const std::string nothing = "selects no address counter, and changes nothing";
    for (const std::string name : {"SETADCXY", "SETADCZW", "ADDRCRXY", "ADDRCRZW"}) {
        EXPECT_EQ(selects(name + " CntSetMask=1 Ch0_X=1"), nothing) << name;
        EXPECT_EQ(selects(name + " Ch0_X=1 BitMask=1"), nothing) << name;
        EXPECT_EQ(selects(name), nothing) << name << ", told once";
        EXPECT_EQ(selects(name + " CntSetMask=1 BitMask=1"), "") << name;
    }
    for (const std::string name : {"INCADCXY", "INCADCZW", "SETADC", "SETADCXX"}) {
        EXPECT_EQ(selects(name), nothing) << name;
        EXPECT_EQ(selects(name + " CntSetMask=4"), "") << name;
    }
}

// SFPLOAD, SFPLOADI, Functional model: LRegs from 8 on are constants. From 12 on the instruction is recorded, and kernels load
// LReg 8 to move counters.
TEST_P(UnitFindings, LoadsIntoConstants) {
    const auto load = [&](std::string_view name, unsigned lreg) {
        return said(fmt::format(".thread math\n{} lreg_ind={}\n", name, lreg), "vector.load-nowhere");
    };
    for (const unsigned lreg : {0u, 7u, 8u, 12u, 15u}) EXPECT_EQ(load("SFPLOAD", lreg), "") << lreg;
    for (const unsigned lreg : {0u, 7u, 12u, 15u}) EXPECT_EQ(load("SFPLOADI", lreg), "") << lreg;
    for (const unsigned lreg : {9u, 11u})
        EXPECT_EQ(load("SFPLOAD", lreg), fmt::format("writes LReg {}, which holds a constant", lreg));
    for (const unsigned lreg : {8u, 11u})
        EXPECT_EQ(load("SFPLOADI", lreg), fmt::format("writes LReg {}, which holds a constant", lreg));
}

// Their pages, Functional model: VD of 8 to 11 is not written, and an instruction that sets flags sets none then.
TEST_P(UnitFindings, ResultsForConstants) {
    const auto gives = [&](std::string_view instruction, std::string_view vd, unsigned lreg) {
        return said(fmt::format(".thread math\n{} {}={}\n", instruction, vd, lreg), "vector.load-nowhere");
    };
    std::vector<std::pair<std::string_view, std::string_view>> all = {{"SFPMOV", "lreg_dest"},
                                                                      {"SFPMOV instr_mod1=8", "lreg_dest"},
                                                                      {"SFPMAD", "lreg_dest"},
                                                                      {"SFPADD lreg_src_a=10", "lreg_dest"},
                                                                      {"SFPMUL lreg_src_c=9", "lreg_dest"},
                                                                      {"SFPADDI", "lreg_dest"},
                                                                      {"SFPMULI", "lreg_dest"},
                                                                      {"SFPLUT", "lreg_ind"},
                                                                      {"SFPLUTFP32", "lreg_dest"},
                                                                      {"SFPIADD", "lreg_dest"},
                                                                      {"SFPLZ", "lreg_dest"},
                                                                      {"SFPEXEXP", "lreg_dest"},
                                                                      {"SFPABS", "lreg_dest"},
                                                                      {"SFPAND", "lreg_dest"},
                                                                      {"SFPOR", "lreg_dest"},
                                                                      {"SFPXOR", "lreg_dest"},
                                                                      {"SFPNOT", "lreg_dest"},
                                                                      {"SFPSHFT", "lreg_dest"},
                                                                      {"SFPSETSGN", "lreg_dest"},
                                                                      {"SFPSETEXP", "lreg_dest"},
                                                                      {"SFPSETMAN", "lreg_dest"},
                                                                      {"SFPDIVP2", "lreg_dest"},
                                                                      {"SFPEXMAN", "lreg_dest"},
                                                                      {"SFPCAST", "lreg_dest"}};
    if (blackhole()) all.insert(all.end(), {{"SFPARECIP", "lreg_dest"}, {"SFPMUL24 lreg_src_c=9", "lreg_dest"}});
    for (const auto& [instruction, vd] : all) {
        for (const unsigned lreg : {0u, 7u, 12u, 15u})
            EXPECT_EQ(gives(instruction, vd, lreg), "") << instruction << lreg;
        for (const unsigned lreg : {8u, 9u, 10u, 11u})
            EXPECT_EQ(gives(instruction, vd, lreg), fmt::format("writes LReg {}, which holds a constant", lreg))
                << instruction;
    }
    // LReg 7 names VD, the random numbers go on, and the other register is written.
    EXPECT_EQ(gives("SFPMAD instr_mod1=8", "lreg_dest", 9), "");
    EXPECT_EQ(gives("SFPMOV instr_mod1=8 lreg_c=9", "lreg_dest", 9), "");
    EXPECT_EQ(gives("SFPSWAP lreg_src_c=1 instr_mod1=1", "lreg_dest", 9), "");
}

TEST_P(UnitFindings, MutexesOfOthers) {
    EXPECT_EQ(said("ATRELM mutex_index=3\n", "sync.mutex-not-held"), "ATRELM releases mutex 3, which the thread does not hold");
    EXPECT_EQ(said("ATGETM mutex_index=3\nATRELM mutex_index=3\n", "sync.mutex-not-held"), "");
    EXPECT_EQ(said("ATGETM mutex_index=1\n", "sync.mutex-index"), "mutex 1 does not exist: the thread waits forever");
}

TEST_P(UnitFindings, WordsOfConfigurationThatThereAre) {
    const unsigned words = blackhole() ? 224 : 188;
    std::vector<std::string> instructions = {"WRCFG CfgReg={}\n", "WRCFG wr128b=1 CfgReg={}\n", "RDCFG CfgReg={}\n"};
    for (unsigned byte = 0; byte < 4; ++byte) instructions.push_back(fmt::format("RMWCIB{} Mask=1 CfgRegAddr={{}}\n", byte));
    if (blackhole()) {
        instructions.emplace_back("CFGSHIFTMASK CfgReg={}\n");
        instructions.emplace_back("STREAMWRCFG StreamRegAddr=28 CfgReg={}\n");
    }
    for (const std::string& instruction : instructions) {
        EXPECT_EQ(said(fmt::format(fmt::runtime(instruction), words - 1), "config.index"), "") << instruction;
        EXPECT_EQ(said(fmt::format(fmt::runtime(instruction), words), "config.index"),
                  fmt::format("configuration index {0} is beyond the last of {0} words", words))
            << instruction;
    }
    const unsigned of_thread = state::describe(GetParam()).thread_config_words;
    EXPECT_EQ(said(fmt::format("SETC16 setc16_reg={} setc16_value=0\n", of_thread - 1), "config.index"), "");
    EXPECT_EQ(said(fmt::format("SETC16 setc16_reg={} setc16_value=0\n", of_thread), "config.index"),
              fmt::format("configuration index {0} is beyond the last of {0} words", of_thread));
}

TEST_P(UnitFindings, ThreadsOfCountersThatAreChanged) {
    EXPECT_EQ(said("SETADCXY CntSetMask=1 Ch0_Y=5 BitMask=2 ThreadOverride=3\n", "misc.thread-override"),
              "changes address counters of thread 2 by a thread override");
    EXPECT_EQ(said("SETADC CntSetMask=1 Value=0x10005\n", "misc.thread-override"),
              "changes address counters of thread 0 by a thread override");
}

TEST_P(UnitFindings, ScalarModesAndIndices) {
    EXPECT_EQ(said("BITWOPDMAREG OpSel=5\n", "scalar.undefined-mode"), "mode 5 is undefined; Tessera returns the left operand");
    EXPECT_EQ(said("SHIFTDMAREG OpSel=2\n", "scalar.undefined-mode"), "mode 2 is undefined; Tessera returns the left operand");
    EXPECT_EQ(said("CMPDMAREG OpSel=3\n", "scalar.undefined-mode"), "mode 3 is undefined; Tessera returns the left operand");
    const unsigned words = blackhole() ? 180 - 64 : 152 - 52;
    EXPECT_EQ(said(fmt::format("REG2FLOP SizeSel=1 FlopIndex={}\n", words), "scalar.reg2flop-index"),
              fmt::format("THCON configuration index {0} is beyond the last of {0} words", words));
    const auto unsupported = [&](const std::string& text) { return said(text, "scalar.reg2flop-unsupported"); };
    EXPECT_EQ(unsupported("REG2FLOP SizeSel=0 FlopIndex=4\n"), "REG2FLOP of 128 bits is not supported by the ISA documentation");
    EXPECT_EQ(unsupported("REG2FLOP SizeSel=1 FlopIndex=4\n"),
              blackhole() ? "REG2FLOP on Blackhole is not supported by the ISA documentation" : "");
    EXPECT_EQ(unsupported("REG2FLOP SizeSel=1 TargetSel=2\n"),
              "REG2FLOP to an address counter is not supported by the ISA documentation");
}

TEST_P(UnitFindings, SourcesAndPackersOfSetdmareg) {
    const auto read = [&](unsigned source, unsigned packer, std::string_view code) {
        return said(fmt::format("SETDMAREG.special WhichPackers={} InputSource={}\n", packer, source), code);
    };
    EXPECT_EQ(read(9, 0, "scalar.undefined-source"), "");
    for (const unsigned source : {10u, 15u})
        EXPECT_EQ(read(source, 0, "scalar.undefined-source"), fmt::format("SETDMAREG reads source {}, but sources are 0 to 9", source));
    const auto lacks = [&](unsigned packer) {
        return blackhole() ? fmt::format("SETDMAREG reads packer {}, which this architecture does not have; Tessera reads 0", packer) : "";
    };
    EXPECT_EQ(read(2, 0, "scalar.no-packer"), "");
    EXPECT_EQ(read(5, 0, "scalar.no-packer"), lacks(3));
    EXPECT_EQ(read(6, 2, "scalar.no-packer"), lacks(2));
    EXPECT_EQ(read(7, 1, "scalar.no-packer"), lacks(1));
    EXPECT_EQ(read(7, 0, "scalar.no-packer"), "");
}

TEST_P(UnitFindings, WordsOfAFifo) {
    const auto word = [&](unsigned which) {
        return said(fmt::format(".gpr 1 = 0x400\n{}ATINCGETPTR WrapVal=3 Sel32b={} DataRegIndex=5 AddrRegIndex=1\n", stored(), which),
                    "scalar.fifo-word");
    };
    EXPECT_EQ(word(0), "");
    EXPECT_EQ(word(1), "");
    EXPECT_EQ(word(2), "ATINCGETPTR increments word 2, which is neither the read nor the write counter");
    EXPECT_EQ(word(3), "ATINCGETPTR increments word 3, which is neither the read nor the write counter");
}

// STOREIND (Src): rows 0 to 15; with SetOvrdWithAddr all 64 of SrcA, which begins at row 4 of the address.
TEST_P(UnitFindings, RowsThatStoreindReaches) {
    const auto store = [&](const std::string& setting, bool to_b, unsigned row, std::string_view code) {
        return said(fmt::format(".gpr 1 = {}\n{}{}STOREIND.src StoreToSrcB={} OffsetHalfReg=126 DataReg=8 AddrReg=1\n", row << 2, setting,
                                stored(), to_b ? 1 : 0),
                    code);
    };
    EXPECT_EQ(store("", true, 15, "scalar.src-row"), "");
    EXPECT_EQ(store("", true, 16, "scalar.src-row"), "STOREIND writes row 16 of SrcB, which its address cannot reach");
    EXPECT_EQ(store("", false, 19, "scalar.src-row"), "");
    EXPECT_EQ(store("", false, 20, "scalar.src-row"), "STOREIND writes row 16 of SrcA, which its address cannot reach");
    const std::string absolute = ".cfg SRCA_SET_SetOvrdWithAddr = 1\n";
    EXPECT_EQ(store(absolute, false, 67, "scalar.src-row"), "");
    EXPECT_EQ(store(absolute, false, 68, "scalar.src-row"), "STOREIND writes row 64 of SrcA, which its address cannot reach");
    EXPECT_EQ(store(absolute, true, 16, "scalar.src-row"), "STOREIND writes row 16 of SrcB, which its address cannot reach");
    EXPECT_EQ(store("", true, 0x3FFF, "scalar.src-address"), "");
    EXPECT_EQ(store("", true, 0x4000, "scalar.src-address"), "STOREIND's address 0x10000 in SrcA or SrcB has more than 16 bits");
    EXPECT_EQ(said(".gpr 1 = 0xFFFF\n" + stored() + "STOREIND.src StoreToSrcB=1 OffsetHalfReg=126 DataReg=8 AddrReg=1\n",
                   "scalar.src-address"),
              "")
        << "sixteen bits";
}

TEST_P(UnitFindings, BanksThatUnpacrsWillHandOver) {
    const auto store = [&](const std::string& before, unsigned to_b) {
        return said(fmt::format("{}STOREIND.src StoreToSrcB={} OffsetHalfReg=126 DataReg=8 AddrReg=63\n", before, to_b),
                    "scalar.src-queued");
    };
    EXPECT_EQ(store("", 0), "");
    EXPECT_EQ(store("", 1), "");
    const std::string queued = std::string(R"(
.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Float16_b
.cfg THCON_SEC0_REG0_TileDescriptor_IsUncompressed = 1
.cfg THCON_SEC0_REG0_TileDescriptor_XDim = 1024
.cfg THCON_SEC0_REG2_Out_data_format = Float16_b
.cfg THCON_SEC0_REG3_Base_address = 0x1000
.cfg UNP0_ADDR_BASE_REG_1_Base = 128
.cfg SRCA_SET_SetOvrdWithAddr = 1
SETADCXX unpackers=A x1=1023 x0=0
)") + stored() + "UNPACR SetDatValid=1\n";
    EXPECT_EQ(store(queued, 0), "STOREIND writes SrcA, but UNPACRs that will hand over its bank are not done");
    EXPECT_EQ(store(queued, 1), "") << "of the other source";
}

TEST_P(UnitFindings, AddressesOfScalarInstructions) {
    const std::string end = fmt::format(".gpr 1 = {}\n{}", l1_bytes() / 16, stored());
    EXPECT_EQ(said(end + "LOADIND SizeSel=1 OffsetIndex=126 DataRegIndex=8 AddrRegIndex=1\n", "scalar.l1-address"),
              fmt::format("L1 address 0x{:X} is beyond the last of {} bytes", l1_bytes(), l1_bytes()));
    EXPECT_EQ(said("STOREREG RegAddr=0x4004\n", "mmio-unmapped"), "STOREREG writes 0xFFB10010, but the coprocessor has no register there");
    EXPECT_EQ(said("STOREREG RegAddr=0x3FFF\n", "mmio-unmapped"), "STOREREG writes 0xFFB0FFFC, but the coprocessor has no register there");
    EXPECT_EQ(said("LOADREG RegAddr=0x4800\n", "mmio-unreadable"), "LOADREG reads 0xFFB12000, but the coprocessor has no register there");
    EXPECT_EQ(said(".gpr 1 = 0x10FF4\n" + stored() + "STOREIND.mmio OffsetHalfReg=126 DataReg=8 AddrReg=1\n", "mmio-unmapped"),
              "STOREIND writes 0xFFB10FF4, but the coprocessor has no register there");
}

class MoverFindings : public UnitFindings {
protected:
    /// Of zeros. Addresses and sizes in lines of 16 bytes; `to` counts registers, configuration and all behind it.
    std::string zeros(unsigned to, unsigned lines, std::string_view code) const {
        return said(fmt::format(".cfg THCON_SEC0_REG6_Destination_address = {}\n.cfg THCON_SEC0_REG6_Buffer_size = {}\n"
                                ".cfg THCON_SEC0_REG6_Transfer_direction = 2\n{}XMOV\n",
                                to, lines, stored()),
                    code);
    }
    /// Within L1.
    std::string copy(unsigned from, unsigned to, unsigned lines) const {
        return said(fmt::format(".cfg THCON_SEC0_REG6_Source_address = {}\n.cfg THCON_SEC0_REG6_Destination_address = {}\n"
                                ".cfg THCON_SEC0_REG6_Buffer_size = {}\n.cfg THCON_SEC0_REG6_Transfer_direction = 3\n{}XMOV\n",
                                from, to, lines, stored()),
                    "mover.l1-address");
    }
};

// Two banks of words can be written, and on Blackhole a third part that means both (spec-notes G7).
TEST_P(MoverFindings, WhereConfigurationEnds) {
    const unsigned end = blackhole() ? 3 * 224 / 4 : 2 * 188 / 4;
    const std::string from_end = fmt::format("the mover discards its writes from 0x{:X} on", 16 * end);
    EXPECT_EQ(zeros(end - 1, 1, "mover.nowhere"), "");
    EXPECT_EQ(zeros(end - 1, 2, "mover.nowhere"), from_end);
    EXPECT_EQ(zeros(end, 1, "mover.nowhere"), from_end);
    EXPECT_EQ(zeros(end + 1, 1, "mover.nowhere"), fmt::format("the mover discards its writes from 0x{:X} on", 16 * (end + 1)));
    EXPECT_EQ(zeros(0xFFF, 1, "mover.beyond-region"), "") << "ends where the region ends";
    EXPECT_EQ(zeros(0xFFF, 2, "mover.beyond-region"), "32 bytes from 0xFFF0 on exceed the configuration region");
    EXPECT_EQ(zeros(0x1000, 2, "mover.nowhere"), "the mover discards its writes from 0x10000 on");
}

// Of 64 KiB from 0x40000 on Wormhole has 16 KiB of instruction RAM, and Blackhole none.
TEST_P(MoverFindings, WhereInstructionRamEnds) {
    const unsigned size = blackhole() ? 0 : 0x4000;
    EXPECT_EQ(zeros(0x3FFF, 1, "mover.nowhere"), "the mover discards its writes from 0x3FFF0 on");
    EXPECT_EQ(zeros(0x4FFF, 1, "mover.instruction-ram"),
              fmt::format("the mover writes 16 bytes to 0x4FFF0, but instruction RAM has {} bytes", size));
    EXPECT_EQ(zeros(0x5000, 1, "mover.nowhere"), "the mover discards its writes from 0x50000 on");
    if (blackhole()) return;
    EXPECT_EQ(zeros(0x43FF, 1, "mover.instruction-ram"), "");
    EXPECT_EQ(zeros(0x43FF, 2, "mover.instruction-ram"), "the mover writes 32 bytes to 0x43FF0, but instruction RAM has 16384 bytes");
}

TEST_P(MoverFindings, WhereL1Ends) {
    const unsigned end = l1_bytes() / 16;
    EXPECT_EQ(copy(end - 2, 0x400, 2), "");
    EXPECT_EQ(copy(end - 1, 0x400, 2), fmt::format("the mover reads 32 bytes at L1 0x{:X}, but L1 has {} "
                                                   "bytes", 16 * (end - 1), l1_bytes()));
    EXPECT_EQ(copy(0x400, end - 2, 2), "");
    EXPECT_EQ(copy(end - 1, end - 1, 2), fmt::format("the mover writes 32 bytes at L1 0x{:X}, but L1 has {} "
                                                     "bytes", 16 * (end - 1), l1_bytes()));
    // Mover, Functional model: the address itself must be in L1, for any size.
    EXPECT_EQ(copy(end - 1, 0x400, 0), "");
    EXPECT_EQ(copy(end, 0x400, 0), fmt::format("the mover reads 0 bytes at L1 0x{:X}, but L1 has {} bytes", 16 * end, l1_bytes()));
    EXPECT_EQ(copy(0x400, end, 0), fmt::format("the mover writes 0 bytes at L1 0x{:X}, but L1 has {} bytes", 16 * end, l1_bytes()));
}

// TDMA-RISC, command processor: the write to L1 has both bits 9 and 10, 4 or 8 bytes, and no compact form.
TEST_P(MoverFindings, CommandsThatAreNone) {
    const auto command = [&](std::uint32_t address, std::uint32_t value) {
        return said(fmt::format(".gpr 4 = {}\n.gpr 5 = {}\n{}STOREREG TdmaDataRegIndex=4 RegAddr=0x4400\n"
                                "STOREREG TdmaDataRegIndex=5 RegAddr=0x4404\n",
                                address, value, stored()),
                    "mover.command");
    };
    EXPECT_EQ(command(0xA004, 0x666), "");
    EXPECT_EQ(command(0xA008, 0x766), "");
    const auto none = [](std::uint32_t value) { return fmt::format("TDMA-RISC has no command 0x{:X}", value); };
    for (const std::uint32_t value : {0x66u, 0x266u, 0x466u, 0x8000'0666u, 0x41u}) EXPECT_EQ(command(0xA000, value), none(value));
    EXPECT_EQ(command(0xA002, 0x666), none(0x666) + " that writes 4 bytes to an address that is no multiple of 4");
    EXPECT_EQ(command(0xA004, 0x766), none(0x766) + " that writes 8 bytes to an address that is no multiple of 8");
}

class MatrixUnitFindings : public UnitFindings {
protected:
    /// Both source banks belong to the matrix unit.
    static constexpr std::string_view banks = "SETDVALID setvalid=3\nSTALLWAIT block=math wait=srca_vld|srcb_vld\n";
    std::string formats(std::string_view format) const {
        return fmt::format("{1}.cfg ALU_FORMAT_SPEC_REG0_SrcA = {0}\n.cfg ALU_FORMAT_SPEC_REG1_SrcB = {0}\n", format,
                           blackhole() ? ".cfg DISABLE_IMPLIED_SRCA_FMT_Base = 1\n.cfg DISABLE_IMPLIED_SRCB_FMT_Base = 1\n" : "");
    }
    std::string of(const std::string& setting, const std::string& instruction, std::string_view code) const {
        return said(formats("Float16_b") + setting + stored() + std::string(banks) + instruction + "\n", code);
    }
};

// Numerics: the fidelity phase belongs to products.
TEST_P(MatrixUnitFindings, PhasesThatDivideSums) {
    const auto phase = [&](unsigned number, const std::string& instruction, const std::string& more = "") {
        return of(fmt::format(".cfg FIDELITY_BASE_Phase = {}\n{}", number, more), instruction, "matrix.fidelity-phase");
    };
    EXPECT_EQ(phase(0, "ELWADD"), "");
    EXPECT_EQ(phase(1, "ELWADD"), "ELWADD or ELWSUB in fidelity phase 1 divides its result");
    EXPECT_EQ(phase(2, "ELWSUB"), "ELWADD or ELWSUB in fidelity phase 2 divides its result");
    EXPECT_EQ(phase(3, "ELWMUL"), "");
    EXPECT_EQ(phase(3, "ELWADD", ".cfg ALU_ACC_CTRL_INT8_math_enabled = 1\n"), "") << "of integers";
}

TEST_P(MatrixUnitFindings, RowsOfSrcAWithinABlock) {
    const auto at = [&](unsigned row, const std::string& instruction) {
        return of("", fmt::format("SETRWC rwc_a={} BitMask=1\nSETRWC rwc_a={} rwc_cr=1 BitMask=1\n{}", row > 15 ? 15 : row,
                                  row > 15 ? row - 15 : 0, instruction),
                  "matrix.src-a-row");
    };
    EXPECT_EQ(at(0, "MVMUL"), "");
    EXPECT_EQ(at(8, "MVMUL"), "MVMUL reads 16 rows of SrcA from row 8, which is no multiple of 16");
    EXPECT_EQ(at(24, "GAPOOL"), "GAPOOL reads 16 rows of SrcA from row 24, which is no multiple of 16");
    EXPECT_EQ(at(16, "DOTPV"), "");
    EXPECT_EQ(at(8, "CONV3S1"), "") << "reads zeros instead";
}

TEST_P(MatrixUnitFindings, LowHalvesOfTf32) {
    const std::string tf32 = formats("Tf32");
    for (const std::string name : {"MOVA2D", "MOVB2D"}) {
        EXPECT_EQ(of(tf32, name + " dest_32b_lo=1", "matrix.tf32-low"), "MOVA2D or MOVB2D moves TF32 with dest_32b_lo") << name;
        EXPECT_EQ(of(tf32, name, "matrix.tf32-low"), "") << name;
        EXPECT_EQ(of("", name + " dest_32b_lo=1", "matrix.tf32-low"), "") << name;
    }
    const std::string message = "MOVD2A or MOVD2B reads TF32 or a low half from 16-bit Dst; Tessera reads the 16 bits as BF16";
    for (const std::string name : {"MOVD2A", "MOVD2B"}) {
        const std::string code = "matrix.move-needs-32-bit-dst", wide = ".cfg ALU_ACC_CTRL_Fp32_enabled = 1\n";
        EXPECT_EQ(of(tf32, name, code), message) << name;
        EXPECT_EQ(of("", name + " dest_32b_lo=1", code), message) << name;
        EXPECT_EQ(of("", name, code), "") << name;
        EXPECT_EQ(of(tf32 + wide, name, code), "") << name;
        EXPECT_EQ(of(wide, name + " dest_32b_lo=1", code), "") << name;
    }
}

TEST_P(MatrixUnitFindings, FormsThatAreUnsafe) {
    EXPECT_EQ(of("", "CLEARDVALID reset=1", "matrix.cleardvalid-reset"), "CLEARDVALID resets all banks of SrcA and SrcB");
    EXPECT_EQ(of("", "CLEARDVALID cleardvalid=3", "matrix.cleardvalid-reset"), "");
    EXPECT_EQ(of("", "CONV3S2", "matrix.legacy"), "CONV3S2 is a remnant of earlier architectures");
    EXPECT_EQ(of("", "MPOOL3S1", "matrix.legacy"), "MPOOL3S1 is a remnant of earlier architectures");
    EXPECT_EQ(of("", "MPOOL3S2", "matrix.legacy"), "MPOOL3S2 is a remnant of earlier architectures");
    EXPECT_EQ(said("MOVDBGA2D\n", "matrix.debug-move"), "reads SrcA bank 0, which belongs to the unpackers");
    EXPECT_EQ(of("", "MOVDBGA2D", "matrix.debug-move"), "");
    EXPECT_EQ(of("", "SETRWC clear_ab_vld=3\nMOVDBGA2D", "matrix.debug-move"), "reads SrcA bank 1, which belongs to the unpackers");
    if (blackhole()) {
        EXPECT_EQ(said("MOVDBGB2D\n", "matrix.debug-move"), "reads SrcB bank 0, which belongs to the unpackers");
        EXPECT_EQ(of("", "ZEROACC clear_mode=3 clear_zero_flags=1", "matrix.zeroacc-revert"),
                  "ZEROACC with clear_zero_flags makes rows valid again");
    }
    EXPECT_EQ(of("", "ZEROACC clear_mode=3", "matrix.zeroacc-revert"), "");
}

class PackerFindings : public UnitFindings {
protected:
    /// Packer 0 takes a row of BF16 to L1 0x10010.
    std::string pack(const std::string& configuration, const std::string& instructions, std::string_view code) const {
        return said(test::pack_bf16 + configuration + stored() + instructions + "\n", code);
    }
    std::string pacr(const std::string& operands = "") const {
        return (blackhole() ? "PACR ReadIntfSel=1" : "PACR PackSel=1") + operands + "\n";
    }
};

TEST_P(PackerFindings, WhereL1Ends) {
    const unsigned end = l1_bytes() / 16;
    const auto to = [&](unsigned line) {
        return pack(fmt::format(".cfg THCON_SEC0_REG1_Sub_l1_tile_header_size = 1\n.cfg THCON_SEC0_REG1_L1_Dest_addr = {}\n"
                                ".cfg THCON_SEC0_REG9_Pack_0_2_limit_address = 0x1FFFF\n",
                                line),
                    pacr(), "pack.l1-address");
    };
    EXPECT_EQ(to(end - 2), "");
    EXPECT_EQ(to(end - 1), fmt::format("PACR writes 32 bytes to L1 0x{:X}, but L1 has {} bytes", 16 * (end - 1), l1_bytes()));
    // In units of 256 KiB, of 2 KiB for Y, and of bytes.
    const auto from = [&](unsigned bytes) {
        return pack(fmt::format(".cfg THCON_SEC0_REG1_Source_interface_selection = 1\n.cfg THCON_SEC0_REG1_L1_source_addr = {}\n"
                                ".cfg PCK0_ADDR_BASE_REG_0_Base = {}\n.cfg PCK0_ADDR_CTRL_XY_REG_0_Ystride = 2048\n"
                                "SETADC CntSetMask=4 ChannelIndex=0 DimensionIndex=1 Value={}\n",
                                bytes >> 18, bytes % 2048, bytes / 2048 % 128),
                    pacr(), "pack.l1-source");
    };
    EXPECT_EQ(from(l1_bytes() - 32), "");
    EXPECT_EQ(from(l1_bytes() - 16), fmt::format("PACR reads 32 bytes from L1 0x{:X}, but L1 has {} bytes", l1_bytes() - 16, l1_bytes()));
}

// L1_Dest_addr counts 16 bytes and has 17 bits; bit 31 is a flag.
TEST_P(PackerFindings, DestinationsOfMoreThan17Bits) {
    const auto to = [&](std::uint32_t address) {
        return pack(fmt::format(".cfg THCON_SEC0_REG1_L1_Dest_addr = 0x{:X}\n", address), pacr(), "pack.dest-addr");
    };
    EXPECT_EQ(to(0x80001000), "");
    EXPECT_EQ(to(0x21000), fmt::format("L1_Dest_addr {} does not fit 17 bits and wraps to {}", 0x21000, 0x1000));
    EXPECT_EQ(to(0x1FFFF), "");
}

TEST_P(PackerFindings, StreamsThatChange) {
    const std::string bfp8 = ".cfg THCON_SEC0_REG1_Out_data_format = Bfp8_b\n.cfg THCON_SEC0_REG1_Exp_section_size = 4\n"
                             "SETADCXX CntSetMask=4 x_start=0 x_end2=10\n",
                      bf16 = ".drain\n.cfg THCON_SEC0_REG1_Out_data_format = Float16_b\n";
    EXPECT_EQ(pack(bfp8, pacr() + bf16 + stored() + pacr(" Last=1"), "pack.group-dropped"),
              "11 datums of a block float wait for the rest of their 16, but the stream ends in another format");
    EXPECT_EQ(pack(bfp8, pacr() + bf16 + stored() + pacr(), "pack.group-dropped"), "") << "the stream goes on";
    EXPECT_EQ(pack(bfp8, pacr() + pacr(" Last=1"), "pack.group-dropped"), "");
    const std::string compressed = ".drain\n.cfg THCON_SEC0_REG1_Disable_zero_compress = 0\n" + stored();
    const std::string changes = "compression changes within a stream; Tessera keeps the stream as it began";
    EXPECT_EQ(pack("", pacr() + compressed + pacr(), "pack.compression-changed"), changes);
    EXPECT_EQ(pack("", pacr(" Last=1") + compressed + pacr(), "pack.compression-changed"), "");
    const std::string uncompressed = ".drain\n.cfg THCON_SEC0_REG1_Disable_zero_compress = 1\n" + stored();
    EXPECT_EQ(pack(compressed, pacr() + uncompressed + pacr(), "pack.compression-changed"), changes);
}

TEST_P(PackerFindings, ModesThatPagesLeaveOpen) {
    const auto decided = [&](const std::string& configuration, const std::string& instruction) {
        return pack(configuration, instruction, "pack.decided");
    };
    const auto message = [](const std::string& what) { return "PACR with " + what + ": the ISA documentation does not say what happens"; };
    EXPECT_EQ(decided("", pacr()), "");
    EXPECT_EQ(decided("", "PACR_SETREG Flush=1"), message("a register written outside of the coprocessor (PACR_SETREG)"));
    if (!blackhole()) return;
    EXPECT_EQ(decided("", pacr(" CtxtCtrl=1")), message("a context"));
    EXPECT_EQ(decided("", pacr(" OvrdThreadId=1")), message("OvrdThreadId on Blackhole"));
    EXPECT_EQ(decided("", pacr(" RowPadZero=1")), message("RowPadZero"));
    EXPECT_EQ(decided(".cfg THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd = 1\n", pacr()),
              message("All_pack_disable_zero_compress_ovrd"));
    EXPECT_EQ(decided(".cfg THCON_SEC0_REG1_Auto_set_last_pacr_intf_sel = 1\n", pacr()), message("Auto_set_last_pacr_intf_sel"));
}

// STACC_RELU, modes 2 and 3: bit 15 of the threshold is its sign.
TEST_P(PackerFindings, NegativeThresholds) {
    const auto relu = [&](unsigned mode, unsigned threshold) {
        return pack(fmt::format(".cfg STACC_RELU_ApplyRelu = {}\n.cfg STACC_RELU_ReluThreshold = {}\n", mode, threshold), pacr(),
                    "pack.relu-threshold");
    };
    EXPECT_EQ(relu(2, 0x7FFF), "");
    EXPECT_EQ(relu(2, 0x8000), "the ReLU's threshold is negative");
    EXPECT_EQ(relu(3, 0xBF80), "the ReLU's threshold is negative");
    EXPECT_EQ(relu(1, 0xBF80), "") << "compares with 0";
    EXPECT_EQ(relu(0, 0xBF80), "");
}

TEST_P(PackerFindings, SetsOfPackers) {
    if (blackhole()) return;
    std::string masked;
    for (unsigned i = 0; i < 4; ++i)
        for (const char* field : {"In_data_format = Float16_b", "Out_data_format = Float16_b", "Disable_zero_compress = 1"})
            masked += fmt::format(".cfg THCON_SEC{}_REG{}_{}\n", i / 2, i % 2 ? 8 : 1, field);
    for (unsigned mask = 0; mask < 16; ++mask) {
        const bool listed = mask == 0 || mask == 1 || mask == 2 || mask == 4 || mask == 8 || mask == 3 || mask == 12 || mask == 15;
        EXPECT_EQ(pack(masked, fmt::format("PACR PackSel={}", mask), "pack.packer-mask"),
                  listed ? "" : fmt::format("packer mask {} is not 1, 2, 4, 8, 3, 12 or 15", mask));
    }
}

TEST_P(PackerFindings, TheFaultOfTheFirstPackerIsTold) {
    if (blackhole()) return;
    const std::string wrong = R"(
.cfg THCON_SEC0_REG1_Out_data_format = Int32
.cfg THCON_SEC0_REG8_In_data_format = Float16
.cfg THCON_SEC0_REG8_Out_data_format = Float16_b
)";
    for (const std::string name : {"PACR", "PACR_SETREG Flush=1"}) {
        EXPECT_EQ(pack(wrong, name + " PackSel=3", "pack.undefined"),
                  "PACR with this late conversion (Float16_b in Dst, In_data_format Float16_b, Out_data_format Int32): "
                  "the ISA documentation defines no result");
        EXPECT_EQ(pack(wrong, name + " PackSel=3", "pack.in-format"), "");
        EXPECT_NE(pack(wrong, name + " PackSel=2", "pack.in-format"), "");
        EXPECT_EQ(pack(wrong, name + " PackSel=2", "pack.undefined"), "");
    }
}

// Xstride counts only with an X of channel 0 other than 0.
TEST_P(PackerFindings, NumbersOfRangesAndStrides) {
    const std::string stride = ".cfg PCK0_ADDR_CTRL_XY_REG_0_Xstride = 4\n";
    EXPECT_EQ(pack(stride, pacr(), "pack.x-stride"), "");
    EXPECT_EQ(pack(stride + "SETADCXX CntSetMask=4 x_start=4 x_end2=7\n", pacr(), "pack.x-stride"),
              "Xstride is 4 bytes, but a datum has 2");
    EXPECT_EQ(pack("SETADCXX CntSetMask=4 x_start=9 x_end2=7\n", pacr(), "pack.count-negative"),
              "PACR's last datum is 7 and its first is 9");
    EXPECT_EQ(pack("SETADCXX CntSetMask=4 x_start=8 x_end2=7\n", pacr(), "pack.count-negative"), "") << "no datum";
    EXPECT_EQ(pack(".cfg PCK0_ADDR_BASE_REG_1_Base = 24\n", pacr(), "pack.out-address"),
              "output offset 24 is no multiple of 16; its low four bits are dropped");
    EXPECT_EQ(pack(".cfg THCON_SEC0_REG1_Out_data_format = Bfp8_b\n", pacr(), "pack.exponent-section"),
              "1 bytes of exponents in a section of 0 bytes: they overlap the datums behind it");
    if (!blackhole()) return;
    EXPECT_EQ(pack("SETADCXX CntSetMask=4 x_start=3 x_end2=16\n", pacr(), "pack.x-range"),
              "PACR packs datums 3 to 16 of a row, but a row has 16");
    EXPECT_EQ(pack("SETADCXX CntSetMask=4 x_start=3 x_end2=15\n", pacr(), "pack.x-range"), "");
    EXPECT_EQ(pack(".cfg DEST_TARGET_REG_CFG_PACK_SEC0_Offset = 6\n", "PACR ReadIntfSel=4", "pack.interface-group"),
              "the read interfaces of ReadIntfSel 4, from Dst row 6, leave the aligned group of four rows");
    EXPECT_EQ(pack(".cfg DEST_TARGET_REG_CFG_PACK_SEC0_Offset = 6\n", "PACR ReadIntfSel=3", "pack.interface-group"), "");
    EXPECT_EQ(pack(".cfg DEST_TARGET_REG_CFG_PACK_SEC0_Offset = 6\n", "PACR ReadIntfSel=15 DstAccessMode=1", "pack.interface-group"), "")
        << "rows 16 apart";
}

const auto arch_name = [](const auto& arch) { return std::string(name(arch.param)); };

INSTANTIATE_TEST_SUITE_P(Archs, UnitFindings, testing::ValuesIn(all_archs), arch_name);
INSTANTIATE_TEST_SUITE_P(Archs, MoverFindings, testing::ValuesIn(all_archs), arch_name);
INSTANTIATE_TEST_SUITE_P(Archs, MatrixUnitFindings, testing::ValuesIn(all_archs), arch_name);
INSTANTIATE_TEST_SUITE_P(Archs, PackerFindings, testing::ValuesIn(all_archs), arch_name);

}  // namespace
}  // namespace tessera
