// SPDX-License-Identifier: Apache-2.0
// Vector instructions with one operand, in each mode, over 2^32 patterns, against the reference. ./test takes evenly
// spread patterns; TESSERA_EVERY_OPERAND=1 takes all (scripts/every_operand).
#include <fmt/format.h>

#include <cstdlib>

#include "support/vector_bench.hpp"
#include "units/resolve.hpp"

namespace tessera::test {
namespace {

constexpr std::uint64_t patterns = std::uint64_t{1} << 32, spread = 32 * 4099;

struct OneOperand {
    Arch arch;
    std::string_view name;
    std::uint32_t opcode;
    std::uint32_t mode;
    std::uint32_t immediate = 0;

    std::uint32_t word() const { return vector_immediate(opcode, immediate, {0, 0, 1, 2, mode}); }
};

std::vector<OneOperand> instructions() {
    struct Row {
        std::string_view name;
        std::uint32_t opcode;
        std::vector<std::uint32_t> modes;
        std::uint32_t immediate = 0;
        bool blackhole_only = false;
    };
    // SFP_STOCH_RND to nearest: the rounding mode is in the immediate.
    const std::vector<Row> rows = {
        {"SFPDIVP2_set", 0x76, {0}, 0x85},
        {"SFPDIVP2_add", 0x76, {1}, 0x85},
        {"SFPEXEXP", 0x77, {0, 1, 2, 3, 8, 9, 10, 11}},
        {"SFPEXMAN", 0x78, {0, 1}},
        {"SFPIADD", 0x79, {1, 5, 9, 13}, 0x801},
        {"SFPSETCC", 0x7B, {0, 2, 4, 6}},
        {"SFPMOV", 0x7C, {0, 1}},
        {"SFPABS", 0x7D, {0, 1}},
        {"SFPNOT", 0x80, {0}},
        {"SFPLZ", 0x81, {0, 2, 4, 6}},
        {"SFPSETEXP", 0x82, {1}, 0x81},
        {"SFPSETMAN", 0x83, {1}, 0x5A5},
        {"SFPSETSGN", 0x89, {1}, 1},
        {"SFP_STOCH_RND", 0x8E, {0, 1, 2, 3, 6, 7, 12, 13}},
        {"SFPCAST", 0x90, {0}},
        {"SFPCAST", 0x90, {2, 3}, 0, true},
        {"SFPARECIP", 0x99, {0, 2}, 0, true},
    };
    std::vector<OneOperand> all;
    for (const Arch arch : all_archs)
        for (const Row& row : rows)
            for (const std::uint32_t mode : row.modes)
                if (arch == Arch::blackhole || !row.blackhole_only)
                    all.push_back({arch, row.name, row.opcode, mode, row.immediate});
    return all;
}

class EveryOperand : public testing::TestWithParam<OneOperand> {};

TEST_P(EveryOperand, AsTheReference) {
    const OneOperand& what = GetParam();
    const std::uint64_t step = std::getenv("TESSERA_EVERY_OPERAND") ? 32 : spread;
    state::State units(what.arch), reference(what.arch);
    const auto instruction = isa::decode(what.word(), what.arch);
    const auto model = reference::model_of(instruction);
    ASSERT_NE(model, nullptr);
    constexpr unsigned lanes = state::LRegs::lanes;
    for (std::uint64_t first = 0; first < patterns; first += step) {
        for (unsigned i = 0; i < lanes; ++i)
            units.lregs.lane[lanes + i] = reference.lregs.lane[lanes + i] = static_cast<std::uint32_t>(first + i);
        plan::Plan plan;
        units::resolve(units::StateView(instruction, 1, units, units::costs(what.arch, Timing::documented), nullptr),
                       plan);
        ASSERT_FALSE(plan.fault);
        plan::run_whole(plan, units);
        ASSERT_EQ(model(reference, 1, what.word()), reference::Outcome::done);
        ASSERT_EQ(units.lregs.lane, reference.lregs.lane) << fmt::format("from 0x{:08X}", first);
        const auto flags = state::cells::cc_block[0];
        ASSERT_EQ(units[flags], reference[flags]) << fmt::format("from 0x{:08X}", first);
        if (units[flags] != ~0u) {
            units.write(flags, ~0u);
            reference.write(flags, ~0u);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Instructions, EveryOperand, testing::ValuesIn(instructions()), [](const auto& what) {
    return fmt::format("{}_{}_mode_{}", name(what.param.arch), what.param.name, what.param.mode);
});

}  // namespace
}  // namespace tessera::test
