// SPDX-License-Identifier: Apache-2.0
// The catalogue: each example has its fault or finding, its cure has not, and each code has its page.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "findings/catalogue.hpp"
#include "findings/examples.hpp"
#include "tessera/assembly.hpp"
#include "tessera/core.hpp"
#include "tessera/finding_catalogue.hpp"

namespace tessera {
namespace {

struct Outcome {
    std::vector<std::string> codes;  ///< of the findings, then of the fault
    bool fault = false;
};

Outcome run(Arch arch, const std::string& text, Timing timing = default_timing) {
    const auto program = assemble(text, arch);
    EXPECT_TRUE(program) << (program ? "" : program.error().describe()) << '\n' << text;
    Outcome outcome;
    if (!program) return outcome;
    Core core{arch};
    const auto run = core.run(*program, {.timing = timing, .max_cycles = 10'000});
    EXPECT_TRUE(run) << text;
    for (const auto& finding : run->findings) outcome.codes.push_back(finding.code);
    if (run->fault) outcome.codes.push_back(run->fault->code);
    outcome.fault = run->fault.has_value();
    return outcome;
}

TEST(FindingExamples, EachHasItsFindingAndItsCureDoesNot) {
    std::size_t examples = 0, cures = 0;
    const auto all = describe_findings().value();
    for (const FindingInfo& info : all) {
        if (info.example.empty()) continue;
        ++examples;
        EXPECT_THAT(run(info.example_arch, info.setup + info.example).codes, testing::Contains(info.code)) << info.example;
        if (info.cured.empty()) continue;
        ++cures;
        const Outcome cured = run(info.example_arch, info.setup + info.cured);
        EXPECT_THAT(cured.codes, testing::Not(testing::Contains(info.code))) << info.cured;
        EXPECT_FALSE(cured.fault) << info.code << '\n' << info.cured;
    }
    EXPECT_GE(examples, 110u);
    EXPECT_GE(cures, 100u);
}

// docs/functional.md lists those that only a timed run finds, and says that there are no hazards without time.
TEST(FindingExamples, ThePageListsThoseThatNeedTime) {
    std::ifstream file(TESSERA_SOURCE_DIR "/docs/functional.md");
    const std::string page(std::istreambuf_iterator<char>(file), {});
    std::size_t listed = 0;
    const auto all = describe_findings().value();
    for (const FindingInfo& info : all) {
        if (info.example.empty() || info.fault || info.code.starts_with("hazard.")) continue;
        const bool is_listed = page.find('`' + info.code + '`') != std::string::npos;
        const auto codes = run(info.example_arch, info.setup + info.example, Timing::functional).codes;
        EXPECT_NE(testing::Value(codes, testing::Contains(info.code)), is_listed) << info.code;
        listed += is_listed;
    }
    EXPECT_GE(listed, 6u);
}

// As the instructions of a row of an example's table could be of a code that is gone.
TEST(FindingExamples, EachIsOfACode) {
    std::size_t of_codes = 0;
    for (const auto code : findings::codes) of_codes += findings::example_of(code) != nullptr;
    EXPECT_EQ(of_codes, findings::example_count());
}

TEST(DescribeFindings, ByCodeByAreaAndAll) {
    const auto one = describe_findings("hazard.dst").value();
    ASSERT_EQ(one.size(), 1u);
    EXPECT_EQ(one[0].level, Level::warning);
    EXPECT_FALSE(one[0].fault);
    const auto area = describe_findings("hazard").value();
    for (const auto& info : area) EXPECT_TRUE(info.code.starts_with("hazard.")) << info.code;
    EXPECT_EQ(describe_findings().value().size(), std::size(findings::codes));
    EXPECT_EQ(describe_findings("hazar").error().code, "finding.unknown");
    EXPECT_EQ(describe_findings("hazard.dst.x").error().code, "finding.unknown");
}

// A heading's anchor, as GitHub makes it: letters, digits, '_' and '-' stay, a space becomes '-'.
std::string anchor_of(std::string_view heading) {
    std::string anchor;
    for (const char c : heading)
        if (c == ' ')
            anchor += '-';
        else if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-')
            anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return anchor;
}

TEST(DescribeFindings, EachPageHasTheHeading) {
    const auto all = describe_findings().value();
    for (const FindingInfo& info : all) {
        const std::size_t end = info.page.find('#');
        ASSERT_NE(end, info.page.npos) << info.code;
        std::ifstream page(TESSERA_SOURCE_DIR "/docs/" + info.page.substr(0, end));
        ASSERT_TRUE(page) << info.page;
        std::vector<std::string> anchors;
        for (std::string line; std::getline(page, line);)
            if (line.starts_with("## ")) anchors.push_back(anchor_of(line.substr(3)));
        EXPECT_THAT(anchors, testing::Contains(info.page.substr(end + 1))) << info.page;
    }
}

TEST(DescribeFindings, TextHasAllParts) {
    const std::string text = describe_findings("sync.get-at-0").value()[0].describe();
    EXPECT_THAT(text, testing::StartsWith("sync.get-at-0 (warning): a get of a semaphore at 0\n"));
    for (const char* part : {"\n  message  ", "\n  silicon  ", "\n  cure     ", "\n  source   ", "\n  page     docs/reference/findings/config-and-sync.md#syncget-at-0\n", "\n  example, blackhole\n    SEMGET",
                             "\n  cured\n    SEMPOST"})
        EXPECT_THAT(text, testing::HasSubstr(part));
}

}  // namespace
}  // namespace tessera
