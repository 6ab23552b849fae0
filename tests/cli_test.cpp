// SPDX-License-Identifier: Apache-2.0
// The real program: exit statuses, error output, and files left on disk after deliberate errors.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "support/add_example.hpp"
#include "support/matmul_example.hpp"
#include "support/run_cli.hpp"
#include "support/temporary_directory.hpp"
#include "tessera/check.hpp"

namespace tessera {
namespace {

using test::AddExample;
using test::contents;
using test::run_cli;
using test::TemporaryDirectory;
using Json = nlohmann::json;
using Arguments = std::vector<std::string>;
using Outcome = test::CliOutcome;

class Cli : public testing::Test {
protected:
    std::string job(std::string_view text) { return directory_.write("job.toml", text); }

    /// Expects that no run took place: status 2, an empty stdout, one line on stderr with all the parts, no new file.
    void refuses(const Arguments& arguments, const std::vector<std::string>& parts) {
        SCOPED_TRACE(fmt::format("{}", fmt::join(arguments, " ")));
        const std::size_t before = directory_.files();
        const Outcome outcome = run_cli(arguments);
        test::expect_refused(outcome, parts);
        EXPECT_TRUE(outcome.err.ends_with("]\n")) << outcome.err;  // the code
        EXPECT_EQ(directory_.files(), before);
    }

    /// All subcommands that take a job refuse it in the same words.
    void refuses_job(const std::string& path, const std::vector<std::string>& parts) {
        for (const char* command : {"run", "explain", "step", "trace"}) refuses({command, path}, parts);
        refuses({"trace", path, "-o", directory_ / "trace.jsonl"}, parts);
    }

    void refuses_toml(std::string_view text, std::string_view place, std::string_view code) {
        const std::string path = job(text);
        refuses_job(path, {fmt::format("tessera: {}:{}: ", path, place), fmt::format(" [{}]", code)});
    }

    /// A job that copies `npy` to c.npy without running anything.
    std::string copy_of(std::string_view npy) {
        return fmt::format("arch = \"blackhole\"\n[[l1]]\naddr = 0\nnpy = \"{}\"\nformat = \"Float32\"\n{}", npy,
                           output);
    }

    void refuses_npy(std::string_view bytes, std::string_view code) {
        directory_.write("a.npy", bytes);
        refuses_toml(copy_of("a.npy"), "4:7", code);
    }

    /// A run with a bad end: status 1, the reason on stdout, no output file.
    Outcome goes_wrong(const Arguments& arguments, std::string_view reported) {
        SCOPED_TRACE(fmt::format("{}", fmt::join(arguments, " ")));
        const Outcome outcome = run_cli(arguments);
        EXPECT_EQ(outcome.status, 1);
        EXPECT_EQ(outcome.err, "");
        EXPECT_NE(outcome.out.find(reported), std::string::npos) << outcome.out;
        EXPECT_FALSE(std::filesystem::exists(directory_ / "c.npy"));
        return outcome;
    }

