// SPDX-License-Identifier: Apache-2.0
// Ops and threads as users name them.
#include <gtest/gtest.h>

#include "tessera/assembly.hpp"
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

// A line of the text is an op; `.cfg` is a store of the thread's core, and issues nothing.
TEST(OpText, OpsThatAProgramNeverIssues) {
    const Program program = assemble(".thread math\n.cfg ALU_FORMAT_SPEC_REG0_SrcA = 1\nNOP\nNOP\n", Arch::blackhole, "math.tts").value();
    const struct {
        Breakpoints::Instruction ops;
        const char* why;
    } rows[] = {
        {{.thread = {}, .index = {}, .place = {}, .name = "MVMUL"}, ""},
        {{.thread = 1, .index = {}, .place = {}, .name = {}}, ""},
        {{.thread = 1, .index = 2, .place = "math.tts:4", .name = {}}, ""},
        {{.thread = {}, .index = 1, .place = {}, .name = {}}, ""},
        {{.thread = 1, .index = 0, .place = {}, .name = {}}, "no instruction stands there, so none is issued"},
        {{.thread = 1, .index = 3, .place = {}, .name = "NOP"}, "T1 has ops 0 to 2"},
        {{.thread = 2, .index = {}, .place = {}, .name = {}}, "T2 has no ops"},
        {{.thread = 3, .index = {}, .place = {}, .name = {}}, "there is no thread 3"},
        {{.thread = {}, .index = 3, .place = {}, .name = {}}, "no thread has an op 3"},
        {{.thread = {}, .index = {}, .place = ":9", .name = {}}, "no op comes from :9"},
        {{.thread = 1, .index = 1, .place = ":4", .name = {}}, "no such op comes from :4"},
    };
    for (const auto& row : rows) EXPECT_EQ(never_issued(row.ops, program), row.why);
    EXPECT_TRUE(selects(rows[2].ops, program, 1, 2));
    EXPECT_FALSE(selects(rows[2].ops, program, 1, 1));
    EXPECT_FALSE(selects(rows[2].ops, program, 1, -1));
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
