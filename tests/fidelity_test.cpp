// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "support/temporary_directory.hpp"
#include "tessera/fidelity.hpp"
#include "tessera/instruction_set.hpp"

namespace tessera::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A case in which T0 sets the low half of GPR 2, expected to be 0x1234, and T1 moves an unused counter.
class FidelityEvidence : public testing::Test {
protected:
    std::string write(std::string_view folder, unsigned expected) {
        std::filesystem::create_directory(directory_ / folder);
        const std::string path = (std::filesystem::path(directory_ / folder) / "a_case.json").string();
        constexpr unsigned setdmareg = 0x45123404, setadcxx = 0x5E200401;
        std::ofstream(path) << fmt::format(
            R"({{"format": "tessera-case-1", "name": "a_case", "category": "a", "arch": "blackhole", "note": "",
                "timing": "instant", "l1": [], "threads": [[{{"ins": {}}}], [{{"ins": {}}}], []], "dump": [],
                "expect": {{"gpr": {{"0": {{"2": {}}}}}}}}})",
            setdmareg, setadcxx, expected);
        return path;
    }
    std::string gather(const std::string& path) {
        const auto evidence = gather_fidelity_evidence({path});
        return evidence ? *evidence : evidence.error().message;
    }

    TemporaryDirectory directory_;
};

TEST_F(FidelityEvidence, IsACaseThatPassesAndNeedsTheInstruction) {
    EXPECT_THAT(gather(write("blackhole", 0x1234)),
                HasSubstr(R"({Arch::blackhole, "SETDMAREG", "immediate: all", false, "blackhole/a_case"},)"));
}

TEST_F(FidelityEvidence, OfAModelIsNotTheVendors) {
    EXPECT_THAT(gather(write("some-model", 0x1234)),
                HasSubstr(R"({Arch::blackhole, "SETDMAREG", "immediate: all", true, "some-model/a_case"},)"));
}

TEST_F(FidelityEvidence, IsNothingThatTheEndDoesNotDependOn) {
    EXPECT_THAT(gather(write("blackhole", 0x1234)), Not(HasSubstr("SETADCXX")));
}

TEST_F(FidelityEvidence, IsNothingThatAnotherCaseDisproves) {
    const std::string good = write("blackhole", 0x1234);
    const std::string bad = std::filesystem::path(good).parent_path() / "b_case.json";
    std::filesystem::copy_file(good, bad);
    write("blackhole", 0x1235);
    for (const auto& order : {std::vector{good, bad}, std::vector{bad, good}}) {
        const auto evidence = gather_fidelity_evidence(order);
        ASSERT_TRUE(evidence);
        EXPECT_THAT(*evidence, Not(HasSubstr("SETDMAREG")));
    }
}

TEST_F(FidelityEvidence, IsNoCaseThatFails) {
    EXPECT_THAT(gather(write("blackhole", 0x1235)), Not(HasSubstr("SETDMAREG")));
}

TEST(Fidelity, EveryInstructionHasLinesAndEveryLineABasis) {
    for (const Arch arch : all_archs) {
        std::set<std::string> reported;
        for (const FidelityLine& line : fidelity_of(arch)) {
            reported.insert(line.instruction);
            EXPECT_FALSE(line.basis.empty()) << line.instruction << " " << line.setting << "=" << line.value;
            EXPECT_EQ(line.arch, arch);
        }
        for (const InstructionInfo& info : instruction_set(arch))
            EXPECT_TRUE(reported.contains(info.name)) << info.name;
    }
}

TEST(Fidelity, OfOneInstructionIsPartOfTheWhole) {
    const auto all = fidelity_of(Arch::wormhole), one = fidelity_of(Arch::wormhole, "sfpmad");
    ASSERT_FALSE(one.empty());
    std::size_t found = 0;
    for (const FidelityLine& line : all) found += line.instruction == "SFPMAD";
    EXPECT_EQ(found, one.size());
    EXPECT_TRUE(fidelity_of(Arch::wormhole, "SFPMUL24").empty());
}

// No document says what these do.
TEST(Fidelity, OnlyTheseInstructionsAreUnsupported) {
    const std::set<std::string> allowed = {"TBUFCMD",    "RSTDMA",    "RAREB",      "SETASHRMH", "SETASHRMH0",
                                           "SETASHRMH1", "SETASHRMV", "SETPKEDGOF", "SETIBRWC",  "TRNSPSRCA"};
    for (const Arch arch : all_archs) {
        std::set<std::string> supported, unsupported;
        for (const FidelityLine& line : fidelity_of(arch))
            (line.level == Fidelity::unsupported ? unsupported : supported).insert(line.instruction);
        for (const std::string& name : unsupported)
            EXPECT_TRUE(allowed.contains(name) || supported.contains(name)) << name;
        for (const std::string& name : allowed) EXPECT_FALSE(supported.contains(name)) << name;
    }
}

TEST(Fidelity, ValuesWithTheSameBasisAreJoined) {
    FidelityLine line;
    line.instruction = "A";
    line.setting = "mode";
    line.value = "0";
    FidelityLine same = line, other = line;
    same.value = "1";
    other.value = "2";
    other.level = Fidelity::decided;
    const auto joined = with_joined_values({line, same, other});
    ASSERT_EQ(joined.size(), 2u);
    EXPECT_EQ(joined[0].value, "0; 1");
    EXPECT_EQ(joined[1].value, "2");
}

}  // namespace
}  // namespace tessera::test
