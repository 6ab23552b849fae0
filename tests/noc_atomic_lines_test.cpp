// SPDX-License-Identifier: Apache-2.0
// All operations of atomics on a line of L1, against the literal model (reference/noc/request/atomics.hpp).
#include "noc/atomics.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <random>
#include <string>

#include "reference/noc/request/atomics.hpp"

namespace {

using namespace tessera;

using Line = std::array<std::uint8_t, 16>;

class NocAtomicLines : public testing::TestWithParam<Arch> {
protected:
    Line any_line() {
        Line line;
        for (std::uint8_t& byte : line) byte = static_cast<std::uint8_t>(random());
        return line;
    }
    /// The line behind an operation by both, if the pages define it.
    void compare(std::uint32_t operands, std::uint32_t data, const Line& before) {
        Line ours = before, theirs = before;
        const bool defined = reference::noc::perform_atomic(GetParam(), theirs, operands, data).has_value();
        if (!defined) return;
        noc::do_atomic(GetParam(), operands, data, 0, ours);
        ASSERT_EQ(ours, theirs) << std::hex << "0x" << operands << ", data 0x" << data;
        ++compared;
    }
    std::mt19937 random{11};
    unsigned compared = 0;
};

class NocAtomicLinesOnBlackhole : public NocAtomicLines {};  // which adds all the lanes of a line

TEST_P(NocAtomicLines, AreThoseOfThePages) {
    for (std::uint32_t operands = 0; operands < 0x1'0000; ++operands) {
        const std::uint32_t data = random() % 4 ? static_cast<std::uint32_t>(random()) : static_cast<std::uint32_t>(random() % 4);
        Line line = any_line();
        // Compare and swap needs small words.
        if (random() % 2)
            for (std::size_t i = 0; i < line.size(); i += 4) line[i] &= 15, line[i + 1] = line[i + 2] = line[i + 3] = 0;
        ASSERT_NO_FATAL_FAILURE(compare(operands | static_cast<std::uint32_t>(random() % 2) << 16, data, line));
    }
    EXPECT_GT(compared, 5u * 4096);
}

TEST_P(NocAtomicLines, NoOthersAreKnown) {
    for (std::uint32_t operands = 0; operands < 0x1'0000; ++operands) {
        Line line{};
        const bool listed = reference::noc::perform_atomic(GetParam(), line, operands, 0).has_value();
        ASSERT_EQ(noc::is_known_atomic(GetParam(), operands), listed) << std::hex << "0x" << operands;
        const bool adds = GetParam() == Arch::blackhole && operands >> 12 == 9;
        ASSERT_EQ(noc::is_parallel_addition(GetParam(), operands), adds) << std::hex << "0x" << operands;
    }
}

// Sums of small multiples of one half are exact in each format.
TEST_P(NocAtomicLinesOnBlackhole, FloatsAreAddedInTheirLanes) {
    const auto half_of = [&](float value) { return static_cast<std::uint32_t>(std::bit_cast<std::uint32_t>(value) >> 16); };
    const auto binary16 = [&](float value) {
        const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
        return value == 0 ? 0 : (bits >> 16 & 0x8000) | ((bits >> 23 & 255) - 112) << 10 | (bits >> 13 & 0x3FF);
    };
    const auto value = [&] { return static_cast<float>(1 + random() % 60) / 2 * (random() % 2 ? 1.0f : -1.0f); };
    const auto word = [&](std::uint32_t format) {
        if (format % 8 == 0) return std::bit_cast<std::uint32_t>(value());
        if (format % 8 == 1) return binary16(value()) | binary16(value()) << 16;
        return half_of(value()) | half_of(value()) << 16;
    };
    for (const std::uint32_t format : {0u, 1u, 2u, 8u, 9u, 10u})
        for (unsigned i = 0; i < 200; ++i) {
            Line line;
            for (std::size_t at = 0; at < line.size(); at += 4) {
                const std::uint32_t addend = word(format);
                std::memcpy(&line[at], &addend, sizeof addend);
            }
            ASSERT_NO_FATAL_FAILURE(compare(9u << 12 | format, word(format), line)) << format;
        }
    EXPECT_EQ(compared, 6u * 200);
}

// NoC/Atomics: the response has the word that NOC_TARG_ADDR names, whichever word the operation changes.
TEST_P(NocAtomicLines, TheResultIsTheWordOfTheAddress) {
    Line line{};
    for (std::uint8_t i = 0; i < line.size(); ++i) line[i] = i;
    for (const std::uint32_t address : {0x1000u, 0x1004u, 0x1008u, 0x100Cu}) {
        Line changed = line;
        const std::uint32_t word = address % 16, expected = word | (word + 1) << 8 | (word + 2) << 16 | (word + 3) << 24;
        EXPECT_EQ(noc::do_atomic(GetParam(), 7u << 12 | 2u << 2, 0xFFFF'FFFF, address, changed), expected);
        EXPECT_EQ(changed[8], 0xFF);
        EXPECT_EQ(changed[12], 12);
    }
}

INSTANTIATE_TEST_SUITE_P(Chips, NocAtomicLines, testing::ValuesIn(all_archs), [](const auto& chip) { return std::string(name(chip.param)); });
INSTANTIATE_TEST_SUITE_P(Blackhole, NocAtomicLinesOnBlackhole, testing::Values(Arch::blackhole),
                         [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
