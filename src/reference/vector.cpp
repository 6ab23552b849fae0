// SPDX-License-Identifier: Apache-2.0
// The vector unit's instructions as a thread issues them; SFPCONFIG, LaneConfig (DISABLE_BACKDOOR_LOAD); spec-notes V64.
#include "reference/vector.hpp"

#include "reference/vector_models.hpp"

namespace tessera::reference {

namespace vector {

namespace {

using isa::mnemonic;

constexpr Row rows[] = {
    {mnemonic("SFPABS"), SFPABS, SubUnit::Simple},
    {mnemonic("SFPAND"), SFPAND, SubUnit::Simple},
    {mnemonic("SFPARECIP"), SFPARECIP, SubUnit::Simple},
    {mnemonic("SFPCAST"), SFPCAST, SubUnit::Simple},
    {mnemonic("SFPCOMPC"), SFPCOMPC, SubUnit::Simple},
    {mnemonic("SFPCONFIG"), SFPCONFIG, SubUnit::Simple},
    {mnemonic("SFPDIVP2"), SFPDIVP2, SubUnit::Simple},
    {mnemonic("SFPENCC"), SFPENCC, SubUnit::Simple},
    {mnemonic("SFPEXEXP"), SFPEXEXP, SubUnit::Simple},
    {mnemonic("SFPEXMAN"), SFPEXMAN, SubUnit::Simple},
    {mnemonic("SFPGT"), SFPGT, SubUnit::Simple},
    {mnemonic("SFPIADD"), SFPIADD, SubUnit::Simple},
    {mnemonic("SFPLE"), SFPLE, SubUnit::Simple},
    {mnemonic("SFPLZ"), SFPLZ, SubUnit::Simple},
    {mnemonic("SFPMOV"), SFPMOV, SubUnit::Simple},
    {mnemonic("SFPNOT"), SFPNOT, SubUnit::Simple},
    {mnemonic("SFPOR"), SFPOR, SubUnit::Simple},
    {mnemonic("SFPPOPC"), SFPPOPC, SubUnit::Simple},
    {mnemonic("SFPPUSHC"), SFPPUSHC, SubUnit::Simple},
    {mnemonic("SFPSETCC"), SFPSETCC, SubUnit::Simple},
    {mnemonic("SFPSETEXP"), SFPSETEXP, SubUnit::Simple},
    {mnemonic("SFPSETMAN"), SFPSETMAN, SubUnit::Simple},
    {mnemonic("SFPSETSGN"), SFPSETSGN, SubUnit::Simple},
    {mnemonic("SFPSHFT"), SFPSHFT, SubUnit::Simple},
    {mnemonic("SFPSWAP"), SFPSWAP, SubUnit::Simple},
    {mnemonic("SFPTRANSP"), SFPTRANSP, SubUnit::Simple},
    {mnemonic("SFPXOR"), SFPXOR, SubUnit::Simple},
    {mnemonic("SFPADD"), SFPMAD, SubUnit::MAD},
    {mnemonic("SFPADDI"), SFPADDI, SubUnit::MAD},
    {mnemonic("SFPLUT"), SFPLUT, SubUnit::MAD},
    {mnemonic("SFPLUTFP32"), SFPLUTFP32, SubUnit::MAD},
    {mnemonic("SFPMAD"), SFPMAD, SubUnit::MAD},
    {mnemonic("SFPMUL"), SFPMAD, SubUnit::MAD},
    {mnemonic("SFPMULI"), SFPMULI, SubUnit::MAD},
    {mnemonic("SFPMUL24"), SFPMUL24, SubUnit::MAD},
    {mnemonic("SFPSHFT2"), SFPSHFT2, SubUnit::Round},
    {mnemonic("SFP_STOCH_RND"), SFP_STOCH_RND, SubUnit::Round},
    {mnemonic("SFPSTORE"), SFPSTORE, SubUnit::Store},
    {mnemonic("SFPLOAD"), SFPLOAD, SubUnit::Load},
    {mnemonic("SFPLOADI"), SFPLOADI, SubUnit::Load},
    {mnemonic("SFPLOADMACRO"), SFPLOADMACRO, SubUnit::Load},
    {mnemonic("SFPNOP"), SFPNOP, SubUnit::Load},
};

// SFPCONFIG's and SFPLOADMACRO's first fields are no VD in this sense.
bool can_be_recorded(const isa::Instruction& instruction) {
    return !instruction.is(mnemonic("SFPCONFIG")) && !instruction.is(mnemonic("SFPLOADMACRO"));
}

}  // namespace

const Row* find(const isa::Instruction& instruction) {
    for (const Row& row : rows)
        if (instruction.is(row.instruction)) return &row;
    return nullptr;
}

}  // namespace vector

namespace {

// Recorded as a template of SFPLOADMACRO where VD >= 12 asks for that (V64), and executed as far as its model does then.
Outcome issue(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    VectorMachine m(state, CurrentThread, word);
    Insn i = ParseInsn(m.CurrentInstruction);
    i.default_to_VD();
    const Outcome outcome = vector::find(m.CurrentInstruction)->model(m, i);
    if (outcome == Outcome::done && i.VD >= 12 && vector::can_be_recorded(m.CurrentInstruction))
        for (std::uint32_t Lane = 0; Lane < Columns; ++Lane)
            if (!m.executes(i, Lane)) m.set(VectorMachine::macro(Lane, i.VD - 12), word);
    return outcome;
}

}  // namespace

Outcome sfp_stoch_rnd(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpabs(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpadd(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpaddi(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpand(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfparecip(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpcast(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpcompc(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpconfig(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpdivp2(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpencc(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpexexp(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpexman(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpgt(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpiadd(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfple(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpload(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfploadi(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfploadmacro(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfplut(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfplutfp32(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfplz(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpmad(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpmov(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpmul(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpmul24(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpmuli(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpnop(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpnot(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpor(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfppopc(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfppushc(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpsetcc(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpsetexp(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpsetman(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpsetsgn(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpshft(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpshft2(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpstore(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpswap(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfptransp(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }
Outcome sfpxor(state::State& s, unsigned thread, std::uint32_t word) { return issue(s, thread, word); }

}  // namespace tessera::reference
