// SPDX-License-Identifier: Apache-2.0
// NEGDMAREG, an instruction that no chip has: scripts/check_adding puts this file into src/reference/models/.
// Rules: units/scalar/rules/negdmareg.cpp.
#include "reference/models.hpp"
#include "reference/scalar_machine.hpp"

namespace tessera::reference {

namespace {

Outcome negdmareg(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    ScalarMachine m(state, CurrentThread, word);
    m.set_GPR(m.bits(17, 12), ~m.GPR(m.bits(5, 0)) + 1);
    return Outcome::done;
}

constexpr Registered models[] = {
    {isa::mnemonic("NEGDMAREG"), negdmareg},
};

}  // namespace

std::span<const Registered> scalar_negate_models() { return models; }

}  // namespace tessera::reference