    static constexpr std::string_view output =
        "[[output]]\naddr = 0\nshape = [32, 32]\nformat = \"Float32\"\nnpy = \"c.npy\"\n";
    TemporaryDirectory directory_;
};

std::string npy(std::string_view header, std::size_t bytes) {
    std::string text = "\x93NUMPY";
    text += {'\1', '\0', static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
    return text + std::string(header) + std::string(bytes, '\0');
}

std::string header(std::string_view shape, std::string_view type = "<f4") {
    return fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}\n", type, shape);
}

TEST_F(Cli, RefusesBrokenJobs) {
    refuses_toml("arch = \"blackhole\"\nseed = = 1\n", "2:8", "job.syntax");
    refuses_toml("arch = \"blackhole\n", "1:18", "job.syntax");
    refuses_toml("", "1:1", "job.missing-key");
    refuses_toml("arch = \"grayskull\"\n", "1:8", "job.value");
    refuses_toml("arch = \"blackhole\"\ntming = \"instant\"\n", "2:1", "job.unknown-key");
    refuses_toml("arch = \"blackhole\"\nmax_cycles = \"many\"\n", "2:14", "job.type");
    refuses_toml("arch = \"blackhole\"\n[[l1]]\naddr = 1572864\nhex = \"00\"\n", "3:8", "job.range");
    refuses_toml("arch = \"wormhole\"\n[[l1]]\naddr = 1499136\nhex = \"00\"\n", "3:8", "job.range");
    refuses_toml(
        "arch = \"blackhole\"\n[[output]]\naddr = 1572000\nshape = [32, 32]\nformat = \"Float32\"\n"
        "npy = \"c.npy\"\n",
        "3:8", "job.range");
    refuses_toml("arch = \"blackhole\"\n[threads]\nmath = \"none.tts\"\n", "3:8", "job.open");
    refuses_toml(copy_of("none.npy"), "4:7", "npy.open");

    auto refuses_json = [&](std::string_view text, std::string_view place, std::string_view code) {
        const std::string path = directory_.write("job.json", text);
        refuses_job(path, {fmt::format("tessera: {}:{}: ", path, place), fmt::format(" [{}]", code)});
    };
    refuses_json("{\"arch\": blackhole}", "1:10", "job.syntax");
    refuses_json("{\"arch\": \"blackhole\"", "1:21", "job.syntax");
    refuses_json("{\"arch\": \"blackhole\",\n \"sed\": 1}", "2:2", "job.unknown-key");
    refuses_json(std::string(100'000, '['), "1:65", "job.syntax");
    refuses_json("{\"arch\": \"blackhole\", \"l1\": [{\"addr\": -1, \"hex\": \"00\"}]}", "1:39", "job.range");
}

TEST_F(Cli, RefusesWhatIsNoJob) {
    refuses_job(directory_ / "none.toml", {directory_ / "none.toml", " [job.open]"});
    refuses_job(directory_ / "", {" [job.open]"});
    refuses_job(directory_.write("job.yaml", "arch: blackhole\n"), {"job.yaml", " [job.open]"});
    refuses({"check", directory_ / "none"}, {directory_ / "none", " [cli.path]"});
    refuses({"check", directory_ / ""}, {"no *.json", " [cli.path]"});
}

// Named alone they are errors, so they are in a folder, too.
TEST_F(Cli, CheckSkipsNoJsonOfAFolder) {
    const std::string path = job("arch = \"blackhole\"\n"), cases = directory_ / "cases";
    std::filesystem::create_directories(cases + "/folder.json");
    ASSERT_EQ(run_cli({"record", path, "-o", cases + "/good.json"}).status, 0);
    ASSERT_EQ(run_cli({"check", cases}).status, 0);
    std::filesystem::create_symlink("nothing", cases + "/dangling.json");
    std::filesystem::create_symlink("loop.json", cases + "/loop.json");
    std::filesystem::create_directory_symlink("folder.json", cases + "/linked.json");
    ASSERT_EQ(mkfifo((cases + "/fifo.json").c_str(), 0600), 0);
    const Outcome outcome = run_cli({"check", cases});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.out.find("1 passed"), std::string::npos) << outcome.out;
    for (const std::string name : {"dangling", "loop", "linked", "fifo"})
        EXPECT_NE(outcome.err.find("/" + name + ".json: cannot be read: "), std::string::npos) << outcome.err;
}

// As a CI system shows it: suite "cases/good" of case "cases/good_one", however its path is written.
TEST_F(Cli, CheckNamesACaseByItsFolder) {
    const std::string path = job("arch = \"blackhole\"\n"), cases = directory_ / "cases";
    std::filesystem::create_directories(cases + "/inner");
    ASSERT_EQ(run_cli({"record", path, "-o", cases + "/good_one.json"}).status, 0);
    for (const std::string way : {"/good_one.json", "/./good_one.json", "/inner/../good_one.json"})
        EXPECT_EQ(check_case(cases + way).value().category, "cases/good") << way;
    const std::string here = std::filesystem::current_path();
    std::filesystem::current_path(cases);
    for (const std::string way : {"good_one.json", "./good_one.json"}) {
        const auto checked = check_case(way);
        const Outcome shown = run_cli({"check", way, "--junit", "report.xml"});
        EXPECT_EQ(shown.status, 0) << shown.err;
        EXPECT_EQ(checked.value().category, "cases/good") << way;
        EXPECT_NE(test::contents("report.xml").find("classname=\"cases/good\" name=\"cases/good_one\""), std::string::npos);
    }
    std::filesystem::current_path(here);
}

TEST_F(Cli, RefusesBrokenAssembly) {
    auto refuses_asm = [&](std::string_view text, std::string_view place, std::string_view code) {
        const std::string file = directory_.write("math.tts", text);
        refuses_job(job(fmt::format("arch = \"blackhole\"\nthreads.math = \"math.tts\"\n{}", output)),
                    {fmt::format("tessera: {}:{}: ", file, place), fmt::format(" [{}]", code)});
    };
    refuses_asm("NOP\n  NPO\n", "2:3", "asm.unknown-instruction");
    refuses_asm(".cfg ALU_FORMAT_SPEC_REG9_SrcA = 1\n", "1:6", "asm.unknown-register");
    refuses_asm(".cfg ALU_FORMAT_SPEC_REG0_SrcA = 16\n", "1:34", "asm.register-range");
    refuses_asm("SEMPOST sem=1\n", "1:9", "asm.unknown-operand");
    refuses_asm(".repeat 2\nNOP\n", "1:1", "asm.nesting");
    refuses_asm(".repeat 5000000\nNOP\n.end\n", "1:1", "asm.range");
}

TEST_F(Cli, RefusesHostileArrays) {
    refuses_npy("", "npy.format");
    refuses_npy("PK\3\4 a zip archive", "npy.format");
    refuses_npy(npy(header("(32, 32)"), 4095), "npy.size");
    refuses_npy(npy(header("(32, 32)"), 4096).substr(0, 30), "npy.format");
    refuses_npy(std::string("\x93NUMPY\2\0\xFF\xFF\xFF\xFF", 12), "npy.format");
    refuses_npy(npy(header("(4294967296, 4294967296)"), 64), "npy.size");
    refuses_npy(npy(header("(99999999999999999999, 1)"), 64), "npy.shape");
    refuses_npy(npy(header("(-32, 32)"), 4096), "npy.format");
    refuses_npy(npy(header("(2, 2, 2)"), 32), "npy.shape");
    refuses_npy(npy(header("(32, 32)", "|O"), 4096), "npy.dtype");
    refuses_npy(npy(header("(32, 32)", ">f4"), 4096), "npy.dtype");
    refuses_npy(npy("{'descr': __import__('os')}\n", 4096), "npy.format");
    refuses_npy(npy(header("(33, 32)"), 33 * 32 * 4), "tensor.shape");
    directory_.write("a.npy", npy(header("(2048, 1024)"), 2048 * 1024 * 4));  // whole, but larger than L1
    refuses_toml(copy_of("a.npy"), "3:8", "job.range");
}

TEST_F(Cli, RefusesBadOptions) {
    const std::string good = job("arch = \"blackhole\"\n");
    refuses({"walk"}, {"'walk'; try 'tessera --help'"});
    refuses({"explian"}, {"unknown subcommand 'explian' (did you mean explain?)"});
    refuses({"--verison"}, {"unknown option '--verison' (did you mean --version?)"});
    refuses({"--walk"}, {"--walk", "tessera --help"});
    for (const std::string command : {"run", "check", "explain", "step", "trace", "asm", "disasm"}) {
        refuses({command}, {"tessera " + command + " --help", "[cli.usage]"});
        refuses({command, good, "--walk"}, {"--walk", "tessera " + command + " --help"});
    }
    for (const std::string command : {"run", "explain", "step", "trace"}) {
        refuses({command, good, good}, {good, "[cli.usage]"});
        for (const std::string number : {"-1", "x", "1.5", "", "18446744073709551616"}) {
            refuses({command, good, "--seed=" + number}, {"--seed", "[cli.usage]"});
            refuses({command, good, "--max-cycles=" + number}, {"--max-cycles", "[cli.usage]"});
        }
        refuses({command, good, "--max-cycles=0"}, {"[cli.usage]"});
        refuses({command, good, "--timing", "fast"}, {"'fast'", "documented, silicon, silicon-slow, instant", "[cli.timing]"});
        refuses({command, good, "--reference", "--timing", "documented"}, {"--reference", "[cli.timing]"});
        refuses({command, good, "--symbol", "A"}, {"'A'", "NAME=VALUE", "[cli.symbol]"});
        for (const std::string value :
             {"", "x", "0x", "0x1g", "1.5", "+1", "0x8000000000000000", "-0x8000000000000001"})
            refuses({command, good, "--symbol", "A=" + value}, {"'" + value + "'", "[cli.symbol]"});
        refuses({command, good, "--symbol", "1a=1"}, {"'1a'", "[job.value]"});
        refuses({command, good, "--register", "X=Bfp8_B"}, {"'Bfp8_B'", "(did you mean Bfp8_b?)", "[cli.register]"});
        refuses({command, good, "--finding", "hazard.dst"}, {"'hazard.dst'", "CODE=LEVEL", "[cli.finding]"});
        refuses({command, good, "--finding", "hazard.dts=off"},
                {"'hazard.dts'", "(did you mean hazard.dst?)", "[cli.finding]"});
        refuses({command, good, "--finding", "deadlock=off"},
                {"'deadlock' is a fault: it ends the run, and has no level", "[cli.finding]"});
        refuses({command, good, "--finding", "hazard.dst=on"}, {"'on'", "off, info, warning, error", "[cli.finding]"});
        refuses({command, good, "--finding", "hazard.dst=warnig"}, {"(did you mean warning?)", "[cli.finding]"});
        refuses({command, good, "--timming=instant"}, {"(did you mean --timing?)", "[cli.usage]"});
        refuses({command, good, "--timing", "instnat"}, {"(did you mean instant?)", "[cli.timing]"});
    }
    refuses({"run", good, "--window", "MVMULL"}, {"MVMULL", "[run.window]"});
    refuses({"explain", good, "--thread", "3"}, {"--thread", "[cli.usage]"});
    for (const std::string option : {"--line", "--index", "--limit"})
        for (const std::string number : {"-1", "x", "18446744073709551616"})
            refuses({"explain", good, option + "=" + number}, {option, "[cli.usage]"});
    refuses({"explain", good, "--line=2147483648"}, {"--line", "[cli.usage]"});
    const std::string nowhere = directory_ / "missing/trace.jsonl";
    refuses({"trace", good, "-o", nowhere}, {nowhere, "[cli.write]"});
    refuses({"disasm", "0x100000000"}, {"'0x100000000'", "[cli.word]"});
    refuses({"disasm", "0x02000000", "nonsense"}, {"'nonsense'", "[cli.word]"});
    refuses({"disasm", "--arch", "grayskull", "0"}, {"'grayskull'", "[cli.arch]"});
    refuses({"check", "--not-yet", directory_ / "none", good}, {directory_ / "none", "[cli.list]"});
    for (const std::string number : {"-1", "1025", "x"})
        refuses({"check", good, "--threads=" + number}, {"--threads", "[cli.usage]"});
    refuses({"check", good, "-j", "1025"}, {"1025", "0", "1024", "[cli.usage]"});
}

TEST_F(Cli, SymbolsAreDecimalOrHexadecimal) {
    const std::string path = job("arch = \"blackhole\"\nthreads.math = [\".gpr 3 = X\"]\n");
    for (const auto& [text, value] : std::map<std::string, std::int64_t>{
             {"10", 10}, {"0x1F", 0x1F}, {"0XfF", 0xFF}, {"-0x10", -0x10}, {"-7", -7}, {"0xFFFFFFFF", 0xFFFFFFFF}}) {
        const Outcome outcome = run_cli({"record", path, "--symbol", "X=" + text});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        const Json op = Json::parse(outcome.out)["threads"][1][0]["gpr"][1];
        EXPECT_EQ(op, static_cast<std::uint32_t>(value)) << text;
    }
}

TEST_F(Cli, RefusesWhatUsersTryOnFiles) {
    refuses_toml("arch = \"blackhole\"\n[[output]]\naddr = 0\nshape = [0, 32]\nformat = \"Float32\"\nnpy = \"c.npy\"\n",
                 "4:9", "job.range");
    const std::string fifo = directory_ / "fifo.toml";
    ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
    refuses({"run", fifo}, {"not a regular file", "[job.open]"});
    refuses({"diff", fifo, fifo}, {"not a regular file", "[job.open]"});
    const std::string good = job("arch = \"blackhole\"\n");
    refuses({"trace", good, "-o", "-"}, {"/dev/stdout", "[cli.write]"});
    const Outcome no_case = run_cli({"check", good});
    EXPECT_EQ(no_case.status, 2);
    EXPECT_NE(no_case.err.find(good + ":1:1: this is not a case: syntax error"), std::string::npos) << no_case.err;
}

TEST_F(Cli, AMistypedFormatGetsASuggestion) {
    const std::string rest = "addr = 0\nshape = [32, 32]\nnpy = \"c.npy\"\nformat = ";
    refuses({"run", job("arch = \"blackhole\"\n[[output]]\n" + rest + "\"float16_b\"\n")},
            {":6:10: 'float16_b' is not a data format (did you mean Float16_b?): Float32, ", "[job.value]"});
    refuses({"run", job("arch = \"blackhole\"\n[[output]]\n" + rest + "\"bfloat16\"\n")},
            {"'bfloat16' is not a data format"});
}

TEST_F(Cli, AnOperandOfTheOtherChipIsCalledThat) {
    const auto refused = [&](const std::string& line, const std::string& arch, const std::string& reported) {
        refuses({"asm", directory_.write("x.tts", line + "\n"), "--arch", arch}, {reported, "[asm.unknown-operand]"});
    };
    refused("PACR ReadIntfSel=1", "wormhole",
            "PACR has no operand 'ReadIntfSel' on wormhole: it is an operand of blackhole");
    refused("PACR PackSel=1", "blackhole", "PACR has no operand 'PackSel' on blackhole: it is an operand of wormhole");
    refused("GAPOOL addr_mode=1", "blackhole", "it is an operand of wormhole (did you mean pool_addr_mode?)");
    refused("PACR Lats=1", "blackhole", "did you mean Last?");
}

// The head of an ELF file is enough to say what it was compiled for.
TEST_F(Cli, AnElfFileOfTheHostIsCalledThat) {
    std::string elf(64, '\0');
    elf.replace(0, 7, std::string("\177ELF\2\1\1", 7));
    elf[16] = 2;
    elf[18] = 62;  // EM_X86_64
    elf[20] = 1;
    elf[52] = 64;
    const std::string path = directory_.write("brisc.elf", elf);
    refuses({"run", path}, {"it is for x86-64, not for little-endian 32-bit RISC-V", "[elf.format]"});
    refuses({"disasm", "--elf", path}, {"it is for x86-64", "[elf.machine]"});
    elf[18] = static_cast<char>(243);  // EM_RISCV
    refuses({"run", directory_.write("brisc.elf", elf)}, {"it is for 64-bit RISC-V", "[elf.format]"});
}

TEST_F(Cli, WithoutArgumentsTellsHowItIsUsed) {
    const Outcome outcome = run_cli({});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("run"), std::string::npos);
}

TEST_F(Cli, AWaitThatNeverEndsLeavesNoOutput) {
    const std::string text = "arch = \"blackhole\"\nthreads.math = [\"NOP\", \".sem_wait 3, nonzero\"]\n";
    const std::string path = job(text + std::string(output));
    const Outcome outcome = goes_wrong({"run", path}, "fault deadlock: ");
    EXPECT_NE(outcome.out.find("semaphore 3 to be non-zero"), std::string::npos) << outcome.out;
    const Json json = Json::parse(goes_wrong({"run", path, "--json"}, "deadlock").out);
    EXPECT_EQ(json["fault"]["code"], "deadlock");
    ASSERT_EQ(json["blocked"].size(), 6u);
    EXPECT_EQ(json["blocked"][1]["place"], path + ":2");
    EXPECT_EQ(json["good"], false);
    EXPECT_EQ(json["outputs"], Json::array());
    EXPECT_EQ(run_cli({"explain", path}).status, 1);
    EXPECT_EQ(run_cli({"trace", path}).status, 1);
}

TEST_F(Cli, TheLimitOfCyclesLeavesNoOutput) {
    const std::string text = "arch = \"blackhole\"\nthreads.math = [\".repeat 1000\", \"NOP\", \".end\"]\n";
    goes_wrong({"run", job(text + std::string(output)), "--max-cycles", "100"}, "fault no-progress: ");
}

TEST_F(Cli, AFindingRaisedToErrorLeavesNoOutput) {
    const std::string path = job("arch = \"blackhole\"\nthreads.math = [\"SEMGET sem_sel=1\"]\n" + std::string(output));
    goes_wrong({"run", path, "--finding", "sync.get-at-0=error"}, "error sync.get-at-0: ");
    const Outcome noted = run_cli({"run", path});
    EXPECT_EQ(noted.status, 0);
    EXPECT_NE(noted.out.find("warning sync.get-at-0: "), std::string::npos) << noted.out;
    EXPECT_TRUE(std::filesystem::exists(directory_ / "c.npy"));
    const Outcome silent = run_cli({"run", path, "--finding", "sync.get-at-0=off", "--no-output"});
    EXPECT_EQ(silent.status, 0);
    EXPECT_EQ(silent.out.find("sync.get-at-0"), std::string::npos) << silent.out;
}

TEST_F(Cli, AnUnknownOpcodeIsAFault) {
    goes_wrong({"run", job("arch = \"blackhole\"\nthreads.math = [{ins = 0xFF000000}]\n" + std::string(output))},
               "fault unknown-opcode: ");
}

TEST_F(Cli, OutputsThatCannotBeWritten) {
    const std::string start = "arch = \"blackhole\"\n", rest = "shape = [32, 32]\nformat = \"Float32\"\n";
    const std::string first = start + std::string(output);
    for (const std::string name : {"missing/d.npy", "."}) {
        const std::string path = job(first + "[[output]]\naddr = 0\n" + rest + "npy = \"" + name + "\"\n");
        const Outcome outcome = run_cli({"run", path});
        EXPECT_EQ(outcome.status, 2) << name;
        EXPECT_NE(outcome.err.find(directory_ / name), std::string::npos) << outcome.err;
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
        EXPECT_EQ(outcome.out.find("wrote"), std::string::npos) << outcome.out;
        EXPECT_EQ(directory_.files(), 1u) << name;  // the job: neither of the two outputs, nothing half-written
    }
}

TEST_F(Cli, AFullDiskIsNoticed) {
    const Outcome outcome = run_cli({"disasm", "0x02000000"}, "/dev/full");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find("[cli.write]"), std::string::npos) << outcome.err;
}

TEST_F(Cli, HelpAndVersion) {
    Arguments commands{""};
    const std::string help = run_cli({"--help"}).out;
    for (const std::string command : {"run", "check", "explain", "step", "trace", "asm", "disasm", "isa", "regs"}) {
        EXPECT_NE(help.find("\n  " + command), std::string::npos) << help;
        commands.push_back(command);
    }
    for (const auto& command : commands)
        for (const std::string option : {"--help", "-h", "--version"}) {
            SCOPED_TRACE(command + " " + option);
            const Outcome outcome = run_cli(command.empty() ? Arguments{option} : Arguments{command, option});
            EXPECT_EQ(outcome.status, 0);
            EXPECT_EQ(outcome.err, "");
            if (option == "--version")
                EXPECT_TRUE(outcome.out.starts_with("tessera ") && outcome.out.size() > 9) << outcome.out;
            else
                EXPECT_NE(outcome.out.find("Usage: tessera " + command), std::string::npos) << outcome.out;
        }
}

TEST(CliExample, RunWritesTheSumAndReports) {
    const AddExample example;
    const Outcome text = run_cli({"run", example.job()});
    EXPECT_EQ(text.status, 0);
    EXPECT_EQ(text.err, "");
    EXPECT_NE(text.out.find("wrote         " + example.output()), std::string::npos) << text.out;
    const auto written = read_npy(example.output());
    ASSERT_TRUE(written) << written.error().describe();
    const auto job = load_job(example.job());
    ASSERT_TRUE(job);
    const auto& output = job->outputs[0];
    const auto expected = from_bytes(test::run_job(*job).output, output.rows, output.cols, output.format, output.form);
    EXPECT_EQ(written->values, expected->values);

    const Outcome machine = run_cli({"run", example.job(), "--json", "--seed", "7"});
    EXPECT_EQ(machine.status, 0);
    const Json json = Json::parse(machine.out);
    EXPECT_EQ(json["good"], true);
    EXPECT_EQ(json["fault"], nullptr);
    EXPECT_EQ(json["seed"], 7);
    EXPECT_GT(json["cycles"], 0);
    EXPECT_EQ(json["outputs"], Json::array({example.output()}));
    EXPECT_EQ(json["window"], nullptr);
}

TEST_F(Cli, RunTellsWhereTheCyclesOfAWindowWent) {
    const test::MatmulExample example;
    const std::vector<std::string> options = {"run", example.job(), "--symbol", "PHASES=2", "--window", "mvmul"};
    const Outcome text = run_cli(options);
    EXPECT_EQ(text.status, 0);
    auto machine = options;
    machine.push_back("--json");
    const Json window = Json::parse(run_cli(machine).out)["window"];
    EXPECT_EQ(window["count"], 24 * 2 * 16);  // blocks, phases, multiplications
    std::map<int, std::uint64_t> sums;
    for (const Json& use : window["threads"]) sums[use["thread"]] += use["cycles"].get<std::uint64_t>();
    EXPECT_EQ(sums.size(), 3u);
    for (const auto& [thread, sum] : sums) EXPECT_EQ(sum, window["cycles"]) << thread;
    const auto heading = fmt::format("window        {} cycles from {} on, with 768 mvmul\n",
                                     window["cycles"].get<std::uint64_t>(), window["first"].get<std::uint64_t>());
    EXPECT_NE(text.out.find(heading), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("issued to matrix\n"), std::string::npos);
    EXPECT_NE(text.out.find("waited for STALLWAIT for matrix\n"), std::string::npos);
}

TEST_F(Cli, AWindowWithoutIssuesIsReported) {
    const std::string path = job("arch = \"blackhole\"\nthreads.math = [\"NOP\"]\n");
    const Outcome text = run_cli({"run", path, "--window", "MVMUL"});
    EXPECT_EQ(text.status, 0) << text.err;
    EXPECT_NE(text.out.find("\nwindow        no MVMUL was issued\n"), std::string::npos) << text.out;
    EXPECT_EQ(Json::parse(run_cli({"run", path, "--window", "MVMUL", "--json"}).out)["window"], nullptr);
}

TEST(CliExample, NoOutputWritesNone) {
    const AddExample example;
    EXPECT_EQ(run_cli({"run", example.job(), "--no-output"}).status, 0);
    EXPECT_FALSE(std::filesystem::exists(example.output()));
}

TEST(CliExample, ExplainTellsOfAnInstruction) {
    const AddExample example;
    const Outcome text = run_cli({"explain", example.job(), "--instruction", "UNPACR", "--limit", "2"});
    EXPECT_EQ(text.status, 0);
    EXPECT_EQ(text.err, "");
    for (const std::string_view part : {"UNPACR Unpack_block_selection=unpacker1", "L1 0x4000, 1024 datums of 2 bytes",
                                        "L1 0x7C000, 1024 datums of 2 bytes", "SrcB bank 0"})
        EXPECT_NE(text.out.find(part), std::string::npos) << part << "\n" << text.out;
    EXPECT_EQ(text.out.find("SrcA bank 1"), std::string::npos) << "more than two";

    const Json json =
        Json::parse(run_cli({"explain", example.job(), "--instruction", "ttpacr", "--limit", "3", "--json"}).out);
    ASSERT_EQ(json["explanations"].size(), 3u);
    EXPECT_EQ(json["explanations"][0]["thread"], 2);
    EXPECT_GT(json["explanations"][0]["lines"].size(), 5u);

    const Outcome none = run_cli({"explain", example.job(), "--instruction", "MVMUL"});
    EXPECT_EQ(none.status, 2);
    EXPECT_NE(none.err.find("[cli.selection]"), std::string::npos) << none.err;
}

// Each tile has 64 rows, from row 0 or 512 of Dst on.
TEST(CliExample, ExplainNamesAnElementThatNothingComputes) {
    const AddExample example;
    test::expect_refused(run_cli({"explain", example.job(), "--element", "900,0"}),
                         {"no issued instruction of the matrix unit computes element 900,0 of Dst", "[cli.selection]"});
    test::expect_refused(run_cli({"explain", example.job(), "--element", "0,0", "--instruction", "MVMUL"}),
                         {"no issued instruction matches", "[cli.selection]"});
}

TEST(CliExample, TraceTellsOfEveryInstruction) {
    const AddExample example;
    const Outcome to_stdout = run_cli({"trace", example.job()});
    EXPECT_EQ(to_stdout.status, 0);
    EXPECT_EQ(to_stdout.err, "");
    const std::string path = example.path("trace.jsonl");
    const Outcome to_file = run_cli({"trace", example.job(), "-o", path});
    EXPECT_EQ(to_file.status, 0);
    EXPECT_EQ(to_file.out, "");
    EXPECT_TRUE(contents(path) == to_stdout.out);

    std::istringstream lines(to_stdout.out);
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(Json::parse(line)["format"], "tessera-trace-2");
    std::size_t elwadds = 0, all = 0;
    while (std::getline(lines, line)) {
        const Json event = Json::parse(line);
        if (event["kind"] != "instruction") continue;
        ++all;
        EXPECT_LE(event["issue"], event["start"]);
        EXPECT_LE(event["start"], event["land"]);
        EXPECT_LE(event["land"], event["end"]);
        if (!event["instruction"].get<std::string>().starts_with("ttelwadd")) continue;
        ++elwadds;
        EXPECT_EQ(event["unit"], "matrix");
    }
    EXPECT_EQ(elwadds, AddExample::rows * AddExample::cols / 128);
    const auto job = load_job(example.job());
    const auto run = test::run_job(*job).run;
    EXPECT_EQ(all, run.instructions[0] + run.instructions[1] + run.instructions[2]);
}

TEST(CliExample, AReportAndAnExplanationOfARunThatHangsSayWhatEndedIt) {
    const std::string hangs = TESSERA_SOURCE_DIR "/examples/deadlock/hangs/job.toml";
    const Outcome traced = run_cli({"trace", hangs, "--report", "--json"});
    EXPECT_EQ(traced.status, 1);
    EXPECT_EQ(Json::parse(traced.out)["fault"]["code"], "deadlock");
    const Outcome explained = run_cli({"explain", hangs, "--instruction", "SFPMAD"});
    EXPECT_EQ(explained.status, 1);
    EXPECT_NE(explained.out.find("deadlock"), std::string::npos) << explained.out;
    EXPECT_NE(explained.err.find("no issued instruction matches"), std::string::npos) << explained.err;
}

TEST(CliExample, TraceGivesTimelineAndReportInOneRun) {
    const AddExample example;
    const std::string lines = example.path("trace.jsonl"), timeline = example.path("timeline.json");
    const Outcome all =
        run_cli({"trace", example.job(), "-o", lines, "--writes", "--perfetto", timeline, "--report", "--json"});
    EXPECT_EQ(all.status, 0) << all.err;
    const Json report = Json::parse(all.out);
    EXPECT_EQ(report["path"].back()["end"], report["cycles"]);
    EXPECT_EQ(report["fault"], nullptr);
    EXPECT_NE(contents(lines).find("\"kind\":\"write\""), std::string::npos);
    EXPECT_GT(Json::parse(contents(timeline))["traceEvents"].size(), 1000u);

    const Outcome text = run_cli({"trace", example.job(), "--report"});
    EXPECT_EQ(text.status, 0);
    EXPECT_NE(text.out.find("critical path"), std::string::npos) << text.out;
    for (const std::vector<std::string>& wrong :
         {std::vector<std::string>{"--json"}, std::vector<std::string>{"--report", "--writes"}}) {
        std::vector<std::string> arguments = {"trace", example.job()};
        arguments.insert(arguments.end(), wrong.begin(), wrong.end());
        const Outcome refused = run_cli(arguments);
        EXPECT_EQ(refused.status, 2);
        EXPECT_NE(refused.err.find("[cli.usage]"), std::string::npos) << refused.err;
    }
}

}  // namespace
}  // namespace tessera
