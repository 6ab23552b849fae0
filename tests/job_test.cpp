// SPDX-License-Identifier: Apache-2.0
// Job files, and the jobs that they say.
#include "tessera/job.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "program/job/core_pool.hpp"
#include "support/job_files.hpp"
#include "support/same_state.hpp"

namespace tessera {
namespace {

using test::TemporaryDirectory;
using Kind = Op::Kind;

constexpr std::string_view toml_job = R"(arch = "wormhole"
reset = "vendor-sim"
timing = "instant"
max_cycles = 5000
seed = 7

[findings]
"unpack.format-mismatch" = "off"
hazard.l1 = "error"

[[l1]]
addr = 0x20000
npy = "a.npy"
format = "Float16_b"

[[l1]]
addr = 16
hex = "00 01fF"

[[l1]]
addr = 32
file = "raw.bin"

[threads]
unpack = "unpack.tts"
math = ["NOP", ".repeat 2", {drain = true}, "SETADCXX x1=255", ".end", {cfg = [3, 4]}]

[[output]]
addr = 0x40000
shape = [32, 64]
format = "Float32"
layout = "rows"
npy = "c.npy"
)";

constexpr std::string_view json_job = R"({
  "arch": "wormhole", "reset": "vendor-sim", "timing": "instant", "max_cycles": 5000, "seed": 7,
  "findings": {"unpack.format-mismatch": "off", "hazard.l1": "error"},
  "l1": [{"addr": 131072, "npy": "a.npy", "format": "Float16_b"},
         {"addr": 16, "hex": "0001ff"}, {"addr": 32, "file": "raw.bin"}],
  "threads": {"t0": "unpack.tts",
              "t1": ["NOP", ".repeat 2", {"drain": true}, "SETADCXX x1=255", ".end", {"cfg": [3, 4]}]},
  "output": [{"addr": 262144, "shape": [32, 64], "format": "Float32", "layout": "rows", "npy": "c.npy"}]
})";

class Jobs : public test::JobFiles {
protected:
    void check_job(const Result<Job>& job) {
        ASSERT_TRUE(job) << job.error().message << " " << job.error().line << ":" << job.error().column;
        EXPECT_EQ(job->arch, Arch::wormhole);
        EXPECT_EQ(job->program.arch, Arch::wormhole);
        EXPECT_EQ(job->reset, Reset::vendor_sim);
        EXPECT_EQ(job->options.timing, Timing::instant);
        EXPECT_EQ(job->options.max_cycles, 5000u);
        EXPECT_EQ(job->options.seed, 7u);
        EXPECT_EQ(job->options.levels,
                  (std::map<std::string, Level>{{"hazard.l1", Level::error}, {"unpack.format-mismatch", Level::off}}));
        ASSERT_EQ(job->l1.size(), 3u);
        EXPECT_EQ(job->l1[0].address, 0x20000u);
        EXPECT_EQ(job->l1[0].bytes.size(), 2048u);
        EXPECT_EQ(job->l1[0].bytes[1], std::byte{0x3F});
        EXPECT_EQ(job->l1[1].bytes, (std::vector<std::byte>{std::byte{0}, std::byte{1}, std::byte{0xFF}}));
        EXPECT_EQ(job->l1[2].bytes.size(), 3u);
        ASSERT_EQ(job->program.threads[0].size(), 2u);
        EXPECT_EQ(job->program.place(0, 1), directory_ / "unpack.tts:4");
        std::vector<Kind> kinds;
        for (const auto& op : job->program.threads[1]) kinds.push_back(op.kind);
        EXPECT_EQ(kinds, (std::vector<Kind>{Kind::ins, Kind::drain, Kind::ins, Kind::drain, Kind::ins, Kind::cfg}));
        EXPECT_EQ(job->program.threads[1][2].value, 0x5E03FC00u);
        EXPECT_TRUE(job->program.threads[2].empty());
        EXPECT_TRUE(validate(job->program));
        ASSERT_EQ(job->outputs.size(), 1u);
        EXPECT_EQ(job->outputs[0].address, 0x40000u);
        EXPECT_EQ(job->outputs[0].rows, 32u);
        EXPECT_EQ(job->outputs[0].cols, 64u);
        EXPECT_EQ(job->outputs[0].format, DataFormat::Float32);
        EXPECT_EQ(job->outputs[0].form.layout, Layout::rows);
        EXPECT_EQ(job->outputs[0].path, directory_ / "c.npy");
    }
};

