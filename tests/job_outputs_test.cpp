// SPDX-License-Identifier: Apache-2.0
// Outputs of a job, in files and in memory.
#include "tessera/outputs.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/job_files.hpp"
#include "tessera/job.hpp"

namespace tessera {
namespace {

class JobOutputs : public test::JobFiles {};

TEST_F(JobOutputs, OutputsAreWrittenFromL1) {
    const auto job = toml(
        "arch = \"wormhole\"\n[[l1]]\naddr = 64\nnpy = \"a.npy\"\nformat = \"Float16\"\n"
        "[[output]]\naddr = 64\nshape = [32, 32]\nformat = \"Float16\"\nnpy = \"c.npy\"\n");
    ASSERT_TRUE(job) << job.error().message;
    const auto core = prepare(*job);
    ASSERT_TRUE(core);
    ASSERT_TRUE(write_outputs(*job, *core));
    EXPECT_EQ(read_npy(directory_ / "c.npy")->values, read_npy(directory_ / "a.npy")->values);
}

TEST_F(JobOutputs, OutputsAreReadAsTheyAreWritten) {
    const auto job = toml(
        "arch = \"wormhole\"\n[[l1]]\naddr = 64\nnpy = \"a.npy\"\nformat = \"Float16\"\n[[l1]]\naddr = 8192\nhex = \"0180FFFF\"\n"
        "[[output]]\naddr = 64\nshape = [32, 32]\nformat = \"Float16\"\nnpy = \"c.npy\"\n"
        "[[output]]\naddr = 8192\nshape = [1, 2]\nformat = \"UInt16\"\nlayout = \"rows\"\nnpy = \"d.npy\"\n"
        "[[output]]\naddr = 8192\nsize = 3\nfile = \"e.bin\"\n");
    ASSERT_TRUE(job) << job.error().message;
    const Core core = prepare(*job).value();
    const auto before = directory_.files();
    const auto values = read_outputs(*job, core);
    ASSERT_TRUE(values && values->size() == 3);
    EXPECT_EQ(directory_.files(), before);
    EXPECT_EQ(std::get<Matrix>(values->at(0)).values, read_npy(directory_ / "a.npy")->values);
    EXPECT_EQ(std::get<Matrix>(values->at(1)).integers, (std::vector<std::int64_t>{0x8001, 0xFFFF}));
    EXPECT_EQ(std::get<std::vector<std::byte>>(values->at(2)),
              (std::vector<std::byte>{std::byte{1}, std::byte{0x80}, std::byte{0xFF}}));
    ASSERT_TRUE(write_outputs(*job, core));
    EXPECT_EQ(read_npy(directory_ / "d.npy")->integers, std::get<Matrix>(values->at(1)).integers);
    EXPECT_EQ(read_bytes(directory_ / "e.bin", 3).value(), std::get<std::vector<std::byte>>(values->at(2)));
}

TEST_F(JobOutputs, OutputsOfACoreOfAnotherArchitectureAreRefused) {
    const auto job = toml("arch = \"wormhole\"\n[[output]]\naddr = 0\nsize = 4\nfile = \"a.bin\"\n");
    ASSERT_TRUE(job) << job.error().message;
    const Core core(Arch::blackhole);
    const auto before = directory_.files();
    EXPECT_EQ(read_outputs(*job, core).error().code, "run.arch");
    EXPECT_EQ(write_outputs(*job, core).error().code, "run.arch");
    EXPECT_EQ(directory_.files(), before);
}

TEST_F(JobOutputs, OutputsAreWrittenTogetherOrNotAtAll) {
    auto job = toml(
        "arch = \"wormhole\"\n[[output]]\naddr = 0\nshape = [32, 32]\nformat = \"Float16\"\nnpy = \"c.npy\"\n"
        "[[output]]\naddr = 0\nshape = [32, 32]\nformat = \"Float16\"\nnpy = \"missing/d.npy\"\n");
    ASSERT_TRUE(job);
    const auto core = prepare(*job);
    ASSERT_TRUE(core);
    const auto before = directory_.files();
    EXPECT_EQ(write_outputs(*job, *core).error().code, "npy.open");
    job->outputs[1].address = core->l1_size();
    EXPECT_EQ(write_outputs(*job, *core).error().code, "l1.range");
    EXPECT_EQ(directory_.files(), before);
}

// A link, another spelling, and a name that is yet free: all lead to one file.
TEST_F(JobOutputs, OutputsOfOneFileAreFoundByWhatTheyLeadTo) {
    const auto with = [&](std::string_view first, std::string_view second) {
        std::string text = "arch = \"wormhole\"\n[[l1]]\naddr = 64\nfile = \"raw.bin\"\n";
        for (const auto name : {first, second}) text += fmt::format("[[output]]\naddr = 0\nsize = 2\nfile = \"{}\"\n", name);
        const auto job = toml(text);
        return job ? std::string() : job.error().message;
    };
    directory_.write("there.bin", "x");
    std::filesystem::create_hard_link(directory_ / "there.bin", directory_ / "link.bin");
    std::filesystem::create_directory(directory_ / "sub");
    EXPECT_EQ(with("free.bin", "there.bin"), "");
    EXPECT_EQ(with("/dev/null", "/dev/null"), "");
    for (const auto& [first, second] : {std::pair("there.bin", "link.bin"), std::pair("free.bin", "sub/../free.bin")})
        EXPECT_EQ(with(first, second),
                  fmt::format("two outputs are written to one file: '{}' and '{}'", directory_ / first, directory_ / second));
    EXPECT_EQ(with("free.bin", "sub/../raw.bin"), fmt::format("the output '{}' would overwrite the input '{}'",
                                                              directory_ / "sub/../raw.bin", directory_ / "raw.bin"));
}

TEST_F(JobOutputs, OneOfThousandsMayBeAnotherAgain) {
    constexpr std::size_t count = 4000;
    std::string text = "arch = \"wormhole\"\n";
    for (std::size_t i = 0; i < count; ++i) text += fmt::format("[[output]]\naddr = 0\nsize = 4\nfile = \"o{}.bin\"\n", i);
    const auto job = toml(text);
    ASSERT_TRUE(job) << job.error().describe();
    EXPECT_EQ(job->outputs.size(), count);
    const auto twice = toml(text + "[[output]]\naddr = 0\nsize = 4\nfile = \"o0.bin\"\n");
    ASSERT_FALSE(twice);
    EXPECT_THAT(twice.error().message, testing::StartsWith("two outputs are written to"));
}

// A caller may have changed the job since it was read.
TEST_F(JobOutputs, OutputsAreCheckedAgainWhenTheyAreWritten) {
    const std::string_view text =
        "arch = \"wormhole\"\n[[l1]]\naddr = 64\nfile = \"raw.bin\"\n[[output]]\naddr = 64\nsize = 2\nfile = "
        "\"c.bin\"\n"
        "[[output]]\naddr = 64\nsize = 3\nfile = \"d.bin\"\n";
    auto job = toml(text);
    ASSERT_TRUE(job) << job.error().describe();
    const Core core = prepare(*job).value();
    const auto before = directory_.files();
    const std::string second = job->outputs[1].path;
    job->outputs[1].path = job->outputs[0].path;
    EXPECT_EQ(write_outputs(*job, core).error().code, "output.twice");
    for (const char* input : {"raw.bin", "job.toml"}) {
        job->outputs[1].path = directory_ / input;
        EXPECT_EQ(write_outputs(*job, core).error().code, "output.input") << input;
    }
    EXPECT_EQ(directory_.files(), before);
    job->outputs[1].path = second;
    EXPECT_TRUE(write_outputs(*job, core));
    EXPECT_EQ(directory_.files(), before + 2);
}

}  // namespace
}  // namespace tessera
