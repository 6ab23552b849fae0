// SPDX-License-Identifier: Apache-2.0
// Hazards between instructions of one thread: what is written late, and what three instructions in between make good.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/timeline.hpp"

namespace {

using tessera::Arch;
using tessera::test::run;
using tessera::test::Timeline;

class Hazards : public testing::TestWithParam<Arch> {
protected:
    Timeline math(const std::string& text, const tessera::RunOptions& options = {}) const {
        return run(GetParam(), {"", text, ""}, options);
    }
};

// ADDDMAREG is of the scalar unit, RDCFG of the configuration unit.
TEST_P(Hazards, WordThatTheInstructionBeforeWritesLate) {
    const std::string write = ".gpr 4 = 1\n.drain\nWRCFG GprAddress=4 CfgReg=1\n";
    const std::string use = "RDCFG GprAddress=5 CfgReg=1\n";
    EXPECT_TRUE(math(write + use).has_finding("hazard.config-late"));
    EXPECT_FALSE(math(write + "NOP\n" + use).has_finding("hazard.config-late"));
    EXPECT_FALSE(math(write + "RDCFG GprAddress=5 CfgReg=2\n").has_finding("hazard.config-late"));
}

TEST_P(Hazards, GprThatRdcfgWritesLate) {
    const std::string read = "RDCFG GprAddress=5 CfgReg=1\n";
    const std::string use = "ADDDMAREG OpBisConst=1 ResultRegIndex=6 OpBRegIndex=1 OpARegIndex=5\n";
    EXPECT_TRUE(math(read + use).has_finding("hazard.gpr-late"));
    EXPECT_FALSE(math(read + "NOP\n" + use).has_finding("hazard.gpr-late"));
    // The scalar unit holds its thread until the result is there.
    EXPECT_FALSE(math(use + "ADDDMAREG OpBisConst=1 ResultRegIndex=7 OpBRegIndex=1 OpARegIndex=6\n")
                     .has_finding("hazard.gpr-late"));
}

// SFPLOAD, Instruction scheduling: three instructions between it and the matrix instruction, or a STALLWAIT.
TEST_P(Hazards, ThreeInstructionsBetweenMatrixUnitAndSfpload) {
    const std::string write = "ZEROACC clear_mode=1\n";
    const std::string load = "SFPLOAD lreg_ind=0\n";
    for (unsigned between = 0; between < 5; ++between) {
        std::string text = write;
        for (unsigned i = 0; i < between; ++i) text += "NOP\n";
        EXPECT_EQ(math(text + load).has_finding("hazard.dst"), between < 3) << between;
        // A loop's instructions count like written ones.
        if (between == 0) continue;
        const std::string loop = write + ".repeat " + std::to_string(between) + "\nNOP\n.end\n" + load;
        EXPECT_EQ(math(loop).has_finding("hazard.dst"), between < 3) << between;
    }
    EXPECT_FALSE(math(write + "STALLWAIT stall_res=1<<8 wait_res=1<<7\n" + load).has_finding("hazard.dst"));
}

INSTANTIATE_TEST_SUITE_P(Archs, Hazards, testing::ValuesIn(tessera::all_archs),
                         [](const auto& parameter) { return std::string(tessera::name(parameter.param)); });

}  // namespace
