// SPDX-License-Identifier: Apache-2.0
// The drop-in libraries, driven by a host program in C (tests/abi/client.c) with tt-umd's calls.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "abi/reports.hpp"
#include "abi/settings.hpp"
#include "support/kernel_file.hpp"
#include "support/temporary_directory.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;

struct Ended {
    int status = -1;
    std::string output;
    std::vector<nlohmann::json> reports;
};

class Abi : public testing::TestWithParam<const char*> {
protected:
    Ended client(const std::string& command, const std::string& settings = "") const {
        const TemporaryDirectory folder;
        const std::string output = folder / "output", reports = folder / "reports";
        const std::string line = "TESSERA_REPORT='" + reports + "' " + settings + " '" TESSERA_ABI_CLIENT "' '" + GetParam() + "' " + command +
                                 " > '" + output + "' 2>&1";
        Ended ended;
        ended.status = std::system(line.c_str());
        std::ifstream said(output), lines(reports);
        ended.output.assign(std::istreambuf_iterator<char>(said), {});
        for (std::string one; std::getline(lines, one);) ended.reports.push_back(nlohmann::json::parse(one));
        return ended;
    }
    void expect_silence(const std::string& command, const std::string& settings = "") const {
        const Ended ended = client(command, settings);
        EXPECT_EQ(ended.status, 0);
        EXPECT_EQ(ended.output, "");
        EXPECT_TRUE(ended.reports.empty()) << ended.reports.front().dump();
    }
};

TEST_P(Abi, AHostReachesTilesDramAndConfigurationSpace) { expect_silence("device"); }
TEST_P(Abi, ADeviceStartsAHundredTimes) { expect_silence("starts"); }
TEST_P(Abi, TwoCopiesAreTwoDevices) { expect_silence("copies"); }
TEST_P(Abi, AForkHasADeviceOfItsOwn) { expect_silence("forks"); }
TEST_P(Abi, AForkOfADeviceWithThreadsHasADeviceOfItsOwn) { expect_silence("forks", "TESSERA_THREADS=4"); }
TEST_P(Abi, ATraceIsThatOfTheParentAlone) {
    const TemporaryDirectory folder;
    const std::string lines = folder / "t.jsonl", timeline = folder / "t.json";
    expect_silence("forks", "TESSERA_TRACE='" + lines + "'");
    expect_silence("forks", "TESSERA_TRACE='" + timeline + "'");
    std::ifstream told(lines), shown(timeline);
    std::map<std::string, unsigned> kinds;
    for (std::string one; std::getline(told, one);) ++kinds[nlohmann::json::parse(one)["kind"]];
    EXPECT_EQ(kinds["header"], 1u);
    EXPECT_EQ(kinds["end"], 1u);
    EXPECT_FALSE(nlohmann::json::parse(shown).at("traceEvents").empty());
}

TEST_P(Abi, ThreadsAndLongStepsOfTheClockDoTheSame) { expect_silence("device", "TESSERA_THREADS=2 TESSERA_CYCLES=30"); }

TEST_P(Abi, AComputerThatStartsFewThreadsDoesTheSame) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers take more addresses than the limit has";
#endif
    // Threads have stacks of 1 GB, and the process 3 GB.
    expect_silence("device", "TESSERA_THREADS=8 timeout 60 sh -c 'ulimit -s 1000000; ulimit -v 3000000; exec \"$@\"' sh");
}

TEST_P(Abi, MistakesAreToldAndTheProcessGoesOn) {
    const Ended ended = client("mistakes");
    EXPECT_EQ(ended.status, 0);
    EXPECT_EQ(ended.output, "");
    const bool blackhole = GetParam() == std::string(TESSERA_BLACKHOLE_LIBRARY);
    std::multiset<std::string> told;
    for (const auto& report : ended.reports) told.insert(report["kind"].get<std::string>() + " " + report["code"].get<std::string>());
    std::multiset<std::string> wanted{"refused host.call", "refused host.call", "refused host.call", "refused host.call", "refused host.call", "refused host.call", "refused host.call", "refused host.bar", "refused host.bar", "refused host.bar",
                                      "refused host.bar", "refused host.tile", "refused host.register", "fault tile.unmapped", "fault riscv.illegal"};
    // Wormhole's window is larger than L1, Blackhole's ends there.
    wanted.insert(blackhole ? "refused host.bar" : "refused host.range");
    EXPECT_EQ(told, wanted);
    for (const auto& report : ended.reports)
        if (report["kind"] == "fault") {
            EXPECT_EQ(report["core"], "brisc");
            EXPECT_TRUE(report.contains("pc"));
            EXPECT_TRUE(report.contains("cure"));
        }
}

