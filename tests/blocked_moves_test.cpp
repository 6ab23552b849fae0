// SPDX-License-Identifier: Apache-2.0
// MOVA2D and MOVB2D where BLOCK_DEST_MOV blocks columns: a row of Dst becomes valid if any of its columns is written (spec-notes B23).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tessera/assembly.hpp"
#include "tessera/core.hpp"

namespace {

using namespace tessera;

constexpr unsigned columns = 16, row = 40;

class BlockedMoves : public testing::TestWithParam<Arch> {
protected:
    /// Whether row 40 of Dst, invalid before, is valid after the instruction, which writes these columns.
    bool is_valid_after(const std::string& text, unsigned written, bool reference) {
        Core core(GetParam(), Reset::vendor_sim);
        const Section &valid = *core.find_section("dst_valid").value(), &lanes = *core.find_section("lane_config").value();
        core.write(valid, row, 0);
        for (unsigned pair = 0; pair < columns / 2; ++pair) core.write(lanes, pair, (~written >> 2 * pair & 3) << 9);
        const auto program = assemble(text, GetParam());
        EXPECT_TRUE(program) << text;
        const auto run = core.run(*program, {.timing = reference ? Timing::instant : Timing::documented, .reference = reference});
        EXPECT_TRUE(run && !run->fault) << text;
        return core.read(valid, row) != 0;
    }
};

TEST_P(BlockedMoves, ARowIsValidIfAnyColumnIsWritten) {
    for (const char* instruction : {"MOVA2D", "MOVB2D"})
        for (const unsigned written : {0xFFFFu, 0x8000u, 0x0001u, 0x7FFFu, 0x0000u})
            for (const bool reference : {false, true}) {
                SCOPED_TRACE(fmt::format("{} {:04X} reference {}", instruction, written, reference));
                EXPECT_EQ(is_valid_after(fmt::format("SETDVALID setvalid=3\n{} dst={}\n", instruction, row), written, reference), written != 0);
            }
}

INSTANTIATE_TEST_SUITE_P(Archs, BlockedMoves, testing::ValuesIn(all_archs), [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
