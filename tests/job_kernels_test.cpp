// SPDX-License-Identifier: Apache-2.0
// Jobs with kernels for the RISC-V cores: contents, and places of errors.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/kernel_file.hpp"
#include "support/temporary_directory.hpp"
#include "tessera/case.hpp"
#include "tessera/diff.hpp"
#include "tessera/job.hpp"
#include "tessera/outputs.hpp"
#include "tessera/reduce.hpp"

namespace tessera {
namespace {

using test::KernelFile;
using test::words;

constexpr std::uint32_t local = 0xFFB0'0000;

class JobKernels : public testing::Test {
protected:
    JobKernels() {
        directory_.write("unpack.elf", kernel(0x6000));
        directory_.write("brisc.elf", kernel(0x7000));
    }

    static std::string kernel(std::uint32_t address) {
        return KernelFile{.entry = address,
                          .segments = {{address, words({0x0000006F})}, {local, words({1, 2, 3})}},
                          .symbols = {{"_start", address, 4, STT_FUNC, 1},
                                      {"tiles", local, 4},
                                      {"sizes", local + 4, 8},
                                      {"__runtime_args_start", 0x20000}}}
            .bytes();
    }

    Result<Job> load(std::string_view text, std::string_view name = "job.toml") {
        return load_job(directory_.write(name, text));
    }

    void refuses(std::string_view text, std::string_view code, int line, std::string_view part = "") {
        SCOPED_TRACE(text);
        const auto job = load(text);
        ASSERT_FALSE(job);
        EXPECT_EQ(job.error().code, code);
        EXPECT_EQ(job.error().line, line);
        EXPECT_NE(job.error().message.find(part), std::string::npos) << job.error().message;
    }

    static std::vector<std::byte> bytes(std::string_view text) {
        std::vector<std::byte> bytes;
        for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
        return bytes;
    }

