// SPDX-License-Identifier: Apache-2.0
// RunOptions::on_wait: for each kind of wait who waits, for what, for how long, and what ended it. Cycles were worked out from the documents
// as in tests/data/timed_cases.txt; where no page gives them (latencies of memory, turns for a mutex), they are not compared.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/kernel_run.hpp"
#include "support/timeline.hpp"

namespace tessera {
namespace {

using Who = Wait::Who;

constexpr std::uint64_t any = ~0ull;

struct Expected {
    Who who;
    int thread;
    std::int64_t op;  ///< of the waiting instruction; of a core its op
    std::string kind, reason;
    std::uint64_t cycles;
    int by_thread;
    std::int64_t by_op;
};

struct Told {
    test::Timeline timeline;
    std::vector<Wait> waits;

    Told(Arch arch, const test::Texts& texts) {
        RunOptions options;
        options.timing = Timing::documented;
        options.on_wait = [&](const Wait& wait) { waits.push_back(wait); };
        timeline = test::run(arch, texts, options);
    }
    std::string all() const {
        std::string text;
        for (const Wait& wait : waits)
            text += fmt::format("{} T{} op {}: {} ({}), {} cycles, by T{} op {}\n", static_cast<int>(wait.who), wait.thread, wait.index, wait.kind, wait.reason,
                                wait.end - wait.begin, wait.ended_by.thread, wait.ended_by.index);
        return text;
    }
};

void expect(const test::Texts& texts, const std::vector<Expected>& expected, std::vector<Arch> archs = {Arch::blackhole, Arch::wormhole}) {
    for (const Arch arch : archs) {
        const Told told(arch, texts);
        EXPECT_FALSE(told.timeline.run.fault) << told.timeline.run.fault->describe();
        for (const Expected& each : expected) {
            const bool found = std::any_of(told.waits.begin(), told.waits.end(), [&](const Wait& wait) {
                return wait.who == each.who && wait.thread == each.thread && wait.index == each.op && wait.kind == each.kind && wait.reason == each.reason &&
                       (each.cycles == any || wait.end - wait.begin == each.cycles) && wait.over && wait.ended_by.thread == each.by_thread &&
                       wait.ended_by.index == each.by_op;
            });
            EXPECT_TRUE(found) << each.kind << ", " << each.reason << " is not among\n" << told.all();
        }
    }
}

const std::string banks = "SETDVALID setvalid=3\n.drain\n";

TEST(WaitReasons, ABlockOfDst) {
    expect({"", banks + "MVMUL\nMVMUL\n", ""}, {{Who::front_end, 1, 3, "dst-block", "Dst rows that were just written", 4, 1, 2}});
}

TEST(WaitReasons, ABusyUnit) {
    const auto busy = [](const char* unit, std::uint64_t cycles) {
        return std::vector<Expected>{{Who::front_end, 1, 3, "unit-busy", std::string(unit) + " to be free", cycles, 1, 2}};
    };
    expect({"", banks + "SHIFTXB\nSETRWC\n", ""}, busy("matrix", 1));
    expect({"", banks + "MOVD2B\nSETRWC\n", ""}, busy("matrix", 3));
    expect({"", banks + "SFPSWAP\nSFPMOV lreg_dest=4\n", ""}, busy("vector", 1));
}

TEST(WaitReasons, AUnitThatAnotherThreadHas) {
    expect({"NOP\nSETDMAREG\n", "MULDMAREG OpBisConst=1 OpBRegIndex=1\nNOP\n", ""},
           {{Who::front_end, 0, 1, "unit-busy", "scalar to be free", 2, 1, 0}});
}

TEST(WaitReasons, ALatchedWait) {
    expect({"", banks + "MVMUL\nSTALLWAIT block=cfg wait=math\nRMWCIB0\n", ""},
           {{Who::front_end, 1, 4, "latched-wait", "STALLWAIT for matrix", 4, 1, 2}});
    expect({"NOP\nNOP\nNOP\nSEMPOST sem_sel=sem2\n", "SEMWAIT block=math sem_sel=sem2 wait=zero\nSETRWC\n", ""},
           {{Who::front_end, 1, 1, "latched-wait", "SEMWAIT for semaphore 2 to be non-zero", any, 0, 3}});
    expect({"SEMINIT max_value=1 init_value=1 sem_sel=sem3\nNOP\nNOP\nNOP\nSEMGET sem_sel=sem3\n", "NOP\nSEMWAIT block=math sem_sel=sem3 wait=max\nSETRWC\n", ""},
           {{Who::front_end, 1, 2, "latched-wait", "SEMWAIT for semaphore 3 to be below its maximum", any, 0, 4}});
}

// The core's store, not an instruction, is what such a wait ends with.
TEST(WaitReasons, AStoreOfTheCore) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        expect({"", fmt::format("NOP\n.drain\n.cfg 180 = 1\nSTALLWAIT block=cfg wait_res={}\nRMWCIB0\n", arch == Arch::blackhole ? 1 << 10 : 1 << 13), ""},
               {{Who::front_end, 1, 4, "latched-wait", "STALLWAIT for stores of its core", any, 1, 2}}, {arch});
    expect({"", "NOP\n.drain\nSEMWAIT block=math sem_sel=sem4 wait=zero\nSETRWC\n.sem_post 4\n", ""},
           {{Who::front_end, 1, 3, "latched-wait", "SEMWAIT for semaphore 4 to be non-zero", any, 1, 4}});
}

// STALLWAIT, Condition mask, of both chips: a wait lasts at least a cycle, so each condition is told.
TEST(WaitReasons, EachConditionHasItsName) {
    const char* wormhole[] = {"the scalar unit", "unpacker 0", "unpacker 1", "packer 0", "packer 1", "packer 2", "packer 3", "matrix",
                              "SrcA to be cleared", "SrcB to be cleared", "SrcA to be valid", "SrcB to be valid", "the mover", "stores of its core", "vector"};
    const char* blackhole[] = {"the scalar unit", "unpacker 0", "unpacker 1", "packer 0", "matrix", "SrcA to be cleared", "SrcB to be cleared",
                               "SrcA to be valid", "SrcB to be valid", "the mover", "stores of its core", "vector", "the configuration unit"};
    const auto hold = [](Arch arch, std::span<const char* const> names) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            const bool valid = std::string_view(names[i]).ends_with("valid");
            const std::string text = fmt::format("{}STALLWAIT block=cfg wait_res={}\nRMWCIB0\n", valid ? banks : "NOP\n.drain\n", 1u << i);
            expect({"", text, ""}, {{Who::front_end, 1, 3, "latched-wait", std::string("STALLWAIT for ") + names[i], 1, 1, 2}}, {arch});
        }
    };
    hold(Arch::wormhole, wormhole);
    hold(Arch::blackhole, blackhole);
}

