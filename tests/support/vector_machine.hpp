// SPDX-License-Identifier: Apache-2.0
// The vector unit alone: tests fill LRegs; instructions are resolved and run at once.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <span>

#include "plan/plan.hpp"
#include "support/assembly.hpp"
#include "units/resolve.hpp"

namespace tessera::test {

class VectorMachine {
public:
    static constexpr unsigned lanes = state::LRegs::lanes;

    /// Constant registers as after reset; all lanes enabled, without the use of lane flags.
    explicit VectorMachine(Arch arch) : state(arch) {
        state.write(state::cells::cc_enable_block[0], 0);
        fill(8, 0x3F56594B);
        fill(9, 0);
        fill(10, 0x3F800000);
        fill(11, 0xBF800000);
        for (unsigned lane = 0; lane < lanes; ++lane) lreg(15)[lane] = 2 * lane;
    }

    std::span<std::uint32_t, lanes> lreg(unsigned i) {
        return std::span<std::uint32_t, lanes>(&state.lregs.lane[i * lanes], lanes);
    }
    void fill(unsigned i, std::uint32_t x) { std::ranges::fill(lreg(i), x); }
    void fill_float(unsigned i, float x) { fill(i, std::bit_cast<std::uint32_t>(x)); }

    std::uint32_t flags() const { return state[state::cells::cc_block[0]]; }
    /// Lane flags that decide which lanes are enabled.
    void use_flags(std::uint32_t flags) {
        state.write(state::cells::cc_block[0], flags);
        state.write(state::cells::cc_enable_block[0], 1);
    }

    plan::Plan resolve(std::uint32_t word) const {
        const auto arch = state.arch().arch;
        plan::Plan plan;
        units::resolve(
            units::StateView(isa::decode(word, arch), 1, state, units::costs(arch, Timing::documented), nullptr), plan);
        return plan;
    }
    plan::Plan run(std::uint32_t word) {
        const plan::Plan plan = resolve(word);
        EXPECT_FALSE(plan.fault);
        plan::run_whole(plan, state);
        return plan;
    }
    plan::Plan run(std::string_view line) { return run(word(line, state.arch().arch)); }

    state::State state;
};

}  // namespace tessera::test
