// SPDX-License-Identifier: Apache-2.0
// Numbers of the bits of masks.
#include "util/set_bits.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

template <class Mask>
std::vector<unsigned> numbers(Mask mask) {
    std::vector<unsigned> all;
    for (const unsigned i : tessera::util::SetBits(mask)) all.push_back(i);
    return all;
}

TEST(SetBits, AreNumberedFromTheLowest) {
    EXPECT_EQ(numbers(std::uint8_t{0}), std::vector<unsigned>());
    EXPECT_EQ(numbers(std::uint8_t{0x81}), (std::vector<unsigned>{0, 7}));
    EXPECT_EQ(numbers(std::uint16_t{0x8006}), (std::vector<unsigned>{1, 2, 15}));
    EXPECT_EQ(numbers(0x8000'0000u), (std::vector<unsigned>{31}));
    EXPECT_EQ(numbers(std::uint64_t{0x8000'0001'0000'0001}), (std::vector<unsigned>{0, 32, 63}));
}

}  // namespace