    test::TemporaryDirectory directory_;
};

void expect_all(const Result<Job>& job, const std::vector<std::byte>& data, const std::vector<std::byte>& arguments) {
    ASSERT_TRUE(job) << job.error().describe();
    ASSERT_TRUE(job->kernels);
    const Kernels& kernels = *job->kernels;
    EXPECT_EQ(kernels.arch, Arch::wormhole);
    EXPECT_EQ(job->program.arch, Arch::wormhole);
    ASSERT_TRUE(kernels.images[0] && kernels.images[1]);
    EXPECT_FALSE(kernels.images[2] || kernels.images[3] || kernels.images[4]);
    EXPECT_EQ(kernels.images[0]->entry, 0x7000u);
    EXPECT_EQ(kernels.images[1]->entry, 0x6000u);
    EXPECT_EQ(kernels.images[1]->segments[1].bytes, data);
    EXPECT_EQ(kernels.images[0]->segments[1].bytes[0], std::byte{1});  // variables of another core
    ASSERT_EQ(kernels.images[1]->segments.size(), 3u);
    EXPECT_EQ(kernels.images[1]->segments[2].address, 0x20000u);
    EXPECT_EQ(kernels.images[1]->segments[2].bytes, arguments);
    ASSERT_EQ(kernels.done.size(), 2u);
    EXPECT_EQ(kernels.done[0].address, 0x1FFB8u);
    EXPECT_EQ(kernels.done[0].value, 1u);
    EXPECT_EQ(kernels.done[1].value, 0xFFFF'FFFFu);
}

TEST_F(JobKernels, AreReadFromBothFormats) {
    const auto data = bytes(words({7, 8, 0xFFFF'FFFF})), arguments = bytes(words({0x24000, 5}));
    expect_all(load(R"(arch = "wormhole"
done = [{ addr = 0x1FFB8, value = 1 }, { addr = 0, value = -1 }]
[cores]
brisc = "brisc.elf"
trisc0 = "unpack.elf"
[arguments.trisc0]
tiles = 7
sizes = [8, -1]
__runtime_args_start = [0x24000, 5]
)"),
               data, arguments);
    expect_all(
        load(R"({"arguments": {"trisc0": {"tiles": 7, "sizes": [8, 4294967295], "__runtime_args_start": [147456, 5]}},
 "done": [{"addr": 131000, "value": 1}, {"addr": 0, "value": -1}], "arch": "wormhole",
 "cores": {"brisc": "brisc.elf", "trisc0": "unpack.elf"}})",
             "job.json"),
        data, arguments);
}

TEST_F(JobKernels, AreNotInOtherJobs) {
    const auto job = load("arch = \"blackhole\"\n");
    ASSERT_TRUE(job);
    EXPECT_FALSE(job->kernels);
}

TEST_F(JobKernels, MistakesHaveTheirPlace) {
    const auto with = [](std::string_view rest) {
        return fmt::format("arch = \"blackhole\"\n[cores]\ntrisc0 = \"unpack.elf\"\n{}", rest);
    };
    ASSERT_TRUE(load(with("")));
    refuses(with("[threads]\nmath = [\"NOP\"]\n"), "job.value", 4, "exclude each other");
    refuses(with("trisc3 = \"unpack.elf\"\n"), "job.unknown-key", 4, "'trisc3' (did you mean trisc");
    refuses(with("trisc1 = 7\n"), "job.type", 4);
    refuses(with("trisc1 = \"none.elf\"\n"), "elf.open", 4, "none.elf");
    directory_.write("build", "");
    refuses(with("trisc1 = \"out/blackhole/none.elf\"\n"), "elf.open", 4, "/build blackhole makes it");
    refuses(with("trisc1 = \"job.toml\"\n"), "elf.format", 4, "job.toml");
    refuses("arch = \"blackhole\"\ncores = {}\n", "job.value", 2);
    refuses("arch = \"blackhole\"\ncores = 3\n", "job.type", 2);
    refuses("arch = \"blackhole\"\ndone = []\n", "job.value", 2, "cores");
    refuses("arch = \"blackhole\"\n[arguments.trisc0]\n", "job.value", 2, "cores");
    refuses(with("[arguments.trisc9]\nx = 1\n"), "job.unknown-key", 4, "trisc9");
    refuses(with("[arguments.trisc1]\ntiles = 1\n"), "job.value", 4, "trisc1");
    refuses(with("[arguments]\ntrisc0 = 1\n"), "job.type", 5);
    refuses(with("[arguments.trisc0]\ntile = 1\n"), "kernel.symbol", 5, "tiles");
    refuses(with("[arguments.trisc0]\ntiles = [1, 2]\n"), "kernel.value", 5, "4 bytes");
    refuses(with("[arguments.trisc0]\n_start = 1\n"), "kernel.value", 5);
    refuses(with("[arguments.trisc0]\ntiles = \"4\"\n"), "job.type", 5);
    refuses(with("[arguments.trisc0]\ntiles = 0x100000000\n"), "job.range", 5);
    refuses(with("[arguments.trisc0]\ntiles = -2147483649\n"), "job.range", 5);
    EXPECT_TRUE(load(with("[arguments.trisc0]\ntiles = -2147483648\n")));
    refuses(with("[[done]]\naddr = 2\nvalue = 1\n"), "job.range", 5);
    refuses(with("[[done]]\naddr = 0\nvalue = \"1\"\n"), "job.type", 6);
    refuses("arch = \"blackhole\"\ndone = 3\ncores.trisc0 = \"unpack.elf\"\n", "job.type", 2, "done must be an array");
    refuses(with("[[done]]\naddr = 0x180000\nvalue = 1\n"), "job.range", 5, "addr is 0x180000, and must be 0 to 0x17FFFC");
    EXPECT_TRUE(load(with("[[done]]\naddr = 0x17FFFC\nvalue = 1\n")));
    refuses(with("[[done]]\naddr = 4\n"), "job.missing-key", 4);
    refuses(with("[[done]]\naddr = 4\nvalue = 1\nmask = 1\n"), "job.unknown-key", 7);
}

TEST_F(JobKernels, AKeyWithoutANameIsUnknown) {
    const std::string job = "arch = \"blackhole\"\n[cores]\ntrisc0 = \"unpack.elf\"\n";
    const std::pair<const char*, int> rows[] = {{"\"\" = \"unpack.elf\"\n", 4},
                                                {"[arguments.\"\"]\ntiles = 1\n", 4},
                                                {"[[done]]\naddr = 0\nvalue = 1\n\"\" = 1\n", 7},
                                                {"[[host]]\nat = 1\n\"\" = 1\n", 6},
                                                {"[[host]]\nwhen = { addr = 0, value = 1, \"\" = 1 }\n", 5}};
    for (const auto& [rest, line] : rows) refuses(job + rest, "job.unknown-key", line, "has no key ''");
}

// Mistakes in a job are told before its kernels are built.
TEST_F(JobKernels, EntriesThatNeedNoFileAreCheckedFirst) {
    const std::string job = "arch = \"blackhole\"\n[cores]\ntrisc0 = \"none.elf\"\n";
    refuses(job, "elf.open", 3);
    refuses(job + "[arguments.trisc9]\nx = 1\n", "job.unknown-key", 4);
    refuses(job + "[[done]]\naddr = 2\nvalue = 1\n", "job.range", 5);
}

void expect_host(const Result<Job>& job) {
    ASSERT_TRUE(job) << job.error().describe();
    using What = HostStep::What;
    const auto& host = job->kernels->host;
    ASSERT_EQ(host.size(), 5u);
    EXPECT_EQ(host[0].at, 2000u);
    EXPECT_EQ(host[0].what, What::write);
    EXPECT_EQ(host[0].address, 0x1FFC4u);
    EXPECT_EQ(host[0].bytes.size(), 8u);
    EXPECT_EQ(host[0].bytes[4], std::byte{0xFF});
    EXPECT_FALSE(host[0].when);
    ASSERT_TRUE(host[1].when);
    EXPECT_EQ(host[1].when->address, 0x1FFC0u);
    EXPECT_EQ(host[1].when->value, 0xF0u);
    EXPECT_EQ(host[1].when->mask, 0xF0u);
    EXPECT_EQ(host[1].what, What::read);
    EXPECT_EQ(host[1].address, 0x21000u);
    EXPECT_EQ(host[1].size, 2048u);
    EXPECT_EQ(host[2].when->mask, 0xFFFF'FFFFu);
    EXPECT_EQ(host[2].what, What::nothing);
    EXPECT_EQ(host[3].what, What::reset);
    EXPECT_EQ(host[3].cores, (std::array{true, true, false, false, false}));
    EXPECT_EQ(host[4].what, What::start);
    EXPECT_EQ(host[4].cores, (std::array{false, true, false, false, false}));
    ASSERT_EQ(job->outputs.size(), 2u);
    EXPECT_FALSE(job->outputs[0].host_step);
    EXPECT_EQ(job->outputs[1].host_step, 1u);
    EXPECT_NE(host[1].place.find(":"), std::string::npos);
}

TEST(HostReads, OfAnotherJobsRunAreRefused) {
    constexpr std::uint32_t address = 0x20100;
    Job job;
    job.outputs.emplace_back().address = address;
    job.outputs[0].size = 4;
    job.outputs[0].host_step = 0;
    const Core core(job.arch);
    const auto outputs_after = [&](std::uint32_t from, std::size_t bytes) {
        const HostRead read{.address = from, .bytes = std::vector<std::byte>(bytes)};
        return read_outputs(job, core, std::span(&read, 1));
    };
    EXPECT_TRUE(outputs_after(address, 4));
    EXPECT_EQ(outputs_after(address, 64).error().code, "host.step");
    EXPECT_EQ(outputs_after(address + 4, 4).error().code, "host.step");
}

TEST_F(JobKernels, StepsOfTheHostAreReadFromBothFormats) {
    expect_host(load(R"(arch = "wormhole"
output = [{ addr = 0, shape = [32, 32], format = "Float16_b", npy = "b.npy" }]
cores = { brisc = "brisc.elf", trisc0 = "unpack.elf" }
[[host]]
at = 2000
write = { addr = 0x1FFC4, words = [1, -1] }
[[host]]
when = { addr = 0x1FFC0, value = 0xF0, mask = 0xF0 }
read = { addr = 0x21000, shape = [32, 32], format = "Float16_b", npy = "a.npy" }
[[host]]
when = { addr = 4, value = 1 }
[[host]]
reset = ["brisc", "trisc0"]
[[host]]
start = ["trisc0"]
)"));
    expect_host(load(R"({"arch": "wormhole", "host": [
 {"write": {"addr": 131012, "words": [1, 4294967295]}, "at": 2000},
 {"when": {"addr": 131008, "value": 240, "mask": 240},
  "read": {"addr": 135168, "shape": [32, 32], "format": "Float16_b", "npy": "a.npy"}},
 {"when": {"addr": 4, "value": 1}}, {"reset": ["brisc", "trisc0"]}, {"start": ["trisc0"]}],
 "output": [{"addr": 0, "shape": [32, 32], "format": "Float16_b", "npy": "b.npy"}],
 "cores": {"brisc": "brisc.elf", "trisc0": "unpack.elf"}})",
                     "job.json"));
}

TEST_F(JobKernels, MistakesInStepsOfTheHostHaveTheirPlace) {
    const auto with = [](std::string_view rest) {
        return fmt::format("arch = \"blackhole\"\n[cores]\ntrisc0 = \"unpack.elf\"\n[[host]]\n{}\n", rest);
    };
    ASSERT_TRUE(load(with("at = 5")));
    refuses("arch = \"blackhole\"\n[[host]]\nat = 1\n", "job.value", 2, "cores");
    refuses(with(""), "host.step", 4, "neither waits");
    const std::string path = directory_.write("job.toml", "arch = \"blackhole\"\ncores.trisc0 = \"unpack.elf\"\n");
    EXPECT_EQ(load_job(path, {.keys = {{"host", "[{}]"}}}).error().message,
              fmt::format("step 1 of the host ({}) neither waits for anything nor does anything", path));
    refuses(with("wen = 1"), "job.unknown-key", 5, "did you mean when");
    refuses("arch = \"blackhole\"\nhost = 3\ncores.trisc0 = \"unpack.elf\"\n", "job.type", 2, "host must be an array");
    refuses(with("when = { addr = 4, value = 1, msk = 1 }"), "job.unknown-key", 5, "did you mean mask");
    refuses(with("when = { addr = 4, value = 1, mask = \"1\" }"), "job.type", 5, "mask");
    refuses(with("read = { addr = 0, size = 4 }"), "job.missing-key", 5, "needs npy or file");
    refuses(with("at = -1"), "job.range", 5);
    refuses(with("when = { addr = 6, value = 1 }"), "job.range", 5, "multiple of 4");
    refuses(with("when = { addr = 0x180000, value = 1 }"), "job.range", 5);
    refuses(with("when = { addr = 4 }"), "job.missing-key", 5, "value");
    refuses(with("when = { addr = 4, value = 3, mask = 1 }"), "host.step", 4, "which are not compared");
    refuses(with("write = { addr = 0x17FFFE, words = [1] }"), "job.range", 5, "beyond");
    refuses(with("write = { addr = 0, words = [1], hex = \"00\" }"), "job.value", 5, "exclude");
    refuses(with("write = { addr = 0, words = [] }"), "host.step", 4, "writes nothing");
    refuses(with("reset = [\"trisc1\"]"), "job.value", 5, "no kernel for trisc1");
    refuses(with("reset = [\"trisc9\"]"), "job.value", 5, "trisc9");
    refuses(with("reset = [\"trisc0\"]\nstart = [\"trisc0\"]"), "job.value", 6, "make two steps of them");
    refuses(with("at = 9\n[[host]]\nat = 8"), "host.step", 6, "cycle 8");
    refuses(with("read = { addr = 0, shape = [32, 32], format = \"Float32\", npy = \"c.npy\" }\n[[output]]\naddr = 0\nshape = [32, "
                 "32]\nformat = \"Float32\"\nnpy = \"c.npy\""),
            "job.value", 5, "two outputs");
}

TEST_F(JobKernels, AStepInTheFirstLineHasItsLine) {
    const auto job = load(R"({"arch": "blackhole", "cores": {"trisc0": "unpack.elf"}, "host": [{"at": 5}]})", "job.json");
    ASSERT_TRUE(job) << job.error().describe();
    EXPECT_EQ(job->kernels->host.at(0).place, (directory_ / "job.json") + ":1");
}

// The value at the time of the read is written, not the final one.
TEST_F(JobKernels, OutputsOfTheHostAreOfTheirTime) {
    const auto job = load(R"(arch = "blackhole"
cores = { trisc0 = "unpack.elf" }
l1 = [{ addr = 0x20000, words = [7] }]
[[host]]
at = 5
read = { addr = 0x20000, shape = [1, 1], format = "Int32", layout = "rows", npy = "then.npy" }
[[host]]
write = { addr = 0x20000, words = [8] }
[[output]]
addr = 0x20000
shape = [1, 1]
format = "Int32"
layout = "rows"
npy = "end.npy"
)");
    ASSERT_TRUE(job) << job.error().describe();
    auto core = prepare(*job);
    ASSERT_TRUE(core);
    const auto run = run_job(*job, *core, job->options);
    ASSERT_TRUE(run && run->good());
    EXPECT_EQ(write_outputs(*job, *core).error().code, "host.step");
    EXPECT_EQ(read_outputs(*job, *core).error().code, "host.step");
    const auto read = read_outputs(*job, *core, run->host_reads);
    ASSERT_TRUE(read) << read.error().describe();
    ASSERT_EQ(job->outputs.at(1).path, directory_ / "then.npy");
    EXPECT_EQ(std::get<Matrix>(read->at(0)).integers, std::vector<std::int64_t>{8});
    EXPECT_EQ(std::get<Matrix>(read->at(1)).integers, std::vector<std::int64_t>{7});
    const auto wrote = write_outputs(*job, *core, run->host_reads);
    ASSERT_TRUE(wrote) << wrote.error().describe();
    const auto value = [&](const char* name) { return read_npy(directory_ / name).value().values.at(0); };
    EXPECT_EQ(value("then.npy"), 7.0);
    EXPECT_EQ(value("end.npy"), 8.0);
}

TEST_F(JobKernels, AReadThatTheRunDidNotReachIsNamed) {
    const auto job = load(R"(arch = "blackhole"
cores = { trisc0 = "unpack.elf" }
[[host]]
at = 5
[[host]]
at = 6
[[host]]
read = { addr = 0x20000, size = 4, file = "a.bin" }
)");
    ASSERT_TRUE(job) << job.error().describe();
    const Core core = prepare(*job).value();
    EXPECT_EQ(read_outputs(*job, core).error().message, "the run ended before step 3 of the host");
    // The bytes of another step are not its own.
    const HostRead other{.step = 1, .bytes = std::vector<std::byte>(4)};
    EXPECT_EQ(read_outputs(*job, core, std::span(&other, 1)).error().message,
              "the run ended before step 3 of the host");
}

TEST_F(JobKernels, CoresInResetHaveKernels) {
    const auto with = [](std::string_view rest) {
        return fmt::format("arch = \"blackhole\"\n{}\n[cores]\ntrisc0 = \"unpack.elf\"\n", rest);
    };
    const auto job = load(with("in_reset = [\"trisc0\"]"));
    ASSERT_TRUE(job) << job.error().describe();
    EXPECT_EQ(job->kernels->in_reset, (std::array{false, true, false, false, false}));
    refuses(with("in_reset = [\"trisc0\", \"ncrisc\"]"), "job.value", 2, "cores has no kernel for ncrisc");
    refuses(with("in_reset = \"trisc0\""), "job.type", 2, "in_reset must be an array");
    refuses("arch = \"blackhole\"\nin_reset = [\"trisc0\"]\n", "job.value", 2,
            "'in_reset' is for jobs with kernels: it needs 'cores'");
}

TEST_F(JobKernels, FilesOfTheHostAreInputs) {
    directory_.write("raw.bin", "wxyz");
    ASSERT_TRUE(write_npy(directory_ / "a.npy", {1, 1, {1}}));
    const auto with = [](std::string_view output) {
        return fmt::format(R"(arch = "blackhole"
cores = {{ trisc0 = "unpack.elf", brisc = "brisc.elf" }}
[[host]]
write = {{ addr = 0, file = "raw.bin" }}
[[host]]
write = {{ addr = 0, npy = "a.npy", format = "Float32", layout = "rows" }}
[[host]]
read = {{ addr = 0, size = 4, file = "{}" }}
)",
                           output);
    };
    const auto job = load(with("b.bin"));
    ASSERT_TRUE(job) << job.error().describe();
    EXPECT_THAT(job->inputs, testing::UnorderedElementsAre(directory_ / "raw.bin", directory_ / "a.npy",
                                                           directory_ / "unpack.elf", directory_ / "brisc.elf",
                                                           directory_ / "job.toml"));
    for (const char* file : {"raw.bin", "a.npy", "unpack.elf", "brisc.elf", "job.toml"})
        refuses(with(file), "job.value", 8, file);
    EXPECT_EQ(job->kernels->host[1].place, (directory_ / "job.toml") + ":5");
}

TEST_F(JobKernels, AreRefusedWhereOpsAreNeeded) {
    const auto job = load("arch = \"blackhole\"\n[cores]\ntrisc0 = \"unpack.elf\"\n");
    ASSERT_TRUE(job) << job.error().describe();
    Case with, without;
    with.job = *job;
    without.job.arch = Arch::blackhole;
    const auto expect = [&](const auto& refused, std::string_view code) {
        ASSERT_FALSE(refused) << code;
        EXPECT_EQ(refused.error().code, code);
        EXPECT_EQ(refused.error().message, "the command needs the ops of threads, but this job has kernels");
        EXPECT_EQ(refused.error().file, directory_ / "job.toml");
    };
    expect(record(with), "record.kernels");
    expect(reduce(with), "reduce.kernels");
    expect(diff_runs(with, without), "diff.kernels");
    expect(diff_runs(without, with), "diff.kernels");
    EXPECT_TRUE(diff_runs(without, without));
}

TEST_F(JobKernels, ThatOverlapAreRefusedBeforeTheRun) {
    directory_.write("math.elf", KernelFile{.segments = {{0x6000, words({0x00000013})}}}.bytes());
    const auto job = load("arch = \"blackhole\"\n[cores]\ntrisc0 = \"unpack.elf\"\ntrisc1 = \"math.elf\"\n");
    ASSERT_TRUE(job) << job.error().describe();
    const auto core = prepare(*job);
    ASSERT_FALSE(core);
    EXPECT_EQ(core.error().code, "kernels.overlap");
}

TEST_F(JobKernels, TheJobsOwnBytesGoOverThoseOfKernels) {
    const auto job =
        load("arch = \"blackhole\"\n[[l1]]\naddr = 0x6001\nhex = \"AB\"\n[cores]\ntrisc0 = \"unpack.elf\"\n");
    ASSERT_TRUE(job) << job.error().describe();
    const auto core = prepare(*job);
    ASSERT_TRUE(core) << core.error().describe();
    EXPECT_EQ(*core->read_l1(0x6000, 4), bytes(std::string("\x6F\xAB\0\0", 4)));
}

TEST(Where, TellsTheCoresInstruction) {
    Fault fault;
    fault.code = "tile.unmapped";
    fault.message = "nothing is there";
    fault.where.core = "trisc1";
    fault.where.pc = 0x6010;
    fault.where.function = "work(unsigned int)+0x8";
    fault.where.cycle = 90;
    fault.where.instruction = "lw a0,0(a1)";
    fault.where.place = "math.cpp:12";
    EXPECT_EQ(fault.describe(),
              "tile.unmapped: nothing is there\n"
              "  at      trisc1 0x6010 work(unsigned int)+0x8, cycle 90: lw a0,0(a1) (math.cpp:12)");
    fault.where.thread = 1;
    fault.where.instruction = "MVMUL";
    EXPECT_EQ(fault.describe(),
              "tile.unmapped: nothing is there\n"
              "  at      T1, cycle 90: MVMUL (math.cpp:12)\n"
              "  by      trisc1 0x6010 work(unsigned int)+0x8");
}

}  // namespace
}  // namespace tessera
