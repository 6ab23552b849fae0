// SPDX-License-Identifier: Apache-2.0
// A thread's instruction FIFO.
#include "frontend/fifo.hpp"

#include <gtest/gtest.h>

namespace tessera::frontend {
namespace {

FifoEntry store(std::int16_t mop_register, std::uint32_t value) {
    return {.word = value, .mop_register = mop_register, .index = value};
}

// A core may store to MOP registers for ever, behind a thread that waits.
TEST(Fifo, KeepsOfStoresToOneRegisterTheLast) {
    Fifo fifo;
    fifo.push_store(store(3, 1));
    fifo.push_back({.word = 0x0200'0000});
    for (std::uint32_t value = 10; value < 1000; ++value)
        for (const std::int16_t of : {3, 5}) fifo.push_store(store(of, value));
    ASSERT_EQ(fifo.size(), 4u);
    EXPECT_EQ(fifo[0].word, 1u) << "an instruction lies between";
    EXPECT_EQ(fifo[1].mop_register, -1);
    EXPECT_EQ(fifo[2].mop_register, 3);
    EXPECT_EQ(fifo[2].word, 999u);
    EXPECT_EQ(fifo[2].index, 999);
    EXPECT_EQ(fifo[3].mop_register, 5);
    EXPECT_EQ(fifo[3].word, 999u);
}

}  // namespace
}  // namespace tessera::frontend
