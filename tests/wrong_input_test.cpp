// SPDX-License-Identifier: Apache-2.0
// Messages about wrong input name the value that was meant, or what may stand there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_cli.hpp"
#include "tessera/assembly.hpp"
#include "tessera/format_name.hpp"
#include "tessera/job.hpp"

namespace tessera {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string job_error(const std::string& text) {
    const auto job = parse_job(text, "job.toml", {});
    return job ? "" : job.error().message;
}
std::string assembly_error(const std::string& text) {
    const auto program = assemble(text, Arch::blackhole);
    return program ? "" : program.error().message;
}

// Float16 is another format, and nearer by letters.
TEST(WrongInput, Bfloat16IsFloat16B) {
    for (const std::string name : {"bf16", "BF16", "bfloat16", "Bfloat16"}) {
        EXPECT_THAT(read_data_format(name).error().message, HasSubstr("(did you mean Float16_b?)")) << name;
        EXPECT_THAT(assembly_error(".cfg ALU_FORMAT_SPEC_REG0_SrcA = " + name + "\n"), HasSubstr("(did you mean Float16_b?)")) << name;
    }
    EXPECT_THAT(read_data_format("Flaot32").error().message, HasSubstr("(did you mean Float32?)"));
}

TEST(WrongInput, AnUnknownOperandListsTheOperands) {
    EXPECT_THAT(assembly_error("SEMPOST sem=1\n"), HasSubstr("SEMPOST has no operand 'sem'; its operands: sem_sel"));
}

TEST(WrongInput, AnAddressIsHexadecimal) {
    EXPECT_THAT(job_error("arch = \"blackhole\"\n[[l1]]\naddr = 0x300000\nwords = [1]\n"),
                HasSubstr("addr is 0x300000, and must be 0 to 0x17FFFF"));
}

TEST(WrongInput, ATextNeedsQuotes) {
    EXPECT_THAT(job_error("arch = blackhole\n"), HasSubstr("a text needs quotes"));
    for (const char* word : {"a", "z", "A", "Z", "Blackhole"}) EXPECT_THAT(job_error(std::string("arch = ") + word + "\n"), HasSubstr("a text needs quotes")) << word;
    for (const char* other : {"1x", "@", "[", "`", "{", "="}) EXPECT_THAT(job_error(std::string("arch = \"blackhole\"\nseed = ") + other + "\n"), Not(HasSubstr("quotes"))) << other;
}

// The hint is about the line of the mistake, whatever stands before and behind it.
TEST(WrongInput, ATextNeedsQuotesInAnyLine) {
    const std::string two = "arch = \"blackhole\"\nseed = 1\n";
    for (const char* line : {"timing = instant\nmax_cycles = 5\n", "timing=i\n", "timing = \t i"})
        EXPECT_THAT(job_error(two + line), HasSubstr("a text needs quotes")) << line;
    for (const char* line : {"timing\nreset = hot\n", "timing # = hot\n", "timing = # hot\n", "timing = \n", "timing = true false\n",
                             "timing = false true\n", "timing ="})
        EXPECT_THAT(job_error(two + line), Not(testing::AnyOf(HasSubstr("quotes"), testing::IsEmpty()))) << line;
}

TEST(WrongInput, AMissingFileIsNamedOnce) {
    const std::string text = load_job("no/such.toml").error().describe();
    EXPECT_EQ(text.find("such.toml"), text.rfind("such.toml")) << text;
    EXPECT_THAT(text, HasSubstr("no/such.toml: cannot be read: "));
    EXPECT_THAT(job_error("arch = \"blackhole\"\n[threads]\nunpack = \"no/such.tts\"\n"), HasSubstr("'no/such.tts' cannot be read: "));
}

TEST(WrongInput, ANegativeNumberIsOutsideItsRange) {
    const auto outcome = test::run_cli({"race", TESSERA_SOURCE_DIR "/examples/deadlock/hangs/job.toml", "--runs=-1"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("-1 is not between 1 and 100000"));
}

TEST(WrongInput, AnUnknownOrderingListsThem) {
    const auto outcome = test::run_cli({"run", TESSERA_SOURCE_DIR "/examples/deadlock/hangs/job.toml", "--disregard", "foo"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("unit-order, "));
    EXPECT_THAT(outcome.err, HasSubstr("distance"));
}

// A list of values may have thousands of letters; a line of a table may not.
TEST(WrongInput, LongListsOfFidelityAreWrapped) {
    for (const std::string name : {"UNPACR", "PACR"}) {
        const std::string table = test::run_cli({"fidelity", name}).out;
        for (std::size_t at = 0, end; (end = table.find('\n', at)) != table.npos; at = end + 1)
            EXPECT_LT(end - at, 300u) << table.substr(at, end - at);
        EXPECT_THAT(table, HasSubstr("equal: the state is that of the vendor's simulator"));
    }
}

}  // namespace
}  // namespace tessera
