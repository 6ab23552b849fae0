// SPDX-License-Identifier: Apache-2.0
// Late results of the scalar unit, its internal waits and the threads that they stall; waits for overlay streams.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "tessera/assembly.hpp"
#include "tessera/core.hpp"

namespace tessera {
namespace {

using Texts = std::array<std::string, 3>;

using Result = tessera::Run;  // testing::Test has a Run

class ScalarWaits : public testing::TestWithParam<Arch> {
protected:
    bool blackhole() const { return GetParam() == Arch::blackhole; }

    /// SETTLE stands for a wait until the core's stores are done.
    Result run(Texts texts, RunOptions options = {}) {
        Program program;
        program.arch = GetParam();
        const std::string settle =
            std::string("STALLWAIT stall_res=0x1FF wait_res=") + (blackhole() ? "1<<10" : "1<<13");
        for (unsigned t = 0; t < 3; ++t) {
            for (std::size_t at; (at = texts[t].find("SETTLE")) != std::string::npos;) texts[t].replace(at, 6, settle);
            auto assembled = assemble(texts[t], GetParam(), fmt::format("thread {}", t), t);
            if (!assembled) throw std::runtime_error(assembled.error().describe());
            program.threads[t] = assembled->threads[t];
        }
        events.clear();
        options.on_event = [&](const Event& event) { events.push_back(event); };
        auto run = core.run(program, options);
        if (!run) throw std::runtime_error(run.error().describe());
        return std::move(*run);
    }
    std::uint32_t gpr(unsigned thread, unsigned i) const {
        return static_cast<std::uint32_t>(core.read(*core.find_section("gpr").value(), thread * 64 + i));
    }
    void set_l1(std::uint32_t at, std::uint32_t value) { std::memcpy(core.l1().data() + at, &value, 4); }
    std::uint32_t l1(std::uint32_t at) {
        std::uint32_t value;
        std::memcpy(&value, core.l1().data() + at, 4);
        return value;
    }
    const Event& event(int thread, const std::string& name) const {
        for (const Event& e : events)
            if (e.thread == thread && e.instruction.starts_with("tt" + name)) return e;
        throw std::out_of_range(name);
    }
    static bool found(const Result& run, const std::string& code) {
        return std::any_of(run.findings.begin(), run.findings.end(), [&](const Finding& f) { return f.code == code; });
    }
    static const Blocked& blocked(const Result& run, const std::string& who) {
        for (const Blocked& b : run.blocked)
            if (b.who == who) return b;
        throw std::out_of_range(who);
    }
    /// T1 moves one line from L1 0x5000 to `to`, after `lines` of others.
    std::string move_line(std::uint32_t to, unsigned lines = 1) const {
        return fmt::format(
            ".cfg THCON_SEC0_REG6_Source_address = {}\n.cfg THCON_SEC0_REG6_Destination_address = {}\n"
            ".cfg THCON_SEC0_REG6_Buffer_size = {}\n.cfg THCON_SEC0_REG6_Transfer_direction = 3\nSETTLE\n.repeat "
            "40\nNOP\n.end\nXMOV\n",
            0x500 - (lines - 1), to / 16 - (lines - 1), lines);
    }

