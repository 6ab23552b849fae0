// SPDX-License-Identifier: Apache-2.0
// Job files: contents, and places of errors.
#include "tessera/job.hpp"
#include "tessera/outputs.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

#include "findings/catalogue.hpp"
#include "program/job/core_pool.hpp"
#include "program/ops/json.hpp"
#include "support/same_state.hpp"
#include "support/temporary_directory.hpp"

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

class Jobs : public testing::Test {
protected:
    Jobs() {
        Matrix matrix{32, 32, std::vector<float>(1024, 1.0f)};
        EXPECT_TRUE(write_npy(directory_ / "a.npy", matrix));
        directory_.write("raw.bin", "xyz");
        directory_.write("unpack.tts", "NOP\n.thread 0\n# comment\n.gpr 1 = 2\n");
    }

    Result<Job> toml(std::string_view text) { return load_job(directory_.write("job.toml", text)); }
    Result<Job> json(std::string_view text) { return load_job(directory_.write("job.json", text)); }

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

    void expect_error(const Result<Job>& job, std::string_view code, int line, int column, std::string_view part = {}) {
        ASSERT_FALSE(job);
        const auto& error = job.error();
        EXPECT_EQ(error.code, code) << error.message;
        EXPECT_TRUE(error.file.starts_with(directory_ / "job.")) << error.file;
        EXPECT_EQ(error.line, line) << error.message;
        EXPECT_EQ(error.column, column) << error.message;
        EXPECT_NE(error.message.find(part), std::string::npos) << error.message;
    }

    /// A wrong value of one top-level key, whose value starts in line 2.
    void expect_wrong(std::string_view key, std::string_view value, std::string_view code, int column) {
        SCOPED_TRACE(fmt::format("{} {}", key, value));
        expect_error(toml(fmt::format("arch = \"blackhole\"\n{} = {}\n", key, value)), code, 2, column);
    }

    void expect_wrong_entry(std::string_view list, std::string_view keys, std::string_view code, int line, int column) {
        SCOPED_TRACE(keys);
        expect_error(toml(fmt::format("arch = \"blackhole\"\n[[{}]]\n{}", list, keys)), code, line, column);
    }

