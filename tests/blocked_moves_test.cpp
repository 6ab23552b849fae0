// SPDX-License-Identifier: Apache-2.0
// Moves where BLOCK_DEST_MOV blocks columns: these keep their datums. A row of Dst becomes valid if any of its columns is
// written (spec-notes B23).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tessera/assembly.hpp"
#include "tessera/core.hpp"

namespace {

using namespace tessera;

constexpr unsigned columns = 16, row = 40;

class BlockedMoves : public testing::TestWithParam<Arch> {
protected:
    const Section& section(const char* name) { return *core_.find_section(name).value(); }

    /// Runs it on both banks of the matrix unit, with moves that write these columns.
    void run(const std::string& text, unsigned written, bool reference) {
        for (unsigned pair = 0; pair < columns / 2; ++pair) core_.write(section("lane_config"), pair, (~written >> 2 * pair & 3) << 9);
        const auto program = assemble("SETDVALID setvalid=3\n" + text, GetParam());
        ASSERT_TRUE(program) << text;
        const auto run = core_.run(*program, {.timing = reference ? Timing::instant : Timing::documented, .reference = reference});
        ASSERT_TRUE(run && !run->fault) << text;
    }
    /// Whether row 40 of Dst, invalid before, is valid after the instruction.
    bool is_valid_after(const std::string& text, unsigned written, bool reference) {
        core_.reset(Reset::vendor_sim);
        core_.write(section("dst_valid"), row, 0);
        run(text, written, reference);
        return core_.read(section("dst_valid"), row) != 0;
    }

    Core core_{GetParam(), Reset::vendor_sim};
};

TEST_P(BlockedMoves, ARowIsValidIfAnyColumnIsWritten) {
    for (const char* instruction : {"MOVA2D", "MOVB2D"})
        for (const unsigned written : {0xFFFFu, 0x8000u, 0x0001u, 0x7FFFu, 0x0000u})
            for (const bool reference : {false, true}) {
                SCOPED_TRACE(fmt::format("{} {:04X} reference {}", instruction, written, reference));
                EXPECT_EQ(is_valid_after(fmt::format("{} dst={}\n", instruction, row), written, reference), written != 0);
            }
}

// MOVB2A, Functional model: a blocked column of SrcA keeps its datum.
TEST_P(BlockedMoves, Movb2aWritesNoBlockedColumn) {
    constexpr std::uint32_t old = 130, moved = 127;  // exponents of 8 and 1 in stored order
    constexpr unsigned from = 8, to = 4, most_rows = 4;
    for (const unsigned rows : {1u, most_rows})
        for (const unsigned written : {0xFFFFu, 0x8000u, 0xAAAAu, 0x0000u})
            for (const bool reference : {false, true}) {
                SCOPED_TRACE(fmt::format("{} rows, {:04X} reference {}", rows, written, reference));
                core_.reset(Reset::vendor_sim);
                for (unsigned i = 0; i < most_rows * columns; ++i) {
                    core_.write(section("src_a"), to * columns + i, old);
                    core_.write(section("src_b"), from * columns + i, moved);
                }
                run(fmt::format("MOVB2A srca={} srcb={} instr_mod={}\n", to, from, rows == 1 ? 0 : 2), written, reference);
                for (unsigned i = 0; i < most_rows * columns; ++i)
                    EXPECT_EQ(core_.read(section("src_a"), to * columns + i),
                              i < rows * columns && written >> i % columns & 1 ? moved : old)
                        << i;
            }
}

INSTANTIATE_TEST_SUITE_P(Archs, BlockedMoves, testing::ValuesIn(all_archs), [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
