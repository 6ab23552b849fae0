// SPDX-License-Identifier: Apache-2.0
// Bytes as hexadecimal digits.
#include "util/hex.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace tessera {
namespace {

TEST(Hex, HasTwoDigitsForEachByte) {
    EXPECT_EQ(util::to_hex(""), "");
    EXPECT_EQ(util::to_hex(std::string_view("\x00\x0A\xF1", 3)), "000af1");
}

TEST(Hex, GivesEveryByteBack) {
    std::vector<std::byte> bytes;
    for (unsigned value = 0; value < 256; ++value) bytes.push_back(std::byte(value));
    EXPECT_EQ(util::from_hex<std::byte>(util::to_hex(bytes)), bytes);
}

TEST(Hex, TakesDigitsOfBothCases) {
    EXPECT_EQ(util::from_hex<std::uint8_t>("aBCd"), (std::vector<std::uint8_t>{0xAB, 0xCD}));
}

TEST(Hex, RefusesHalfBytesAndOtherCharacters) {
    for (const char* text : {"0", "000", "0g", "g0", "0x", " 0", "-1"})
        EXPECT_EQ(util::from_hex<std::byte>(text), std::nullopt) << text;
}

}  // namespace
}  // namespace tessera
