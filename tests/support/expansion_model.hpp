// SPDX-License-Identifier: Apache-2.0
// The MOP expander and the replay expander as the pages write them (MOPExpander and REPLAY, Functional model), one word
// at a time: a second implementation for tests.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tessera/program.hpp"

namespace tessera::test {

class ExpansionModel {
public:
    explicit ExpansionModel(Arch arch) : count_mask(arch == Arch::blackhole ? 1023 : 127) {}
    /// A core's store to a MOP register.
    void store(unsigned i, std::uint32_t value) { mop_cfg[i] = value; }
    /// A word that a core pushes.
    void push(std::uint32_t word);

    std::array<std::uint32_t, 9> mop_cfg{};
    std::array<std::uint32_t, 32> replay_buffer{};
    std::vector<std::uint32_t> issued;  ///< words at the wait gate

private:
    void template0(std::uint32_t mask, std::uint32_t count1);
    void template1();
    void replay(std::uint32_t word);

    std::uint32_t count_mask, mask_hi = 0;
    unsigned index = 0, to_load = 0;
    bool exec = false;
};

/// The words at the gate of a thread that executes `ops`.
std::vector<std::uint32_t> expand(Arch arch, const std::vector<Op>& ops);

}  // namespace tessera::test