    TemporaryDirectory directory_;
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

TEST_F(Jobs, WrongFiles) {
    EXPECT_EQ(load_job(directory_ / "none.toml").error().code, "job.open");
    EXPECT_EQ(load_job(directory_ / "").error().code, "job.open");
    EXPECT_EQ(load_job(directory_.write("job.yaml", "")).error().code, "job.open");
    expect_error(toml("arch = \"blackhole\"\nseed = = 1\n"), "job.syntax", 2, 8);
    expect_error(toml("arch = \"blackhole\"\narch = \"blackhole\"\n"), "job.syntax", 2, 8);
    EXPECT_EQ(json("{\"seed\": 1e999}").error().message, "number overflow parsing '1e999'");
    EXPECT_TRUE(json("{\"arch\" 1}").error().message.starts_with("syntax error while parsing object separator")) << json("{\"arch\" 1}").error().message;
    expect_error(json("{\n  \"arch\": blackhole}"), "job.syntax", 2, 11);
    expect_error(json("{\"arch\": \"blackhole\""), "job.syntax", 1, 21);
    expect_error(json(""), "job.syntax", 1, 1);
    expect_error(json("{\"arch\": \"blackhole\",\n \"seed\": 1, \"seed\": 2}"), "job.syntax", 2, 13);
    expect_error(json("[]"), "job.type", 1, 1);
    expect_error(json(std::string(100000, '[')), "job.syntax", 1, 65);
    EXPECT_EQ(toml("a = " + std::string(100000, '[')).error().code, "job.syntax");
    expect_error(json("{\"format\": \"tessera-case-1\"}"), "job.unknown-key", 1, 2, "case");
}

TEST_F(Jobs, TomlThatItsParserCannotBear) {
    expect_error(toml("[[[1]]]"), "job.syntax", 1, 1);
    expect_error(toml("a = 1\n [\3]"), "job.syntax", 2, 2);
    expect_error(toml("[[="), "job.syntax", 1, 1);
    expect_error(toml("a = [1,}"), "job.syntax", 1, 8);
    expect_error(toml("a = 1\"\xC3\xA9\""), "job.syntax", 1, 6);
    std::string dotted = "a";
    for (int i = 0; i < 200000; ++i) dotted += ".a";
    expect_error(toml(dotted + " = 1"), "job.syntax", 1, 130);
    expect_error(toml("a = 1 \xC3\xA9"), "job.syntax", 1, 7);
    expect_error(toml("# \xC3\xA9\nb = \"\xC3\xA9\\\"\" # \xC3\xA9\nc = '\xC3\xA9'\nd = \"\"\"\xC3\xA9\"\"\"\"\"\ne = "
                      "'''\xC3\xA9'''"),
                 "job.unknown-key", 2, 1);
    EXPECT_EQ(toml("[").error().code, "job.syntax");
    EXPECT_EQ(toml("[[").error().code, "job.syntax");
    EXPECT_EQ(toml("[]").error().code, "job.syntax");
}

// What may stand in the header of a table, and what only looks like one.
TEST_F(Jobs, HeadersOfTomlHaveAKey) {
    for (const char* header : {"[b]", "[a]", "[z]", "[A]", "[Z]", "[0]", "[9]", "[_]", "[-]", "[\"b\"]", "['b']",
                               "[ b ]", "[\tb]", "[[ b ]]", "\t[b]"})
        EXPECT_EQ(toml(fmt::format("arch = \"blackhole\"\n{}\n", header)).error().code, "job.unknown-key") << header;
    for (const char* header : {"[=]", "[[=]]", "[ =]", "[[\t=]]", "[.b]", "[{]", "[,]"})
        expect_error(toml(fmt::format("arch = \"blackhole\"\nb = [1, {{c = [2]}}]\n{}\n", header)), "job.syntax", 3, 1,
                     "a table header needs a key");
    expect_error(toml("arch = \"blackhole\"\n\t [=]\n"), "job.syntax", 2, 3, "a table header needs a key");
    // Arrays within an array may begin a line.
    expect_error(toml("arch = \"blackhole\"\nb = [\n[{c = 1}],\n [[2]],\n]\n"), "job.unknown-key", 2, 1);
}

TEST_F(Jobs, ABraceOfTomlIsNoValue) {
    const char* message = "a '}' in place of a value";
    expect_error(toml("b = [}"), "job.syntax", 1, 6, message);
    expect_error(toml("b = [1, # c\n\t\r\n }"), "job.syntax", 3, 2, message);
    expect_error(toml("arch = \"blackhole\"\nb = [{c = 1}, {c = [2]}]\n"), "job.unknown-key", 2, 1);
}

TEST_F(Jobs, StringsOfTomlBeginAtTheirPlaces) {
    expect_error(toml("\"arch\" = \"blackhole\"\nb = ['1',\"2\",[\"3\"],{\"c\"=\"4\"},\t\"5\"]\n'd'.\"e\" = 6\n"),
                 "job.unknown-key", 2, 1);
    for (const char* wrong : {"a\"b\"", "1'b'", "]\"b\"", "-\"b\""})
        expect_error(toml(fmt::format("b = {}\n", wrong)), "job.syntax", 1, 6, "a quote within a value");
    // A backslash hides a quote, but not in single quotes; three quotes end with three.
    expect_error(toml("arch = \"blackhole\"\nb = \"1\\\"2\"\nc = '3\\'\nd = \"4\\\\\"\n"), "job.unknown-key", 2, 1);
    expect_error(toml("b = '''1''2\n'''\nc = \"\"\"3\"\"4\\\"\"\"5\"\"\"\nd = \xC3\xA9\n"), "job.syntax", 4, 5,
                 "not ASCII");
}

TEST_F(Jobs, WrongKeysAndValues) {
    expect_error(toml("seed = 1\n"), "job.missing-key", 1, 1, "arch");
    expect_error(json("\n {}"), "job.missing-key", 2, 2, "arch");
    expect_error(toml("arch = \"grayskull\"\n"), "job.value", 1, 8);
    expect_error(toml("arch = 1\n"), "job.type", 1, 8);
    expect_error(toml("arch = \"blackhole\"\n  tming = \"instant\"\n"), "job.unknown-key", 2, 3,
                 "did you mean timing?");
    expect_error(json("{\"arch\": \"blackhole\",\n  \"sed\": 1}"), "job.unknown-key", 2, 3, "did you mean seed?");
    expect_wrong("reset", "\"hot\"", "job.value", 9);
    expect_wrong("timing", "\"fast\"", "job.value", 10);
    expect_wrong("max_cycles", "0", "job.range", 14);
    expect_wrong("max_cycles", "1.5", "job.type", 14);
    expect_wrong("seed", "-1", "job.range", 8);
    expect_wrong("findings", "1", "job.type", 12);
    expect_wrong("findings", "{nonsense = \"off\"}", "job.value", 13);
    expect_wrong("findings", "{hazard = {none = \"off\"}}", "job.value", 23);
    expect_wrong("findings", "{\"hazard.l1\" = \"on\"}", "job.value", 27);
    expect_wrong("symbols", "1", "job.type", 11);
    expect_wrong("symbols", "{A = \"x\"}", "job.type", 16);
    expect_wrong("symbols", "{\"1a\" = 1}", "job.value", 12);
    expect_wrong("symbols", "{Float32 = 1}", "job.value", 12);
    expect_wrong("l1", "1", "job.type", 6);
    expect_wrong("l1", "[1]", "job.type", 7);
    expect_wrong("output", "{}", "job.type", 10);
}

TEST_F(Jobs, WrongMemory) {
    const char* l1 = "l1";
    expect_wrong_entry(l1, "hex = \"00\"", "job.missing-key", 2, 1);
    expect_wrong_entry(l1, "addr = 0\n", "job.missing-key", 2, 1);
    expect_wrong_entry(l1, "addr = 0\nbin = 1\n", "job.unknown-key", 4, 1);
    expect_wrong_entry(l1, "addr = 1572864\nhex = \"00\"", "job.range", 3, 8);
    expect_wrong_entry(l1, "addr = 1572863\nhex = \"0000\"", "job.range", 3, 8);
    expect_wrong_entry(l1, "addr = 0\nhex = \"0\"", "job.value", 4, 7);
    expect_wrong_entry(l1, "addr = 0\nhex = \"0g\"", "job.value", 4, 7);
    expect_wrong_entry(l1, "addr = 0\nhex = 1", "job.type", 4, 7);
    expect_wrong_entry(l1, "addr = 0\nhex = \"00\"\nfile = \"raw.bin\"", "job.value", 5, 1);
    expect_wrong_entry(l1, "addr = 0\nhex = \"00\"\nformat = \"Float32\"", "job.value", 5, 1);
    expect_wrong_entry(l1, "addr = 0\nfile = \"none.bin\"", "job.open", 4, 8);
    expect_wrong_entry(l1, "addr = 0\nnpy = \"a.npy\"", "job.missing-key", 2, 1);
    expect_wrong_entry(l1, "addr = 0\nnpy = \"a.npy\"\nformat = \"float\"", "job.value", 5, 10);
    expect_wrong_entry(l1, "addr = 0\nnpy = \"a.npy\"\nformat = \"Invalid\"", "job.value", 5, 10);
    expect_wrong_entry(l1, "addr = 0\nnpy = \"a.npy\"\nformat = \"Float32\"\nlayout = \"raw\"", "job.value", 6, 10);
    expect_wrong_entry(l1, "addr = 0\nnpy = \"none.npy\"\nformat = \"Float32\"", "npy.open", 4, 7);
    expect_wrong_entry(l1, "addr = 0\nnpy = \"raw.bin\"\nformat = \"Float32\"", "npy.format", 4, 7);
    expect_wrong_entry(l1, "addr = 1572000\nnpy = \"a.npy\"\nformat = \"Float32\"", "job.range", 3, 8);
}

TEST_F(Jobs, AMissingInputNamesTheScriptThatMakesIt) {
    const auto message = [&](std::string_view source) {
        const auto job = toml(fmt::format("arch = \"blackhole\"\n[[l1]]\naddr = 0\n{}\n", source));
        EXPECT_FALSE(job);
        return job ? std::string() : job.error().message;
    };
    const std::string_view missing[] = {"file = \"none.bin\"", "file = \"out/none.bin\"",
                                        "npy = \"out/none.npy\"\nformat = \"Float32\""};
    for (const auto source : missing) EXPECT_EQ(message(source).find("prepare.py"), std::string::npos) << source;
    const std::string makes_it = "; python3 " + directory_.write("prepare.py", "") + " makes it";
    for (const auto source : missing) EXPECT_THAT(message(source), testing::EndsWith(makes_it)) << source;
    // An input that exists and is wrong is not made again.
    EXPECT_EQ(message("npy = \"raw.bin\"\nformat = \"Float32\"").find("prepare.py"), std::string::npos);
}

TEST_F(Jobs, WrongOutputs) {
    const char* rest = "\nformat = \"Float32\"\nnpy = \"c.npy\"\n";
    auto expect_output = [&](std::string_view keys, std::string_view code, int line, int column) {
        expect_wrong_entry("output", fmt::format("{}{}", keys, rest), code, line, column);
    };
    expect_output("addr = 0", "job.missing-key", 2, 1);
    expect_output("addr = 0\nshape = [32]", "job.value", 4, 9);
    expect_output("addr = 0\nshape = [32, -32]", "job.range", 4, 14);
    expect_output("addr = 0\nshape = [32, 31]", "tensor.shape", 4, 9);
    expect_output("addr = 0\nshape = [4294967296, 4294967296]", "tensor.shape", 4, 9);
    expect_output("addr = 1572000\nshape = [32, 32]", "job.range", 3, 8);
    expect_wrong_entry("output",
                       fmt::format("addr = 0\nshape = [32, 32]{}[[output]]\naddr = 0\nshape = [32, 32]{}", rest, rest),
                       "job.value", 11, 7);
}

TEST_F(Jobs, WrongOutputsOfBytes) {
    const auto message = [&](std::string_view keys) {
        const auto job = toml(fmt::format("arch = \"blackhole\"\n[[output]]\naddr = 0x17FFF0\n{}\n", keys));
        return job ? "" : fmt::format("{} {}: {}", job.error().code, job.error().line, job.error().message);
    };
    EXPECT_EQ(message("size = 16\nfile = \"c\""), "");
    EXPECT_EQ(message("size = 17\nfile = \"c\""),
              "job.range 3: 17 bytes from 0x17FFF0 go beyond the 1572864 bytes of L1");
    EXPECT_EQ(message("size = 1572865\nfile = \"c\""), "job.range 4: size is 1572865, and must be 1 to 1572864");
    EXPECT_EQ(message("size = 0\nfile = \"c\""), "job.range 4: size is 0, and must be 1 to 1572864");
    EXPECT_EQ(message("file = \"c\""), "job.missing-key 2: an entry of output with file needs the key 'size'");
    EXPECT_EQ(message("size = 1\nfile = 2"), "job.type 5: file must be a string");
    for (const std::string_view key :
         {"shape", "format", "layout", "digest_size", "compressed", "row_datums", "shared_exponent"})
        EXPECT_EQ(message(fmt::format("size = 1\nfile = \"c\"\n{} = 1", key)),
                  fmt::format("job.value 6: '{}' belongs to npy, not to file", key));
    EXPECT_EQ(message("size = 1\nfile = \"c\"\nnpy = \"d\""), "job.value 6: 'file' and 'npy' exclude each other");
    EXPECT_EQ(message("npy = \"d\"\nfile = \"c\""), "job.value 4: 'file' and 'npy' exclude each other");
    EXPECT_EQ(message("npy = \"c\"\nsize = 1"), "job.value 5: 'size' belongs to file, not to npy");
    const auto shaped = [&](std::string_view shape) {
        return message(fmt::format("npy = \"c\"\nformat = \"Int32\"\nlayout = \"rows\"\nshape = {}", shape));
    };
    EXPECT_EQ(shaped("[1, 4]"), "");
    EXPECT_EQ(shaped("[1, 5]"), "job.range 3: 20 bytes from 0x17FFF0 go beyond the 1572864 bytes of L1");
    EXPECT_EQ(shaped("[0, 4]"), "job.range 7: a shape without elements");
    EXPECT_EQ(shaped("[4, 0]"), "job.range 7: a shape without elements");
    EXPECT_EQ(shaped("[1, 2, 2]"), "job.value 7: shape must be [rows, columns]");
}

TEST_F(Jobs, BoundsAreThoseThatHold) {
    const std::string arch = "arch = \"blackhole\"\n";
    for (const char* cycles : {"-1", "0"})
        expect_error(toml(arch + "max_cycles = " + cycles + "\n"), "job.range", 2, 14,
                     fmt::format("max_cycles is {}, and must be 1 to 18446744073709551615", cycles));
    for (const char* word : {"-2147483649", "4294967296"})
        expect_error(toml(arch + "[[l1]]\naddr = 0\nwords = [" + word + "]\n"), "job.range", 4, 10,
                     fmt::format("an item of words is {}, and must be -2147483648 to 4294967295", word));
    EXPECT_TRUE(toml(arch + "[[l1]]\naddr = 0\nwords = [-2147483648, 4294967295]\n"));
}

TEST_F(Jobs, ACodeOfAFindingIsGivenOnce) {
    const std::string_view twice = "'hazard.dst' is given twice";
    const auto job = toml("arch = \"blackhole\"\n[findings]\nhazard.dst = \"error\"\n\"hazard.dst\" = \"off\"\n");
    expect_error(job, "job.syntax", 4, 1, twice);
    expect_error(json("{\"arch\": \"blackhole\", \"findings\": {\"hazard.dst\": \"off\",\n\"hazard\": {\"dst\": \"error\"}}}"), "job.syntax", 2, 12,
                 twice);
    // A value from outside replaces the file's, whether that has quotes or not.
    for (const char* code : {"hazard.dst", "\"hazard.dst\""}) {
        const std::string path = directory_.write("job.toml", fmt::format("arch = \"blackhole\"\n[findings]\n{} = \"error\"\n", code));
        const auto changed = load_job(path, {.symbols = {}, .registers = {}, .keys = {{"findings.hazard.dst", "off"}}});
        ASSERT_TRUE(changed) << changed.error().describe();
        EXPECT_EQ(changed->options.levels.at("hazard.dst"), Level::off);
    }
}

// The system would end the name there, and two outputs could be one file.
TEST_F(Jobs, NoNameOfAFileHasANulByte) {
    const std::string arch = "arch = \"blackhole\"\n";
    const std::string_view why = "has a NUL byte";
    expect_error(toml(arch + "[[output]]\naddr = 0\nsize = 4\nfile = \"c.bin\\u0000x\"\n"), "job.value", 5, 8, why);
    expect_error(toml(arch + "[[output]]\naddr = 0\nshape = [32, 32]\nformat = \"Float32\"\nnpy = \"c.npy\\u0000\"\n"), "job.value", 6, 7, why);
    expect_error(toml(arch + "[[l1]]\naddr = 0\nfile = \"raw.bin\\u0000x\"\n"), "job.value", 4, 8, why);
    expect_error(toml(arch + "[[l1]]\naddr = 0\nnpy = \"a.npy\\u0000x\"\nformat = \"Float32\"\n"), "job.value", 4, 7, why);
    expect_error(toml(arch + "threads.math = \"unpack.tts\\u0000x\"\n"), "job.value", 2, 16, why);
    expect_error(toml(arch + "cores.brisc = \"brisc.elf\\u0000x\"\n"), "job.value", 2, 15, why);
}

TEST_F(Jobs, NoPathOfAFileIsEmpty) {
    const auto expect_empty = [&](std::string_view text, int line, int column, std::string_view what) {
        SCOPED_TRACE(text);
        expect_error(toml(fmt::format("arch = \"blackhole\"\n{}\n", text)), "job.value", line, column,
                     fmt::format("{} is empty: give the path of a file", what));
    };
    expect_empty("[[output]]\naddr = 0\nsize = 4\nfile = \"\"", 5, 8, "file");
    expect_empty("[[output]]\naddr = 0\nshape = [32, 32]\nformat = \"Float32\"\nnpy = \"\"", 6, 7, "npy");
    expect_empty("[[l1]]\naddr = 0\nfile = \"\"", 4, 8, "file");
    expect_empty("[[l1]]\naddr = 0\nnpy = \"\"\nformat = \"Float32\"", 4, 7, "npy");
    expect_empty("threads.math = \"\"", 2, 16, "the path of a thread");
    expect_empty("cores.brisc = \"\"", 2, 15, "brisc");
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

TEST_F(Jobs, AThreadIsInTheTableOfThreads) {
    for (const char* thread : {"unpack", "math", "pack"})
        expect_error(toml(fmt::format("arch = \"blackhole\"\n{} = [\"NOP\"]\n", thread)), "job.unknown-key", 2, 1,
                     fmt::format("(did you mean threads.{}?)", thread));
}

TEST_F(Jobs, LinesOfAssemblyAreAList) {
    const auto message = [&](std::string_view path) {
        const auto job = toml(fmt::format("arch = \"blackhole\"\nthreads.math = \"{}\"\n", path));
        return job ? std::string() : job.error().message;
    };
    for (const char* line : {"ZEROACC clear_mode=all", "NOP", "nop", ".gpr 1 = 2"})
        EXPECT_THAT(message(line), testing::EndsWith("; lines of assembly go into a list: [\"...\"]")) << line;
    for (const char* path : {"none.tts", "my none.tts", "none"})
        EXPECT_EQ(message(path).find("a list"), std::string::npos) << path;
}

TEST_F(Jobs, IntegersOfMoreThan64BitsAreOutOfRange) {
    const auto with = [&](std::string_view keys) { return json(fmt::format("{{\"arch\": \"blackhole\", {}}}", keys)); };
    const auto largest = with("\"seed\": 18446744073709551615");
    ASSERT_TRUE(largest) << largest.error().describe();
    EXPECT_EQ(largest->options.seed, UINT64_MAX);
    expect_error(with("\"seed\": 18446744073709551616"), "job.range", 1, 31,
                 "seed is 18446744073709551616, and must be 0 to 18446744073709551615");
    expect_error(with("\"seed\": -9223372036854775809"), "job.range", 1, 31, "seed is -9223372036854775809, and must be");
    expect_error(with("\"l1\": [{\"addr\": 99999999999999999999, \"hex\": \"\"}]"), "job.range", 1, 39,
                 "addr is 99999999999999999999, and must be 0 to 0x17FFFF");
    expect_error(with("\"l1\": [{\"addr\": 0, \"words\": [18446744073709551616]}]"), "job.range", 1, 52,
                 "an item of words is 18446744073709551616, and must be -2147483648 to 4294967295");
    expect_error(with("\"symbols\": {\"A\": 18446744073709551616}"), "job.range", 1, 40, "A does not fit 64 bits");
    expect_error(with("\"seed\": 1e30"), "job.type", 1, 31, "seed must be an integer");
}

TEST_F(Jobs, ATextIsNoInteger) {
    expect_error(toml("arch = \"blackhole\"\n[[l1]]\naddr = 0\nwords = [\"0x1\"]\n"), "job.type", 4, 10,
                 "an item of words must be an integer, not a text");
    expect_error(toml("arch = \"blackhole\"\nseed = \"1\"\n"), "job.type", 2, 8, "seed must be an integer, not a text");
}

TEST_F(Jobs, AnOutputThatCannotBeMadeIsNamed) {
    const auto job = toml(
        "arch = \"blackhole\"\n[[output]]\naddr = 0x4000\nshape = [32, 32]\nformat = \"Float32\"\nnpy = \"c.npy\"\ncompressed = true\n");
    ASSERT_TRUE(job) << job.error().describe();
    const auto wrote = write_outputs(*job, prepare(*job).value());
    ASSERT_FALSE(wrote);
    EXPECT_EQ(wrote.error().code, "tensor.data");
    EXPECT_THAT(wrote.error().message, testing::StartsWith(fmt::format("the bytes from 0x4000 are no array for '{}': ", directory_ / "c.npy")));
}

// An entry without bytes needs an address in L1 too.
TEST_F(Jobs, AnEmptyEntryIsInL1) {
    const auto at = [&](unsigned address) {
        return toml(fmt::format("arch = \"wormhole\"\n[[l1]]\naddr = {}\nhex = \"\"\n", address));
    };
    EXPECT_TRUE(at(1464 * 1024 - 1));
    expect_error(at(1464 * 1024), "job.range", 3, 8, "addr is 0x16E000, and must be 0 to 0x16DFFF");
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

TEST_F(Jobs, WrongThreads) {
    auto with = [&](std::string_view threads) {
        return toml(fmt::format("arch = \"blackhole\"\n[threads]\n{}\n", threads));
    };
    expect_error(with("t3 = []"), "job.unknown-key", 3, 1);
    expect_error(with("math = 1"), "job.type", 3, 8);
    expect_error(with("math = [1]"), "job.type", 3, 9);
    expect_error(with("math = \"none.tts\""), "job.open", 3, 8, "none.tts");
    expect_error(with("math = [\"NOP\"]\nt1 = [\"NOP\"]"), "job.value", 4, 1);
    expect_error(with("math = [\"NOP\",\n  \"  NPO\"]"), "asm.unknown-instruction", 4, 6);
    expect_error(with("math = ['NPO']"), "asm.unknown-instruction", 3, 10);
    expect_error(with("math = [\"\\tNPO\"]"), "asm.unknown-instruction", 3, 9);
    expect_error(with("math = [\".repeat 2\"]"), "asm.nesting", 3, 10);
    expect_error(with("math = [{ins = 1, cfg = [0, 0]}]"), "job.value", 3, 9);
    expect_error(with("math = [{in = 1}]"), "job.unknown-key", 3, 10);
    expect_error(with("math = [{ins = 4294967296}]"), "job.range", 3, 16);
    expect_error(with("math = [{gpr = [64, 0]}]"), "job.range", 3, 17);
    expect_error(with("math = [{gpr = [0]}]"), "job.value", 3, 16);
    expect_error(with("math = [{drain = false}]"), "job.value", 3, 18);
    expect_error(with("math = [{sem_wait = [0, \"zero\"]}]"), "job.value", 3, 25);
    expect_error(json("{\"arch\": \"blackhole\", \"threads\": {\"t0\":\n [\"ttnop 1\"]}}"), "asm.operand-count", 2, 10);
    directory_.write("bad.tts", "NOP\n NPO\n");
    const auto job = with("math = \"bad.tts\"");
    ASSERT_FALSE(job);
    EXPECT_EQ(job.error().code, "asm.unknown-instruction");
    EXPECT_EQ(job.error().file, directory_ / "bad.tts");
    EXPECT_EQ(job.error().line, 2);
    EXPECT_EQ(job.error().column, 2);
}

// As in TOML: an escape hides the column, and the line is told from its first quote.
TEST_F(Jobs, ColumnsInStringsOfJson) {
    const auto with = [&](std::string_view lines) {
        return json(fmt::format("{{\"arch\": \"blackhole\", \"threads\": {{\"t0\":\n [{}]}}}}", lines));
    };
    expect_error(with("\"NOP\", \"  NPO\""), "asm.unknown-instruction", 2, 13);
    expect_error(with("\"NOP\", \"\\tNPO\""), "asm.unknown-instruction", 2, 10);
    expect_error(with("\"# \\\" \\\\\", \"NPO\""), "asm.unknown-instruction", 2, 15);
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

TEST_F(Jobs, OutputsAreWrittenFromL1) {
    const auto job = toml(
        "arch = \"wormhole\"\n[[l1]]\naddr = 64\nnpy = \"a.npy\"\nformat = \"Float16\"\n"
        "[[output]]\naddr = 64\nshape = [32, 32]\nformat = \"Float16\"\nnpy = \"c.npy\"\n");
    ASSERT_TRUE(job) << job.error().message;
    const auto core = prepare(*job);
    ASSERT_TRUE(core);
    ASSERT_TRUE(write_outputs(*job, *core));
    EXPECT_EQ(read_npy(directory_ / "c.npy")->values, read_npy(directory_ / "a.npy")->values);
}

TEST_F(Jobs, OutputsAreReadAsTheyAreWritten) {
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
    auto other = *job;
    other.arch = Arch::blackhole;
    EXPECT_EQ(cores.prepare(other).value().arch(), Arch::blackhole);
    other.arch = Arch::wormhole;
    other.l1.push_back({fresh.l1_size(), {std::byte{1}}});
    EXPECT_EQ(cores.prepare(other).error().code, "l1.range");
}

TEST_F(Jobs, OutputsAreWrittenTogetherOrNotAtAll) {
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

// A caller may have changed the job since it was read.
TEST_F(Jobs, OutputsAreCheckedAgainWhenTheyAreWritten) {
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

TEST(OpsFromJson, ReadsListsAndTellsErrors) {
    const auto list = nlohmann::json::parse(R"([{"ins": 5}, {"cfg": [1, 2]}])");
    const auto ops = program::ops_from_json(list, Arch::blackhole, "case.json");
    ASSERT_TRUE(ops);
    EXPECT_EQ(*ops, (std::vector<Op>{{Kind::ins, 0, 5, 0}, {Kind::cfg, 1, 2, 0}}));
    for (const char* bad :
         {"1", "[1]", "[{}]", "[{\"ins\": -1}]", "[{\"ins\": 1.5}]", "[{\"cfg\": [448, 0]}]", "[{\"x\": null}]"}) {
        const auto error = program::ops_from_json(nlohmann::json::parse(bad), Arch::blackhole, "case.json");
        ASSERT_FALSE(error) << bad;
        EXPECT_EQ(error.error().file, "case.json");
    }
    auto deep = nlohmann::json::array();
    for (int i = 0; i < 1000; ++i) deep = nlohmann::json::array({deep});
    EXPECT_FALSE(program::ops_from_json(deep, Arch::blackhole, "case.json"));
}

TEST(DiagnosisCodes, AreThoseOfTheCatalogue) {
    for (const auto& entry : findings::catalogue) EXPECT_TRUE(is_diagnosis_code(entry.code));
    EXPECT_FALSE(is_diagnosis_code("unpack"));
    EXPECT_FALSE(is_diagnosis_code(""));
}

}  // namespace
}  // namespace tessera
