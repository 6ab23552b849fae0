// SPDX-License-Identifier: Apache-2.0
// Compressed streams that one implementation begins and the other ends: PACR_SETREG has no model of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tessera/assembly.hpp"
#include "tessera/core.hpp"

namespace tessera {
namespace {

class Streams : public testing::TestWithParam<Arch> {
protected:
    static constexpr std::uint32_t begin = 0x1000, bytes = 0x200;

    void SetUp() override {
        const std::string fields =
            ".cfg ALU_FORMAT_SPEC_REG2_Dstacc = 5\n.cfg PCK_EDGE_OFFSET_SEC0_mask = 0xFFFF\n.cfg "
            "PCK0_ADDR_CTRL_XY_REG_0_Ystride = 32\n"
            ".cfg PACK_COUNTERS_SEC0_pack_reads_per_xy_plane = 16\n.cfg THCON_SEC0_REG9_Pack_0_2_limit_address = "
            "0xFFFF\n"
            ".cfg THCON_SEC0_REG1_In_data_format = 5\n.cfg THCON_SEC0_REG1_Out_data_format = 5\n"
            ".cfg THCON_SEC0_REG1_Disable_zero_compress = 0\n.cfg THCON_SEC0_REG1_L1_Dest_addr = 0xFF\n"
            ".cfg THCON_SEC0_REG1_Row_start_section_size = 1\n";
        run(".thread 2\n" + fields + "SETADCXX CntSetMask=4 x_end2=15 x_start=0\n", false);
        std::vector<std::uint16_t> some(64 * 16, 0x3F80);
        for (std::size_t i = 0; i < some.size(); i += 3) some[i] = 0;
        for (std::size_t i = 0; i < some.size(); ++i) core_.dst()[i] = some[i];
        const std::vector<std::byte> filler(bytes, std::byte{0xEE});
        ASSERT_TRUE(core_.write_l1(begin, filler));
    }
    void run(const std::string& text, bool reference) {
        const auto program = assemble(text, GetParam());
        ASSERT_TRUE(program) << program.error().describe();
        RunOptions options;
        options.reference = reference;
        options.timing = Timing::instant;
        const auto done = core_.run(*program, options);
        ASSERT_TRUE(done) << done.error().describe();
        ASSERT_FALSE(done->fault) << done->fault->describe();
    }
    std::vector<std::byte> written() const { return core_.read_l1(begin, bytes).value(); }
    std::string pacr(bool last) const {
        return std::string(".thread 2\nPACR ") + (GetParam() == Arch::blackhole ? "ReadIntfSel=0" : "PackSel=1") +
               " Last=" + (last ? "1\n" : "0\n");
    }
    std::string ends() const {
        return std::string(".thread 2\nPACR_SETREG Last=1") + (GetParam() == Arch::blackhole ? "\n" : " PackSel=1\n");
    }

    Core core_{GetParam(), Reset::vendor_sim};
};

TEST_P(Streams, EndAsTheyWouldByOneImplementation) {
    const Core fresh = core_;
    for (const bool by_setreg : {true, false}) {
        const std::string end = by_setreg ? ends() : pacr(true);
        core_ = fresh;
        ASSERT_NO_FATAL_FAILURE(run(pacr(false), false));
        ASSERT_NO_FATAL_FAILURE(run(end, false));
        const auto expected = written();
        EXPECT_NE(std::count(expected.begin(), expected.end(), std::byte{0xEE}), bytes);
        for (const bool first : {false, true})
            for (const bool second : {false, true}) {
                core_ = fresh;
                ASSERT_NO_FATAL_FAILURE(run(pacr(false), first));
                ASSERT_NO_FATAL_FAILURE(run(end, second));
                EXPECT_EQ(written(), expected) << by_setreg << first << second;
            }
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, Streams, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera
