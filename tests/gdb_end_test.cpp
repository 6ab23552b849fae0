// SPDX-License-Identifier: Apache-2.0
// A debugger at the end of a run, long after its last instruction of a core.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/gdb_run.hpp"

namespace tessera::test {
namespace {

using namespace rv;

/// T1 has its MOP expander repeat a NOP 127 x 127 times.
class GdbEnd : public GdbRun {
protected:
    void SetUp() override {
        constexpr std::uint32_t mop_registers = 0xFFB8'0000, times = 127;
        std::vector<std::uint32_t> code;
        put(code, t0, mop_registers);
        put(code, t1, times);
        for (const int item : {0, 1}) code.push_back(store(Op::sw, t1, 4 * item, t0));
        put(code, t1, instruction("NOP"));
        for (int item = 2; item < 9; ++item) code.push_back(store(Op::sw, t1, 4 * item, t0));
        code.push_back(ttinsn(instruction("MOP template1, 0, 0")));
        code.push_back(jal(zero, 0));
        kernel(RiscvCore::t1, code, 0x8000);
        ASSERT_NO_FATAL_FAILURE(begin());
        client->ask("QStartNoAckMode");
    }
};

TEST_P(GdbEnd, LookingBackLeavesTheRunThere) {
    client->ask("vCont;c");
    ASSERT_TRUE(execution->ended());
    const std::uint64_t end = execution->cycle();
    EXPECT_GT(end, 127u * 127u);
    const std::string last = client->monitor("last 3");
    EXPECT_NE(last.find(fmt::format("to {:>8}", end)), std::string::npos) << last;
    EXPECT_EQ(execution->cycle(), end);
    EXPECT_EQ(client->monitor("last 3"), last);
    EXPECT_TRUE(execution->ended());
}

INSTANTIATE_TEST_SUITE_P(Archs, GdbEnd, testing::ValuesIn(all_archs), [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