TEST_P(Abi, TheHostsFunctionsCannotCallTheDeviceAndMayThrow) {
    const Ended ended = client("callbacks");
    EXPECT_EQ(ended.status, 0);
    EXPECT_EQ(ended.output, "");
    std::multiset<std::string> told;
    for (const auto& report : ended.reports) {
        EXPECT_EQ(report["code"], "host.call");
        told.insert(report["call"].get<std::string>());
    }
    EXPECT_EQ(told, (std::multiset<std::string>{"libttsim_clock", "libttsim_exit", "libttsim_init", "libttsim_pci_config_rd32",
                                                "libttsim_pci_mem_wr_bytes", "libttsim_tile_rd_bytes"}));
    ASSERT_FALSE(ended.reports.empty());
    EXPECT_NE(ended.reports.back()["message"].get<std::string>().find("too long for the host"), std::string::npos);
}

TEST_P(Abi, AStrictLibraryEndsTheProcessWithTheFirstMistake) {
    const Ended ended = client("mistakes", "TESSERA_STRICT=1");
    EXPECT_NE(ended.status, 0);
    EXPECT_EQ(ended.output, "");
    EXPECT_EQ(ended.reports.size(), 1u);
}

TEST_P(Abi, ASessionIsTraced) {
    const TemporaryDirectory folder;
    for (const char* file : {"lines.jsonl", "timeline.json"}) {
        const std::string path = folder / file;
        expect_silence("device", "TESSERA_TRACE='" + path + "'");
        std::ifstream written(path);
        const std::string text(std::istreambuf_iterator<char>(written), {});
        if (path.ends_with(".json")) {
            EXPECT_TRUE(nlohmann::json::parse(text).contains("traceEvents"));
            continue;
        }
        const std::string first = text.substr(0, text.find('\n')), last = text.substr(text.rfind('\n', text.size() - 2) + 1);
        EXPECT_EQ(nlohmann::json::parse(first)["format"], "tessera-chip-trace-1");
        EXPECT_EQ(nlohmann::json::parse(last)["kind"], "end");
    }
}

TEST_P(Abi, AHostThatDoesNotEndItsSessionHasATrace) {
    const TemporaryDirectory folder;
    for (const char* command : {"leaves", "dies", "faults"})
        for (const char* file : {"lines.jsonl", "timeline.json"}) {
            const std::string path = folder / file;
            client(command, "TESSERA_STRICT=1 TESSERA_TRACE='" + path + "'");
            std::ifstream written(path);
            const std::string text(std::istreambuf_iterator<char>(written), {});
            EXPECT_NE(text.find("ttnop"), std::string::npos) << command << " " << file;
            const bool ends_at_once = command == std::string("dies"), is_timeline = path.ends_with(".json");
            if (is_timeline)
                EXPECT_EQ(nlohmann::json::accept(text), !ends_at_once) << command;
            else
                EXPECT_EQ(text.find("\"kind\":\"end\"") != std::string::npos, command == std::string("faults")) << command;
        }
}

TEST_P(Abi, OneOfTwoCopiesHasTheTrace) {
    const TemporaryDirectory folder;
    const std::string path = folder / "lines.jsonl";
    const Ended ended = client("copies", "TESSERA_TRACE='" + path + "'");
    EXPECT_EQ(ended.status, 0);
    EXPECT_EQ(ended.output, "");
    ASSERT_EQ(ended.reports.size(), 1u);
    EXPECT_NE(ended.reports[0]["message"].get<std::string>().find("another device of this computer writes it"), std::string::npos);
    std::ifstream told(path);
    std::map<std::string, unsigned> kinds;
    for (std::string one; std::getline(told, one);) ++kinds[nlohmann::json::parse(one)["kind"]];
    EXPECT_EQ(kinds["header"], 1u);
    EXPECT_EQ(kinds["end"], 1u);
}

TEST_P(Abi, ATraceThatCannotBeWrittenIsTold) {
    for (const char* file : {"/nowhere/trace.json", "/dev/full"}) {
        const Ended ended = client("device", std::string("TESSERA_TRACE=") + file);
        EXPECT_EQ(ended.status, 0);
        ASSERT_EQ(ended.reports.size(), 1u) << file;
        EXPECT_EQ(ended.reports[0]["kind"], "remark");
        const std::string told = ended.reports[0]["message"], wanted = std::string("TESSERA_TRACE=") + file + ": the file cannot be written";
        EXPECT_EQ(told.substr(0, wanted.size()), wanted);
    }
}

TEST_P(Abi, ReportsThatCannotBeWrittenComeToStandardError) {
    const Ended ended = client("mistakes", "TESSERA_REPORT=/dev/full");
    EXPECT_EQ(ended.status, 0);
    for (const char* text : {"TESSERA_REPORT=/dev/full: the file cannot be written", "tessera: libttsim_clock: ", "riscv.illegal", "tile.unmapped"})
        EXPECT_NE(ended.output.find(text), std::string::npos) << text << " is not in\n" << ended.output;
}

TEST_P(Abi, ReportsNameLinesOfElfFiles) {
    // That of the client's core which loads from nowhere.
    const std::string code = words({0x80000537, 0x00052583, 0x0000006F});
    KernelFile file{.entry = 0x6000, .segments = {{0x6000, code}}, .lines = {{0x6000, 3}, {0x6004, 4}, {0x6008, 5}, {0x600C, 0}}};
    const TemporaryDirectory folder;
    folder.write("kernel.elf", file.bytes());
    const Ended ended = client("mistakes", "TESSERA_ELF='" + (folder / "") + ":/nowhere'");
    std::map<std::string, nlohmann::json> told;
    for (const auto& report : ended.reports) told[report.value("code", "remark")] = report;
    EXPECT_EQ(told.at("tile.unmapped")["place"], "/src/kernel.cpp:4");
    EXPECT_FALSE(told.at("riscv.illegal").contains("place"));
    EXPECT_NE(told.at("remark")["message"].get<std::string>().find("/nowhere"), std::string::npos);
}

TEST_P(Abi, FindingsHaveTheLevelsThatAreAskedFor) {
    // The client's cores fault: that is told whatever the levels.
    const auto told = [&](const std::string& value) {
        std::multiset<std::string> codes;
        for (const auto& report : client("mistakes", "TESSERA_FINDINGS=" + value).reports)
            if (report["kind"] == "finding" || report["kind"] == "fault") codes.insert(report["code"]);
        return codes;
    };
    const std::multiset<std::string> faults{"riscv.illegal", "tile.unmapped"};
    EXPECT_EQ(told("warning"), faults);
    EXPECT_EQ(told("off,hazard.src=off"), faults);
    EXPECT_EQ(told("tile.unmapped=off"), (std::multiset<std::string>{"riscv.illegal"}));
}

TEST_P(Abi, ADebuggerThatDoesNotComeChangesNothing) {
    const Ended ended = client("device", "TESSERA_GDB=0");
    EXPECT_EQ(ended.status, 0);
    EXPECT_EQ(ended.output, "");
    ASSERT_EQ(ended.reports.size(), 1u);
    EXPECT_EQ(ended.reports[0]["message"].get<std::string>().find("gdb: target extended-remote 127.0.0.1:"), 0u);
}

TEST_P(Abi, AWrongSettingIsToldAndItsDefaultHolds) {
    const Ended ended = client("device", "TESSERA_CYCLES=none");
    EXPECT_EQ(ended.status, 0);
    ASSERT_EQ(ended.reports.size(), 1u);
    EXPECT_EQ(ended.reports[0]["message"], "TESSERA_CYCLES=none is ignored: its value is 1 to 1000000");
}

INSTANTIATE_TEST_SUITE_P(Libraries, Abi, testing::Values(TESSERA_BLACKHOLE_LIBRARY, TESSERA_WORMHOLE_LIBRARY),
                         [](const auto& one) { return one.index == 0 ? "blackhole" : "wormhole"; });

// A host may scan a wrong range for ever.
TEST(AbiReports, RefusedCallsAreToldUpToABound) {
    const test::TemporaryDirectory directory;
    const auto path = directory / "reports.jsonl";
    {
        tessera::abi::Reports reports(path);
        for (unsigned times = 0; times < 2; ++times)
            for (unsigned address = 0; address < tessera::abi::Reports::most_refusals + 500; ++address) {
                Error refused;
                refused.message = std::to_string(address);
                reports.tell("libttsim_tile_rd_bytes", refused);
            }
    }
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    ASSERT_EQ(lines.size(), tessera::abi::Reports::most_refusals + 1);
    EXPECT_NE(lines.back().find("1000 different calls were refused; no others are told"), std::string::npos)
        << lines.back();
}

TEST(AbiSettings, EachVariableIsRead) {
    const std::map<std::string, const char*> variables{
        {"TESSERA_REPORT", "report.jsonl"}, {"TESSERA_STRICT", "1"}, {"TESSERA_TIMING", "documented"}, {"TESSERA_CYCLES", "20"}, {"TESSERA_THREADS", "3"}, {"TESSERA_TRACE", "trace.json"}, {"TESSERA_ELF", "a.elf::folder:"},
        {"TESSERA_GDB", "wait:3333"}, {"TESSERA_FINDINGS", "hazard.src=off,warning,hazard.dst=info"}};
    const auto settings = tessera::abi::read_settings([&](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second;
    });
    EXPECT_EQ(settings.report, "report.jsonl");
    EXPECT_TRUE(settings.strict);
    EXPECT_EQ(settings.timing, Timing::documented);
    EXPECT_EQ(settings.cycles, 20u);
    EXPECT_EQ(settings.threads, 3u);
    EXPECT_EQ(settings.trace, "trace.json");
    EXPECT_EQ(settings.levels, (std::map<std::string, Level>{{"hazard.src", Level::off}, {"hazard.dst", Level::info}}));
    EXPECT_EQ(settings.least, Level::warning);
    EXPECT_EQ(settings.elf, (std::vector<std::string>{"a.elf", "folder"}));
    EXPECT_EQ(settings.gdb, 3333);
    EXPECT_TRUE(settings.gdb_waits);
    EXPECT_TRUE(settings.wrong.empty());
}

