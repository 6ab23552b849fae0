// SPDX-License-Identifier: Apache-2.0
// For tests of recorded runs: comparison of a replayed Run with the engine's, and a program that reads and writes data.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "support/random_programs.hpp"
#include "support/section.hpp"
#include "tessera/assembly.hpp"
#include "tessera/core.hpp"
#include "tessera/registers.hpp"

namespace tessera::test {

inline Program program_of(const std::string& text, Arch arch = Arch::blackhole) { return assemble(text, arch).value(); }

inline RunOptions by_engine(RunOptions options = {}) {
    options.recorded = false;
    return options;
}

/// Also in the order in which told() sorts.
inline void expect_same(const Run& one, const Run& other) {
    EXPECT_EQ(reported(one), reported(other));
    ASSERT_EQ(one.units.size(), other.units.size());
    for (std::size_t i = 0; i < one.units.size(); ++i) EXPECT_EQ(one.units[i].unit, other.units[i].unit);
    ASSERT_EQ(one.waits.size(), other.waits.size());
    for (std::size_t i = 0; i < one.waits.size(); ++i) EXPECT_EQ(one.waits[i].reason, other.waits[i].reason);
}

/// A program that reads L1 and SrcA and writes L1 and Dst.
class Moves {
public:
    Moves() {
        for (const auto& [name, value] : {std::pair{"THCON_SEC0_REG6_Source_address", 0x400u},
                                          {"THCON_SEC0_REG6_Destination_address", 0x800u},
                                          {"THCON_SEC0_REG6_Buffer_size", 5u},
                                          {"THCON_SEC0_REG6_Transfer_direction", 3u}})
            EXPECT_TRUE(write_field(core, name, 0, value));
        core.write(section(core, "bank_owner"), 0, 1);
        program.threads[0].push_back({.value = 0x40000000});  // XMOV
    }
    /// On a copy: how often it was answered by an earlier run.
    std::uint64_t repeated(const Core& from) const {
        Core copy = from;
        EXPECT_TRUE(copy.run(program, options));
        return copy.run_counts().repeated;
    }

    Core core{Arch::blackhole};
    Program program = program_of(".thread math\nMOVA2D dst=0 instr_mod=2 addr_mode=0 src=0\n");
    RunOptions options;
};

}  // namespace tessera::test