TEST(WaitReasons, ABankOfTheMatrixUnit) {
    expect({"NOP\nNOP\nNOP\nSETDVALID setvalid=3\n", "NOP\nMVMUL\n", ""},
           {{Who::front_end, 1, 1, "bank", "SrcA bank 0 to be handed to the matrix unit", 3, 0, 3}});
    expect({"NOP\nNOP\nNOP\nSETDVALID setvalid=2\n", "NOP\nMOVB2D\n", ""},
           {{Who::front_end, 1, 1, "bank", "SrcB bank 0 to be handed to the matrix unit", 3, 0, 3}});
    // The unit's second bank, behind what gives back the first.
    expect({"SETDVALID setvalid=3\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nSETDVALID setvalid=3\n", "NOP\nMVMUL clear_dvalid=3\nMVMUL dst=64\n", ""},
           {{Who::front_end, 1, 2, "bank", "SrcA bank 1 to be handed to the matrix unit", any, 0, 9}});
}

TEST(WaitReasons, AMutex) {
    expect({"ATGETM mutex_index=2\nNOP\nNOP\nNOP\nATRELM mutex_index=2\n", "NOP\nATGETM mutex_index=2\nATRELM mutex_index=2\n", ""},
           {{Who::front_end, 1, 1, "mutex", "mutex 2", any, 0, 4}});
}

TEST(WaitReasons, InAUnit) {
    expect({"", "ATINCGET DataRegIndex=8\nFLUSHDMA FlushSpec=1\nNOP\n", ""},
           {{Who::unit, 1, 1, "condition", "the scalar unit has requests outstanding", any, 1, 0},
            {Who::front_end, 1, 2, "own-scalar", "its own scalar instruction to end", any, 1, 0}});
}

