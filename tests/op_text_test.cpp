// SPDX-License-Identifier: Apache-2.0
// Ops and threads as users name them.
#include <gtest/gtest.h>

#include "tessera/execution.hpp"

namespace tessera {
namespace {

TEST(OpText, AnOpByItsNumber) {
    for (const char* text : {"T1:5", "t1:5"}) {
        const auto ops = parse_ops(text);
        ASSERT_TRUE(ops) << text;
        EXPECT_EQ(ops->thread, 1u);
        EXPECT_EQ(ops->index, 5);
        EXPECT_EQ(ops->place, "");
    }
    EXPECT_EQ(parse_ops("T0:9223372036854775807")->index, 9223372036854775807);
}

TEST(OpText, OpsByTheirLine) {
    for (const char* text : {"math.tts:22", ":22", "T.tts:1", "a:b.tts:1"}) {
        const auto ops = parse_ops(text);
        ASSERT_TRUE(ops) << text;
        EXPECT_EQ(ops->place, text);
        EXPECT_FALSE(ops->thread);
        EXPECT_FALSE(ops->index);
    }
}

TEST(OpText, WhatIsNoOp) {
    for (const char* text : {"", ":", "T1", "T1:", "T1:x", "T1:-1", "T1:0x5", "T1:9223372036854775808", "MVMUL"}) {
        const auto ops = parse_ops(text);
        ASSERT_FALSE(ops) << text;
        EXPECT_EQ(ops.error().code, "op.place") << text;
    }
    for (const char* text : {"T3:1", "t12:1"}) {
        const auto ops = parse_ops(text);
        ASSERT_FALSE(ops) << text;
        EXPECT_EQ(ops.error().code, "op.thread") << text;
    }
}

TEST(OpText, Threads) {
    EXPECT_EQ(*parse_thread("T0"), 0u);
    EXPECT_EQ(*parse_thread("t2"), 2u);
    for (const char* text : {"", "T", "T3", "T00", "0", "X1", "T-"}) {
        const auto thread = parse_thread(text);
        ASSERT_FALSE(thread) << text;
        EXPECT_EQ(thread.error().code, "op.thread") << text;
    }
}

}  // namespace
}  // namespace tessera
