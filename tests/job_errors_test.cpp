// SPDX-License-Identifier: Apache-2.0
// What is refused of job files, and the place that is told.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "findings/catalogue.hpp"
#include "program/ops/json.hpp"
#include "support/job_files.hpp"
#include "tessera/finding_catalogue.hpp"
#include "tessera/job.hpp"

namespace tessera {
namespace {

using Kind = Op::Kind;

class JobErrors : public test::JobFiles {};

TEST_F(JobErrors, WrongFiles) {
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
    expect_error(json(std::string(65, '[')), "job.syntax", 1, 65, "values nest deeper than 64");
    EXPECT_EQ(toml("a = " + std::string(100000, '[')).error().code, "job.syntax");
    expect_error(json("{\"format\": \"tessera-case-1\"}"), "job.unknown-key", 1, 2, "case");
}

TEST_F(JobErrors, TomlThatItsParserCannotBear) {
    expect_error(toml("[[[1]]]"), "job.syntax", 1, 1, "a table header needs a key");
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
    // The parser tells where the text ends.
    for (const std::string_view text : {"[", "[[", "[ ", "[[ \t"})
        expect_error(toml(text), "job.syntax", 1, static_cast<int>(text.size()) + 1, "encountered end-of-file");
    EXPECT_EQ(toml("[]").error().code, "job.syntax");
}

// docs/limits.md: 64 dots in a line.
TEST_F(JobErrors, DotsOfTomlAreCountedInEachLine) {
    const auto key = [](char first, std::size_t dots) {
        std::string text(1, first);
        for (std::size_t i = 0; i < dots; ++i) text += ".k";
        return text + " = 1\n";
    };
    expect_error(toml(key('a', 64) + key('b', 64)), "job.unknown-key", 1, 1);
    expect_error(toml(key('a', 64) + key('b', 65)), "job.syntax", 2, 130, "keys nest too deeply");
}

TEST_F(JobErrors, OnlyAsciiStandsOutsideOfStringsOfToml) {
    const std::string_view message = "a character outside of strings and comments is not ASCII";
    for (const char* wrong : {"\x80", "\xFF"}) expect_error(toml(fmt::format("b = {}\n", wrong)), "job.syntax", 1, 5, message);
    const auto last = toml("b = \x7F\n");
    ASSERT_FALSE(last);
    EXPECT_EQ(last.error().message.find(message), std::string::npos);
}

// What may stand in the header of a table, and what only looks like one.
TEST_F(JobErrors, HeadersOfTomlHaveAKey) {
    for (const char* header : {"[b]", "[a]", "[z]", "[A]", "[Z]", "[0]", "[9]", "[_]", "[-]", "[\"b\"]", "['b']",
                               "[ b ]", "[\tb]", "[[ b ]]", "\t[b]"})
        EXPECT_EQ(toml(fmt::format("arch = \"blackhole\"\n{}\n", header)).error().code, "job.unknown-key") << header;
    for (const char* header : {"[=]", "[[=]]", "[ =]", "[[\t=]]", "[.b]", "[{]", "[,]"})
        expect_error(toml(fmt::format("arch = \"blackhole\"\nb = [1, {{c = [2]}}]\n{}\n", header)), "job.syntax", 3, 1,
                     "a table header needs a key");
    expect_error(toml("arch = \"blackhole\"\n\t [=]\n"), "job.syntax", 2, 3, "a table header needs a key");
    expect_error(toml("b = 1]\n[=]\n"), "job.syntax", 2, 1, "a table header needs a key");
    // Arrays within an array may begin a line.
    expect_error(toml("arch = \"blackhole\"\nb = [\n[{c = 1}],\n [[2]],\n]\n"), "job.unknown-key", 2, 1);
}

TEST_F(JobErrors, ABraceOfTomlIsNoValue) {
    const char* message = "a '}' in place of a value";
    expect_error(toml("b = [}"), "job.syntax", 1, 6, message);
    expect_error(toml("b = [1, # c\n\t\r\n }"), "job.syntax", 3, 2, message);
    expect_error(toml("arch = \"blackhole\"\nb = [{c = 1}, {c = [2]}]\n"), "job.unknown-key", 2, 1);
}

TEST_F(JobErrors, StringsOfTomlBeginAtTheirPlaces) {
    expect_error(toml("\"arch\" = \"blackhole\"\nb = ['1',\"2\",[\"3\"],{\"c\"=\"4\"},\t\"5\"]\n'd'.\"e\" = 6\n"),
                 "job.unknown-key", 2, 1);
    for (const char* wrong : {"a\"b\"", "1'b'", "]\"b\"", "-\"b\""})
        expect_error(toml(fmt::format("b = {}\n", wrong)), "job.syntax", 1, 6, "a quote within a value");
    // A backslash hides a quote, but not in single quotes; three quotes end with three.
    expect_error(toml("arch = \"blackhole\"\nb = \"1\\\"2\"\nc = '3\\'\nd = \"4\\\\\"\n"), "job.unknown-key", 2, 1);
    expect_error(toml("arch = \"blackhole\"\nb = \"\\\"\"\n"), "job.unknown-key", 2, 1);
    expect_error(toml("b = '''1''2\n'''\nc = \"\"\"3\"\"4\\\"\"\"5\"\"\"\nd = \xC3\xA9\n"), "job.syntax", 4, 5,
                 "not ASCII");
    // Two quotes may stand before the closing three.
    expect_error(toml("b = \"\"\"1\"\"\"\"\"\nc = '''1'''''\n"), "job.unknown-key", 1, 1);
    expect_error(toml("b = \"\"\"1\"\"\"\"\"\"\n"), "job.syntax", 1, 14, "a quote within a value");
    expect_error(toml("c = '''1''''''\n"), "job.syntax", 1, 14, "a quote within a value");
}

TEST_F(JobErrors, WrongKeysAndValues) {
    expect_error(toml("seed = 1\n"), "job.missing-key", 1, 1, "arch");
    expect_error(json("\n {}"), "job.missing-key", 2, 2, "arch");
    expect_error(toml("arch = \"grayskull\"\n"), "job.value", 1, 8);
    expect_error(toml("arch = 1\n"), "job.type", 1, 8);
    expect_error(toml("arch = \"blackhole\"\n  tming = \"instant\"\n"), "job.unknown-key", 2, 3,
                 "did you mean timing?");
    expect_error(json("{\"arch\": \"blackhole\",\n  \"sed\": 1}"), "job.unknown-key", 2, 3, "did you mean seed?");
    expect_error(json("{\"format\": \"tessera-case-1\"}"), "job.unknown-key", 1, 2, "is a case, not a job: use 'tessera check'");
    expect_error(toml("arch = \"blackhole\"\nformat = \"Float16_b\"\n"), "job.unknown-key", 2, 1,
                 "a job has no key 'format'");
    expect_error(toml("arch = \"blackhole\"\n[symbols]\nA = 1\nformat = \"Float16_b\"\n"), "job.type", 4, 10,
                 "symbol 'format' must be an integer (5 is Float16_b); a header, such as [[l1]], may be missing above");
    for (const char* format : {"Float16b", "bfloat16", "float16-b"})
        expect_error(toml(fmt::format("arch = \"blackhole\"\n[symbols]\nA = \"{}\"\n", format)), "job.type", 3, 5,
                     "symbol 'A' must be an integer (5 is Float16_b)");
    expect_error(toml("arch = \"blackhole\"\n[symbols]\nnpy = \"a.npy\"\n"), "job.type", 3, 7,
                 "symbol 'npy' must be an integer; a header");
    expect_error(toml("arch = \"blackhole\"\n[threads]\nmath = [\"math.tts\"]\n"), "job.type", 3, 9,
                 "a list has lines of assembly; a path stands without it: \"math.tts\"");
    expect_wrong("reset", "\"hot\"", "job.value", 9);
    expect_wrong("timing", "\"fast\"", "job.value", 10);
    expect_wrong("max_cycles", "0", "job.range", 14);
    expect_wrong("max_cycles", "1.5", "job.type", 14);
    expect_wrong("seed", "-1", "job.range", 8);
    expect_wrong("findings", "1", "job.type", 12);
    expect_wrong("findings", "{nonsense = \"off\"}", "job.value", 13);
    expect_wrong("findings", "{hazard = {none = \"off\"}}", "job.value", 23);
    expect_wrong("findings", "{\"hazard.l1\" = \"on\"}", "job.value", 27);
    expect_wrong("findings", "{deadlock = \"info\"}", "job.value", 13);
    EXPECT_TRUE(toml("arch = \"blackhole\"\nfindings = {riscv.ebreak = \"info\"}\n"));
    expect_wrong("symbols", "1", "job.type", 11);
    expect_wrong("symbols", "{A = \"x\"}", "job.type", 16);
    expect_wrong("symbols", "{\"1a\" = 1}", "job.value", 12);
    expect_wrong("symbols", "{Float32 = 1}", "job.value", 12);
    expect_wrong("l1", "1", "job.type", 6);
    expect_wrong("l1", "[1]", "job.type", 7);
    expect_wrong("output", "{}", "job.type", 10);
}

TEST_F(JobErrors, AKeyWithoutANameIsUnknown) {
    for (const std::string_view key : {R"("": 1)", R"("l1": [{"": 1, "addr": 0, "hex": "00"}])", R"("threads": {"": []})",
                                       R"("output": [{"": 1, "addr": 0, "size": 4, "file": "c"}])", R"("threads": {"math": [{"": 1}]})"}) {
        SCOPED_TRACE(key);
        const std::string text = fmt::format("{{\"arch\": \"blackhole\", {}}}", key);
        expect_error(json(text), "job.unknown-key", 1, static_cast<int>(text.find("\"\"")) + 1, "has no key ''");
    }
}

TEST_F(JobErrors, WrongMemory) {
    const char* l1 = "l1";
    expect_wrong_entry(l1, "hex = \"00\"", "job.missing-key", 2, 1);
    expect_wrong_entry(l1, "addr = 0\n", "job.missing-key", 2, 1);
    expect_wrong_entry(l1, "addr = 0\nbin = 1\n", "job.unknown-key", 4, 1);
    expect_wrong_entry(l1, "addr = 1572864\nhex = \"00\"", "job.range", 3, 8);
    expect_wrong_entry(l1, "addr = 1572863\nhex = \"0000\"", "job.range", 3, 8);
    expect_wrong_entry(l1, "addr = 0\nhex = \"0\"", "job.value", 4, 7);
    expect_wrong_entry(l1, "addr = 0\nhex = \"0g\"", "job.value", 4, 7);
    expect_wrong_entry(l1, "addr = 0\nhex = 1", "job.type", 4, 7);
    expect_wrong_entry(l1, "addr = 0\nwords = 1", "job.type", 4, 9);
    expect_wrong_entry(l1, "addr = \"0\"\nwords = [1]", "job.type", 3, 8);
    expect_wrong_entry(l1, "addr = 0\nhex = \"00\"\nfile = \"raw.bin\"", "job.value", 5, 1);
    expect_wrong_entry(l1, "addr = 0\nhex = \"00\"\nlayout = \"rows\"", "job.value", 5, 1);
    expect_wrong_entry(l1, "addr = 0\nhex = \"00\"\nformat = \"float\"", "job.value", 5, 10);
    expect_wrong_entry(l1, "addr = 0\nfile = \"none.bin\"", "job.open", 4, 8);
    expect_wrong_entry(l1, "addr = 0\nnpy = \"a.npy\"", "job.missing-key", 2, 1);
    expect_wrong_entry(l1, "addr = 0\nnpy = \"a.npy\"\nformat = \"float\"", "job.value", 5, 10);
    expect_wrong_entry(l1, "addr = 0\nnpy = \"a.npy\"\nformat = \"Invalid\"", "job.value", 5, 10);
    expect_wrong_entry(l1, "addr = 0\nnpy = \"a.npy\"\nformat = \"Float32\"\nlayout = \"raw\"", "job.value", 6, 10);
    expect_wrong_entry(l1, "addr = 0\nnpy = \"none.npy\"\nformat = \"Float32\"", "npy.open", 4, 7);
    expect_wrong_entry(l1, "addr = 0\nnpy = \"raw.bin\"\nformat = \"Float32\"", "npy.format", 4, 7);
    expect_wrong_entry(l1, "addr = 1572000\nnpy = \"a.npy\"\nformat = \"Float32\"", "job.range", 3, 8);
}

TEST_F(JobErrors, AMissingInputNamesTheScriptThatMakesIt) {
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

TEST_F(JobErrors, WrongOutputs) {
    const char* rest = "\nformat = \"Float32\"\nnpy = \"c.npy\"\n";
    auto expect_output = [&](std::string_view keys, std::string_view code, int line, int column) {
        expect_wrong_entry("output", fmt::format("{}{}", keys, rest), code, line, column);
    };
    expect_output("addr = 0", "job.missing-key", 2, 1);
    expect_output("addr = 0\nshape = [32]", "job.value", 4, 9);
    expect_output("addr = 0\nshape = [32, -32]", "job.range", 4, 14);
    expect_output("addr = 0\nshape = [-32, 32]", "job.range", 4, 10);
    expect_output("addr = 0\nshape = [\"32\", 32]", "job.type", 4, 10);
    expect_output("addr = 0\nshape = 32", "job.type", 4, 9);
    expect_output("addr = 0\nshape = [32, 32]\nlayout = \"raw\"", "job.value", 5, 10);
    expect_output("addr = 0\nshape = [32, 31]", "tensor.shape", 4, 9);
    expect_output("addr = 0\nshape = [4294967296, 4294967296]", "tensor.shape", 4, 9);
    expect_output("addr = 1572000\nshape = [32, 32]", "job.range", 3, 8);
    expect_wrong_entry("output",
                       fmt::format("addr = 0\nshape = [32, 32]{}[[output]]\naddr = 0\nshape = [32, 32]{}", rest, rest),
                       "job.value", 11, 7);
}

TEST_F(JobErrors, AnArrayOfOutputHasAFormat) {
    const std::string array = "addr = 0\nshape = [32, 32]\nnpy = \"c.npy\"\n";
    expect_wrong_entry("output", array, "job.missing-key", 2, 1);
    expect_wrong_entry("output", array + "format = \"Float33\"", "job.value", 6, 10);
    expect_wrong_entry("output", array + "format = 32", "job.type", 6, 10);
}

TEST_F(JobErrors, WrongOutputsOfBytes) {
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
    EXPECT_EQ(message("size = 4"), "job.missing-key 2: an entry of output needs npy or file");
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

TEST_F(JobErrors, BoundsAreThoseThatHold) {
    const std::string arch = "arch = \"blackhole\"\n";
    for (const char* cycles : {"-1", "0"})
        expect_error(toml(arch + "max_cycles = " + cycles + "\n"), "job.range", 2, 14,
                     fmt::format("max_cycles is {}, and must be 1 to 18446744073709551615", cycles));
    for (const char* word : {"-2147483649", "4294967296"})
        expect_error(toml(arch + "[[l1]]\naddr = 0\nwords = [" + word + "]\n"), "job.range", 4, 10,
                     fmt::format("an item of words is {}, and must be -2147483648 to 4294967295", word));
    EXPECT_TRUE(toml(arch + "[[l1]]\naddr = 0\nwords = [-2147483648, 4294967295]\n"));
    constexpr std::pair<std::string_view, unsigned> forms[] = {
        {"digest_size", 255}, {"row_datums", 65535}, {"shared_exponent", 255}};
    const std::string output = arch + "[[output]]\naddr = 0\nshape = [32, 32]\nformat = \"Float32\"\nnpy = \"c.npy\"\n";
    for (const auto& [key, most] : forms)
        expect_error(toml(fmt::format("{}{} = {}\n", output, key, most + 1)), "job.range", 7, static_cast<int>(key.size()) + 4,
                     fmt::format("{} is {}, and must be 0 to {}", key, most + 1, most));
}

TEST_F(JobErrors, ACodeOfAFindingIsGivenOnce) {
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
    // The other code makes a table `hazard`, before the code with quotes.
    for (const char* codes : {"\"hazard.dst\" = \"error\"\nhazard.l1 = \"off\"", "hazard.l1 = \"off\"\n\"hazard.dst\" = \"error\"",
                              "hazard.dst = \"error\"\nhazard.l1 = \"off\""}) {
        const std::string path = directory_.write("job.toml", fmt::format("arch = \"blackhole\"\n[findings]\n{}\n", codes));
        const auto changed = load_job(path, {.symbols = {}, .registers = {}, .keys = {{"findings.hazard.dst", "off"}}});
        ASSERT_TRUE(changed) << changed.error().describe();
        EXPECT_EQ(changed->options.levels, (std::map<std::string, Level>{{"hazard.dst", Level::off}, {"hazard.l1", Level::off}}));
    }
}

// Without a level, nothing would say that the code is wrong.
TEST_F(JobErrors, ATableOfFindingsIsNotEmpty) {
    const std::string text = "arch = \"blackhole\"\n[findings]\n";
    expect_error(toml(text + "hazzard = {}\n"), "job.value", 3, 1, "'hazzard' is an empty table");
    expect_error(toml(text + "hazard = {dst = {}}\n"), "job.value", 3, 11, "'hazard.dst' is an empty table");
    EXPECT_TRUE(toml(text));
}

// The system would end the name there, and two outputs could be one file.
TEST_F(JobErrors, NoNameOfAFileHasANulByte) {
    const std::string arch = "arch = \"blackhole\"\n";
    const std::string_view why = "has a NUL byte";
    expect_error(toml(arch + "[[output]]\naddr = 0\nsize = 4\nfile = \"c.bin\\u0000x\"\n"), "job.value", 5, 8, why);
    expect_error(toml(arch + "[[output]]\naddr = 0\nshape = [32, 32]\nformat = \"Float32\"\nnpy = \"c.npy\\u0000\"\n"), "job.value", 6, 7, why);
    expect_error(toml(arch + "[[l1]]\naddr = 0\nfile = \"raw.bin\\u0000x\"\n"), "job.value", 4, 8, why);
    expect_error(toml(arch + "[[l1]]\naddr = 0\nnpy = \"a.npy\\u0000x\"\nformat = \"Float32\"\n"), "job.value", 4, 7, why);
    expect_error(toml(arch + "threads.math = \"unpack.tts\\u0000x\"\n"), "job.value", 2, 16, why);
    expect_error(toml(arch + "cores.brisc = \"brisc.elf\\u0000x\"\n"), "job.value", 2, 15, why);
}

TEST_F(JobErrors, NoPathOfAFileIsEmpty) {
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

TEST_F(JobErrors, AThreadIsInTheTableOfThreads) {
    for (const char* thread : {"unpack", "math", "pack"})
        expect_error(toml(fmt::format("arch = \"blackhole\"\n{} = [\"NOP\"]\n", thread)), "job.unknown-key", 2, 1,
                     fmt::format("(did you mean threads.{}?)", thread));
}

TEST_F(JobErrors, LinesOfAssemblyAreAList) {
    const auto message = [&](std::string_view path) {
        const auto job = toml(fmt::format("arch = \"blackhole\"\nthreads.math = \"{}\"\n", path));
        return job ? std::string() : job.error().message;
    };
    for (const char* line : {"ZEROACC clear_mode=all", "NOP", "nop", ".gpr 1 = 2"})
        EXPECT_THAT(message(line), testing::EndsWith("; lines of assembly go into a list: [\"...\"]")) << line;
    for (const char* path : {"none.tts", "my none.tts", "none"})
        EXPECT_EQ(message(path).find("a list"), std::string::npos) << path;
}

TEST_F(JobErrors, IntegersOfMoreThan64BitsAreOutOfRange) {
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
    expect_error(with("\"symbols\": {\"A\": 18446744073709551616}"), "job.range", 1, 40, "A does not fit 64 bits with a sign");
    expect_error(with("\"symbols\": {\"A\": -9223372036854775809}"), "job.range", 1, 40, "A does not fit 64 bits with a sign");
    expect_error(with("\"symbols\": {\"Tf32\": 1}"), "job.value", 1, 35, "'Tf32' is not the name of a symbol: it is the name of a data format");
    EXPECT_TRUE(with("\"symbols\": {\"A\": -9223372036854775808}"));
    EXPECT_TRUE(with("\"symbols\": {\"A\": 9223372036854775807}"));
    expect_error(with("\"symbols\": {\"A\": 9223372036854775808}"), "job.range", 1, 40, "A does not fit 64 bits with a sign");
    expect_error(with("\"seed\": 1e30"), "job.type", 1, 31, "seed must be an integer");
}

TEST_F(JobErrors, ATextIsNoInteger) {
    expect_error(toml("arch = \"blackhole\"\n[[l1]]\naddr = 0\nwords = [\"0x1\"]\n"), "job.type", 4, 10,
                 "an item of words must be an integer, not a text");
    expect_error(toml("arch = \"blackhole\"\nseed = \"1\"\n"), "job.type", 2, 8, "seed must be an integer, not a text");
}

TEST_F(JobErrors, AnOutputThatCannotBeMadeIsNamed) {
    const auto job = toml(
        "arch = \"blackhole\"\n[[output]]\naddr = 0x4000\nshape = [32, 32]\nformat = \"Float32\"\nnpy = \"c.npy\"\ncompressed = true\n");
    ASSERT_TRUE(job) << job.error().describe();
    const auto wrote = write_outputs(*job, prepare(*job).value());
    ASSERT_FALSE(wrote);
    EXPECT_EQ(wrote.error().code, "tensor.data");
    EXPECT_THAT(wrote.error().message, testing::StartsWith(fmt::format("the bytes from 0x4000 are no array for '{}': ", directory_ / "c.npy")));
}

TEST_F(JobErrors, WrongThreads) {
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
    expect_error(with("math = [{gpr = 1}]"), "job.type", 3, 16, "'gpr' must be an array");
    expect_error(with("math = [{gpr = [\"1\", 0]}]"), "job.type", 3, 17, "the index of 'gpr' must be an integer");
    expect_error(with("math = [{gpr = [1, \"0\"]}]"), "job.type", 3, 20, "the value of 'gpr' must be an integer");
    expect_error(with("math = [{sem_post = \"1\"}]"), "job.type", 3, 21);
    expect_error(with("math = [{sem_post = 65535}]"), "job.range", 3, 21, "semaphore 65535 does not exist: numbers are 0 to 7");
    expect_error(with("math = [{sem_post = 65536}]"), "job.range", 3, 21, "the index of 'sem_post' is 65536, and must be 0 to 65535");
    expect_error(with("math = [{sem_wait = [8, \"nonzero\"]}]"), "job.range", 3, 22);
    expect_error(with("math = [{drain = 1}]"), "job.value", 3, 18);
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

TEST_F(JobErrors, ColumnsInStringsWithOtherCharacters) {
    const auto job = toml("arch = \"blackhole\"\nthreads.math = [\"  NPO # \u00e9\u4e2d\"]\n");
    expect_error(job, "asm.unknown-instruction", 2, 20);
}

// The parser stops at its first byte.
TEST_F(JobErrors, ACharacterOfManyBytesIsNotCut) {
    const auto job = json("{\"arch\": \"blackhole\", \u00e9}");
    expect_error(job, "job.syntax", 1, 23, "last read: '\"blackhole\", \uFFFD'");
}

// As in TOML: an escape hides the column, and the line is told from its first quote.
TEST_F(JobErrors, ColumnsInStringsOfJson) {
    const auto with = [&](std::string_view lines) {
        return json(fmt::format("{{\"arch\": \"blackhole\", \"threads\": {{\"t0\":\n [{}]}}}}", lines));
    };
    expect_error(with("\"NOP\", \"  NPO\""), "asm.unknown-instruction", 2, 13);
    expect_error(with("\"NOP\", \"\\tNPO\""), "asm.unknown-instruction", 2, 10);
    expect_error(with("\"# \\\" \\\\\", \"NPO\""), "asm.unknown-instruction", 2, 15);
}

// Without blanks, and with numbers of one digit.
TEST_F(JobErrors, ColumnsInJsonWithoutBlanks) {
    const std::string text = R"({"arch":"blackhole","output":[],"max_cycles":1,"findings":{},"l1":[{"words":[1,2,3],"addr":0}],"seed":-1})";
    expect_error(json(text), "job.range", 1, static_cast<int>(text.find("-1")) + 1, "seed is -1");
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
    const auto refused = program::ops_from_json(deep, Arch::blackhole, "case.json");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "job.syntax");
}

TEST(DiagnosisCodes, AreThoseOfTheCatalogue) {
    for (const auto& entry : findings::catalogue) EXPECT_TRUE(is_diagnosis_code(entry.code));
    EXPECT_FALSE(is_diagnosis_code("unpack"));
    EXPECT_EQ(refused_level("deadlock"), "'deadlock' is a fault: it ends the run, and has no level");
    EXPECT_EQ(refused_level("riscv.ebreak"), "");
    EXPECT_EQ(refused_level("hazard.dst"), "");
    EXPECT_EQ(refused_level("unpack"), unknown_finding("unpack"));
    EXPECT_FALSE(is_diagnosis_code(""));
}

}  // namespace
}  // namespace tessera
