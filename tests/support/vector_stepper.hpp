// SPDX-License-Identifier: Apache-2.0
// Executes vector instructions one by one, with registers and lane configuration set by a test.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "support/stepper.hpp"

namespace tessera::test {

using Lanes = std::array<std::uint32_t, 32>;

/// A value of its own for each lane.
inline Lanes distinct(std::uint32_t base) {
    Lanes x;
    for (unsigned lane = 0; lane < x.size(); ++lane) x[lane] = base + lane;
    return x;
}
inline Lanes all(std::uint32_t value) {
    Lanes x;
    x.fill(value);
    return x;
}

class VectorTest : public testing::TestWithParam<Arch> {
protected:
    VectorTest() {
        for (unsigned r = 0; r < 8; ++r) set(r, distinct(r << 8));
    }
    bool blackhole() const { return GetParam() == Arch::blackhole; }

    void set(unsigned lreg, const Lanes& x) { std::copy(x.begin(), x.end(), &step.state.lregs.lane[lreg * 32]); }
    Lanes get(unsigned lreg) const {
        Lanes x;
        std::copy_n(&step.state.lregs.lane[lreg * 32], x.size(), x.begin());
        return x;
    }
    std::uint32_t cell(state::Cell c) const { return step.state[c]; }
    std::uint32_t flags() const { return cell(state::cells::cc_block[0]); }
    std::uint32_t enable() const { return cell(state::cells::cc_enable_block[0]); }
    std::uint32_t stack_size() const { return cell(state::cells::cc_stack_size_block[0]); }
    void set_flags(std::uint32_t lanes, std::uint32_t enabled = 1) {
        step.state.write(state::cells::cc_block[0], lanes);
        step.state.write(state::cells::cc_enable_block[0], enabled);
    }
    /// Pushes an entry by hand.
    void push(std::uint32_t lanes, std::uint32_t enabled) {
        const std::uint32_t size = stack_size();
        step.state.write(state::cells::cc_stack_block[2 * size], lanes);
        step.state.write(state::cells::cc_stack_block[2 * size + 1], enabled);
        step.state.write(state::cells::cc_stack_size_block[0], size + 1);
    }
    void configure_lanes(std::uint32_t config) {
        for (unsigned c = 0; c < 8; ++c) configure_column(c, config);
    }
    void configure_column(unsigned column, std::uint32_t config) {
        step.state.write(state::cells::lane_config_block[column], config);
    }

    Stepper step{GetParam()};
};

inline std::string arch_name(const testing::TestParamInfo<Arch>& info) {
    return info.param == Arch::blackhole ? "blackhole" : "wormhole";
}

}  // namespace tessera::test