TEST_F(Jobs, TomlSaysEverything) { check_job(toml(toml_job)); }

TEST_F(Jobs, JsonSaysTheSame) { check_job(json(json_job)); }

TEST_F(Jobs, DefaultsApply) {
    const auto job = toml("arch = \"blackhole\"");
    ASSERT_TRUE(job);
    EXPECT_EQ(job->arch, Arch::blackhole);
    EXPECT_EQ(job->reset, Reset::silicon);
    EXPECT_EQ(job->options.timing, Timing::silicon);
    EXPECT_FALSE(job->options.seed);
    EXPECT_TRUE(job->l1.empty());
}

TEST_F(Jobs, EveryFormatHasItsBytes) {
    for (const DataFormat format : all_data_formats) {
        const auto job = toml(
            fmt::format("arch = \"blackhole\"\n[[l1]]\naddr = 0\nnpy = \"a.npy\"\nformat = \"{}\"\n", name(format)));
        ASSERT_TRUE(job) << name(format) << job.error().message;
        EXPECT_EQ(job->l1[0].bytes.size(), *tensor_bytes(32, 32, format, Layout::tiles)) << name(format);
    }
}

TEST_F(Jobs, OpsOfAllKindsAreRead) {
    const auto job = json(R"({"arch": "blackhole", "threads": {"pack": [
{"ins": 4294967295}, {"cfg": [447, 1]}, {"gpr": [63, 2]}, {"mop": [8, 3]}, {"drain": true},
{"sem_post": 7}, {"sem_get": 6}, {"sem_wait": [5, "nonzero"]}, {"sem_wait": [4, "below_max"]}]}})");
    ASSERT_TRUE(job) << job.error().message;
    const std::vector<Op> expected = {
        {Kind::ins, 0, 0xFFFFFFFF, 2}, {Kind::cfg, 447, 1, 2},    {Kind::gpr, 63, 2, 2},
        {Kind::mop, 8, 3, 2},          {Kind::drain, 0, 0, 2},    {Kind::sem_post, 7, 0, 3},
        {Kind::sem_get, 6, 0, 3},      {Kind::sem_wait, 5, 0, 3}, {Kind::sem_wait, 4, 1, 3},
    };
    EXPECT_EQ(job->program.threads[2], expected);
    EXPECT_EQ(job->program.place(2, 5), directory_ / "job.json:3");
}

TEST_F(Jobs, OneTextMayHoldAllThreads) {
    directory_.write("all.tts", "NOP\n.thread 1\nNOP\n.thread 2\nNOP\n");
    const auto job = toml("arch = \"blackhole\"\nthreads.unpack = \"all.tts\"\n");
    ASSERT_TRUE(job);
    EXPECT_EQ(job->program.threads[2].size(), 1u);
    expect_error(toml("arch = \"blackhole\"\n[threads]\nunpack = \"all.tts\"\npack = [\"NOP\"]\n"), "job.value", 3, 1,
                 "twice");
}

// Wherever the table stands; in files and in lists; given ones go before the job's.
TEST_F(Jobs, SymbolsReachAllThreads) {
    directory_.write("t0.tts", ".gpr 1 = COUNT + LESS\n");
    const auto path = directory_.write("job.toml",
                                       "arch = \"blackhole\"\nthreads.unpack = \"t0.tts\"\n"
                                       "threads.math = [\".gpr 1 = COUNT\", \".equ COUNT, 9\", \".gpr 2 = COUNT\"]\n"
                                       "symbols = {COUNT = 5, LESS = -2}\n");
    const auto job = load_job(path);
    ASSERT_TRUE(job) << job.error().describe();
    EXPECT_EQ(job->program.threads[0].at(0).value, 3u);
    EXPECT_EQ(job->program.threads[1].at(0).value, 5u);
    EXPECT_EQ(job->program.threads[1].at(1).value, 9u);
    const auto given = load_job(path, {.symbols = {{"COUNT", 8}}});
    ASSERT_TRUE(given);
    EXPECT_EQ(given->program.threads[0].at(0).value, 6u);
    const auto unused = load_job(path, {.symbols = {{"COUNTS", 1}}});
    ASSERT_FALSE(unused);
    EXPECT_EQ(unused.error().message, "no text of the job uses a symbol 'COUNTS' (did you mean COUNT?)");
    const auto wrong = load_job(path, {.symbols = {{"8", 8}}});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().code, "job.value");
    EXPECT_EQ(wrong.error().file, path);
}