    Core core{GetParam(), Reset::vendor_sim};
    std::vector<Event> events;
};

const std::string gprs = ".gpr 1 = 0x600\n.gpr 2 = 0\n.gpr 5 = 7\n.gpr 6 = 1\nSETTLE\n";  // L1 0x6000
const std::string load = "LOADIND SizeSel=1 OffsetIndex=4 DataRegIndex=5 AddrRegIndex=1\n";
const std::string use = "ADDDMAREG OpBisConst=1 ResultRegIndex=8 OpBRegIndex=1 OpARegIndex=5\n";
const std::string wait = "STALLWAIT stall_res=0x1FF wait_res=1\n";

// LOADIND, Instruction scheduling.
TEST_P(ScalarWaits, AnAnswerIsThereOnceItHasBeenWaitedFor) {
    set_l1(0x6000, 40);
    Result early = run({gprs + load + use, "", ""});
    EXPECT_FALSE(early.fault);
    EXPECT_TRUE(found(early, "hazard.gpr-request"));
    EXPECT_EQ(gpr(0, 8), 8u);  // the old value
    EXPECT_EQ(gpr(0, 5), 40u);
    for (const std::string& between :
         {wait, std::string("FLUSHDMA FlushSpec=1\n"), std::string("FLUSHDMA\n"), std::string(".drain\n")}) {
        const Result waited = run({gprs + load + between + use, "", ""});
        EXPECT_FALSE(found(waited, "hazard.gpr-request")) << between;
        EXPECT_EQ(gpr(0, 8), 41u) << between;
        EXPECT_GE(event(0, "adddmareg").issue, event(0, "loadind").end) << between;
    }
    // Cycles alone help, mostly; that is no guarantee.
    std::string nops;
    for (int i = 0; i < 7; ++i) nops += "DMANOP\n";
    const Result lucky = run({gprs + load + nops + use, "", ""});
    EXPECT_EQ(gpr(0, 8), 41u);
    EXPECT_TRUE(found(lucky, "hazard.gpr-request"));
    EXPECT_FALSE(
        found(run({gprs + load + "ADDDMAREG OpBisConst=1 ResultRegIndex=8 OpBRegIndex=1 OpARegIndex=6\n", "", ""}),
              "hazard.gpr-request"));
    // The load would overwrite data before its arrival.
    EXPECT_TRUE(
        found(run({gprs + load + "SETDMAREG.immediate NewValue=1 ResultHalfReg=10\n", "", ""}), "hazard.gpr-request"));
    EXPECT_EQ(gpr(0, 5), 40u);
}

TEST_P(ScalarWaits, UnderInstantTimingAnswersAreThereAtOnce) {
    set_l1(0x6000, 40);
    const Result instant = run({gprs + load + use, "", ""}, {.timing = Timing::instant});
    EXPECT_TRUE(instant.findings.empty());
    EXPECT_EQ(gpr(0, 8), 41u);
    RunOptions options{.timing = Timing::instant};
    options.reference = true;
    EXPECT_FALSE(run({gprs + load + use, "", ""}, options).fault);
    EXPECT_EQ(gpr(0, 8), 41u);
}

// A store takes its data when it is issued, whatever a seed delays.
TEST_P(ScalarWaits, TheSecondImplementationTakesDataAtTheIssue) {
    for (std::uint64_t seed = 0; seed < 20; ++seed)
        for (const bool reference : {false, true}) {
            RunOptions options;
            if (seed) options.seed = seed;
            options.reference = reference;
            set_l1(0x6000, 0);
            run({gprs + "STOREIND.l1 Size=1 OffsetHalfReg=4 DataReg=5 AddrReg=1\n"
                        "ADDDMAREG OpBisConst=1 ResultRegIndex=5 OpBRegIndex=1 OpARegIndex=5\nNOP\n"
                        "STALLWAIT stall_res=0x1FF wait_res=1\nLOADIND SizeSel=1 OffsetIndex=4 DataRegIndex=9 "
                        "AddrRegIndex=1\n",
                 "", ""},
                options);
            EXPECT_EQ(gpr(0, 9), 7u) << seed << reference;
        }
}

// Requests of the scalar unit arrive in their order.
TEST_P(ScalarWaits, ALoadSeesTheStoreBeforeIt) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        RunOptions options;
        if (seed) options.seed = seed;
        set_l1(0x6000, 0);
        run({gprs + "STOREIND.l1 Size=1 OffsetHalfReg=4 DataReg=5 AddrReg=1\n"
                    "LOADIND SizeSel=1 OffsetIndex=4 DataRegIndex=9 AddrRegIndex=1\n",
             "", ""},
            options);
        EXPECT_EQ(gpr(0, 9), 7u) << seed;
    }
}

// ScalarUnit, table: three cycles, then the thread goes on; ATINCGET no more often than every twelve.
TEST_P(ScalarWaits, RequestsHoldTheThreadForThreeCycles) {
    run({gprs + load + "NOP\n", "", ""});
    EXPECT_EQ(event(0, "nop").issue - event(0, "loadind").issue, 3u);
    run({gprs + "ATINCGET WrapVal=31 DataRegIndex=6 AddrRegIndex=1\nATSWAP SwapMask=1 DataRegIndex=12 AddrRegIndex=1\n",
         "", ""});
    EXPECT_EQ(event(0, "atswap").issue - event(0, "atincget").issue, 12u);
    run({gprs + "ATINCGET WrapVal=31 DataRegIndex=6 AddrRegIndex=1\nDMANOP\n", "", ""});
    EXPECT_EQ(event(0, "dmanop").issue - event(0, "atincget").issue, 3u);
}

