// SPDX-License-Identifier: Apache-2.0
// Reports of traced runs: cycles add up, the critical path is followed, and data is followed from L1 to L1.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "support/case_of_text.hpp"
#include "support/traced_jobs.hpp"
#include "support/traced_run.hpp"
#include "tessera/trace.hpp"

namespace tessera {
namespace {

using test::case_of_text;
using test::Json;
using test::parsed;
using test::trace;
using test::traced_jobs;

TEST(TraceReport, CyclesAddUp) {
    for (const auto& [name, job] : traced_jobs())
        for (const std::optional<std::uint64_t> seed :
             {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(9)}) {
            SCOPED_TRACE(name);
            RunOptions options = job.options;
            options.seed = seed;
            const auto [run, lines, perfetto, report] = trace(job, options);
            EXPECT_EQ(report.cycles, run.cycles);
            for (const UnitReport& unit : report.units)
                EXPECT_EQ(unit.busy + unit.waiting + unit.idle, run.cycles) << unit.unit;
            for (const ThreadReport& thread : report.threads) {
                std::uint64_t sum = thread.issuing + thread.idle;
                for (const auto& wait : thread.waits) sum += wait.cycles;
                EXPECT_EQ(sum, run.cycles) << "T" << thread.thread;
                EXPECT_LE(thread.idle, run.cycles);
            }
            std::uint64_t at = 0;
            for (const PathStep& step : report.path) {
                EXPECT_EQ(step.begin, at);
                EXPECT_LT(step.begin, step.end);
                at = step.end;
            }
            EXPECT_EQ(at, run.cycles);
            if (!run.fault)
                for (const UnitUse& use : run.units) {
                    const auto unit = std::find_if(report.units.begin(), report.units.end(),
                                                   [&](const UnitReport& u) { return u.unit == use.unit; });
                    ASSERT_NE(unit, report.units.end());
                    EXPECT_EQ(unit->busy, use.busy) << use.unit;
                    EXPECT_EQ(unit->instructions, use.instructions) << use.unit;
                }
        }
}

const UnitReport& unit_of(const TraceReport& report, std::string_view name) {
    for (const UnitReport& unit : report.units)
        if (unit.unit == name) return unit;
    throw std::runtime_error("no " + std::string(name));
}

// Nobody gives the bank: it is waited for until T0, which has nothing to do with it, comes to its end.
TEST(TraceReport, AnInstructionAtAGateCountsAsWaitingUntilTheEnd) {
    const auto [run, lines, perfetto, report] =
        trace(".repeat 300\nSETADCXX CntSetMask=1 x_end2=3\n.end\n.thread math\nMOVA2D instr_mod=2\n");
    ASSERT_EQ(run.fault ? run.fault->code : "", "deadlock");
    ASSERT_EQ(run.in_front.size(), 1u);
    const Event& waits = run.in_front[0];
    EXPECT_EQ(waits.unit, "matrix");
    EXPECT_EQ(waits.thread, 1);
    EXPECT_EQ(waits.number, -1);
    EXPECT_EQ(waits.end, run.cycles);
    EXPECT_GT(run.cycles, 300u);
    const UnitReport& matrix = unit_of(report, "matrix");
    EXPECT_EQ(matrix.instructions, 0u);
    EXPECT_EQ(matrix.busy, 0u);
    EXPECT_EQ(matrix.waiting, run.cycles - waits.gate);
    EXPECT_EQ(matrix.idle, waits.gate);
    EXPECT_EQ(matrix.first, 0u);
    std::istringstream text(report.describe());
    for (std::string line; std::getline(text, line);)
        EXPECT_FALSE(line.starts_with("  matrix ") && line.find("from") != line.npos) << line;
}

// The second one waits in the unpacker's queue for the bank that the first one has given away, the third one behind it.
TEST(TraceReport, AnInstructionInAQueueCountsAsWaitingUntilTheEnd) {
    const auto [run, lines, perfetto, report] = trace(
        "UNPACR_NOP.clear set_dvalid=1\nUNPACR_NOP.clear set_dvalid=1\nUNPACR_NOP.clear set_dvalid=1\n"
        ".repeat 300\nSETADCXX CntSetMask=1 x_end2=3\n.end\n");
    ASSERT_EQ(run.fault ? run.fault->code : "", "deadlock");
    ASSERT_EQ(run.in_front.size(), 2u);
    for (const Event& waits : run.in_front) {
        EXPECT_EQ(waits.unit, "unpacker 0");
        EXPECT_EQ(waits.start, run.cycles);
        EXPECT_LT(waits.ready, run.cycles);
    }
    const auto all = parsed(lines);
    const auto first = std::find_if(all.begin(), all.end(), [](const Json& line) { return line["kind"] == "instruction" && line["number"] == 0; });
    ASSERT_NE(first, all.end());
    const UnitReport& unpacker = unit_of(report, "unpacker 0");
    EXPECT_EQ(unpacker.instructions, 1u);
    EXPECT_EQ(unpacker.idle, first->at("gate").get<std::uint64_t>()) << "from then on one of the three is there";
    EXPECT_GT(unpacker.waiting, 290u);
}

// Wherever a run is stopped: also in the cycle in which an instruction starts, and while ATCAS waits in its unit.
TEST(TraceReport, HasTheInstructionsOfARunThatIsStopped) {
    const auto jobs = traced_jobs();
    const auto buffers = std::find_if(jobs.begin(), jobs.end(), [](const auto& one) { return one.name.ends_with("9.5-double-buffer.toml"); });
    ASSERT_NE(buffers, jobs.end());
    Case atcas = case_of_text("SETDMAREG Payload_SigSel=1 RegIndex16b=2\nATCAS CmpVal=7 AddrRegIndex=1\nNOP\n");
    atcas.job.reset = Reset::vendor_sim;
    using Counts = std::map<std::string, std::pair<std::uint64_t, std::uint64_t>>;
    const Job* const stopped[] = {&buffers->job, &atcas.job};
    for (const Job* job : stopped)
        for (const std::optional<std::uint64_t> seed : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(2)}) {
            RunOptions options = job->options;
            options.seed = seed;
            for (options.max_cycles = 1; options.max_cycles < 120; ++options.max_cycles) {
                const auto [run, lines, perfetto, report] = trace(*job, options);
                Counts reported, expected;
                for (const UnitReport& unit : report.units)
                    if (unit.instructions) reported[unit.unit] = {unit.instructions, unit.busy};
                for (const UnitUse& use : run.units) expected[use.unit] = {use.instructions, use.busy};
                EXPECT_EQ(reported, expected) << options.max_cycles;
            }
        }
}

// A seed delays what follows an instruction by some cycles, and the run is stopped within them.
TEST(TraceReport, ADelayEndsWithTheRun) {
    const Case what = case_of_text(".repeat 50\nSETRWC\n.end\n");
    using Waits = std::map<std::pair<int, std::string>, std::uint64_t>;
    for (std::uint64_t seed = 1; seed <= 12; ++seed)
        for (std::uint64_t cycles = 2; cycles <= 10; ++cycles) {
            RunOptions options = what.job.options;
            options.seed = seed;
            options.max_cycles = cycles;
            const auto [run, lines, perfetto, report] = trace(what.job, options);
            Waits reported, expected;
            for (const ThreadReport& thread : report.threads) {
                EXPECT_LE(thread.issuing, cycles) << seed;
                for (const auto& wait : thread.waits) reported[{thread.thread, wait.reason}] += wait.cycles;
            }
            for (const WaitUse& wait : run.waits) expected[{wait.thread, wait.reason}] += wait.cycles;
            EXPECT_EQ(reported, expected) << seed << ", " << cycles;
        }
}

// Two threads take turns at a unit, an instruction per cycle: each of them is on the path.
TEST(TraceReport, TheCriticalPathGoesThroughRivalsForAUnit) {
    const std::string four = ".repeat 4\nZEROACC clear_mode=0\n.end\n";
    const TraceReport report = trace(four + ".thread math\n" + four).report;
    std::vector<std::int64_t> numbers;
    for (const PathStep& step : report.path) {
        numbers.push_back(step.number);
        EXPECT_EQ(step.end - step.begin, step.number < 0 ? 2u : 1u);
    }
    EXPECT_THAT(numbers, testing::ElementsAre(-1, 0, 1, 2, 3, 4, 5, 6, 7));
}

// T1 waits for a semaphore that T0 posts behind a mover's transfer: the transfer is on the path, T1's own instructions before are not.
TEST(TraceReport, TheCriticalPathGoesThroughWhoWasWaitedFor) {
    const auto report = trace(
                            "SEMINIT max_value=1 init_value=0 sem_sel=2\n.repeat 100\nSETRWC\n.end\n"
                            "STALLWAIT stall_res=2 wait_res=64\nSEMPOST sem_sel=2\n.thread math\n.repeat 5\nNOP\n.end\n"
                            "SEMWAIT stall_res=2 sem_sel=2 wait_sem_cond=1\nSEMGET sem_sel=2\n")
                            .report;
    std::vector<std::string> who;
    for (const PathStep& step : report.path) who.push_back(step.who);
    EXPECT_THAT(who, testing::Contains("T0 front end"));
    ASSERT_FALSE(report.path.empty());
    EXPECT_THAT(report.path.back().text, testing::StartsWith("ttsemget"));
    std::uint64_t of_t1 = 0;
    for (const PathStep& step : report.path)
        if (step.thread == 1) of_t1 += step.end - step.begin;
    EXPECT_LE(of_t1, 4u);  // the lag behind the post, and SEMGET itself
}

TEST(TraceReport, DataIsFollowedFromL1ToL1) {
    for (const auto& [name, job] : traced_jobs()) {
        if (name != "add" && name != "matmul") continue;
        SCOPED_TRACE(name);
        const auto report = trace(job, job.options).report;
        const auto& output = job.outputs[0];
        std::set<std::uint32_t> tiles;
        for (const Passage& passage : report.passages) {
            ASSERT_TRUE(passage.unpack && passage.math && passage.address);
            EXPECT_LT(passage.unpack->begin, passage.math->begin);
            EXPECT_LT(passage.math->begin, passage.pack.begin);
            EXPECT_LT(passage.math->end, passage.pack.end);
            tiles.insert((*passage.address - static_cast<std::uint32_t>(output.address)) / 2048);
        }
        EXPECT_EQ(tiles.size(), output.rows * output.cols / 1024);
    }
}

// Two outputs of one transfer: the second one is a passage of its own if it does not lie behind the first.
TEST(TraceReport, AnOutputAtAnotherPlaceIsAPassageOfItsOwn) {
    const auto passages = [](std::uint32_t second) {
        const auto pack_to = [](std::uint32_t address) {
            return ".cfg THCON_SEC0_REG1_L1_Dest_addr = " + std::to_string(address) +
                   " / 16 - 1\nSTALLWAIT block=thread wait=trisc_cfg\nPACR Last=1\nSTALLWAIT block=thread wait=pack\n.drain\n";
        };
        const std::string text = R"(.cfg ALU_FORMAT_SPEC_REG2_Dstacc = Float16_b
.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Float16_b
.cfg THCON_SEC0_REG0_TileDescriptor_IsUncompressed = 1
.cfg THCON_SEC0_REG0_TileDescriptor_XDim = 256
.cfg THCON_SEC0_REG0_TileDescriptor_YDim = 1
.cfg THCON_SEC0_REG0_TileDescriptor_ZDim = 1
.cfg THCON_SEC0_REG2_Out_data_format = Float16_b
.cfg THCON_SEC0_REG3_Base_address = 0x4000 / 16 - 1
.cfg UNP0_ADDR_BASE_REG_1_Base = 4 * 16 * 2
.cfg SRCA_SET_SetOvrdWithAddr = 1
SETADCXX CntSetMask=1 x_end2=255
STALLWAIT block=thread wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
.thread math
MOVA2D instr_mod=2
STALLWAIT block=sync wait=math
SEMPOST sem_sel=sem2
.thread pack
.cfg PCK0_ADDR_CTRL_XY_REG_0_Xstride = 2
.cfg PCK0_ADDR_CTRL_XY_REG_0_Ystride = 32
.cfg PCK_EDGE_OFFSET_SEC0_mask = 0xFFFF
.cfg PACK_COUNTERS_SEC0_pack_reads_per_xy_plane = 16
.cfg THCON_SEC0_REG1_Disable_zero_compress = 1
.cfg THCON_SEC0_REG1_In_data_format = Float16_b
.cfg THCON_SEC0_REG1_Out_data_format = Float16_b
SETADCXX CntSetMask=4 x_end2=15
SEMWAIT block=sync|pack sem_sel=sem2 wait=zero
)" + pack_to(0x20000) + pack_to(second);
        std::vector<std::optional<std::uint32_t>> addresses;
        for (const Passage& passage : trace(text).report.passages) {
            EXPECT_TRUE(passage.unpack && passage.math);
            addresses.push_back(passage.address);
        }
        return addresses;
    };
    using Addresses = std::vector<std::optional<std::uint32_t>>;
    EXPECT_EQ(passages(0x30000), (Addresses{0x20000, 0x30000}));
    constexpr std::uint32_t bytes_of_four_rows = 4 * 16 * 2;
    EXPECT_EQ(passages(0x20000 + bytes_of_four_rows), Addresses{0x20000});
}

TEST(TraceReport, TellsHowFarFromTheDocumentedRate) {
    // Two dummies are in the vector unit back to back: one instruction per cycle.
    const auto report = trace(".thread math\n.repeat 64\nINCRWC rwc_d=1\n.end\n").report;
    const auto matrix =
        std::find_if(report.units.begin(), report.units.end(), [](const auto& unit) { return unit.unit == "matrix"; });
    ASSERT_NE(matrix, report.units.end());
    EXPECT_EQ(matrix->instructions, 64u);
    EXPECT_EQ(matrix->documented, 64u);
    EXPECT_EQ(matrix->last - matrix->first, 64u);
    EXPECT_EQ(matrix->instruction, "ttincrwc");
    EXPECT_EQ(matrix->occupancy, 1u);
    const std::string text = report.describe();
    EXPECT_THAT(text, testing::HasSubstr("100 % from"));
    EXPECT_THAT(text, testing::HasSubstr("critical path"));
}

}  // namespace
}  // namespace tessera