// A symbol of the job may be given from outside although no text asks for it.
TEST_F(Jobs, ASymbolOfTheJobNeedsNoUse) {
    const auto path = directory_.write(
        "job.toml", "arch = \"blackhole\"\n[symbols]\nSPARE = 1\n[threads]\nmath = [\".gpr 1 = 2\"]\n");
    EXPECT_TRUE(load_job(path));
    EXPECT_TRUE(load_job(path, {.symbols = {{"SPARE", 8}}}));
    const auto other = load_job(path, {.symbols = {{"OTHER", 8}}});
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().message, "no text of the job uses a symbol 'OTHER'");
}

// reference/job: of entries that overlap the later one holds.
TEST_F(Jobs, ALaterEntryOfL1Holds) {
    const auto job = toml("arch = \"blackhole\"\n[[l1]]\naddr = 0x100\nhex = \"00010203\"\n[[l1]]\naddr = 0x101\nhex = \"AA\"\n");
    ASSERT_TRUE(job);
    const auto core = prepare(*job);
    ASSERT_TRUE(core);
    const std::vector<std::byte> bytes{std::byte{0}, std::byte{0xAA}, std::byte{2}, std::byte{3}};
    EXPECT_EQ(core->read_l1(0x100, 4).value(), bytes);
}

// An entry without bytes needs an address in L1 too.
TEST_F(Jobs, AnEmptyEntryIsInL1) {
    const auto at = [&](unsigned address) {
        return toml(fmt::format("arch = \"wormhole\"\n[[l1]]\naddr = {}\nhex = \"\"\n", address));
    };
    EXPECT_TRUE(at(1464 * 1024 - 1));
    expect_error(at(1464 * 1024), "job.range", 3, 8, "addr is 0x16E000, and must be 0 to 0x16DFFF");
}

TEST_F(Jobs, HexHasPairsOfDigits) {
    const auto hex = [&](std::string_view text) { return json(fmt::format(R"({{"arch": "blackhole", "l1": [{{"addr": 0, "hex": "{}"}}]}})", text)); };
    const auto job = hex("\\t01 23\\n4567\\r\\n89abcdefABCDEF ");
    ASSERT_TRUE(job) << job.error().describe();
    std::vector<std::byte> expected;
    for (const unsigned value : {0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0xAB, 0xCD, 0xEF}) expected.push_back(static_cast<std::byte>(value));
    EXPECT_EQ(job->l1.at(0).bytes, expected);
    // The characters next to the digits, in both halves of a pair.
    for (const char* wrong : {"/0", ":0", "@0", "G0", "`0", "g0", "0/", "0:", "0@", "0G", "0`", "0g", "0 0", "000"}) {
        const auto refused = hex(wrong);
        ASSERT_FALSE(refused) << wrong;
        EXPECT_EQ(refused.error().code, "job.value") << wrong;
    }
}

TEST_F(Jobs, InputsAreAllFilesThatAreRead) {
    const auto with = [&](std::string_view output) {
        return toml(fmt::format(R"(arch = "blackhole"
l1 = [{{ addr = 0, npy = "a.npy", format = "Float32" }}, {{ addr = 8192, hex = "00" }}, {{ addr = 8224, file = "raw.bin" }}]
[threads]
unpack = "unpack.tts"
math = ["NOP"]
[[output]]
addr = 0
size = 1
file = "c.bin"
[[output]]
addr = 0
size = 1
file = "{}"
)",
                                output));
    };
    const auto job = with("d.bin");
    ASSERT_TRUE(job) << job.error().describe();
    EXPECT_THAT(job->inputs, testing::UnorderedElementsAre(directory_ / "a.npy", directory_ / "raw.bin",
                                                           directory_ / "unpack.tts", directory_ / "job.toml"));
    for (const char* file : {"a.npy", "raw.bin", "unpack.tts", "job.toml", "c.bin"})
        expect_error(with(file), "job.value", 13, 8, file);
}

