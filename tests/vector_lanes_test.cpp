// SPDX-License-Identifier: Apache-2.0
// The vector unit's simple instructions: bits, fields, integers, comparisons, lane flags, enabled lanes. All host
// vector instruction sets give the same results.
#include <gtest/gtest.h>

#include <random>

#include "support/each_target.hpp"
#include "support/random_state.hpp"
#include "support/vector_machine.hpp"

namespace tessera {
namespace {

using test::VectorMachine;

constexpr unsigned lanes = VectorMachine::lanes;
constexpr std::uint32_t sign = 0x80000000;

class LaneInstructions : public testing::TestWithParam<Arch> {
protected:
    void SetUp() override {
        for (unsigned r = 0; r < 8; ++r)
            for (auto& x : machine.lreg(r)) x = static_cast<std::uint32_t>(random());
    }
    /// Runs the instruction with VC = LReg 2 and VD = LReg 3, and holds what it leaves against f(VC, old VD).
    template <class F>
    void expect(std::string_view line, F&& f) {
        for (int i = 0; i < 50; ++i) {
            SetUp();
            if (i % 2)  // both alike, zero, the lowest and the largest, NaN and infinity
                for (unsigned lane = 0; lane < 24; ++lane) {
                    constexpr std::uint32_t special[] = {0, sign, 0x7FFFFFFF, ~0u, 0x7F800000, 0xFF800000, 0xFF800001};
                    machine.lreg(2 + lane % 2)[lane] = special[lane % 7];
                }
            const auto before = machine.state.lregs.lane;
            machine.run(std::string(line) + " lreg_c=2 lreg_dest=3");
            for (unsigned lane = 0; lane < lanes; ++lane) {
                const std::uint32_t c = before[2 * lanes + lane], d = before[3 * lanes + lane];
                ASSERT_EQ(machine.lreg(3)[lane], f(c, d)) << line << std::hex << " " << c << " " << d;
            }
        }
    }