// STOREIND (L1), Summary: the thread's next instruction can execute once the request has been sent, long before it arrives.
TEST_P(ScalarWaits, OffsetsAreIncrementedBeforeTheNextInstruction) {
    constexpr std::uint32_t at = 0x7000;
    std::string stores = fmt::format(".gpr 1 = {}\n.gpr 2 = 0\n.gpr 9 = 5\n.gpr 10 = 6\n.gpr 11 = 7\nSETTLE\n", at / 16);
    for (unsigned i = 9; i < 12; ++i)
        stores += fmt::format("STOREIND.l1 Size=1 OffsetHalfReg=4 OffsetIncrement=2 DataReg={} AddrReg=1\n", i);
    const std::string loads =
        "SETTLE\nLOADIND SizeSel=1 OffsetIndex=5 AutoIncSpec=2 DataRegIndex=20 AddrRegIndex=1\n"
        "LOADIND SizeSel=1 OffsetIndex=5 AutoIncSpec=2 DataRegIndex=21 AddrRegIndex=1\n";
    for (const Timing timing : {Timing::documented, Timing::instant}) {
        for (unsigned i = 0; i < 4; ++i) set_l1(at + 4 * i, 0);
        const Result done = run({stores, "", ""}, {.timing = timing});
        EXPECT_FALSE(done.fault);
        for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(l1(at + 4 * i), 5 + i) << "store " << i;
        EXPECT_EQ(l1(at + 12), 0u);
        run({".gpr 2 = 12\n" + loads, "", ""}, {.timing = timing});
        EXPECT_EQ(gpr(0, 20), 5u);
        EXPECT_EQ(gpr(0, 21), 6u);
        EXPECT_EQ(gpr(0, 2), 0x0008'000Cu);
    }
}

const std::string compare = gprs + "ATCAS SwapVal=9 CmpVal=5 AddrRegIndex=1\n";

TEST_P(ScalarWaits, AtcasHoldsTheUnitUntilTheMoverReleasesIt) {
    const std::string other = gprs + "SETTLE\nNOP\nNOP\nNOP\nNOP\nNOP\nDMANOP\n";
    for (const bool instant : {false, true})
        for (const bool reference : {false, true}) {
            if (reference && !instant) continue;
            set_l1(0x5000, 5);
            set_l1(0x6000, 0);
            RunOptions options{.timing = instant ? Timing::instant : Timing::documented};
            options.reference = reference;
            const Result released = run({compare + "NOP\n", move_line(0x6000, 64), other}, options);
            ASSERT_FALSE(released.fault) << released.fault->describe() << released.describe_blocked();
            EXPECT_EQ(l1(0x6000), 9u);
            EXPECT_TRUE(released.findings.empty());
            EXPECT_GE(event(0, "nop").issue, event(0, "atcas").end);
            if (instant) continue;
            // It tries again every 15 cycles.
            EXPECT_EQ((event(0, "atcas").end - event(0, "atcas").start) % 15, 0u);
            EXPECT_GT(event(0, "atcas").end - event(0, "atcas").start, 15u);
            EXPECT_GE(event(0, "atcas").end, event(1, "xmov").start);
            // No other thread's scalar instruction gets in meanwhile.
            EXPECT_GE(event(2, "dmanop").issue, event(0, "atcas").end);
        }
}

TEST_P(ScalarWaits, AFifoThatIsFilled) {
    for (const bool full : {false, true}) {
        set_l1(0x6000, 0);
        set_l1(0x6004, full ? 4 : 0);
        set_l1(0x5000, full ? 1 : 0);
        set_l1(0x5004, full ? 4 : 1);
        const Result released = run(
            {gprs + fmt::format("ATINCGETPTR WrapVal=3 Sel32b={} DataRegIndex=5 AddrRegIndex=1\n", full ? 1 : 0) + use,
             move_line(0x6000), ""});
        ASSERT_FALSE(released.fault) << released.fault->describe() << released.describe_blocked();
        EXPECT_EQ(l1(full ? 0x6004 : 0x6000), full ? 5u : 1u);
        EXPECT_EQ(gpr(0, 5), full ? 4u : 0u);
        EXPECT_EQ(gpr(0, 8), full ? 5u : 1u);  // its result is there when the thread goes on
        EXPECT_FALSE(found(released, "hazard.gpr-request"));
    }
}

// The store of another thread needs the scalar unit, too, and never gets it.
TEST_P(ScalarWaits, WhatNothingCanReleaseIsADeadlock) {
    set_l1(0x6000, 0);
    const std::string store =
        gprs + ".gpr 9 = 5\nSETTLE\nNOP\nNOP\nNOP\nNOP\nSTOREIND.l1 Size=1 OffsetHalfReg=4 DataReg=9 AddrReg=1\n";
    for (const Timing timing : {Timing::documented, Timing::instant}) {
        const Result stuck =
            run({gprs + "ATCAS SwapVal=9 CmpVal=5 AddrRegIndex=1\nNOP\n", store, ""}, {.timing = timing});
        ASSERT_TRUE(stuck.fault);
        EXPECT_EQ(stuck.fault->code, "deadlock");
        const Blocked& held = blocked(stuck, "scalar (T0)");
        EXPECT_EQ(held.waits_for, "L1 0x6000 to be 5: it is 0");
        EXPECT_TRUE(held.instruction.starts_with("ATCAS ")) << held.instruction;
        EXPECT_EQ(blocked(stuck, "T0 front end").waits_for, "its own scalar instruction to end");
        EXPECT_EQ(blocked(stuck, "T1 front end").waits_for, "scalar to be free");
        EXPECT_EQ(blocked(stuck, "T1 front end").holder, "ATCAS of T0");
    }
    const Result empty = run({gprs + "ATINCGETPTR WrapVal=3 DataRegIndex=5 AddrRegIndex=1\n", "", ""});
    ASSERT_TRUE(empty.fault);
    EXPECT_EQ(empty.fault->code, "deadlock");
    EXPECT_EQ(blocked(empty, "scalar (T0)").waits_for,
              "the FIFO at L1 0x6000 not to be empty: its read counter is 0, its write counter 0");
}

// A store that was on its way before the unit was held arrives.
TEST_P(ScalarWaits, AStoreOnItsWayReleases) {
    set_l1(0x6000, 0);
    const std::string store = gprs +
                              ".gpr 9 = 5\nSETTLE\nSTOREIND.l1 Size=1 OffsetHalfReg=4 DataReg=9 AddrReg=1\n"
                              "ATCAS SwapVal=9 CmpVal=5 AddrRegIndex=1\n";
    EXPECT_FALSE(run({store, "", ""}).fault);
    EXPECT_EQ(l1(0x6000), 9u);
}

// STOREIND (Src): AllowedClient is waited for inside the scalar unit.
TEST_P(ScalarWaits, AStoreToABankWaitsForIt) {
    const std::string fill =
        ".gpr 1 = 20\n.gpr 2 = 0\n.gpr 8 = 0x3F803F80\n.gpr 9 = 0x3F803F80\nSETTLE\n"
        "SETDVALID setvalid=2\nSETDVALID setvalid=2\nSETTLE\n"
        "STOREIND.src StoreToSrcB=1 OffsetHalfReg=4 DataReg=8 AddrReg=1\n";
    const Result released =
        run({fill, "SETTLE\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nSETRWC clear_ab_vld=2\n", ""});
    ASSERT_FALSE(released.fault) << released.describe_blocked();
    EXPECT_GE(event(0, "storeind").end, event(1, "setrwc").end);
    EXPECT_EQ(core.src_b()[0][5 * 16 + 1], 0x3F800000u);
    Core fresh(GetParam(), Reset::vendor_sim);
    core = fresh;
    const Result stuck = run({fill, "", ""});
    ASSERT_TRUE(stuck.fault);
    EXPECT_EQ(blocked(stuck, "scalar (T0)").waits_for, "SrcB bank 0 to be handed to the unpackers");
}

// FLUSHDMA, Functional model: at least two cycles, and other threads' scalar instructions are held back.
TEST_P(ScalarWaits, FlushdmaHoldsTheUnit) {
    run({gprs + "FLUSHDMA\nNOP\n", "", ""});
    EXPECT_EQ(event(0, "flushdma").end - event(0, "flushdma").start, 2u);
    EXPECT_EQ(event(0, "nop").issue - event(0, "flushdma").issue, 2u);
    const std::string nops = "NOP\nNOP\nNOP\nNOP\n";
    run({gprs + "ATINCGET WrapVal=31 DataRegIndex=6 AddrRegIndex=1\nFLUSHDMA FlushSpec=1\n", gprs + nops + "DMANOP\n",
         ""});
    EXPECT_GE(event(0, "flushdma").end, event(0, "atincget").end);
    EXPECT_GE(event(1, "dmanop").issue, event(0, "flushdma").end);
    // It does not wait for requests that it was not asked about.
    run({gprs + "ATINCGET WrapVal=31 DataRegIndex=6 AddrRegIndex=1\nFLUSHDMA FlushSpec=2\n", "", ""});
    EXPECT_LT(event(0, "flushdma").end, event(0, "atincget").end);
}

// L1 that a packer, unpacker or mover of another thread uses without order.
TEST_P(ScalarWaits, UnorderedAccessesToL1AreTold) {
    const std::string store = gprs + "STOREIND.l1 Size=1 OffsetHalfReg=4 DataReg=5 AddrReg=1\n";
    EXPECT_TRUE(found(run({store, move_line(0x6000), ""}), "hazard.l1"));
    EXPECT_FALSE(found(run({store, move_line(0x7000), ""}), "hazard.l1"));
    // Increments are atomic: they need no order among each other, only with other accesses.
    const std::string count = gprs + "ATINCGET WrapVal=31 DataRegIndex=6 AddrRegIndex=1\n";
    EXPECT_FALSE(found(run({count, count, ""}), "hazard.l1"));
    EXPECT_TRUE(found(run({count, move_line(0x6000), ""}), "hazard.l1"));
    EXPECT_TRUE(found(run({count, store, ""}), "hazard.l1"));
    const std::string post = store + wait + "SEMPOST sem_sel=1\n";
    const std::string after = "SEMWAIT stall_res=0x1FF sem_sel=1 wait_sem_cond=1\n";
    std::string ordered = move_line(0x6000);
    ordered.insert(ordered.find("XMOV"), after);
    EXPECT_FALSE(found(run({post, ordered, ""}), "hazard.l1"));
}

/// Of instructions that only Blackhole has.
class BlackholeWaits : public ScalarWaits {};

// STREAMWAIT, Functional model.
TEST_P(BlackholeWaits, AStreamsPhaseIsWaitedFor) {
    const std::string latch =
        "SETC16 setc16_reg=57 setc16_value=1\nSETC16 setc16_reg=61 setc16_value=9\n"
        "STREAMWAIT stall_res=2 target_value=3 target_sel=0 wait_stream_sel=2\nNOP\nSEMPOST sem_sel=1\n";
    const std::string advance = gprs + ".gpr 7 = 0x402\n.gpr 8 = 0x403\nSETTLE\n" +
                                fmt::format(
                                    "STOREREG TdmaDataRegIndex=7 RegAddr={0}\nDMANOP\nDMANOP\nDMANOP\n"
                                    "STOREREG TdmaDataRegIndex=8 RegAddr={0}\n",
                                    (0x49000 + 29 * 4) / 4);
    const Result done = run({latch, advance, ""});
    ASSERT_FALSE(done.fault) << done.describe_blocked();
    const auto stores = std::count_if(events.begin(), events.end(), [&](const Event& e) {
        return e.instruction.starts_with("ttstorereg") && e.start < event(0, "sempost").issue;
    });
    EXPECT_EQ(stores, 2);
    EXPECT_LT(event(0, "nop").issue, event(1, "storereg").issue);  // not blocked
    core = Core(GetParam(), Reset::vendor_sim);
    const Result stuck = run({latch, "", ""});
    ASSERT_TRUE(stuck.fault);
    EXPECT_EQ(stuck.fault->code, "deadlock");
    EXPECT_TRUE(blocked(stuck, "T0 front end").waits_for.starts_with("latched wait: the phase of stream 9 is 0, below 1027, of STREAMWAIT "));
}

TEST_P(BlackholeWaits, MessagesOfAStreamComeFromOutside) {
    const std::string latch =
        "SETC16 setc16_reg=59 setc16_value=4\nSTREAMWAIT target_value=3 target_sel=1\nZEROACC\n"
        "STREAMWRCFG stream_id_sel=0 StreamRegAddr=259 CfgReg=100\n"
        "STALLWAIT stall_res=0x1FF wait_res=1<<12\nRDCFG GprAddress=20 CfgReg=100\n";
    EXPECT_TRUE(run({latch, "", ""}).fault);
    core = Core(GetParam(), Reset::vendor_sim);
    const auto& section = *core.find_section("stream_register").value();
    core.write(section, 4 * 7 + 6, 5);
    const Result done = run({latch, "", ""});
    EXPECT_FALSE(done.fault) << done.describe_blocked();
    EXPECT_EQ(gpr(0, 20), 5u);
}

// STREAMWRCFG, Performance and Instruction scheduling: five cycles, in which the thread goes on, but not in the configuration unit.
TEST_P(BlackholeWaits, AWordFromAStreamComesLate) {
    const std::string write = "STREAMWRCFG stream_id_sel=0 StreamRegAddr=28 CfgReg=100\n";
    const Result late = run({write + "RDCFG GprAddress=20 CfgReg=100\n", "", ""});
    EXPECT_TRUE(found(late, "hazard.config-stream"));
    EXPECT_FALSE(found(late, "hazard.config-late"));
    EXPECT_EQ(event(0, "rdcfg").issue - event(0, "streamwrcfg").issue, 5u);
    EXPECT_EQ(event(0, "streamwrcfg").end - event(0, "streamwrcfg").start, 5u);
    run({write + "NOP\n", "", ""});
    EXPECT_EQ(event(0, "nop").issue - event(0, "streamwrcfg").issue, 1u);
    // Other instructions between them are no cure, a wait for the unit is.
    const std::string nops = "NOP\nNOP\nNOP\n", unit_wait = "STALLWAIT block=thread wait=cfgexu\n";
    EXPECT_TRUE(found(run({write + nops + "RDCFG GprAddress=20 CfgReg=100\n", "", ""}), "hazard.config-stream"));
    EXPECT_FALSE(found(run({write + unit_wait + "RDCFG GprAddress=20 CfgReg=100\n", "", ""}), "hazard.config-stream"));
    // Due to a bug a write of the configuration unit may overtake it.
    EXPECT_TRUE(found(run({gprs + write + "WRCFG GprAddress=5 CfgReg=100\n", "", ""}), "hazard.config-stream"));
    EXPECT_FALSE(found(run({gprs + write + "WRCFG GprAddress=5 CfgReg=101\n", "", ""}), "hazard.config-stream"));
    const Result nowhere = run({"STREAMWRCFG StreamRegAddr=900 CfgReg=100\n", "", ""});
    ASSERT_TRUE(nowhere.fault);
    EXPECT_EQ(nowhere.fault->code, "mmio-unreadable");
}

// RESOURCEDECL speaks to Auto TTSync, in front of the wait gate: no wait holds it back, and it changes nothing but what is
// declared.
TEST_P(BlackholeWaits, ResourceDeclarationsPassTheGate) {
    const Core before = core;
    const Result done = run({"RESOURCEDECL linger_time=3 resources=5 op_class=2\n", "", ""});
    EXPECT_FALSE(done.fault);
    EXPECT_TRUE(done.findings.empty());
    EXPECT_EQ(done.instructions[0], 1u);
    for (const Section& section : core.sections())
        for (std::size_t i = 0; i < section.size && section.name != "l1"; ++i)
            if (section.name == "declared_resources" && i == 2)
                ASSERT_EQ(core.read(section, i), 5u | 3u << 9);
            else
                ASSERT_EQ(core.read(section, i), before.read(section, i)) << section.describe(i);
    // Behind a wait that never ends a NOP waits, and the declaration does not.
    const std::string latch = "STREAMWAIT stall_res=0x1FF target_value=3\n";
    const Result passed = run({latch + "RESOURCEDECL\n", "", ""});
    EXPECT_EQ(passed.instructions[0], 2u);
}

INSTANTIATE_TEST_SUITE_P(Arch, BlackholeWaits, testing::Values(Arch::blackhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });
INSTANTIATE_TEST_SUITE_P(Archs, ScalarWaits, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera
