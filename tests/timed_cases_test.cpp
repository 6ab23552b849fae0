// SPDX-License-Identifier: Apache-2.0
// The engine against tests/data/timed_cases.txt: cycles and findings that were worked out by hand from the documents.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "support/timeline.hpp"

namespace tessera {
namespace {

struct Line {
    std::string text, cycles;  ///< cycles: "4", "1,2,3", "{0,1}"; empty: none expected
};

struct TimedCase {
    std::string name, chips, source, findings;
    std::array<std::vector<Line>, 3> threads;

    bool is_of(Arch arch) const { return chips == "both" || chips == (arch == Arch::blackhole ? "blackhole" : "wormhole"); }
};

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

const std::vector<TimedCase>& timed_cases() {
    static const auto all = [] {
        std::vector<TimedCase> cases;
        std::ifstream file(TESSERA_SOURCE_DIR "/tests/data/timed_cases.txt");
        unsigned thread = 3;
        for (std::string line; std::getline(file, line);) {
            if (trimmed(line).empty() || line[0] == '#') continue;
            const std::string key = line.substr(0, line.find(' ')), value = trimmed(line.substr(key.size()));
            if (key == "case") {
                cases.push_back({value, "", "", "", {}});
                thread = 3;
            } else if (key == "chips")
                cases.back().chips = value;
            else if (key == "source")
                cases.back().source = value;
            else if (key == "findings")
                cases.back().findings = value == "none" ? "" : value;
            else if (line == "T0" || line == "T1" || line == "T2")
                thread = static_cast<unsigned>(line[1] - '0');
            else if (thread < 3) {
                const auto at = line.find('@');
                cases.back().threads[thread].push_back(
                    {trimmed(line.substr(0, at)), at == std::string::npos ? "" : trimmed(line.substr(at + 1))});
            }
        }
        return cases;
    }();
    return all;
}

std::vector<std::uint64_t> numbers(std::string text) {
    std::replace_if(text.begin(), text.end(), [](char c) { return c == ',' || c == '{' || c == '}'; }, ' ');
    std::istringstream words(text);
    std::vector<std::uint64_t> all;
    for (std::uint64_t number; words >> number;) all.push_back(number);
    return all;
}

/// The starts of a line's instructions, in the order of an expansion.
std::vector<std::uint64_t> starts(const test::Timeline& timeline, int thread, std::int64_t op) {
    std::vector<const Event*> events;
    for (const Event& event : timeline.events)
        if (event.thread == thread && event.index == op) events.push_back(&event);
    std::sort(events.begin(), events.end(), [](const Event* a, const Event* b) { return a->position < b->position; });
    std::vector<std::uint64_t> all;
    for (const Event* event : events) all.push_back(event->start);
    return all;
}

void hold(const TimedCase& each, Arch arch) {
    SCOPED_TRACE(each.name + (arch == Arch::blackhole ? " on Blackhole: " : " on Wormhole: ") + each.source);
    std::array<std::string, 3> texts;
    for (unsigned t = 0; t < 3; ++t)
        for (const Line& line : each.threads[t]) texts[t] += line.text + "\n";
    RunOptions options;
    options.timing = Timing::documented;
    const auto timeline = test::run(arch, {texts[0], texts[1], texts[2]}, options);
    ASSERT_FALSE(timeline.run.fault) << timeline.run.fault->describe();

    // The first expected cycle is where the earliest such instruction started.
    std::optional<std::uint64_t> zero;
    for (int t = 0; t < 3; ++t)
        for (std::size_t op = 0; op < each.threads[t].size(); ++op)
            if (!each.threads[t][op].cycles.empty())
                for (const auto start : starts(timeline, t, static_cast<std::int64_t>(op))) zero = std::min(zero.value_or(start), start);
    ASSERT_TRUE(zero);
    std::map<std::string, std::multiset<std::uint64_t>> sets;
    for (int t = 0; t < 3; ++t)
        for (std::size_t op = 0; op < each.threads[t].size(); ++op) {
            const Line& line = each.threads[t][op];
            if (line.cycles.empty()) continue;
            auto found = starts(timeline, t, static_cast<std::int64_t>(op));
            for (auto& start : found) start -= *zero;
            if (line.cycles[0] == '{')
                sets[line.cycles].insert(found.begin(), found.end());
            else
                EXPECT_EQ(found, numbers(line.cycles)) << "T" << t << ": " << line.text;
        }
    for (const auto& [cycles, found] : sets) {
        const auto expected = numbers(cycles);
        EXPECT_EQ(found, std::multiset<std::uint64_t>(expected.begin(), expected.end()));
    }

    std::set<std::string> hazards, expected;
    for (const Finding& finding : timeline.run.findings)
        if (finding.code.rfind("hazard.", 0) == 0) hazards.insert(finding.code);
    std::istringstream codes(each.findings);
    for (std::string code; codes >> code;) expected.insert(code);
    EXPECT_EQ(hazards, expected);
}

TEST(TimedCases, AreAsWorkedOutByHand) {
    unsigned held = 0;
    for (const TimedCase& each : timed_cases())
        for (const Arch arch : {Arch::blackhole, Arch::wormhole})
            if (each.is_of(arch)) hold(each, arch), ++held;
    EXPECT_GE(held, 45u);
}

TEST(TimedCases, EachHasCyclesAndASource) {
    for (const TimedCase& each : timed_cases()) {
        EXPECT_FALSE(each.source.empty()) << each.name;
        unsigned lines = 0;
        for (const auto& thread : each.threads)
            for (const Line& line : thread) lines += !line.cycles.empty();
        EXPECT_GT(lines, 1u) << each.name;
    }
}

// What may follow in a unit, and when: each pair behind a drain, both on one thread.
struct Gap {
    const char* first;
    const char* second;
    const char* chips;
    std::uint64_t cycles;
    const char* source;
};

constexpr Gap gaps[] = {
    {"MOVD2A", "MOVD2A", "both", 1, "MOVD2A, Instruction scheduling"},
    {"MOVD2A", "MOVB2A", "both", 1, "MOVD2A, Instruction scheduling"},
    {"MOVD2A", "SETRWC", "both", 2, "MOVD2A, Instruction scheduling"},
    {"MOVD2A", "MOVD2B", "both", 2, "MOVD2A, Instruction scheduling"},
    {"MOVD2A", "ELWADD", "both", 2, "MOVD2A, Instruction scheduling"},
    {"MOVD2A", "NOP", "both", 1, "MOVD2A, Instruction scheduling: only the matrix unit"},
    {"MOVD2B", "MOVD2B", "both", 1, "MOVD2B, Instruction scheduling"},
    {"MOVD2B", "MOVD2A", "both", 4, "MOVD2B, Instruction scheduling"},
    {"MOVD2B", "SETRWC", "both", 4, "MOVD2B, Instruction scheduling"},
    {"MOVD2B", "ZEROACC", "both", 4, "MOVD2B, Instruction scheduling"},
    {"MOVD2B", "NOP", "both", 1, "MOVD2B, Instruction scheduling: only the matrix unit"},
    {"SHIFTXB", "SETRWC", "both", 2, "SHIFTXB, Instruction scheduling"},
    {"SHIFTXB", "SHIFTXA", "both", 2, "SHIFTXB, Instruction scheduling"},
    {"SHIFTXB", "NOP", "both", 1, "SHIFTXB, Instruction scheduling: only the matrix unit"},
    {"MVMUL", "SETRWC", "both", 1, "MatrixUnit, throughput"},
    {"SFPSWAP", "SFPNOP", "both", 1, "SFPSWAP, Instruction scheduling"},
    {"SFPSWAP", "SFPMOV lreg_dest=4 lreg_c=5", "both", 2, "SFPSWAP, Instruction scheduling"},
    {"SFPSWAP", "SFPLOAD lreg_ind=4", "both", 2, "SFPSWAP, Instruction scheduling"},
    {"SFPSWAP", "NOP", "both", 1, "SFPSWAP, Instruction scheduling: only the vector unit"},
    {"SFPSHFT2 instr_mod1=3", "SFPNOP", "both", 1, "SFPSHFT2, Instruction scheduling"},
    {"SFPSHFT2 instr_mod1=3", "SFPLOAD lreg_ind=4", "blackhole", 2, "SFPSHFT2 (Blackhole), Instruction scheduling"},
    {"SFPSHFT2 instr_mod1=4", "SFPLOAD lreg_ind=4", "blackhole", 2, "SFPSHFT2 (Blackhole), Instruction scheduling"},
    {"SFPSHFT2 instr_mod1=2", "SFPLOAD lreg_ind=4", "blackhole", 2, "SFPSHFT2 (Blackhole), Instruction scheduling"},
    {"SFPSHFT2 instr_mod1=3", "SFPLOAD lreg_ind=4", "wormhole", 1, "SFPSHFT2 (Wormhole): left to software"},
    {"SFPSHFT2 instr_mod1=0", "SFPLOAD lreg_ind=4", "both", 1, "VectorUnit, latency 1"},
    {"SFPMUL24 lreg_dest=4", "SFPMOV lreg_c=4", "blackhole", 2, "SFPMUL24, Instruction scheduling"},
    {"SFPADDI lreg_dest=4", "SFPMOV lreg_c=4", "blackhole", 2, "SFPADDI (Blackhole), Instruction scheduling"},
    {"SFPMULI lreg_dest=4", "SFPSTORE lreg_ind=4", "blackhole", 2, "SFPMULI (Blackhole), Instruction scheduling"},
    {"SFPMAD lreg_dest=4", "SFPSTORE lreg_ind=5", "blackhole", 1, "SFPMAD (Blackhole), Instruction scheduling"},
    {"ATSWAP MemHierSel=1", "NOP", "both", 3, "ATSWAP, Performance"},
    {"STOREIND MemHierSel=1", "NOP", "both", 3, "ScalarUnit, table of cycles"},
    {"LOADIND DataRegIndex=8", "NOP", "both", 3, "ScalarUnit, table of cycles"},
    {"ATCAS MemHierSel=1", "NOP", "both", 15, "ATCAS, Performance"},
    {"RMWCIB0", "RMWCIB1", "both", 1, "ConfigurationUnit, table"},
    {"SETC16", "WRCFG", "both", 1, "ConfigurationUnit, table"},
    {"WRCFG", "WRCFG", "both", 1, "ConfigurationUnit, table"},
    {"WRCFG", "RMWCIB0", "both", 2, "ConfigurationUnit, table; on Blackhole its stages"},
    {"WRCFG", "RDCFG GprAddress=8", "both", 2, "ConfigurationUnit, table; on Blackhole its stages"},
    {"RMWCIB0", "WRCFG", "both", 1, "ConfigurationUnit, table"},
    {"RDCFG GprAddress=8", "WRCFG", "blackhole", 1, "ConfigurationUnit (Blackhole), stages"},
    {"RDCFG GprAddress=8", "WRCFG", "wormhole", 2, "RDCFG (Wormhole), Performance"},
    {"RDCFG GprAddress=8", "NOP", "blackhole", 1, "RDCFG (Blackhole), Performance"},
    {"RDCFG GprAddress=8", "NOP", "wormhole", 2, "RDCFG (Wormhole), Performance"},
    {"RDCFG GprAddress=8", "RMWCIB0", "wormhole", 2, "ConfigurationUnit (Wormhole), table"},
    {"RDCFG GprAddress=8", "RDCFG GprAddress=9", "wormhole", 2, "ConfigurationUnit (Wormhole), table"},
    {"RDCFG GprAddress=8", "RMWCIB0", "blackhole", 1, "ConfigurationUnit (Blackhole), stages"},
    {"CFGSHIFTMASK", "CFGSHIFTMASK", "blackhole", 2, "CFGSHIFTMASK, Performance"},
    {"CFGSHIFTMASK", "RMWCIB0", "blackhole", 2, "ConfigurationUnit (Blackhole), stages"},
    {"CFGSHIFTMASK", "WRCFG", "blackhole", 1, "ConfigurationUnit (Blackhole), stages"},
    {"STREAMWRCFG StreamRegAddr=259 CfgReg=100", "STREAMWRCFG StreamRegAddr=259 CfgReg=101", "blackhole", 1, "ConfigurationUnit (Blackhole), stages"},
    {"STREAMWRCFG StreamRegAddr=259 CfgReg=100", "WRCFG", "blackhole", 4, "ConfigurationUnit (Blackhole), stages"},
    {"STREAMWRCFG StreamRegAddr=259 CfgReg=100", "RMWCIB0", "blackhole", 5, "ConfigurationUnit (Blackhole), stages"},
};

// MOVA2D and MOVB2D, Instruction scheduling: these instructions wait. Decision (spec-notes S13): only for the same block, as Dst's page says.
constexpr const char* behind_moves[] = {"ELWMUL", "MVMUL", "DOTPV", "GMPOOL", "GAPOOL", "MOVD2A", "MOVD2B"};
constexpr const char* not_behind_moves[] = {"SETRWC", "INCRWC", "ELWADD", "ELWSUB", "MOVA2D", "MOVB2D", "ZEROACC", "SHIFTXA", "MOVB2A"};

std::uint64_t gap(Arch arch, const std::string& first, const std::string& second) {
    RunOptions options;
    options.timing = Timing::documented;
    const auto timeline = test::run(arch, {"", "SETDVALID setvalid=3\n.drain\n" + first + "\n" + second + "\n", ""}, options);
    if (timeline.run.fault) throw std::runtime_error(timeline.run.fault->describe());
    return starts(timeline, 1, 3).at(0) - starts(timeline, 1, 2).at(0);
}

TEST(DocumentedGaps, WhatFollowsInAUnit) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        for (const Gap& each : gaps)
            if (std::string_view(each.chips) == "both" || (std::string_view(each.chips) == "blackhole") == (arch == Arch::blackhole)) {
                EXPECT_EQ(gap(arch, each.first, each.second), each.cycles)
                    << each.first << ", " << each.second << " (" << each.chips << "): " << each.source;
            }
}

TEST(DocumentedGaps, WhoWaitsBehindAMoveToDst) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        for (const char* move : {"MOVA2D", "MOVB2D"}) {
            for (const char* other : behind_moves) {
                EXPECT_EQ(gap(arch, move, other), 5u) << move << ", " << other;
                EXPECT_EQ(gap(arch, move, other + std::string(" dst=64")), 1u) << move << ", " << other;
            }
            for (const char* other : not_behind_moves) EXPECT_EQ(gap(arch, move, other), 1u) << move << ", " << other;
        }
}

// Each is to be taken off once Tessera does as the page says.
struct Difference {
    const char* first;
    const char* second;
    const char* chips;
    std::uint64_t documented, here;
    const char* why;
};

constexpr Difference differences[] = {
    {"MOVA2D", "MVMUL dst=64", "both", 4, 1, "spec-notes S13"},
    {"MOVB2D", "MVMUL dst=64", "both", 4, 1, "spec-notes S13"},
};

TEST(DocumentedGaps, WhereTesseraDiffersFromThePages) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        for (const Difference& each : differences)
            if (std::string_view(each.chips) == "both" || (std::string_view(each.chips) == "blackhole") == (arch == Arch::blackhole)) {
                EXPECT_EQ(gap(arch, each.first, each.second), each.here) << each.first << ", " << each.second << ": " << each.why;
                EXPECT_NE(each.documented, each.here);
            }
}

}  // namespace
}  // namespace tessera
