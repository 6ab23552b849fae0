// SPDX-License-Identifier: Apache-2.0
// Executes instructions one by one, each completely, without engine or time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "state/state.hpp"
#include "tessera/assembly.hpp"

namespace tessera::test {

class Stepper {
public:
    explicit Stepper(Arch arch) : state(arch) {}

    /// Assembles text with instructions only, and executes them as `thread`'s. Throws when one has a fault.
    void operator()(std::string_view text, unsigned thread = 0);
    void execute(std::uint32_t word, unsigned thread = 0);

    std::uint32_t config(unsigned bank, unsigned addr32) const;
    std::uint32_t gpr(unsigned thread, unsigned i) const { return state[state::cells::gpr(thread, i)]; }
    std::uint32_t rwc(unsigned thread, state::Rwc counter) const { return state[state::cells::rwc(thread, counter)]; }
    std::uint32_t adc(unsigned thread, state::AdcUnit unit, unsigned channel, state::Adc counter) const {
        return state[state::cells::adc(thread, unit, channel, counter)];
    }

    state::State state;
    std::vector<std::string> findings;  ///< codes, in order
    std::string fault;                  ///< code of the last instruction's fault; such an instruction does nothing
};

}  // namespace tessera::test