TEST_F(Jobs, SeveralLinesMayBeOneString) {
    const auto job = toml("arch = \"blackhole\"\n[threads]\nmath = [\"\"\"NOP\n.repeat 3\nNOP\n.end\"\"\"]\n");
    ASSERT_TRUE(job) << job.error().message;
    EXPECT_EQ(job->program.threads[1].size(), 4u);
}

TEST_F(Jobs, BrokenTextNeverCrashes) {
    std::mt19937 random(5);
    for (const auto text : {toml_job, json_job})
        for (int i = 0; i < 2000; ++i) {
            std::string broken(text);
            for (int n = 0; n < 3; ++n) broken[random() % broken.size()] = static_cast<char>(random());
            const auto job = text == toml_job ? toml(broken) : json(broken);
            if (!job) {
                EXPECT_FALSE(job.error().code.empty());
                EXPECT_FALSE(job.error().file.empty());
            }
        }
}

TEST_F(Jobs, ACoreThatIsThereIsPreparedAsANewOneIs) {
    const auto job = toml("arch = \"wormhole\"\nreset = \"vendor-sim\"\n[[l1]]\naddr = 64\nhex = \"ABCD\"\n");
    ASSERT_TRUE(job) << job.error().message;
    Core fresh = prepare(*job).value(), used(Arch::wormhole);
    ASSERT_TRUE(used.write_l1(62, std::vector<std::byte>(8, std::byte{0x55})));
    ASSERT_TRUE(prepare(*job, used));
    EXPECT_EQ(test::difference(used, fresh), "");
    auto outside = *job;
    outside.l1.push_back({used.l1_size(), {std::byte{1}}});
    EXPECT_EQ(prepare(outside, used).error().code, "l1.range");
    Core empty(Arch::wormhole, Reset::vendor_sim), other(Arch::blackhole);
    EXPECT_EQ(test::difference(used, empty), "");
    ASSERT_TRUE(other.write_l1(62, std::vector<std::byte>(8, std::byte{0x55})));
    EXPECT_EQ(prepare(*job, other).error().code, "run.arch");
    EXPECT_EQ(other.read_l1(62, 8).value(), std::vector<std::byte>(8, std::byte{0x55}));
}

TEST_F(Jobs, SpareCoresArePreparedAsNewOnesAre) {
    const auto job = toml("arch = \"wormhole\"\n[[l1]]\naddr = 64\nhex = \"ABCD\"\n");
    ASSERT_TRUE(job) << job.error().message;
    program::CorePool cores;
    Core fresh = prepare(*job).value();
    for (int i = 0; i < 3; ++i) {
        Core core = cores.prepare(*job).value();
        EXPECT_EQ(test::difference(core, fresh), "");
        ASSERT_TRUE(core.write_l1(62, std::vector<std::byte>(8, std::byte{0x55})));
        cores.give_back(std::move(core));
    }
    // Two jobs at a time do not get the same core.
    Core spare = cores.prepare(*job).value(), second = cores.prepare(*job).value();
    EXPECT_EQ(test::difference(spare, fresh), "");
    EXPECT_EQ(test::difference(second, fresh), "");
    cores.give_back(Core(Arch::wormhole));
    auto other = *job;
    other.arch = Arch::blackhole;
    EXPECT_EQ(cores.prepare(other).value().arch(), Arch::blackhole);
    other.arch = Arch::wormhole;
    other.l1.push_back({fresh.l1_size(), {std::byte{1}}});
    EXPECT_EQ(cores.prepare(other).error().code, "l1.range");
}

}  // namespace
}  // namespace tessera
