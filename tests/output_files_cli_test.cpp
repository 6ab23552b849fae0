// SPDX-License-Identifier: Apache-2.0
// Output files of commands. Commands leave inputs, links, devices and pipes alone, and keep a file whose new contents
// do not fit.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <nlohmann/json.hpp>

#include "support/cli_process.hpp"
#include "support/kernel_file.hpp"
#include "support/run_cli.hpp"
#include "support/temporary_directory.hpp"
#include "tessera/job.hpp"
#include "tessera/output_file.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using test::contents;
using test::run_cli;
using test::run_cli_in;
using testing::HasSubstr;
using Arguments = std::vector<std::string>;

class OutputFiles : public testing::Test {
protected:
    OutputFiles() {
        job_ = directory_.write("job.toml", job_text("c.npy"));
        // Long enough that its traces and its case are.
        hangs_ = directory_.write("hangs.toml",
                                  "arch = \"blackhole\"\nthreads.math = [\".sem_wait 3, nonzero\"]\n[[l1]]\naddr = 0\n"
                                  "hex = \"" + std::string(12'000, '1') + "\"\n");
        case_ = directory_ / "case.json";
        EXPECT_EQ(run_cli({"record", job_, "-o", case_}).status, 0);
        text_ = directory_.write("ops.tts", ".repeat 3000\nNOP\n.end\n");
        EXPECT_TRUE(write_npy(directory_ / "a.npy", {64, 32, std::vector<float>(2048, 1.5f)}));
    }

    static std::string job_text(std::string_view output) {
        return fmt::format(
            "arch = \"blackhole\"\nthreads.math = [\".repeat 100\", \"NOP\", \".end\"]\n"
            "[[l1]]\naddr = 0x4000\nhex = \"00000040\"\n"
            "[[output]]\naddr = 0x4000\nshape = [64, 32]\nformat = \"Float32\"\nnpy = \"{}\"\n",
            output);
    }

    /// Each way to write a file, as a command that writes it.
    std::vector<Arguments> ways(const std::string& out) const {
        const std::string run = directory_.write("run.toml", job_text(out));
        return {{"run", run},
                {"trace", job_, "-o", out},
                {"trace", job_, "--perfetto", out},
                {"trace", job_, "--html", out},
                {"record", job_, "-o", out},
                {"reduce", hangs_, "--keep", "deadlock", "--limit", "1", "-o", out},
                {"tile", directory_ / "a.npy", out, "--format", "Float32"},
                {"asm", text_, "--bytes", out},
                {"check", case_, "--write-not-yet", out}};
    }
    /// The names that some of them ask for.
    static std::string name_for(const Arguments& command) {
        return command[0] == "reduce" ? "out.toml" : command[0] == "tile" ? "out.bin" : "out.json";
    }

    void for_each_way(const std::function<void(const Arguments&, const std::string&)>& check) {
        for (std::size_t i = 0; i < ways("x").size(); ++i) {
            const std::string out = directory_ / name_for(ways("x")[i]);
            const Arguments command = ways(out)[i];
            SCOPED_TRACE(fmt::format("{}", fmt::join(command, " ")));
            std::error_code ignored;
            fs::remove(out, ignored);
            check(command, out);
            for (const auto& entry : fs::directory_iterator(directory_ / "."))
                EXPECT_NE(entry.path().extension(), ".part") << "left behind";
        }
    }

    test::TemporaryDirectory directory_;
    std::string job_, hangs_, case_, text_;
};

TEST_F(OutputFiles, ALinkAndItsTargetStay) {
    for_each_way([&](const Arguments& command, const std::string& out) {
        const std::string precious = directory_.write("precious.txt", "precious");
        fs::create_symlink(precious, out);
        const auto outcome = run_cli(command);
        EXPECT_EQ(outcome.status, 2);
        EXPECT_THAT(outcome.err, HasSubstr("symbolic link to '" + precious));
        EXPECT_TRUE(fs::is_symlink(out));
        EXPECT_EQ(contents(precious), "precious");
    });
}

TEST_F(OutputFiles, AFileIsCommittedOnce) {
    const std::string path = directory_ / "once.txt";
    auto file = OutputFile::open(path, "x.write");
    ASSERT_TRUE(file);
    file->write("one");
    ASSERT_TRUE(file->commit());
    file->write("two");
    EXPECT_TRUE(file->finish());
    const auto again = file->commit();
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, "x.write");
    EXPECT_THAT(again.error().message, HasSubstr("committed before"));
    EXPECT_EQ(contents(path), "one");
}

TEST_F(OutputFiles, ALinkToNothingStays) {
    for_each_way([&](const Arguments& command, const std::string& out) {
        fs::create_symlink(directory_ / "nothing", out);
        EXPECT_EQ(run_cli(command).status, 2);
        EXPECT_TRUE(fs::is_symlink(out));
        EXPECT_FALSE(fs::exists(directory_ / "nothing"));
    });
}

TEST_F(OutputFiles, APipeReceivesAllAndStays) {
    for_each_way([&](const Arguments& command, const std::string& out) {
        // Contents of a written file.
        run_cli(command);
        const std::string expected = contents(out);
        EXPECT_NE(expected, "");
        fs::remove(out);
        ASSERT_EQ(mkfifo(out.c_str(), 0600), 0);
        const int keeps_it_open = open(out.c_str(), O_RDWR);
        std::string received;
        auto reader = std::async(std::launch::async, [&] {
            std::string text(expected.size(), '\0');
            for (std::size_t at = 0; at < text.size();) {
                const auto n = read(keeps_it_open, text.data() + at, text.size() - at);
                if (n <= 0) break;
                at += static_cast<std::size_t>(n);
            }
            return text;
        });
        run_cli(command);
        EXPECT_TRUE(fs::is_fifo(out));
        if (!fs::is_fifo(out)) {  // let the reader go
            EXPECT_EQ(write(keeps_it_open, expected.data(), expected.size()), static_cast<ssize_t>(expected.size()));
        }
        EXPECT_EQ(reader.get(), expected);
        close(keeps_it_open);
        fs::remove(out);
    });
}

// By a link, so that a mistake costs the test a link and the computer no device.
TEST_F(OutputFiles, ADeviceStays) {
    for_each_way([&](const Arguments& command, const std::string& out) {
        fs::create_symlink("/dev/null", out);
        EXPECT_LE(run_cli(command).status, 1);
        EXPECT_TRUE(fs::is_symlink(out));
        fs::remove(out);
        fs::create_symlink("/dev/full", out);
        const auto outcome = run_cli(command);
        EXPECT_EQ(outcome.status, 1);
        EXPECT_THAT(outcome.err, HasSubstr("No space left on device"));
        EXPECT_TRUE(fs::is_symlink(out));
    });
    EXPECT_TRUE(fs::is_character_file("/dev/null") && fs::is_character_file("/dev/full"));
}

TEST_F(OutputFiles, WhatDoesNotFitLeavesTheOldFile) {
    for_each_way([&](const Arguments& command, const std::string& out) {
        if (command[0] == "check") return;  // its list is too short
        std::ofstream(out) << "old";
        const auto outcome = run_cli_in({.input = {}, .folder = {}, .file_size_limit = 4096}, command);
        EXPECT_EQ(outcome.status, 1) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr("File too large"));
        EXPECT_EQ(contents(out), "old");
    });
}

