// SPDX-License-Identifier: Apache-2.0
// Options that have no effect are refused, and messages name the cause and the bounds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_cli.hpp"
#include "support/temporary_directory.hpp"

namespace tessera {
namespace {

using Arguments = std::vector<std::string>;

constexpr const char* runs = TESSERA_SOURCE_DIR "/examples/deadlock/runs/job.toml";

void refuses(const Arguments& arguments, const std::vector<std::string>& parts) {
    SCOPED_TRACE(arguments.at(0) + " " + arguments.back());
    test::expect_refused(test::run_cli(arguments), parts);
}

std::string help(const std::string& command) { return test::run_cli({command, "--help"}).out; }

// They keep their names, and the refusal names the command's own reason.
TEST(CliRefusals, HelpLeavesOutWhatIsAlwaysRefused) {
    using testing::AllOf;
    using testing::HasSubstr;
    using testing::Not;
    for (const char* command : {"diff", "explain", "gdb", "race", "step", "trace"})
        EXPECT_THAT(help(command), AllOf(HasSubstr("silicon-slow, instant"), Not(HasSubstr("functional")))) << command;
    for (const char* command : {"check", "record", "reduce", "run"}) EXPECT_THAT(help(command), HasSubstr(", functional")) << command;
    EXPECT_THAT(help("record"), AllOf(Not(HasSubstr("--host")), Not(HasSubstr("--reference"))));
    EXPECT_THAT(help("reduce"), AllOf(Not(HasSubstr("--host")), HasSubstr("--reference")));
    EXPECT_THAT(help("run"), AllOf(HasSubstr("--host"), HasSubstr("--reference")));
    EXPECT_THAT(test::run_cli({"man", "record"}).out, Not(HasSubstr("\\-\\-host")));
    EXPECT_THAT(test::run_cli({"completion", "bash"}).out, AllOf(HasSubstr("_tessera_clocked='documented silicon silicon-slow instant'\n"),
                                                               HasSubstr("values='--a-seed:none --a-timing:clocked ")));
    for (const char* command : {"record", "reduce"})
        refuses({command, runs, "--host", "at=1"}, {"--host is for kernels", std::string(command) + " does not take", "[cli.host]"});
    refuses({"record", runs, "--reference"}, {"--reference: ", "[record.reference]"});
}

// CLI11 takes them for octal numbers.
TEST(CliRefusals, ANumberMayHaveLeadingZeros) {
    EXPECT_THAT(test::run_cli({"run", runs, "--no-output", "--seed", "010", "--json"}).out,
                testing::HasSubstr("\"seed\": 10"));
    EXPECT_THAT(test::run_cli({"run", runs, "--no-output", "--seed", "08", "--json"}).out,
                testing::HasSubstr("\"seed\": 8"));
    EXPECT_THAT(test::run_cli({"run", runs, "--no-output", "--seed", "000", "--json"}).out,
                testing::HasSubstr("\"seed\": 0"));
    refuses({"run", runs, "--seed", "0x10"}, {"not a whole number"});
    refuses({"bench", "--kernels", "nothing", "--tiles", "0100"}, {"not a multiple of 64"});
}

TEST(CliRefusals, TimingsThatACommandTakesAreListed) {
    for (const Arguments& arguments : std::vector<Arguments>{{"explain", runs, "--timing"},
                                                             {"gdb", runs, "--timing"},
                                                             {"race", runs, "--timing"},
                                                             {"step", runs, "--timing"},
                                                             {"trace", runs, "--timing"},
                                                             {"diff", runs, runs, "--b-timing"},
                                                             {"bench", "--silicon", "--timing"},
                                                             {"run", runs, "--timing"},
                                                             {"check", runs, "--timing"}}) {
        SCOPED_TRACE(arguments[0]);
        Arguments with_value = arguments;
        with_value.emplace_back("fast");
        const test::CliOutcome outcome = test::run_cli(with_value);
        test::expect_refused(outcome, {"'fast' is not a timing", "silicon-slow, instant", "[cli.timing]"});
        const bool takes_functional = arguments[0] == "run" || arguments[0] == "check";
        EXPECT_EQ(outcome.err.find("functional") != std::string::npos, takes_functional) << outcome.err;
    }
}

TEST(CliRefusals, AnInstructionOfTheOtherChip) {
    for (const char* command : {"isa", "fidelity"})
        refuses({command, "SFPGT", "--arch", "wormhole"}, {"wormhole has no instruction 'SFPGT'", "[isa.unknown-instruction]"});
    EXPECT_EQ(test::run_cli({"fidelity", "SFPGT"}).status, 0);
}

TEST(CliRefusals, BoundsAreNamed) {
    for (const char* seconds : {"1e300", "inf", "9223372036854775807", "0"})
        refuses({"run", runs, "--timeout", seconds}, {seconds, "above 0 and up to 1000000000", "[cli.usage]"});
    refuses({"explain", runs, "--limit", "0"}, {"--limit: 0 is not between 1 and", "[cli.usage]"});
}

TEST(CliRefusals, OptionsOfKernelsAreNamed) {
    refuses({"run", runs, "--in-reset", "brisc"}, {"--in-reset", "kernels without a job", "[cli.usage]"});
    refuses({"run", runs, "--arch", "wormhole"}, {"kernels without a job", "--set arch=wormhole", "[cli.usage]"});
    refuses({"run", "--core", "trisc0=x.elf", "--set", "arch=wormhole"}, {"--set changes a job", "[cli.usage]"});
    refuses({"run", runs, "--core", "trisc0=x.elf"}, {"--core", "kernels without a job", "[cli.usage]"});
    refuses({"run", "--core", "trisc0="}, {"'trisc0=' is not CORE=FILE", "[cli.core]"});
}

TEST(CliRefusals, ADumpThatCannotBeReadHasACause) {
    const test::TemporaryDirectory directory;
    refuses({"regs", "--dump", directory / "none"}, {directory / "none", "No such file or directory", "[regs.open]"});
    refuses({"regs", "--dump", directory / ""}, {"Is a directory", "[regs.open]"});
}

// Completion offers what is accepted.
TEST(CliRefusals, CompletionHasAListWhereThereIsOne) {
    using testing::HasSubstr;
    using testing::Not;
    const std::string script = test::run_cli({"completion", "bash"}).out;
    const auto part = [&](std::string_view begin, std::string_view end) {
        const std::size_t at = script.find(begin);
        return at == script.npos ? std::string() : script.substr(at, script.find(end, at) - at);
    };
    EXPECT_THAT(part("_tessera_settings='", "\n"), testing::AllOf(HasSubstr(" riscv.ebreak="), HasSubstr(" hazard.dst="), Not(HasSubstr("deadlock"))));
    EXPECT_THAT(part("_tessera_codes='", "\n"), HasSubstr("deadlock"));
    EXPECT_THAT(part("\n        sweep)\n", ";;"), HasSubstr("arguments=files\n"));
    EXPECT_THAT(part("\n        findings)\n", ";;"), HasSubstr("arguments=codes\n"));
    EXPECT_THAT(part("\n        asm)\n", ";;"), HasSubstr("--thread:threads "));
    EXPECT_THAT(part("\n        tile)\n", ";;"), testing::AllOf(HasSubstr("--layout:layouts "), HasSubstr("--rounding:roundings")));
    for (const char* list : {"_tessera_threads='unpack math pack'\n", "_tessera_layouts='tiles rows'\n", "_tessera_roundings='host device'\n"})
        EXPECT_THAT(script, HasSubstr(list));
}

// As of an unset variable: -o "$OUT".
TEST(CliRefusals, EmptyValues) {
    for (const auto& [option, arguments] : std::vector<std::pair<std::string, Arguments>>{{"--html", {"trace", runs, "--html"}},
                                                                                         {"-o,--output", {"trace", runs, "-o"}},
                                                                                         {"-o,--output", {"record", runs, "-o"}},
                                                                                         {"--sarif", {"run", runs, "--sarif"}},
                                                                                         {"--window", {"run", runs, "--window"}},
                                                                                         {"--seed", {"run", runs, "--seed"}},
                                                                                         {"--symbol", {"run", runs, "--symbol"}},
                                                                                         {"--at", {"explain", runs, "--at"}},
                                                                                         {"--csv", {"sweep", "x.toml", "--csv"}},
                                                                                         {"--job", {"regs", "--job"}},
                                                                                         {"JOB", {"run"}},
                                                                                         {"PATH", {"check"}},
                                                                                         {"OUT", {"tile", "a.npy"}}}) {
        Arguments empty = arguments;
        empty.emplace_back();
        refuses(empty, {"tessera: " + option + ": the value is empty", "[cli.usage]"});
    }
}

TEST(CliRefusals, AnEmptyValueDoesNotTakeTheNextArgument) {
    const test::TemporaryDirectory directory;
    const std::string first = directory.write("first.json", "{}"), second = directory.write("second.json", "{}");
    refuses({"check", "--junit=", first, second}, {"--junit: the value is empty", "[cli.usage]"});
    EXPECT_EQ(test::contents(first), "{}");
}

// In step an empty line repeats the last command.
TEST(CliRefusals, AnEmptyCommandHasAMeaning) {
    const test::CliOutcome once = test::run_cli({"step", runs, "-c", "print rwc 0"}),
                           twice = test::run_cli({"step", runs, "-c", "print rwc 0", "-c", ""});
    EXPECT_EQ(twice.status, 0) << twice.err;
    EXPECT_EQ(twice.out, once.out + once.out);
}

TEST(CliRefusals, NumbersHaveOneWording) {
    refuses({"race", runs, "-j", "abc"}, {"-j,--threads: 'abc' is not a whole number", "[cli.usage]"});
    refuses({"race", runs, "-j", "1025"}, {"-j,--threads: 1025 is not between 0 and 1024", "[cli.usage]"});
    refuses({"gdb", runs, "--port", "99999"}, {"--port: 99999 is not between 0 and 65535", "[cli.usage]"});
}

TEST(CliRefusals, AnOptionThatIsGivenTwice) {
    refuses({"run", runs, "--seed", "1", "--seed", "2"}, {"--seed may be given once", "[cli.usage]"});
    refuses({"trace", runs, "-o", "a", "--output", "b"}, {"-o,--output may be given once", "[cli.usage]"});
}

TEST(CliRefusals, UnknownOptions) {
    refuses({"disasm", "0", "--seed", "--walk"}, {"arguments were not expected: --seed --walk", "[cli.usage]"});
    refuses({"explain", runs, "--elemnt", "0,0"}, {"--elemnt 0,0 (did you mean --element?)", "[cli.usage]"});
    for (const char* command : {"run", "explain"}) {
        const test::CliOutcome outcome = test::run_cli({command, runs, "--tile", "0,0"});
        test::expect_refused(outcome, {"--tile", "[cli.usage]"});
        EXPECT_THAT(outcome.err, testing::Not(testing::HasSubstr("did you mean")));
    }
}

TEST(CliRefusals, OptionsWithoutEffect) {
    const test::TemporaryDirectory directory;
    const std::string dump = directory.write("dump.txt", "0 0\n");
    refuses({"regs", "--job", runs, "--arch", "wormhole"}, {"--arch excludes --job"});
    for (const char* option : {"--value=4", "--thread"}) {
        refuses({"regs", "--dump", dump, option}, {"excludes", "--dump"});
        refuses({"regs", "--job", runs, option}, {"excludes", "--job"});
        refuses({"regs", "--list", option}, {"excludes", "--list"});
    }
    refuses({"regs", "0", "--at", "T0:1"}, {"--at requires --job"});
    for (const char* option : {"--symbol", "--register", "--set"})
        refuses({"regs", "0", option, "A=1"}, {std::string(option) + " requires --job"});
    refuses({"regs", "--job", runs, "--and", "T0:1"}, {"--and requires --at"});
    refuses({"fidelity", "MVMUL", "--markdown"}, {"excludes", "--markdown"});
    refuses({"fidelity", "--arch", "wormhole", "--markdown"}, {"excludes", "--markdown"});
    refuses({"fidelity", "MVMUL", "--gather", directory / ""}, {"excludes", "--gather"});
}

}  // namespace
}  // namespace tessera
