// SPDX-License-Identifier: Apache-2.0
// SFPLOADMACRO, Functional model: its load. Of what it schedules there is no model here.
#include "reference/vector.hpp"
#include "reference/vector_machine.hpp"

namespace tessera::reference {

namespace {

Outcome SFPLOADMACRO(VectorMachine& m, const Insn& insn) {
    const std::uint32_t MacroIndex = insn.VD >> 2, VDLo = insn.VD & 3, VDHi = insn.Imm & 1;
    for (std::uint32_t Lane = 0; Lane < Columns; ++Lane)
        for (unsigned i = 0; i < 4; ++i)
            if (m.LoadMacroConfig(Lane, MacroSequence + MacroIndex) >> i * 8 & 7) return Outcome::unsupported;
    Insn load = insn;
    load.VD = VDHi << 2 | VDLo;
    const std::uint32_t Mod0 = resolve_Mod0(m, load.Mod);
    load_from(m, load, Mod0, load_address(m, load, Mod0));
    m.ApplyPartialAddrMod(load.AddrMod);
    return Outcome::done;
}

}  // namespace

Outcome sfploadmacro(state::State& s, unsigned thread, std::uint32_t word) {
    return issue(SFPLOADMACRO, s, thread, word);
}

}  // namespace tessera::reference
