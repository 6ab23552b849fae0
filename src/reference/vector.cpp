// SPDX-License-Identifier: Apache-2.0
// Vector instructions issued by a thread; SFPCONFIG, LaneConfig (DISABLE_BACKDOOR_LOAD); spec-notes V64.
#include "reference/vector_models.hpp"

namespace tessera::reference::vector {

namespace {

using isa::mnemonic;

// The first fields of SFPCONFIG and SFPLOADMACRO do not count as VD here.
bool can_be_recorded(const isa::Instruction& instruction) {
    return !instruction.is(mnemonic("SFPCONFIG")) && !instruction.is(mnemonic("SFPLOADMACRO"));
}

}  // namespace

const Registered* find(const isa::Instruction& instruction) {
    const Registered* row = instruction.spec ? reference::find(instruction.mnemonic) : nullptr;
    return row && row->of_fields ? row : nullptr;
}

Outcome issue(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    VectorMachine m(state, CurrentThread, word);
    Insn i = ParseInsn(m.CurrentInstruction);
    i.default_to_VD();
    const Outcome outcome = find(m.CurrentInstruction)->of_fields(m, i);
    if (outcome == Outcome::done && i.VD >= 12 && can_be_recorded(m.CurrentInstruction))
        for (std::uint32_t Lane = 0; Lane < Columns; ++Lane)
            if (!m.executes(i, Lane)) m.set(VectorMachine::macro(Lane, i.VD - 12), word);
    return outcome;
}

}  // namespace tessera::reference::vector