TEST(WaitReasons, UnpackersAndTheirQueues) {
    const std::string unpacr = "UNPACR Unpack_block_selection=0\n";
    // T0's address takes two cycles, in which no other UNPACR begins: T1's comes in the second.
    const std::string configured = test::unpack_bf16 + unpacr;
    const auto issued = Told(Arch::wormhole, {configured, "", ""}).timeline.at(0, "unpacr").issue;
    std::string second;
    for (std::uint64_t n = Told(Arch::wormhole, {"", "NOP\n", ""}).timeline.at(1, "nop").issue; n < issued + 1; ++n) second += "NOP\n";
    const Told both(Arch::wormhole, {configured, second + "UNPACR Unpack_block_selection=1\n", ""});
    const auto address = std::find_if(both.waits.begin(), both.waits.end(), [](const Wait& wait) { return wait.kind == "address-phase"; });
    ASSERT_NE(address, both.waits.end()) << both.all();
    EXPECT_EQ(address->reason, "the address phase of an UNPACR");
    EXPECT_EQ(address->thread, 1);
    EXPECT_EQ(address->ended_by.thread, 0);
    EXPECT_EQ(address->ended_by.index, both.timeline.at(0, "unpacr").index);
    EXPECT_EQ(address->end - address->begin, 1u);
    // One runs and four wait in the queue; the sixth waits at the gate for the second's start.
    std::string six;
    for (int n = 0; n < 6; ++n) six += unpacr;
    const Told told(Arch::wormhole, {test::unpack_bf16 + six, "", ""});
    const auto full = std::find_if(told.waits.begin(), told.waits.end(), [](const Wait& wait) { return wait.kind == "queue-full"; });
    ASSERT_NE(full, told.waits.end()) << told.all();
    EXPECT_EQ(full->reason, "room in the queue of unpacker 0");
    EXPECT_EQ(full->index, told.timeline.at(0, "unpacr", 5).index);
    EXPECT_EQ(full->ended_by.index, told.timeline.at(0, "unpacr", 1).index);
    unsigned in_queue = 0;
    for (const Wait& wait : told.waits) in_queue += wait.who == Who::unit && wait.kind == "unit-busy" && wait.reason == "unpacker 0 to be free" && wait.unit == "unpacker 0";
    EXPECT_EQ(in_queue, 5u) << told.all();
}

TEST(WaitReasons, Cores) {
    expect({"", banks + "NOP\n", ""}, {{Who::core, 1, 1, "drain", "all its instructions to be done", any, 1, 0}});
    std::string many;
    for (int n = 0; n < 60; ++n) many += "ADDDMAREG OpBisConst=1 OpBRegIndex=1\n";
    const Told told(Arch::blackhole, {"", many, ""});
    const auto full = std::find_if(told.waits.begin(), told.waits.end(), [](const Wait& wait) { return wait.kind == "fifo-full"; });
    ASSERT_NE(full, told.waits.end()) << told.all();
    EXPECT_EQ(full->who, Who::core);
    EXPECT_EQ(full->reason, "room in the instruction FIFO");
    // One of three cycles each: the core waits two for each that leaves.
    EXPECT_EQ(full->end - full->begin, 2u);
    EXPECT_EQ(full->index, full->ended_by.index + 32);
}

// Auto TTSync: TrackGPR and TrackTensixInstructions.
TEST(WaitReasons, ACoreWhoseStoreIsKeptInOrder) {
    const std::string add = "ADDDMAREG OpBisConst=1 ResultRegIndex=6 OpBRegIndex=2 OpARegIndex=5\n";
    expect({"", "SETC16 setc16_reg=56 setc16_value=20\n.drain\n" + add + ".gpr 5 = 90\n", ""},
           {{Who::core, 1, 3, "own-instructions", "its earlier instructions to pass the wait gate (Auto TTSync)", any, 1, 2}}, {Arch::blackhole});
}