    std::mt19937_64 random{4};
    VectorMachine machine{GetParam()};
};

TEST_P(LaneInstructions, Bits) {
    expect("SFPAND", [](auto c, auto d) { return c & d; });
    expect("SFPOR", [](auto c, auto d) { return c | d; });
    expect("SFPXOR", [](auto c, auto d) { return c ^ d; });
    expect("SFPNOT", [](auto c, auto) { return ~c; });
    expect("SFPMOV", [](auto c, auto) { return c; });
    expect("SFPMOV instr_mod1=1", [](auto c, auto) { return c ^ sign; });
    expect("SFPLZ", [](auto c, auto) { return static_cast<std::uint32_t>(std::countl_zero(c)); });
    expect("SFPLZ instr_mod1=4", [](auto c, auto) { return static_cast<std::uint32_t>(std::countl_zero(c & ~sign)); });
}

TEST_P(LaneInstructions, Shifts) {
    const auto logical = [](std::uint32_t x, std::int64_t by) { return by >= 0 ? x << (by & 31) : x >> (-by & 31); };
    expect("SFPSHFT", [&](auto c, auto d) { return logical(d, static_cast<std::int32_t>(c)); });
    expect("SFPSHFT instr_mod1=1 imm12_math=5", [&](auto, auto d) { return logical(d, 5); });
    expect("SFPSHFT instr_mod1=1 imm12_math=0xFF0", [&](auto, auto d) { return logical(d, -16); });
    if (GetParam() == Arch::wormhole) {
        const auto plan = machine.run("SFPSHFT instr_mod1=3 lreg_dest=3");
        ASSERT_EQ(plan.findings.size(), 1u);
        EXPECT_EQ(plan.findings[0].id, findings::id("vector.reserved-mode"));
        return;
    }
    const auto arithmetic = [&](std::uint32_t x, std::int64_t by) {
        return by >= 0 ? logical(x, by) : static_cast<std::uint32_t>(static_cast<std::int32_t>(x) >> (-by & 31));
    };
    expect("SFPSHFT instr_mod1=2", [&](auto c, auto d) { return arithmetic(d, static_cast<std::int32_t>(c)); });
    expect("SFPSHFT instr_mod1=3 imm12_math=0xFFC", [&](auto, auto d) { return arithmetic(d, -4); });
    expect("SFPSHFT instr_mod1=5 imm12_math=0xFFC", [&](auto c, auto) { return logical(c, -4); });
    expect("SFPSHFT instr_mod1=7 imm12_math=0xFFC", [&](auto c, auto) { return arithmetic(c, -4); });
    // Reserved ones: what silicon does.
    expect("SFPSHFT instr_mod1=6", [&](auto c, auto d) { return arithmetic(d, static_cast<std::int32_t>(c)); });
    expect("SFPSHFT instr_mod1=13 imm12_math=3", [&](auto c, auto) { return logical(c, 3); });
}

TEST(LaneInstructionsOfBlackhole, AndAndOrHaveAnotherRegister) {
    VectorMachine machine(Arch::blackhole);
    machine.fill(1, 0x0FF0);
    machine.fill(2, 0x00FF);
    machine.fill(3, 0xF000);
    machine.run("SFPAND imm12_math=1 lreg_c=2 lreg_dest=3 instr_mod1=1");
    EXPECT_EQ(machine.lreg(3)[0], 0x00F0u);
    machine.run("SFPOR imm12_math=1 lreg_c=2 lreg_dest=3 instr_mod1=1");
    EXPECT_EQ(machine.lreg(3)[0], 0x0FFFu);
}

TEST_P(LaneInstructions, Fields) {
    constexpr std::uint32_t mantissa = 0x007FFFFF, exponent = 0x7F800000;
    expect("SFPSETSGN", [](auto c, auto d) { return (c & ~sign) | (d & sign); });
    expect("SFPSETSGN instr_mod1=1", [](auto c, auto) { return c & ~sign; });
    expect("SFPSETSGN instr_mod1=1 imm12_math=1", [](auto c, auto) { return c | sign; });
    expect("SFPSETEXP", [](auto c, auto d) { return (c & ~exponent) | (d & 255) << 23; });
    expect("SFPSETEXP instr_mod1=2", [](auto c, auto d) { return (c & ~exponent) | (d & exponent); });
    expect("SFPSETEXP instr_mod1=1 imm12_math=0x81", [](auto c, auto) { return (c & ~exponent) | 0x81u << 23; });
    expect("SFPSETEXP instr_mod1=3 imm12_math=0x81", [](auto c, auto) { return (c & ~exponent) | 0x81u << 23; });
    expect("SFPSETMAN", [](auto c, auto d) { return (c & ~mantissa) | (d & mantissa); });
    expect("SFPSETMAN instr_mod1=1 imm12_math=0x801", [](auto c, auto) { return (c & ~mantissa) | 0x801u << 11; });
    expect("SFPEXMAN", [](auto c, auto) { return (c & mantissa) | 1u << 23; });
    expect("SFPEXMAN instr_mod1=1", [](auto c, auto) { return c & mantissa; });
    expect("SFPDIVP2 imm12_math=0x7F", [](auto c, auto) { return (c & ~exponent) | 0x7Fu << 23; });
    expect("SFPDIVP2 imm12_math=0xFFE instr_mod1=1", [](std::uint32_t c, auto) {
        const std::uint32_t e = c >> 23 & 255;
        return e == 255 ? c : (c & ~exponent) | ((e - 2) & 255) << 23;
    });
}

TEST_P(LaneInstructions, ReservedBitsOfModesAreTold) {
    for (const char* line :
         {"SFPDIVP2 instr_mod1=2", "SFPEXEXP instr_mod1=4", "SFPEXMAN instr_mod1=2", "SFPABS instr_mod1=2",
          "SFPSETSGN instr_mod1=2", "SFPLZ instr_mod1=1", "SFPMOV instr_mod1=4", "SFPCAST instr_mod1=8"}) {
        const std::uint32_t word = test::word(line, GetParam());
        const auto plan = machine.resolve(word);
        ASSERT_EQ(plan.findings.size(), 1u) << line;
        EXPECT_EQ(plan.findings[0].id, findings::id("vector.reserved-mode")) << line;
        const auto without = machine.resolve((word & ~15u) | plan.findings[0].values[1]);
        EXPECT_TRUE(without.findings.empty());
        EXPECT_TRUE(plan.work == without.work) << line;
    }
}

TEST_P(LaneInstructions, Integers) {
    expect("SFPIADD instr_mod1=4", [](auto c, auto d) { return c + d; });
    expect("SFPIADD instr_mod1=6", [](auto c, auto d) { return c - d; });
    expect("SFPIADD instr_mod1=5 imm12_math=0xFFF", [](auto c, auto) { return c - 1; });
    expect("SFPIADD instr_mod1=7 imm12_math=0x7FF", [](auto c, auto) { return c + 0x7FF; });
    expect("SFPEXEXP", [](std::uint32_t c, auto) { return (c >> 23 & 255) - 127; });
    expect("SFPEXEXP instr_mod1=1", [](std::uint32_t c, auto) { return c >> 23 & 255; });
    expect("SFPABS", [](std::uint32_t c, auto) { return c & sign ? 0 - c : c; });
    // Negative NaN stays; negative infinity does not.
    expect("SFPABS instr_mod1=1", [](std::uint32_t c, auto) { return c > 0xFF800000 ? c : c & ~sign; });
}

TEST_P(LaneInstructions, FlagsOfIntegers) {
    constexpr std::uint32_t old = 0x5A5AF00F;
    machine.use_flags(old);
    struct Case {
        const char* line;
        bool (*flag)(std::uint32_t result, std::uint32_t source, bool old);
    };
    constexpr Case cases[] = {
        {"SFPIADD instr_mod1=0", [](auto r, auto, bool) { return r >= sign; }},
        {"SFPIADD instr_mod1=4", [](auto, auto, bool was) { return was; }},
        {"SFPIADD instr_mod1=8", [](auto r, auto, bool) { return r < sign; }},
        {"SFPIADD instr_mod1=12", [](auto, auto, bool was) { return !was; }},
        {"SFPIADD instr_mod1=2", [](auto r, auto, bool) { return r >= sign; }},
        {"SFPLZ", [](auto, auto, bool was) { return was; }},
        {"SFPLZ instr_mod1=2", [](auto, auto c, bool) { return c != 0; }},
        {"SFPLZ instr_mod1=10", [](auto, auto c, bool) { return c == 0; }},
        {"SFPLZ instr_mod1=8", [](auto, auto, bool was) { return !was; }},
        {"SFPLZ instr_mod1=6", [](auto, auto c, bool) { return (c & ~sign) != 0; }},
        {"SFPEXEXP", [](auto, auto, bool was) { return was; }},
        {"SFPEXEXP instr_mod1=2", [](auto r, auto, bool) { return r >= sign; }},
        {"SFPEXEXP instr_mod1=10", [](auto r, auto, bool) { return r < sign; }},
        {"SFPEXEXP instr_mod1=8", [](auto, auto, bool was) { return !was; }},
        {"SFPSETCC", [](auto, auto c, bool) { return c >= sign; }},
        {"SFPSETCC instr_mod1=2", [](auto, auto c, bool) { return c != 0; }},
        {"SFPSETCC instr_mod1=4", [](auto, auto c, bool) { return c < sign; }},
        {"SFPSETCC instr_mod1=6", [](auto, auto c, bool) { return c == 0; }},
        {"SFPSETCC instr_mod1=1", [](auto, auto, bool) { return false; }},
        {"SFPSETCC instr_mod1=1 imm12_math=1", [](auto, auto, bool) { return true; }},
        {"SFPSETCC instr_mod1=9 imm12_math=1", [](auto, auto, bool) { return false; }},
    };
    for (const Case& one : cases) {
        SetUp();
        machine.use_flags(old);
        for (unsigned lane = 0; lane < lanes; lane += 3) machine.lreg(2)[lane] = lane % 2 ? 0 : sign;
        const auto before = machine.state.lregs.lane;
        machine.run(std::string(one.line) + " lreg_c=2 lreg_dest=3");
        for (unsigned lane = 0; lane < lanes; ++lane) {
            const bool enabled = old >> lane & 1;
            const bool expected = enabled && one.flag(machine.lreg(3)[lane], machine.lreg(2)[lane], enabled);
            EXPECT_EQ(machine.flags() >> lane & 1, expected) << one.line << " " << lane;
            if (!enabled) {
                EXPECT_EQ(machine.lreg(3)[lane], before[3 * lanes + lane]) << one.line << " " << lane;
            }
        }
    }
}

TEST_P(LaneInstructions, FlagsThatAreNotUsedAreClearedBySfpsetcc) {
    machine.state.write(state::cells::cc_block[0], 0xFFFF0000);
    machine.run("SFPSETCC instr_mod1=1 imm12_math=1");
    EXPECT_EQ(machine.flags(), 0u);
}

TEST_P(LaneInstructions, RowMaskDisablesRowsOfAColumn) {
    constexpr unsigned row_mask = 12;
    machine.state.write(state::cells::lane_config_block[3], 0b1010 << row_mask);
    machine.fill(2, 7);
    machine.fill(3, 1);
    machine.run("SFPMOV lreg_c=2 lreg_dest=3");
    for (unsigned lane = 0; lane < lanes; ++lane)
        EXPECT_EQ(machine.lreg(3)[lane], lane == 11 || lane == 27 ? 1u : 7u) << lane;
    machine.use_flags(0);
    machine.fill(3, 1);
    machine.run("SFPMOV lreg_c=2 lreg_dest=3 instr_mod1=2");
    for (unsigned lane = 0; lane < lanes; ++lane) EXPECT_EQ(machine.lreg(3)[lane], 7u) << "all lanes, enabled or not";
}

TEST_P(LaneInstructions, RegistersFrom12OnRecordAMacrosTemplate) {
    constexpr unsigned disable_backdoor_load = 1;
    machine.state.write(state::cells::lane_config_block[5], 1u << disable_backdoor_load);
    for (unsigned i = 0; i < 4; ++i)
        for (const char* name : {"SFPMAD", "SFPIADD", "SFPSETCC", "SFPMOV", "SFPCAST", "SFP_STOCH_RND"}) {
            const std::uint32_t word =
                test::word(std::string(name) + " lreg_dest=" + std::to_string(12 + i), GetParam());
            const auto before = machine.state.lregs.lane;
            machine.use_flags(~0u);
            machine.run(word);
            EXPECT_EQ(machine.state.lregs.lane, before);
            for (unsigned column = 0; column < 8; ++column)
                EXPECT_EQ(machine.state[state::cells::macro(column, state::Macro::template_0, i)],
                          column == 5 ? 0 : word)
                    << name;
        }
    machine.use_flags(~0u);
    machine.fill(0, 1);
    machine.run("SFPSETCC lreg_dest=12");
    EXPECT_EQ(machine.flags(), ~0x20202020u) << "executed only where it is not recorded";
    machine.run("SFPLOADI lreg_ind=13 imm16=5");
    EXPECT_EQ(machine.state[state::cells::macro(0, state::Macro::template_1)],
              test::word("SFPLOADI lreg_ind=13 imm16=5", GetParam()));
}

TEST_P(LaneInstructions, ConfigurationIsRead) {
    using state::Macro;
    for (unsigned column = 0; column < 8; ++column) {
        for (unsigned i = 0; i < 9; ++i) machine.state.write(state::cells::macro(column, Macro(i)), 100 * column + i);
        machine.state.write(state::cells::lane_config_block[column], column);
    }
    for (unsigned source = 0; source < 16; ++source) {
        if (source == 9) continue;  // random numbers
        machine.run("SFPMOV lreg_dest=3 instr_mod1=8 lreg_c=" + std::to_string(source));
        for (unsigned lane = 0; lane < lanes; ++lane) {
            const unsigned column = lane % 8;
            const std::uint32_t expected = source <= 8 ? 100 * column + source : source == 15 ? column : 0;
            EXPECT_EQ(machine.lreg(3)[lane], expected) << source;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Chips, LaneInstructions, testing::ValuesIn(all_archs),
                         [](const auto& test) { return std::string(name(test.param)); });

// -NaN < -infinity < … < -0 < +0 < … < +infinity < +NaN
constexpr std::uint32_t ascending[] = {0xFFFFFFFF, 0xFF800001, 0xFF800000, 0xBF800000, 0x80000001, 0x80000000, 0,
                                       1,          0x3F800000, 0x7F7FFFFF, 0x7F800000, 0x7FC00000, 0x7FFFFFFF};

TEST(LaneOrder, IsTotal) {
    VectorMachine machine(Arch::blackhole);
    for (unsigned c = 0; c < std::size(ascending); ++c)
        for (unsigned d = 0; d < std::size(ascending); ++d)
            for (const bool greater : {false, true}) {
                const std::string name = greater ? "SFPGT" : "SFPLE";
                const bool holds = greater ? d > c : d <= c;
                machine.fill(2, ascending[c]);
                machine.fill(3, ascending[d]);
                machine.use_flags(0xFFFF0FFF);
                machine.run(name + " lreg_c=2 lreg_dest=3 instr_mod1=1");
                EXPECT_EQ(machine.flags(), holds ? 0xFFFF0FFF : 0);
                EXPECT_EQ(machine.lreg(3)[0], ascending[d]);
                machine.use_flags(0xFFFF0FFF);
                machine.run(name + " lreg_c=2 lreg_dest=3 instr_mod1=8");
                EXPECT_EQ(machine.flags(), 0xFFFF0FFF);
                EXPECT_EQ(machine.lreg(3)[0], holds ? ~0u : 0u);
                EXPECT_EQ(machine.lreg(3)[12], ascending[d]) << "not enabled";
            }
}

TEST(LaneOrder, ChangesTheTopOfTheStackInAllLanes) {
    VectorMachine machine(Arch::blackhole);
    const auto top = state::cells::cc_stack_block[2];
    for (unsigned lane = 0; lane < lanes; ++lane) {
        machine.lreg(2)[lane] = 1;
        machine.lreg(3)[lane] = lane % 2 ? 2 : 0;  // greater in odd lanes
    }
    machine.use_flags(0x000000FF);
    machine.run("SFPGT lreg_c=2 lreg_dest=3 instr_mod1=2");
    EXPECT_EQ(machine.state[top], 0u) << "an empty stack stays";
    machine.state.write(state::cells::cc_stack_size_block[0], 2);
    machine.state.write(top, 0xFF00FF00);
    machine.run("SFPGT lreg_c=2 lreg_dest=3 instr_mod1=2");
    EXPECT_EQ(machine.state[top], 0xAA00AA00u) << "and";
    machine.run("SFPGT lreg_c=2 lreg_dest=3 instr_mod1=6");
    EXPECT_EQ(machine.state[top], 0xAAAAAAAAu) << "or";
    machine.run("SFPLE lreg_c=2 lreg_dest=3 instr_mod1=6");
    EXPECT_EQ(machine.state[top], ~0u);
    EXPECT_EQ(machine.state[state::cells::cc_stack_block[0]], 0u);
    EXPECT_EQ(machine.flags(), 0x000000FFu);
}

// Random instructions on random states, with what the best set of vector instructions makes of them.
TEST(LaneTargets, AllGiveTheSame) {
    unsigned compared = 0;
    for (const Arch arch : all_archs)
        for (const auto& spec : isa::table) {
            if (spec.unit != isa::Unit::vector || !isa::includes(spec.archs, arch)) continue;
            test::Random random(5);
            VectorMachine machine(arch);
            for (int i = 0; i < 100; ++i) {
                decltype(machine.state.lregs) before;
                for (auto& x : before.lane) x = static_cast<std::uint32_t>(random());
                const auto flags = static_cast<std::uint32_t>(random()), chance = static_cast<std::uint32_t>(random());
                const std::uint32_t word = test::random_word(arch, spec.name, random);
                std::optional<std::vector<std::uint32_t>> best;
                test::on_each_target([&] {
                    machine.state.lregs = before;
                    machine.use_flags(flags);
                    for (unsigned lane = 0; lane < lanes; ++lane)
                        machine.state.write(state::cells::prng_block[lane], chance + lane);
                    const auto plan = machine.resolve(word);
                    if (plan.fault || !std::holds_alternative<plan::LaneWork>(plan.work)) return;
                    plan::run_whole(plan, machine.state);
                    std::vector<std::uint32_t> result(machine.state.lregs.lane.begin(), machine.state.lregs.lane.end());
                    result.push_back(machine.flags());
                    if (!best) best = result;
                    ++compared;
                    ASSERT_EQ(result, *best) << spec.name;
                });
                if (HasFatalFailure()) return;
            }
        }
    EXPECT_GT(compared, 2500 * test::target_count());
}

}  // namespace
}  // namespace tessera
