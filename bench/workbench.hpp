// SPDX-License-Identifier: Apache-2.0
// States with varied contents. Instructions execute on them as in a unit: resolved with kept slots, then run whole.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "isa/instruction.hpp"
#include "state/state.hpp"
#include "units/slots.hpp"

namespace tessera::bench {

class Workbench {
public:
    /// Fills all registers with random data like a network's: BF16 or FP32 of both signs with exponents near 1.
    Workbench(Arch arch, unsigned seed, std::string_view setup);

    std::vector<isa::Instruction> instructions(std::string_view text) const;
    /// Fills L1 likewise, which takes longer.
    void fill_l1(unsigned seed);
    /// Writes `count` such numbers to L1 as block floats of `bits` bits; 16 share an exponent of 8 bits.
    void write_blocks(std::uint32_t exponents, std::uint32_t datums, std::uint32_t count, unsigned bits);
    plan::Plan execute(const isa::Instruction& instruction);
    void execute(std::string_view text);

    state::State state;

private:
    std::unique_ptr<units::Slots> slots_ = std::make_unique<units::Slots>();
};

}  // namespace tessera::bench