/// Kernels of RISC-V T0.
class WaitReasonsOfKernels : public test::KernelRun {
protected:
    static constexpr std::uint32_t entry = 0x6000;
    static std::uint32_t end_of(const std::vector<std::uint32_t>& code) { return entry + 4 * static_cast<std::uint32_t>(code.size()); }
    /// It waits once, for this reason, at that instruction, until what the other one does is over.
    void expect_wait(std::vector<std::uint32_t> code, const std::string& reason, std::uint32_t pc, std::uint32_t by_pc) {
        code.push_back(test::rv::halt);
        kernel(RiscvCore::t0, code, entry);
        std::vector<Wait> waits;
        RunOptions options;
        options.on_wait = [&](const Wait& wait) {
            if (wait.who == Who::core && wait.kind == "tile") waits.push_back(wait);
        };
        const tessera::Run done = run(options);
        EXPECT_FALSE(done.fault) << done.fault->describe() << done.describe_blocked();
        ASSERT_EQ(waits.size(), 1u);
        EXPECT_EQ(waits[0].core, static_cast<int>(RiscvCore::t0));
        EXPECT_EQ(waits[0].reason, reason);
        EXPECT_EQ(waits[0].pc, pc);
        EXPECT_TRUE(waits[0].over);
        EXPECT_LT(waits[0].begin, waits[0].end);
        EXPECT_EQ(waits[0].ended_by.core, static_cast<int>(RiscvCore::t0));
        EXPECT_EQ(waits[0].ended_by.pc, by_pc);
    }
};

TEST_P(WaitReasonsOfKernels, ALoadBehindAStoreToTheCoprocessor) {
    constexpr std::uint32_t gpr = 0xFFE0'0014;
    std::vector<std::uint32_t> code;
    poke(code, gpr, 90);
    const std::uint32_t stores = end_of(code) - 4;
    peek(code, test::rv::a4, gpr);
    const std::uint32_t loads = end_of(code) - 4;
    keep(code, test::rv::a4, result);
    expect_wait(code, "its own stores to the coprocessor to be processed", loads, stores);
    EXPECT_EQ(word(result), 90u);
}

TEST_P(WaitReasonsOfKernels, ACommandToABusyMover) {
    constexpr std::uint32_t lines = 0x100;
    std::vector<std::uint32_t> code;
    give_command(code, {0x3'0000 / 16, 0x4'0000 / 16, lines, l1_to_l1}, move_command);
    const std::uint32_t first = end_of(code) - 4;
    poke(code, tdma + 16, move_command);
    expect_wait(code, "the mover, for TDMA-RISC's next command", end_of(code) - 4, first);
}

INSTANTIATE_TEST_SUITE_P(Archs, WaitReasonsOfKernels, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

TEST(WaitReasons, NothingWaitsForWhatIsFree) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole}) {
        const Told told(arch, {"", banks + "SETRWC\nMVMUL dst=0\nMVMUL dst=8\nSFPNOP\nSETADCXX\nRMWCIB0\nSEMPOST sem_sel=1\nNOP\n", ""});
        for (const Wait& wait : told.waits) EXPECT_TRUE(wait.kind == "fifo-empty" || wait.kind == "finished" || wait.kind == "drain") << told.all();
    }
}

// What the report says is the sum of what was told.
TEST(WaitReasons, TheReportHasThem) {
    const Told told(Arch::blackhole, {"", banks + "MVMUL\nMVMUL\nMVMUL\nSTALLWAIT block=cfg wait=math\nRMWCIB0\n", ""});
    std::uint64_t blocks = 0, latched = 0;
    for (const WaitUse& use : told.timeline.run.waits) {
        if (use.thread == 1 && use.reason == "Dst rows that were just written") blocks += use.cycles;
        if (use.thread == 1 && use.reason == "STALLWAIT for matrix") latched += use.cycles;
    }
    EXPECT_EQ(blocks, 8u);
    EXPECT_EQ(latched, 4u);
}

TEST(WaitReasons, TheReportHasTheLongestFirst) {
    const Told told(Arch::blackhole, {"NOP\n", banks + "MVMUL\nMVMUL\nMVMUL\nSTALLWAIT block=cfg wait=math\nRMWCIB0\n", ""});
    const auto& waits = told.timeline.run.waits;
    ASSERT_GT(waits.size(), 2u);
    EXPECT_GT(waits.front().cycles, waits.back().cycles);
    EXPECT_TRUE(std::is_sorted(waits.begin(), waits.end(), [](const WaitUse& a, const WaitUse& b) { return a.cycles > b.cycles; }));
}

}  // namespace
}  // namespace tessera
