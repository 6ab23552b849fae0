// SPDX-License-Identifier: Apache-2.0
// Findings about a REPLAY or a MOP itself are of its op, and of no place in its expansion.
#include <gtest/gtest.h>

#include <stdexcept>

#include "support/timeline.hpp"

namespace tessera::test {
namespace {

class FrontEndFindings : public testing::TestWithParam<Arch> {
protected:
    Where where_of(const std::string& code, const std::string& text) {
        const Timeline timeline = run(GetParam(), {"", text, ""});
        for (const Finding& each : timeline.run.findings)
            if (each.code == code) return each.where;
        throw std::runtime_error("no " + code);
    }
};

TEST_P(FrontEndFindings, ARecordingThatIsOpenIsOfItsReplay) {
    const Where where = where_of("frontend.recording-open", "NOP\nREPLAY load_mode=1 len=5\nNOP\n");
    EXPECT_EQ(where.thread, 1);
    EXPECT_EQ(where.index, 1);
    EXPECT_EQ(where.position, -1);
    EXPECT_EQ(where.instruction.substr(0, 6), "REPLAY");
    EXPECT_GT(where.cycle, 0u);
}

TEST_P(FrontEndFindings, AMopWhoseRegisterIsStoredTooEarlyIsOfItsOp) {
    const std::string text = ".mop flags0 = 0\n.mop a0 = NOP\nMOP mop_type=template0 loop_count=20\n.mop a0 = DMANOP\n";
    const Where where = where_of("hazard.mop-overtaken", text);
    EXPECT_EQ(where.thread, 1);
    EXPECT_EQ(where.index, 2);
    EXPECT_EQ(where.position, -1);
    EXPECT_EQ(where.instruction.substr(0, 3), "MOP");
}

INSTANTIATE_TEST_SUITE_P(Archs, FrontEndFindings, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