TEST(AbiSettings, ATraceReplacesNoOtherFile) {
    const auto trace_of = [](const std::map<std::string, std::string>& variables) {
        const auto settings = tessera::abi::read_settings([&](const char* name) {
            const auto found = variables.find(name);
            return found == variables.end() ? nullptr : found->second.c_str();
        });
        EXPECT_EQ(settings.wrong.size(), settings.trace.empty() ? 1u : 0u);
        return settings.trace;
    };
    EXPECT_EQ(trace_of({{"TESSERA_TRACE", "one.jsonl"}, {"TESSERA_REPORT", "one.jsonl"}}), "");
    EXPECT_EQ(trace_of({{"TESSERA_TRACE", "./one.jsonl"}, {"TESSERA_REPORT", "one.jsonl"}}), "");
    EXPECT_EQ(trace_of({{"TESSERA_TRACE", "one.elf"}, {"TESSERA_ELF", "other.elf:one.elf"}}), "");
    EXPECT_EQ(trace_of({{"TESSERA_TRACE", "one.jsonl"}, {"TESSERA_ELF", "one.elf"}, {"TESSERA_REPORT", "reports.jsonl"}}), "one.jsonl");
}

TEST(AbiSettings, WhatCannotBeMeantIsNamed) {
    const std::pair<std::string, const char*> wrong[] = {{"TESSERA_STRICT", "yes"},
                                                         {"TESSERA_TIMING", "functional"},
                                                         {"TESSERA_CYCLES", "0"},
                                                         {"TESSERA_CYCLES", "1000001"},
                                                         {"TESSERA_THREADS", "257"},
                                                         {"TESSERA_THREADS", "2 "},
                                                         {"TESSERA_GDB", "65536"},
                                                         {"TESSERA_GDB", "wait"},
                                                         {"TESSERA_FINDINGS", "loud"},
                                                         {"TESSERA_FINDINGS", "warning="},
                                                         {"TESSERA_FINDINGS", "hazard.scr=off"},
                                                         {"TESSERA_FINDINGS", "hazard.src=loud"},
                                                         {"TESSERA_FINDINGS", "warning,hazard.src=off,bogus"}};
    for (const auto& [name, value] : wrong) {
        const auto settings = tessera::abi::read_settings([&key = name, text = value](const char* asked) { return key == asked ? text : nullptr; });
        ASSERT_EQ(settings.wrong.size(), 1u) << name << value;
        EXPECT_EQ(settings.wrong[0].substr(0, name.size()), name);
        EXPECT_FALSE(settings.strict);
        EXPECT_TRUE(settings.levels.empty());
        EXPECT_EQ(settings.least, Level::info);
        EXPECT_EQ(settings.timing, default_timing);
        EXPECT_EQ(settings.cycles, 1u);
        EXPECT_EQ(settings.threads, 1u);
    }
}

// A list of findings may be long, so the entry that is wrong is named, and why.
TEST(AbiSettings, AWrongLevelOfAFindingIsNamed) {
    const auto wrong = [](const char* value) {
        const auto settings = tessera::abi::read_settings(
            [&](const char* name) { return name == std::string_view("TESSERA_FINDINGS") ? value : nullptr; });
        return settings.wrong.size() == 1 ? settings.wrong[0] : std::string();
    };
    const std::string ignored = "TESSERA_FINDINGS=warning,hazard.scr=off,hazard.dst=info is ignored: 'hazard.scr' is ";
    EXPECT_EQ(wrong("warning,hazard.scr=off,hazard.dst=info").substr(0, ignored.size()), ignored);
    EXPECT_NE(wrong("warning,hazard.scr=off").find("(did you mean hazard.src?)"), std::string::npos);
    EXPECT_EQ(wrong("hazard.src=loud,off"),
              "TESSERA_FINDINGS=hazard.src=loud,off is ignored: 'loud' is not a level: off, info, warning or error");
    EXPECT_EQ(wrong("info,lowd"),
              "TESSERA_FINDINGS=info,lowd is ignored: 'lowd' is not a level: off, info, warning or error");
    EXPECT_EQ(wrong("warning,hazard.src=off"), "");
}

}  // namespace
