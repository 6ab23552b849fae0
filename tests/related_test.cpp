// SPDX-License-Identifier: Apache-2.0
// The other instructions that a finding names, and the catalogue of findings as the public list has it.
#include "tessera/related.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "findings/catalogue.hpp"
#include "tessera/assembly.hpp"
#include "tessera/finding_catalogue.hpp"
#include "tessera/timing.hpp"

namespace tessera {
namespace {

using testing::HasSubstr;
using testing::Not;

Job job_of(std::string_view math, std::string_view pack) {
    Job job;
    for (const auto& [thread, text] : {std::pair(1u, math), std::pair(2u, pack)}) {
        Program program =
            assemble(".thread " + std::to_string(thread) + "\n" + std::string(text), Arch::blackhole).value();
        job.program.threads[thread] = program.threads[thread];
        job.program.files[thread] = "threads.tts";
    }
    return job;
}

Finding finding(int thread, std::vector<NamedValue> values) {
    Finding made;
    made.where.thread = thread;
    made.values = std::move(values);
    return made;
}

TEST(Related, AnInstructionOfAnotherThread) {
    const Job job = job_of("NOP\nMVMUL\n", "NOP\nNOP\nPACR\n");
    const auto all = related_instructions(finding(2, {{"first_row", 0}, {"other_thread", 1}, {"other_index", 1}}), job);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].thread, 1);
    EXPECT_EQ(all[0].index, 1);
    EXPECT_EQ(all[0].cycle, no_cycle);
    EXPECT_THAT(all[0].instruction, HasSubstr("MVMUL"));
    EXPECT_EQ(all[0].place, "threads.tts:3");
}

TEST(Related, WithoutAThreadItIsTheFindingsOwn) {
    const Job job = job_of("NOP\n", "NOP\nPACR\n");
    const auto all = related_instructions(finding(2, {{"gpr", 3}, {"other_index", 1}}), job);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_THAT(all[0].instruction, HasSubstr("PACR"));
}

TEST(Related, AStoreHasNoInstructionWord) {
    const Job job = job_of("NOP\n.gpr 3 = 7\n", "");
    const auto all = related_instructions(finding(0, {{"store_thread", 1}, {"store_op", 1}}), job);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].instruction, "");
    EXPECT_EQ(all[0].place, "threads.tts:3");
}

TEST(Related, NoneOfAnEarlierRunNorBeyondTheProgram) {
    const Job job = job_of("NOP\n", "");
    EXPECT_TRUE(related_instructions(finding(1, {{"other_index", 0xFFFF'FFFF}}), job).empty());
    EXPECT_TRUE(related_instructions(finding(1, {{"other_index", 1}}), job).empty());
    EXPECT_TRUE(related_instructions(finding(-1, {{"other_index", 0}}), job).empty());
    EXPECT_TRUE(related_instructions(finding(1, {{"other_thread", 3}, {"other_index", 0}}), job).empty());
    EXPECT_TRUE(related_instructions(finding(1, {{"row", 0}}), job).empty());
}

TEST(Related, AnInstructionOfAKernel) {
    Job job;
    job.kernels.emplace();
    KernelImage image;
    image.files = {"math.cpp"};
    image.symbols = {{"kernel_main", 0x6000, 0x40, true}};
    image.lines = {{0x6000, 0, 5}, {0x6010, 0, 8}, {0x6014, 0, 9}};
    image.scopes = {{"kernel_main", 0, 0, -1}};
    image.scope_rows = {{0x6000, 0}};
    job.kernels->images[static_cast<unsigned>(RiscvCore::t1)] = image;
    const auto t1 = static_cast<std::uint64_t>(RiscvCore::t1);
    const auto all =
        related_instructions(finding(2, {{"other_thread", 1}, {"other_core", t1}, {"other_pc", 0x6010}}), job);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].core, "trisc1");
    EXPECT_EQ(all[0].pc, 0x6010);
    EXPECT_EQ(all[0].function, "kernel_main+0x10");
    EXPECT_EQ(all[0].place, "math.cpp:8");
}

TEST(FindingInfos, EveryRowOfTheCatalogueInItsOrder) {
    const auto infos = describe_findings().value();
    ASSERT_EQ(infos.size(), std::size(findings::catalogue));
    for (std::size_t i = 0; i < infos.size(); ++i) {
        const findings::Entry& row = findings::catalogue[i];
        EXPECT_EQ(infos[i].code, row.code);
        EXPECT_EQ(infos[i].fault, row.kind == findings::Kind::fault);
        EXPECT_EQ(infos[i].level, row.level);
        EXPECT_EQ(infos[i].cure, row.cure);
        EXPECT_EQ(find_finding(row.code)->describe(), infos[i].describe());
        // Names stand where numbers stood.
        EXPECT_THAT(infos[i].named_message, Not(HasSubstr("{"))) << row.code;
    }
    EXPECT_FALSE(find_finding("no.such"));
    EXPECT_EQ(find_finding("unpack.srca-row-16")->named_message,
              "SrcA row <row> is beyond the 16 rows of a set and wraps");
}

}  // namespace
}  // namespace tessera