TEST_F(OutputFiles, PermissionsAreKept) {
    for_each_way([&](const Arguments& command, const std::string& out) {
        std::ofstream(out) << "old";
        fs::permissions(out, fs::perms::owner_read | fs::perms::owner_write);
        EXPECT_LE(run_cli(command).status, 1);
        EXPECT_NE(contents(out), "old");
        EXPECT_EQ(fs::status(out).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    });
}

TEST_F(OutputFiles, AFolderIsRefusedBeforeTheRun) {
    for_each_way([&](const Arguments& command, const std::string& out) {
        fs::create_directory(out);
        const auto outcome = run_cli(command);
        test::expect_refused(outcome, {"it is a directory"});
        fs::remove(out);
    });
}

TEST_F(OutputFiles, InputsAreNotOverwritten) {
    const auto npy = contents(directory_ / "a.npy"), tts = contents(text_), job = contents(job_);
    const std::string arrays = directory_.write("link_to_folder", "");
    fs::remove(arrays);
    fs::create_directory_symlink(directory_ / ".", arrays);
    fs::create_hard_link(directory_ / "a.npy", directory_ / "hard.npy");
    const auto with_output = [&](std::string_view path) {
        return directory_.write("in.toml", fmt::format("arch = \"blackhole\"\nthreads.math = \"ops.tts\"\n"
                                                       "[[l1]]\naddr = 0\nnpy = \"a.npy\"\nformat = \"Float32\"\n"
                                                       "[[l1]]\naddr = 0x8000\nfile = \"case.json\"\n"
                                                       "[[output]]\naddr = 0\nshape = [32, 32]\nformat = \"Float32\"\nnpy = \"{}\"\n",
                                                       path));
    };
    for (const char* path : {"a.npy", "./a.npy", "link_to_folder/a.npy", "hard.npy", "ops.tts",
                             "case.json", "in.toml"}) {
        SCOPED_TRACE(path);
        const auto refused = run_cli({"run", with_output(path)});
        test::expect_refused(refused, {"in.toml:14:7: ", "would overwrite", "[job.value]"});
    }
    EXPECT_EQ(run_cli({"run", with_output("b.npy")}).status, 0);
    const auto in = with_output("b.npy");
    for (const char* path : {"a.npy", "hard.npy", "ops.tts", "in.toml"})
        for (const Arguments& command : std::vector<Arguments>{{"trace", in, "-o"}, {"trace", in, "--perfetto"},
                                                               {"trace", in, "--html"}, {"record", in, "-o"},
                                                               {"reduce", in, "-o"}}) {
            Arguments all = command;
            all.push_back(directory_ / path);
            test::expect_refused(run_cli(all), {"would overwrite", "[output.input]"});
        }
    test::expect_refused(run_cli({"asm", text_, "--bytes", text_}), {"[output.input]"});
    test::expect_refused(run_cli({"record", case_, "-o", case_}), {"[output.input]"});
    test::expect_refused(run_cli({"check", case_, "--write-not-yet", case_}), {"[output.input]"});
    const std::string list = directory_.write("not-yet.txt", "# none\n");
    for (const char* option : {"--junit", "--write-not-yet"})
        test::expect_refused(run_cli({"check", case_, "--not-yet", list, option, list}), {"would overwrite", "[output.input]"});
    EXPECT_EQ(contents(list), "# none\n");
    fs::create_hard_link(directory_ / "a.npy", directory_ / "a.bin");
    test::expect_refused(run_cli({"tile", directory_ / "a.npy", directory_ / "a.bin", "--format", "Float32"}),
                         {"[output.input]"});
    EXPECT_EQ(contents(directory_ / "a.npy"), npy);
    EXPECT_EQ(contents(text_), tts);
    EXPECT_EQ(contents(job_), job);
}

TEST_F(OutputFiles, OfTwoOutputsOfCheckBothAppearOrNone) {
    const std::string list = directory_ / "list.txt", report = directory_ / "report.xml";
    for (const Arguments& two : std::vector<Arguments>{{"--junit", "/dev/full", "--write-not-yet", list},
                                                       {"--junit", report, "--write-not-yet", "/dev/full"}}) {
        Arguments command = {"check", case_};
        command.insert(command.end(), two.begin(), two.end());
        const auto outcome = run_cli(command);
        EXPECT_EQ(outcome.status, 1);
        EXPECT_THAT(outcome.err, HasSubstr("/dev/full"));
        EXPECT_FALSE(fs::exists(list) || fs::exists(report));
    }
    EXPECT_EQ(run_cli({"check", case_, "--junit", report, "--write-not-yet", list}).status, 0);
    EXPECT_TRUE(fs::exists(list) && fs::exists(report));
}

TEST_F(OutputFiles, TwoOutputsAreTwoFiles) {
    const std::string one = "[[output]]\naddr = 0\nshape = [32, 32]\nformat = \"Float32\"\nnpy = ";
    const auto with = [&](std::string_view first, std::string_view second) {
        return run_cli({"run", directory_.write("two.toml", fmt::format("arch = \"blackhole\"\n{}\"{}\"\n{}\"{}\"\n", one,
                                                                         first, one, second))});
    };
    test::expect_refused(with("x.npy", "x.npy"), {"two.toml:11:7: ", "[job.value]"});
    test::expect_refused(with("x.npy", "./x.npy"), {"[job.value]"});
    test::expect_refused(with("x.npy", directory_ / "none/../x.npy"), {"[job.value]"});
    EXPECT_EQ(with("x.npy", "y.npy").status, 0);
    EXPECT_EQ(with("/dev/null", "/dev/null").status, 0);
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    test::expect_refused(run_cli({"trace", job_, "-o", directory_ / "t", "--perfetto", directory_ / "./t"}),
                         {"[output.twice]"});
    EXPECT_FALSE(fs::exists(directory_ / "t"));
}

// All or none, also where a device is among them and comes last.
TEST_F(OutputFiles, ADeviceThatRefusesLeavesNoOtherOutput) {
    fs::create_symlink("/dev/full", directory_ / "full.npy");
    const std::string output = "[[output]]\naddr = 0\nshape = [32, 32]\nformat = \"Float32\"\nnpy = ";
    const auto outcome = run_cli({"run", directory_.write("all.toml", "arch = \"blackhole\"\n" + output + "\"x.npy\"\n" +
                                                                          output + "\"full.npy\"\n")});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_FALSE(fs::exists(directory_ / "x.npy"));
    EXPECT_TRUE(fs::is_symlink(directory_ / "full.npy"));
}

TEST_F(OutputFiles, TheReportOfFindingsIsOneOfTheOutputs) {
    const auto with = [&](const std::string& file, const std::string& sarif) {
        const std::string job = directory_.write(
            "sarif.toml", fmt::format("arch = \"blackhole\"\n[[output]]\naddr = 0\nsize = 4\nfile = \"{}\"\n", file));
        return run_cli({"run", job, "--sarif", sarif});
    };
    const std::string bytes = directory_ / "o.bin", sarif = directory_ / "o.sarif";
    for (const auto& [file, report] : {std::pair{bytes, std::string("/dev/full")}, std::pair{std::string("/dev/full"), sarif}}) {
        const auto outcome = with(file, report);
        EXPECT_EQ(outcome.status, 1);
        EXPECT_THAT(outcome.err, HasSubstr("No space left on device"));
        EXPECT_EQ(outcome.out.find("wrote"), std::string::npos);
        EXPECT_FALSE(fs::exists(bytes) || fs::exists(sarif));
    }
    EXPECT_EQ(with(bytes, sarif).status, 0);
    EXPECT_TRUE(fs::exists(bytes) && fs::exists(sarif));
}

// Status 2 would say that nothing ran.
TEST_F(OutputFiles, ARunIsReportedThoughAnOutputCannotBeWritten) {
    const auto hangs = run_cli({"run", hangs_, "--sarif", "/dev/full"});
    EXPECT_EQ(hangs.status, 1);
    EXPECT_THAT(hangs.out, HasSubstr("fault deadlock"));
    EXPECT_THAT(hangs.err, HasSubstr("No space left on device"));
    // L1 is nearly all 0 there, and each row of the array has 32 datums.
    const auto compressed = run_cli({"run", directory_.write("compressed.toml", job_text("c.npy") + "compressed = true\n")});
    EXPECT_EQ(compressed.status, 1);
    EXPECT_THAT(compressed.out, HasSubstr("cycles  "));
    EXPECT_THAT(compressed.err, HasSubstr("[tensor.data]"));
}

TEST_F(OutputFiles, StandardOutputIsAnOutput) {
    for (const std::string& job : {job_, hangs_}) {
        const auto outcome = run_cli({"run", job, "--no-output"}, "/dev/full");
        EXPECT_EQ(outcome.status, 1);
        EXPECT_THAT(outcome.err, HasSubstr("[cli.write]"));
    }
    EXPECT_EQ(run_cli({"run", directory_ / "none.toml"}, "/dev/full").status, 2);
}

TEST_F(OutputFiles, KernelsWithoutAJobAreInputs) {
    constexpr std::uint32_t halt = 0x0000006F;
    const std::string bytes = test::KernelFile{.segments = {{0x6000, test::words({halt})}}}.bytes();
    const std::string kernel = directory_.write("brisc.elf", bytes);
    for (const Arguments& command : std::vector<Arguments>{{"run", kernel}, {"run", "--core", "ncrisc=" + kernel}})
        for (const std::string& path : {kernel, directory_ / "./brisc.elf"}) {
            Arguments all = command;
            all.insert(all.end(), {"--sarif", path});
            test::expect_refused(run_cli(all), {"would overwrite", "[output.input]"});
            EXPECT_EQ(contents(kernel), bytes);
        }
}

TEST_F(OutputFiles, StandardOutputIsNoFileToReplace) {
    const auto outcome = run_cli({"trace", job_, "-o", "/dev/stdout"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, run_cli({"trace", job_}).out);
    EXPECT_NE(outcome.out, "");
    EXPECT_TRUE(fs::is_symlink("/dev/stdout"));
}

TEST_F(OutputFiles, AFaultLeavesWhatWasThere) {
    const std::string out = directory_.write("kept.npy", "kept");
    const auto outcome = run_cli({"run", directory_.write("fault.toml", "arch = \"blackhole\"\nthreads.math = [\".ttinsn "
                                                                        "0xFF000000\"]\n[[output]]\naddr = 0\nshape = [32, 32]\n"
                                                                        "format = \"Float32\"\nnpy = \"kept.npy\"\n")});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(contents(out), "kept");
}

TEST_F(OutputFiles, AnArrayTellsWhatNothingHasWritten) {
    const auto wrote = [&](std::string_view keys) {
        const auto outcome = run_cli(
            {"run", directory_.write("array.toml",
                                     fmt::format("arch = \"blackhole\"\n[[l1]]\naddr = 16\nwords = [1, 2, 3, 4]\n"
                                                 "[[output]]\naddr = 16\nnpy = \"array.npy\"\n{}\n",
                                                 keys))});
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return outcome.out;
    };
    constexpr const char* rows = "layout = \"rows\"\nformat = \"Float32\"";
    EXPECT_THAT(wrote(fmt::format("shape = [1, 4]\n{}", rows)), HasSubstr("array.npy\n"));
    EXPECT_THAT(wrote(fmt::format("shape = [2, 4]\n{}", rows)),
                HasSubstr("array.npy; nothing has written 16 of its 32 bytes in L1\n"));
}

TEST_F(OutputFiles, AnArrayTellsWhatWasWrittenInAnotherFormat) {
    const auto run = [&](std::string_view format, std::string_view option, bool compressed = false) {
        return run_cli({"run",
                        directory_.write(
                            "array.toml",
                            fmt::format("arch = \"blackhole\"\n[[l1]]\naddr = 16\nwords = [1, 2, 3, 4]\n"
                                        "format = \"Float32\"\ncompressed = {}\n[[output]]\naddr = 16\nshape = [1, 4]\n"
                                        "layout = \"rows\"\nnpy = \"array.npy\"\nformat = \"{}\"\n",
                                        compressed, format)),
                        std::string(option)})
            .out;
    };
    EXPECT_THAT(run("Float32", "--digest"), HasSubstr("array.npy\n"));
    EXPECT_THAT(run("Tf32", "--digest"), HasSubstr("array.npy\n"));
    EXPECT_THAT(run("Float16_b", "--digest"),
                HasSubstr("array.npy; 8 of its 8 bytes were written as Float32, not as Float16_b\n"));
    EXPECT_THAT(run("Float32", "--digest", true),
                HasSubstr("array.npy; 16 of its 16 bytes were written as Float32, compressed, not as Float32\n"));
    EXPECT_EQ(nlohmann::json::parse(run("Float16_b", "--json"))["misread_bytes"], nlohmann::json({8}));
}

TEST_F(OutputFiles, RawBytesAreAnOutput) {
    const auto with = [&](std::string_view keys) {
        return run_cli({"run", directory_.write("raw.toml", fmt::format("arch = \"blackhole\"\n[[l1]]\naddr = 16\nhex = "
                                                                        "\"c0ffee\"\n[[output]]\naddr = 15\n{}\n",
                                                                        keys))});
    };
    const auto good = with("size = 5\nfile = \"raw.bin\"");
    EXPECT_EQ(good.status, 0) << good.err;
    EXPECT_THAT(good.out, HasSubstr("wrote         " + (directory_ / "raw.bin") + "\n"));
    EXPECT_EQ(contents(directory_ / "raw.bin"), std::string("\0\xC0\xFF\xEE\0", 5));
    test::expect_refused(with("file = \"raw.bin\""), {"needs the key 'size'", "[job.missing-key]"});
    test::expect_refused(with("size = 0\nfile = \"raw.bin\""), {":7:8: ", "[job.range]"});
    test::expect_refused(with("size = 1572864\nfile = \"raw.bin\""), {"beyond", "[job.range]"});
    test::expect_refused(with("size = 5\nfile = \"raw.bin\"\nformat = \"Float32\""), {"'format' belongs to npy"});
    test::expect_refused(with("size = 5\nshape = [32, 32]\nformat = \"Float32\"\nnpy = \"x.npy\""),
                         {"'size' belongs to file"});
}

TEST_F(OutputFiles, AJobFromStandardInput) {
    EXPECT_TRUE(write_npy(directory_ / "n.npy", {32, 32, std::vector<float>(1024, 2.5f)}));
    const std::string toml =
        "arch = \"blackhole\"\nthreads.math = [\"NOP\"]\n[[l1]]\naddr = 0\nnpy = \"n.npy\"\nformat = \"Float32\"\n"
        "[[output]]\naddr = 0\nshape = [32, 32]\nformat = \"Float32\"\nnpy = \"o.npy\"\n";
    const std::string json =
        R"( {"arch": "blackhole", "threads": {"math": ["NOP"]}, "l1": [{"addr": 0, "npy": "n.npy", "format": "Float32"}],
            "output": [{"addr": 0, "shape": [32, 32], "format": "Float32", "npy": "o.npy"}]})";
    for (const std::string& text : {toml, json, "\xEF\xBB\xBF" + toml, "\xEF\xBB\xBF" + json}) {
        const auto outcome = run_cli_in({.input = text, .folder = directory_ / ".", .file_size_limit = {}}, {"run", "-"});
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(contents(directory_ / "o.npy"), contents(directory_ / "n.npy"));
        fs::remove(directory_ / "o.npy");
        const auto in = [&](const Arguments& arguments) {
            return run_cli_in({.input = text, .folder = directory_ / ".", .file_size_limit = {}}, arguments).status;
        };
        for (const Arguments& command :
             std::vector<Arguments>{{"trace", "-"}, {"explain", "-", "--instruction", "NOP"}, {"record", "-"}, {"race", "-", "--runs", "2"},
                                    {"diff", "-", "job.toml"}, {"regs", "--job", "-"}, {"step", "-", "-c", "continue"}})
            EXPECT_EQ(in(command), command[0] == "diff" ? 1 : 0) << command[0];
        EXPECT_EQ(in({"step", "-"}), 2);
        EXPECT_EQ(in({"diff", "-", "-"}), 2);
    }
    const auto broken = run_cli_in({.input = "arch = 3\n", .folder = {}, .file_size_limit = {}}, {"run", "-"});
    test::expect_refused(broken, {"tessera: <stdin>:1:8: ", "[job.type]"});
}

TEST_F(OutputFiles, AByteOrderMarkIsSkipped) {
    const std::string mark = "\xEF\xBB\xBF";
    directory_.write("marked.tts", mark + "NOP\n");
    const std::string marked = directory_.write("marked.toml", mark + "arch = \"blackhole\"\nthreads.math = \"marked.tts\"\n");
    EXPECT_EQ(run_cli({"run", marked}).status, 0) << run_cli({"run", marked}).err;
    EXPECT_EQ(run_cli({"run", directory_.write("marked.json", mark + "{\"arch\": \"blackhole\"}")}).status, 0);
    EXPECT_EQ(run_cli({"asm", directory_ / "marked.tts"}).out, "0x02000000\n");
    EXPECT_EQ(run_cli({"check", directory_.write("marked_case.json", mark + contents(case_))}).status, 0);
    // Places are those of the text behind it.
    directory_.write("marked.tts", mark + "NPO\n");
    EXPECT_THAT(run_cli({"asm", directory_ / "marked.tts"}).err, HasSubstr("marked.tts:1:1: "));
}

}  // namespace
}  // namespace tessera
