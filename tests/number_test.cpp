// SPDX-License-Identifier: Apache-2.0
// Numbers in text: parse_number(), and every option and command of the CLI that takes one.
#include "tessera/number.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_cli.hpp"

namespace tessera {
namespace {

TEST(Numbers, AreDecimalOrHexadecimal) {
    EXPECT_EQ(parse_number("0"), 0u);
    EXPECT_EQ(parse_number("0017"), 17u);
    EXPECT_EQ(parse_number("18446744073709551615"), ~std::uint64_t{0});
    EXPECT_EQ(parse_number("0xfF"), 255u);
    EXPECT_EQ(parse_number("0XFFFFFFFFFFFFFFFF"), ~std::uint64_t{0});
    for (const char* text : {"", "0x", "0X", "-1", "+1", " 1", "1 ", "1x", "0x1g", "ff", "x1", "0x-1", "0x0x1",
                             "18446744073709551616", "0x10000000000000000"})
        EXPECT_EQ(parse_number(text), std::nullopt) << text;
}

// Each option reads both spellings of the prefix alike, and refuses what is no number or too large.
TEST(Numbers, OptionsReadThemAlike) {
    const std::string job = TESSERA_SOURCE_DIR "/examples/deadlock/runs/job.toml";
    const std::vector<std::pair<std::vector<std::string>, bool>> commands = {
        {{"record", job, "--dump", "{}10:{}10"}, false},
        {{"regs", "{}10"}, true},
        {{"regs", "1", "--value", "{}5"}, true},
        {{"disasm", "{}02000000"}, true},
        {{"step", job, "-c", "print l1 {}10 {}10"}, false},
    };
    const auto with = [](std::vector<std::string> words, const std::string& prefix) {
        for (std::string& word : words)
            for (std::size_t at; (at = word.find("{}")) != word.npos;) word.replace(at, 2, prefix);
        return test::run_cli(words);
    };
    for (const auto& [command, of_32_bits] : commands) {
        SCOPED_TRACE(fmt::format("{}", fmt::join(command, " ")));
        const auto lower = with(command, "0x"), upper = with(command, "0X");
        EXPECT_EQ(lower.status, 0) << lower.err;
        EXPECT_EQ(upper.status, 0) << upper.err;
        EXPECT_EQ(upper.out, lower.out);
        EXPECT_FALSE(lower.out.empty());
        EXPECT_NE(with(command, "0xg").status, 0);
        const auto large = with(command, "0xfffffffff");
        EXPECT_EQ(large.err.find("not a 32-bit number") != std::string::npos, of_32_bits) << large.err;
    }
}

}  // namespace
}  // namespace tessera
