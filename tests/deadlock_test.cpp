// SPDX-License-Identifier: Apache-2.0
// Waits for banks, queues and cores: those that never end, with the reported cause, and those that do end.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "support/blocked_runs.hpp"
#include "support/run_cli.hpp"
#include "support/timeline.hpp"
#include "tessera/job.hpp"

namespace tessera {
namespace {

using test::blocked;
using test::expect_blocked;
using test::Names;
using test::program;
using test::run;
using test::unfinished;

Job example(const std::string& name) {
    auto job = load_job(TESSERA_SOURCE_DIR "/examples/deadlock/" + name + "/job.toml");
    if (!job) throw std::runtime_error(job.error().describe());
    return std::move(*job);
}

std::size_t mentions(const std::string& text, std::string_view what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++count;
    return count;
}

// Without queues it hangs. The second implementation writes the bank's owner as the first one does: at the end of the hand-over.
TEST(Deadlock, ABankThatTheSecondImplementationHandedOver) {
    Job job = example("runs");
    job.options.timing = Timing::instant;
    for (const bool reference : {false, true}) {
        job.options.reference = reference;
        const tessera::Run result = prepare(job)->run(job.program, job.options).value();
        EXPECT_EQ(blocked(result, "T0 front end").last_touched.substr(0, 7), "T0 op 8") << reference;
        EXPECT_EQ(result.by_reference != 0, reference);
    }
}

TEST(Deadlock, AWaitInsideTheUnpackerHoldsNobodyElse) {
    Job job = example("runs");
    std::vector<Event> unpacks, posts;
    job.options.on_event = [&](const Event& event) {
        if (event.instruction.starts_with("ttunpacr")) unpacks.push_back(event);
        if (event.instruction.starts_with("ttsempost")) posts.push_back(event);
    };
    const tessera::Run result = prepare(job)->run(job.program, job.options).value();
    EXPECT_FALSE(result.fault) << result.fault->describe() << result.describe_blocked();
    EXPECT_TRUE(result.findings.empty());
    ASSERT_EQ(unpacks.size(), 3u);
    ASSERT_EQ(posts.size(), 1u);
    // The thread went on while its third transfer was waiting in the unpacker.
    EXPECT_LT(unpacks[2].issue, posts[0].issue);
    EXPECT_GT(unpacks[2].start, posts[0].end);

    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        job.options.seed = seed;
        EXPECT_TRUE(prepare(job)->run(job.program, job.options)->good()) << "seed " << seed;
    }
}

// Without queues in front of units, what waits for a bank holds its thread: docs/deadlocks.md says so.
TEST(Deadlock, InstantTimingHasNoQueueThatAnInstructionCouldWaitIn) {
    Job job = example("runs");
    job.options.timing = Timing::functional;
    EXPECT_TRUE(prepare(job)->run(job.program, job.options)->good());
    job.options.timing = Timing::instant;
    const tessera::Run result = prepare(job)->run(job.program, job.options).value();
    expect_blocked(result, "deadlock");
    EXPECT_EQ(unfinished(result), (Names{"T0 front end", "T1 front end"}));
    EXPECT_THAT(result.blocked[3].waits_for, testing::HasSubstr("SrcA bank 0"));
    EXPECT_THAT(result.blocked[3].instruction, testing::StartsWith("UNPACR "));
}

TEST(Deadlock, ABankThatIsNeverGivenBack) {
    Job job = example("hangs");
    Event second;
    job.options.on_event = [&](const Event& event) {
        if (event.instruction.starts_with("ttunpacr")) second = event;
    };
    const tessera::Run result = prepare(job)->run(job.program, job.options).value();
    expect_blocked(result, "deadlock");
    EXPECT_EQ(unfinished(result), Names{"unpacker 0"});
    ASSERT_EQ(result.blocked.size(), 7u);
    const Blocked& b = result.blocked[6];
    EXPECT_EQ(b.waits_for, "SrcA bank 0 to be handed to the unpackers");
    EXPECT_EQ(b.holder, "matrix unit");
    EXPECT_TRUE(b.last_touched.starts_with("T0 op 8, cycle ")) << b.last_touched;  // the first UNPACR
    EXPECT_EQ(b.since, second.start + second.occupancy);  // the unpacker is free
    EXPECT_TRUE(b.instruction.starts_with("UNPACR ")) << b.instruction;
    EXPECT_TRUE(b.place.ends_with("hangs/unpack.tts:20")) << b.place;
    const std::string table = result.describe_blocked();
    EXPECT_EQ(mentions(table, "finished"), 6u) << table;
    for (const auto& part : {b.waits_for, b.holder, b.last_touched, b.instruction, b.place})
        EXPECT_NE(table.find(part), std::string::npos) << part << "\n" << table;
}

// A latched wait for a bank names what last changed that bank: of the source that it waits for, the one that the matrix unit or the unpacker is at.
TEST(Deadlock, ALatchedWaitForABankNamesItsLastChange) {
    constexpr unsigned srca_clr = 5, srcb_clr = 6, srca_vld = 7, srcb_vld = 8;
    // Lines 1 and 2 make SrcA's banks valid, 3 and 4 SrcB's; the next two give them back.
    const std::string valid = "SETDVALID setvalid=1\nSETDVALID setvalid=1\nSETDVALID setvalid=2\nSETDVALID setvalid=2\n.drain\n";
    const auto changed_by = [](const std::string& text, unsigned condition) {
        const tessera::Run result = run(text + "STALLWAIT stall_res=0x1FF wait_res=1<<" + std::to_string(condition) + "\nNOP\n");
        expect_blocked(result, "deadlock");
        const Blocked& b = blocked(result, "T0 front end");
        EXPECT_EQ(b.holder, "");
        return b.last_touched;
    };
    const auto line = [](unsigned number, const std::string& src) {
        return testing::EndsWith("(kernel.tts:" + std::to_string(number) + ") (" + src + " bank 0)");
    };
    EXPECT_THAT(changed_by(valid, srca_clr), line(1, "SrcA"));
    EXPECT_THAT(changed_by(valid, srcb_clr), line(3, "SrcB"));
    EXPECT_THAT(changed_by(valid + "CLEARDVALID cleardvalid=1\nCLEARDVALID cleardvalid=1\n", srca_vld), line(6, "SrcA"));
    EXPECT_THAT(changed_by(valid + "CLEARDVALID cleardvalid=2\nCLEARDVALID cleardvalid=2\n", srcb_vld), line(6, "SrcB"));
    EXPECT_EQ(changed_by("NOP\n", srca_vld), "nobody yet (SrcA bank 0)");
}

TEST(Deadlock, AnInstructionThatWaitsForABankNamesItsHolder) {
    const tessera::Run result = run("SETDVALID setvalid=1\nSETDVALID setvalid=2\n.drain\nCLEARDVALID cleardvalid=2\nELWADD\n");
    expect_blocked(result, "deadlock");
    const Blocked& b = blocked(result, "T0 front end");
    EXPECT_EQ(b.waits_for, "SrcB bank 1 to be handed to the matrix unit");
    EXPECT_EQ(b.holder, "unpackers");
    EXPECT_EQ(b.last_touched, "nobody yet");
}

// Words are pushed ahead of their time; the report is of the cycle in which the run ended.
TEST(Deadlock, NobodyWaitsSinceALaterCycleThanTheEnd) {
    for (std::uint64_t most = 20; most < 70; ++most) {
        const tessera::Run result = run("SEMINIT max_value=1 sem_sel=1\nSEMWAIT stall_res=0x1FF sem_sel=1 wait_sem_cond=1\n.repeat 80\nNOP\n.end\n",
                                        {.timing = Timing::documented, .max_cycles = most});
        for (const Blocked& one : result.blocked)
            if (one.since != no_cycle) {
                EXPECT_LE(one.since, result.cycles) << one.who << " waits for " << one.waits_for;
            }
    }
}

TEST(Deadlock, WhoHoldsAFifoOrTheScalarUnit) {
    // ATCAS asks again and again for a value that nobody writes.
    const tessera::Run result = run("SETDMAREG Payload_SigSel=1 RegIndex16b=2\nATCAS CmpVal=7 AddrRegIndex=1\nNOP\n.thread math\n" +
                                    std::string(".repeat 200\nNOP\n.end\n") + "ADDDMAREG\n.repeat 200\nNOP\n.end\n", {.max_cycles = 20'000});
    ASSERT_TRUE(result.fault);
    const Blocked& math = blocked(result, "T1 front end");
    EXPECT_EQ(math.holder, "ATCAS of T0") << result.describe_blocked();
    const Blocked& core = blocked(result, "T1 core");
    EXPECT_EQ(core.waits_for, "room in the instruction FIFO");
    EXPECT_EQ(core.holder, "T1 front end");
    const Blocked& own = blocked(result, "T0 front end");
    EXPECT_EQ(own.holder, "ATCAS of T0");
}

std::string contents(const std::string& path) {
    std::ifstream file(TESSERA_SOURCE_DIR "/" + path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Deadlock, TheDocumentShowsBothKernelsAndWhatIsPrinted) {
    const std::string document = contents("docs/deadlocks.md");
    for (const char* file : {"runs/unpack.tts", "hangs/unpack.tts", "runs/math.tts", "hangs/math.tts"}) {
        const std::string text = contents("examples/deadlock/" + std::string(file));
        ASSERT_FALSE(text.empty()) << file;
        EXPECT_NE(document.find("```\n" + text + "```\n"), std::string::npos) << file;
    }
    for (const char* name : {"runs", "hangs"}) {
        std::string printed = test::run_cli({"run", TESSERA_SOURCE_DIR "/examples/deadlock/" + std::string(name) + "/job.toml"}).out;
        const std::string_view root = TESSERA_SOURCE_DIR "/";
        for (std::size_t at; (at = printed.find(root)) != printed.npos;) printed.erase(at, root.size());
        ASSERT_FALSE(printed.empty());
        EXPECT_NE(document.find("```\n" + printed + "```\n"), std::string::npos) << printed;
    }
}

// The same with faces, whose transfers follow each other faster than each of them ends: a bank that an earlier transfer
// will hand over is not free for a later one.
constexpr std::string_view faces = R"(
.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Float16_b
.cfg THCON_SEC0_REG0_TileDescriptor_IsUncompressed = 1
.cfg THCON_SEC0_REG0_TileDescriptor_XDim = 256
.cfg THCON_SEC0_REG0_TileDescriptor_YDim = 1
.cfg THCON_SEC0_REG0_TileDescriptor_ZDim = 1
.cfg THCON_SEC0_REG2_Out_data_format = Float16_b
.cfg THCON_SEC0_REG3_Base_address = 0x20000 / 16 - 1
.cfg UNP0_ADDR_BASE_REG_1_Base = 4 * 16 * 2
.cfg SRCA_SET_SetOvrdWithAddr = 1
.cfg ALU_FORMAT_SPEC_REG2_Dstacc = Float16_b
SETADCXX CntSetMask=1 x_end2=255
STALLWAIT stall_res=0x1FF wait_res=1<<10
.repeat 3
    UNPACR AddrMode=1 SetDatValid=1 Last=1
.end
.thread math
)";

TEST(Deadlock, FacesThatAreNeverGivenBack) {
    const tessera::Run result = run(std::string(faces) + "MOVA2D instr_mod=2\n");
    expect_blocked(result, "deadlock");
    EXPECT_EQ(unfinished(result), Names{"unpacker 0"});
}

// Wherever the run is stopped, the first instruction in a queue waits for what RunOptions::on_wait says of it.
TEST(Deadlock, AnInstructionInAQueueWaitsFirstForItsAddressThenForItsUnitThenForABank) {
    const Program kernel = program(std::string(faces) + "MOVA2D instr_mod=2\n.thread pack\n.repeat 300\nSETADCXX CntSetMask=4 x_end2=3\n.end\n");
    std::vector<std::string> seen;
    for (std::uint64_t cycles = 1; cycles < 150; ++cycles) {
        std::vector<Wait> waits;
        RunOptions options{.max_cycles = cycles};
        options.on_wait = [&](const Wait& wait) {
            if (wait.who == Wait::Who::unit && !wait.over) waits.push_back(wait);
        };
        const tessera::Run result = run(kernel, options);
        expect_blocked(result, "no-progress");
        const auto row = std::find_if(result.blocked.begin(), result.blocked.end(),
                                      [](const Blocked& one) { return one.who == "unpacker 0" && !one.runs(); });
        if (row == result.blocked.end()) continue;
        EXPECT_LE(row->since, cycles);
        if (seen.empty() || seen.back() != row->waits_for) seen.push_back(row->waits_for);
        if (waits.empty()) continue;  // it has waited for less than a cycle
        EXPECT_EQ(row->waits_for, waits[0].reason) << cycles;
        EXPECT_EQ(row->since, waits[0].begin) << cycles;
        EXPECT_EQ(row->holder.empty(), waits[0].kind != "bank") << cycles;
    }
    EXPECT_THAT(seen, testing::IsSupersetOf({"the address phase of an UNPACR", "unpacker 0 to be free"}));
    EXPECT_EQ(seen.back(), "SrcA bank 0 to be handed to the unpackers");
}

// Each source has banks of its own: SrcA's first bank, and later SrcB's, are changed by other instructions.
TEST(Deadlock, AnUnpackerThatWaitsForSrcBNamesTheLastChangeOfThatBank) {
    std::string text = test::unpack_bf16;
    const auto line = std::count(text.begin(), text.end(), '\n') + 1;
    text += "SETDVALID setvalid=1\nSETDVALID setvalid=1\nUNPACR Unpack_block_selection=1 SetDatValid=1\n"
            "UNPACR Unpack_block_selection=1 SetDatValid=1\nUNPACR Unpack_block_selection=1 SetDatValid=1\n";
    const tessera::Run result = run(text);
    expect_blocked(result, "deadlock");
    const Blocked& b = blocked(result, "unpacker 1");
    EXPECT_EQ(b.waits_for, "SrcB bank 0 to be handed to the unpackers");
    EXPECT_THAT(b.last_touched, testing::EndsWith(fmt::format("(kernel.tts:{})", line + 2)));
    EXPECT_EQ(b.place, fmt::format("kernel.tts:{}", line + 4));
}

// STOREIND waits in the scalar unit for a bank that SETDVALID has given away.
TEST(Deadlock, AnInstructionInTheScalarUnitNamesTheLastChangeOfItsBank) {
    const std::string begin = ".gpr 1 = 20\n.gpr 2 = 0\nSTALLWAIT stall_res=0x1FF wait_res=1<<10\n";
    for (const bool srcb : {false, true}) {
        const auto pass = [](unsigned sources) { return fmt::format("SETDVALID setvalid={0}\nSETDVALID setvalid={0}\n", sources); };
        std::uint64_t start = 0;
        RunOptions options;
        options.on_wait = [&](const Wait& wait) {
            if (wait.who == Wait::Who::unit) start = wait.begin;
        };
        const std::string store = fmt::format("STOREIND.src StoreToSrcB={} OffsetHalfReg=4 DataReg=8 AddrReg=1\nNOP\n", int{srcb});
        const tessera::Run result = run(begin + pass(srcb ? 2 : 1) + pass(srcb ? 1 : 2) + ".drain\n" + store +
                                            ".thread math\n.repeat 200\nNOP\n.end\n",
                                        options);
        expect_blocked(result, "deadlock");
        const Blocked& b = blocked(result, "scalar (T0)");
        EXPECT_EQ(b.waits_for, fmt::format("Src{} bank 0 to be handed to the unpackers", srcb ? 'B' : 'A'));
        EXPECT_EQ(b.holder, "matrix unit");
        EXPECT_THAT(b.last_touched, testing::EndsWith("(kernel.tts:4)"));
        EXPECT_THAT(b.instruction, testing::StartsWith("STOREIND"));
        EXPECT_EQ(b.place, "kernel.tts:9");
        EXPECT_GT(b.since, 0u);
        EXPECT_LE(b.since, start);
        EXPECT_LT(start - b.since, 8u) << "it is in the unit for some cycles before it looks at the bank";
    }
}

TEST(Deadlock, NoFaceOverwritesAnother) {
    const Program kernel = program(std::string(faces) +
                                   "MOVA2D instr_mod=2 dst=0\nSETRWC clear_ab_vld=1\n"
                                   "MOVA2D instr_mod=2 dst=16\nSETRWC clear_ab_vld=1\n"
                                   "MOVA2D instr_mod=2 dst=32\nSETRWC clear_ab_vld=1\n");
    Core core(Arch::blackhole, Reset::vendor_sim);
    const Matrix ones{3, 256, [] {
                          std::vector<float> values(768, 1.0f);
                          std::fill(values.begin() + 256, values.end(), 2.0f);
                          std::fill(values.begin() + 512, values.end(), 3.0f);
                          return values;
                      }()};
    ASSERT_TRUE(core.write_l1(0x20000, to_bytes(ones, DataFormat::Float16_b, Layout::rows).value()));
    const tessera::Run result = core.run(kernel).value();
    EXPECT_FALSE(result.fault);
    const auto tile = core.dst_tile(0, DataFormat::Float16_b).value();  // a face is 16 rows of Dst
    EXPECT_EQ(tile[0], 1.0f);
    EXPECT_EQ(tile[16], 2.0f);
    EXPECT_EQ(tile[16 * 32], 3.0f);
}

TEST(Deadlock, ACoreThatPollsForEver) {
    const tessera::Run result = run("NOP\n.sem_wait 3, nonzero\nNOP\n");
    expect_blocked(result, "deadlock");
    const Blocked& core = blocked(result, "T0 core");
    EXPECT_FALSE(core.finished);
    EXPECT_EQ(core.waits_for, "semaphore 3 to be non-zero");
    EXPECT_EQ(core.last_touched, "nobody yet; ends with a SEMPOST of it; it was never posted");
    EXPECT_EQ(core.place, "kernel.tts:2");
    EXPECT_GT(core.since, 0u);
    // Its front end waits for what the core will never push.
    const Blocked& front_end = blocked(result, "T0 front end");
    EXPECT_FALSE(front_end.finished);
    EXPECT_EQ(front_end.holder, "T0 core");
    EXPECT_EQ(result.instructions[0], 1u);
}

TEST(Deadlock, ACoreThatIsPostedGoesOn) {
    const tessera::Run result =
        run(".sem_wait 3, nonzero\nNOP\n"
            ".thread pack\nSEMINIT sem_sel=1<<3 max_value=1 init_value=1\n");
    EXPECT_FALSE(result.fault);
    EXPECT_EQ(result.instructions[0], 1u);
}

// A run that ends badly may be about to use what it has left over: an open recording, a bank that was read and not given back.
TEST(Deadlock, WhatIsLeftOverThenIsNoMistakeOfItsOwn) {
    const auto codes = [](const std::string& end) {
        const std::string others = ".thread math\nMOVA2D\n.thread pack\nREPLAY load_mode=1 len=3\nNOP\n";
        const tessera::Run result = run("SETDVALID setvalid=1\n" + end + others);
        EXPECT_EQ(result.fault.has_value(), !end.empty());
        std::vector<std::string> found;
        for (const Finding& finding : result.findings) found.push_back(finding.code);
        return found;
    };
    EXPECT_THAT(codes(""), testing::IsSupersetOf({"matrix.bank-kept", "frontend.recording-open"}));
    const auto stuck = codes("SEMWAIT stall_res=1<<1 sem_sel=1<<4 wait_sem_cond=1\nSEMGET sem_sel=1<<4\n");
    EXPECT_THAT(stuck, testing::Not(testing::Contains("matrix.bank-kept")));
    EXPECT_THAT(stuck, testing::Not(testing::Contains("frontend.recording-open")));
}

// What the others wait for may be among the words that it takes.
TEST(Deadlock, AnOpenRecordingWaitsForInstructions) {
    const std::string waits =
        "SEMWAIT stall_res=1<<1 sem_sel=1<<1 wait_sem_cond=1\nSEMGET sem_sel=1<<1\n.thread math\n";
    for (const bool execute : {false, true}) {
        const std::string replay =
            fmt::format("REPLAY start_idx=0 len=5 load_mode=1 execute_while_loading={:d}\n", execute);
        const tessera::Run stuck = run(waits + replay + "NOP\nNOP\n");
        expect_blocked(stuck, "deadlock");
        EXPECT_EQ(unfinished(stuck), (Names{"T0 front end", "T1 front end"}));
        EXPECT_THAT(blocked(stuck, "T1 front end").waits_for,
                    testing::StartsWith("3 instructions to record, of REPLAY "));
        EXPECT_THAT(blocked(stuck, "T1 front end").waits_for, testing::HasSubstr("kernel.tts:4"));
    }
    const std::string whole = "REPLAY start_idx=0 len=2 load_mode=1\nNOP\nNOP\n";
    EXPECT_EQ(unfinished(run(waits + whole)), Names{"T0 front end"});
}

// Both programs use the sync unit, which the wait blocks.
TEST(Deadlock, TheNextRunOfTheCoreDoesNotGoOnWaiting) {
    for (const std::string thread : {".thread unpack\n", ".thread math\n", ".thread pack\n"}) {
        Core core(Arch::blackhole, Reset::vendor_sim);
        const std::string wait = "SEMWAIT stall_res=1<<1 sem_sel=1<<4 wait_sem_cond=1\n";
        const std::string sets = "SEMINIT sem_sel=1<<3 max_value=1 init_value=1\n";
        const tessera::Run stuck = core.run(program(thread + wait + sets)).value();
        ASSERT_TRUE(stuck.fault) << thread;
        EXPECT_EQ(stuck.fault->code, "deadlock");
        const tessera::Run next = core.run(program(thread + sets)).value();
        EXPECT_FALSE(next.fault) << thread << next.fault->describe();
    }
}

}  // namespace
}  // namespace tessera
