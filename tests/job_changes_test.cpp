// SPDX-License-Identifier: Apache-2.0
// Values from outside for a job: symbols, registers, keys.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "registers/field.hpp"
#include "support/run_cli.hpp"
#include "tessera/case.hpp"
#include "tessera/job.hpp"

namespace tessera {
namespace {

constexpr std::string_view toml_job = R"(arch = "blackhole"
timing = "instant"

[[l1]]
addr = 16
hex = "0001"

[findings]
hazard.l1 = "error"

[symbols]
FORMAT = 1

[threads]
unpack = ["""
.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = FORMAT
.cfg THCON_SEC0_REG0_TileDescriptor_IsUncompressed = 1
.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat[1] = 2
"""]
math = ["NOP", "NOP"]
)";
constexpr std::string_view json_job =
    R"({"arch": "blackhole", "timing": "instant", "l1": [{"addr": 16, "hex": "0001"}], "threads": {"math": ["NOP", "NOP"]}})";

constexpr const char* in_format = "THCON_SEC0_REG0_TileDescriptor_InDataFormat";

Job changed(std::string_view text, const JobChanges& changes) {
    auto job = parse_job(text, "job", changes);
    EXPECT_TRUE(job) << (job ? "" : job.error().describe());
    return job ? std::move(*job) : Job();
}

std::string refused(std::string_view text, const JobChanges& changes) {
    const auto job = parse_job(text, "job", changes);
    return job ? "" : job.error().code + ": " + job.error().message;
}

/// The words that T0's core stores to the field's word, in order, as the field's values.
std::vector<std::uint32_t> stored(const Job& job) {
    const auto field = registers::find_field(in_format, Arch::blackhole);
    const auto& place = field->spec->at(Arch::blackhole);
    std::vector<std::uint32_t> values;
    for (const Op& op : job.program.threads[0])
        if (op.kind == Op::Kind::cfg) values.push_back(place.extract(op.value));
    return values;
}

TEST(JobChanges, KeysReplaceThoseOfTheFile) {
    for (const auto text : {toml_job, json_job}) {
        const Job job = changed(text, {.keys = {{"timing", "functional"},
                                                {"max_cycles", "77"},
                                                {"l1.0.addr", "0x20"},
                                                {"l1.0.hex", "\"ff\""},
                                                {"threads.math", "[\"NOP\"]"},
                                                {"findings.hazard.l1", "off"},
                                                {"findings.hazard.dst", "info"}}});
        EXPECT_EQ(job.options.timing, Timing::functional);
        EXPECT_EQ(job.options.max_cycles, 77u);
        ASSERT_EQ(job.l1.size(), 1u);
        EXPECT_EQ(job.l1[0].address, 0x20u);
        EXPECT_EQ(job.l1[0].bytes, std::vector{std::byte{0xff}});
        EXPECT_EQ(job.program.threads[1].size(), 1u);
        EXPECT_EQ(job.options.levels.at("hazard.l1"), Level::off);
        EXPECT_EQ(job.options.levels.at("hazard.dst"), Level::info);
    }
}

TEST(JobChanges, AKeyIsReadAsThoseOfTheFile) {
    EXPECT_EQ(changed(toml_job, {.keys = {{"arch", "wormhole"}, {"threads.unpack", "[]"}}}).arch, Arch::wormhole);
    EXPECT_EQ(changed(toml_job, {.keys = {{"threads.math.1", "ELWADD"}}}).program.threads[1].size(), 2u);
    EXPECT_EQ(changed(toml_job, {.keys = {{"symbols.FORMAT", "3"}}}).program.threads[0].size(),
              changed(toml_job, {}).program.threads[0].size());
    // A file that a key names counts as an input.
    const auto job = parse_job(toml_job, "job", {.keys = {{"l1.0", "{addr = 16, file = \"none.bin\"}"}}});
    ASSERT_FALSE(job);
    EXPECT_EQ(job.error().code, "job.open");
}

TEST(JobChanges, WrongKeysAreNamed) {
    EXPECT_EQ(refused(toml_job, {.keys = {{"timinx", "1"}}}),
              "job.unknown-key: a job has no key 'timinx' (did you mean timing?)");
    EXPECT_EQ(refused(toml_job, {.keys = {{"FORMAT", "1"}}}),
              "job.unknown-key: a job has no key 'FORMAT' (did you mean symbols.FORMAT?)");
    EXPECT_EQ(refused("arch = \"blackhole\"\n[symbols]\nseed = 1\n", {.keys = {{"seed", "2"}}}), "") << "a key of its own";
    EXPECT_TRUE(refused(toml_job, {.keys = {{"timing", "soon"}}}).starts_with("job.value: timing is 'soon'"));
    EXPECT_TRUE(refused(toml_job, {.keys = {{"max_cycles", "\"many\""}}}).starts_with("job.type: "));
    EXPECT_TRUE(refused(toml_job, {.keys = {{"l1.1.addr", "1"}}}).starts_with("job.value: l1.1.addr: '1' "));
    EXPECT_TRUE(refused(toml_job, {.keys = {{"l1.-1.addr", "1"}}}).starts_with("job.value: "));
    EXPECT_TRUE(refused(toml_job, {.keys = {{"l1.18446744073709551616.addr", "1"}}}).starts_with("job.value: "));
    EXPECT_TRUE(refused(toml_job, {.keys = {{"timing.x", "1"}}}).starts_with("job.value: timing.x: "));
    EXPECT_TRUE(refused(toml_job, {.keys = {{"", "1"}}}).starts_with("job.value: "));
    EXPECT_TRUE(refused(toml_job, {.keys = {{"..", "1"}}}).starts_with("job.unknown-key: "));
    for (const char* text : {"", "[", "{", "\"", "1\ntiming = 2", "x = 1", "a, b"})
        EXPECT_TRUE(refused(toml_job, {.keys = {{"seed", text}}}).starts_with("job.syntax: seed: ")) << text;
}

// TOML's integers have 64 bits with a sign, those of a job up to 64 without.
TEST(JobChanges, AnIntegerMayBeLargerThanThoseOfToml) {
    for (const char* text : {"9223372036854775808", "0x8000000000000000"})
        EXPECT_EQ(changed(toml_job, {.keys = {{"seed", text}}}).options.seed, std::uint64_t{1} << 63) << text;
    EXPECT_EQ(changed(toml_job, {.keys = {{"seed", "18446744073709551615"}}}).options.seed, UINT64_MAX);
    EXPECT_EQ(refused(toml_job, {.keys = {{"seed", "18446744073709551616"}}}),
              "job.range: seed is 18446744073709551616, and must be 0 to 18446744073709551615");
    EXPECT_EQ(refused(toml_job, {.keys = {{"seed", "-9223372036854775809"}}}),
              "job.range: seed is -9223372036854775809, and must be 0 to 18446744073709551615");
    for (const char* text : {"0x", "-", "08", "-08", "--9", "0xg", "many"})
        EXPECT_EQ(refused(toml_job, {.keys = {{"seed", text}}}), "job.type: seed must be an integer, not a text") << text;
}

TEST(JobChanges, APartThatIsNotThereIsNamed) {
    EXPECT_EQ(refused(toml_job, {.keys = {{"threads.math.2", "\"NOP\""}}}),
              "job.value: threads.math.2: '2' is no item of this array, which has items 0 to 1");
    EXPECT_EQ(refused(toml_job, {.keys = {{"threads.math.1x", "\"NOP\""}}}),
              "job.value: threads.math.1x: '1x' is no item of this array, which has items 0 to 1");
    EXPECT_EQ(refused("arch = \"blackhole\"\n", {.keys = {{"l1", "[]"}, {"l1.0.addr", "1"}}}),
              "job.value: l1.0.addr: '0' is no item of this array, which is empty");
    EXPECT_EQ(refused(toml_job, {.keys = {{"arch.name", "1"}}}),
              "job.value: arch.name: there is no 'name' in a single value");
    EXPECT_EQ(refused(toml_job, {.keys = {{"", "1"}}}), "job.value: a key to change has no name");
    EXPECT_EQ(refused(toml_job, {.keys = {{"seed", "1, 2"}}}), "job.syntax: seed: '1, 2' is not a value in TOML");
    const auto array = parse_job(toml_job, "job", {.keys = {{"threads.math.2", "\"NOP\""}}});
    EXPECT_EQ(array.error().line, 20);
    EXPECT_EQ(array.error().column, 8);
}

// A value from outside has no place in the file, in whatever it is contained.
TEST(JobChanges, AValueFromOutsideHasNoPlace) {
    const auto place = [](const char* key, const char* value) {
        const auto job = parse_job(toml_job, "job", {.keys = {{key, value}}});
        return job ? std::string("taken")
                   : fmt::format("{} {}:{}", job.error().code, job.error().line, job.error().column);
    };
    EXPECT_EQ(place("threads.math", "[\"NOP\", \" NPO\"]"), "asm.unknown-instruction 0:0");
    EXPECT_EQ(place("threads", "{math = [\" NPO\"]}"), "asm.unknown-instruction 0:0");
    EXPECT_EQ(place("threads", "{maths = []}"), "job.unknown-key 0:0");
    EXPECT_EQ(place("threads.math", "[{gpr = [64, 0]}]"), "job.range 0:0");
    EXPECT_EQ(place("seed", "-1"), "job.range 0:0");
    EXPECT_EQ(place("l1.0.hex", "\"0\""), "job.value 0:0");
    EXPECT_EQ(place("l1.0.size", "1"), "job.unknown-key 0:0");
    // What is next to it keeps its place.
    EXPECT_EQ(place("l1.0.npy", "\"a.npy\""), "job.value 6:1");
}

TEST(JobChanges, ASymbolOfTheCallerHasAnEffect) {
    const std::string text = "arch = \"blackhole\"\n[symbols]\nRIGHT = 0\nSPARE = 1\n[threads]\n"
                             "math = [\".gpr 1 = RIGHT\", \".equ W, 3\", \".gpr 2 = W\", \"SETADCXX unpackers=PAC x0=5\"]\n";
    const auto both = [&](const std::string& name) {
        const std::string by_symbol = refused(text, {.symbols = {{name, 1}}});
        EXPECT_EQ(refused(text, {.keys = {{"symbols." + name, "1"}}}), by_symbol) << name;
        return by_symbol;
    };
    EXPECT_EQ(both("RIGHT"), "");
    EXPECT_EQ(both("SPARE"), "") << "a symbol of the job needs no use";
    EXPECT_EQ(both("RIHT"), "job.value: no text of the job uses a symbol 'RIHT' (did you mean RIGHT?)");
    EXPECT_EQ(both("PAC"), "job.value: no text of the job uses a symbol 'PAC'") << "here it is the name of an operand's value";
    EXPECT_EQ(both("W"), "job.value: a value for 'W' has no effect, since .equ defines it before it is used: remove the .equ");
    // The job's own symbol may give way to .equ, but not a value for it from outside.
    const std::string own = "arch = \"blackhole\"\nsymbols.W = 1\nthreads.math = [\".equ W, 3\", \".gpr 2 = W\"]\n";
    EXPECT_EQ(refused(own, {}), "");
    EXPECT_EQ(refused(own, {.keys = {{"symbols.W", "2"}}}),
              "job.value: a value for 'W' has no effect, since .equ defines it before it is used: remove the .equ");
    // Another thread may use it.
    EXPECT_EQ(refused(own + "threads.pack = [\".gpr 1 = W\"]\n", {.keys = {{"symbols.W", "2"}}}), "");
}

// The first line is a place, too.
TEST(JobChanges, ASymbolInTheFirstLineIsTheJobs) {
    const std::string text = R"({"arch": "blackhole", "symbols": {"SPARE": 1}, "threads": {"math": [".gpr 1 = 2"]}})";
    EXPECT_EQ(refused(text, {}), "");
    EXPECT_EQ(refused(text, {.symbols = {{"SPARE", 8}}}), "");
}

TEST(JobChanges, RegistersReplaceTheValuesOfEveryLine) {
    EXPECT_EQ(stored(changed(toml_job, {})), (std::vector<std::uint32_t>{1, 2}));
    EXPECT_EQ(stored(changed(toml_job, {.symbols = {{"FORMAT", 5}}})), (std::vector<std::uint32_t>{5, 2}));
    EXPECT_EQ(stored(changed(toml_job, {.registers = {{in_format, 6}}})), (std::vector<std::uint32_t>{6, 6}));
}

TEST(JobChanges, ARegisterThatNothingStoresIsRefused) {
    EXPECT_TRUE(refused(toml_job, {.registers = {{"ALU_FORMAT_SPEC_REG2_Dstacc", 1}}}).starts_with("job.value: "));
    EXPECT_TRUE(refused(toml_job, {.registers = {{"", 1}}}).starts_with("job.value: "));
    EXPECT_TRUE(refused(json_job, {.registers = {{in_format, 1}}}).starts_with("job.value: "));
    for (const char* misspelt :
         {"THCON_SEC0_REG0_TileDescriptor_InDataFromat", "THCON_SEC0_REG0_TileDescriptor.InDataFormat"})
        EXPECT_THAT(
            refused(toml_job, {.registers = {{misspelt, 1}}}),
            testing::EndsWith("so that nothing can be replaced (did you mean " + std::string(in_format) + "?)"));
    EXPECT_THAT(refused(toml_job, {.registers = {{"ALU_FORMAT_SPEC_REG2_Dstacc", 1}}}),
                testing::EndsWith("nothing can be replaced"));
    EXPECT_TRUE(refused(toml_job, {.registers = {{in_format, 16}}}).starts_with("asm.register-range: "));
    EXPECT_TRUE(refused(toml_job, {.registers = {{in_format, -1}}}).starts_with("asm.register-range: "));
}

TEST(JobChanges, NumbersAsText) {
    EXPECT_EQ(parse_job_number("12"), 12);
    EXPECT_EQ(parse_job_number("-0x10"), -16);
    EXPECT_EQ(parse_job_number("0x7fffffffffffffff"), INT64_MAX);
    EXPECT_EQ(parse_job_number("-9223372036854775808"), INT64_MIN);
    EXPECT_EQ(parse_job_number("Bfp8_b"), 6);
    for (const char* text : {"", "-", "0x", "1 ", "x", "9223372036854775808", "1.5", "Bfp8_c"})
        EXPECT_FALSE(parse_job_number(text)) << text;
}

TEST(JobChanges, TheNearestDataFormatIsSuggested) {
    const auto outcome = test::run_cli({"run", "job.toml", "--register", "ALU_FORMAT_SPEC_REG0_SrcA=Bfp8_B"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.err.find("(did you mean Bfp8_b?)"), std::string::npos) << outcome.err;
}

TEST(JobChanges, ACaseTakesNone) {
    const auto without = parse_job_or_case(R"({"format": "tessera-case-1"})", "case", {.keys = {{"timing", "instant"}}});
    ASSERT_FALSE(without);
    EXPECT_EQ(without.error().code, "job.value");
}

}  // namespace
}  // namespace tessera
