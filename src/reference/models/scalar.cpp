// SPDX-License-Identifier: Apache-2.0
// Arithmetic, L1 and registers of the tile: the pages of ADDDMAREG, SUBDMAREG, MULDMAREG, LOADIND, STOREIND (three),
// LOADREG, STOREREG, ATINCGET, ATINCGETPTR, ATSWAP, ATCAS and FLUSHDMA, Functional models. They are Wormhole's; for Blackhole
// they hold with its L1.
// Rules: units/scalar/rules/arithmetic.cpp, units/scalar/rules/atomics.cpp, units/scalar/rules/flushdma_dmanop.cpp,
//    units/scalar/rules/memory.cpp.
#include "reference/models.hpp"
#include "reference/scalar_machine.hpp"
#include "reference/tile_registers.hpp"

namespace tessera::reference {

namespace {

using state::Src;
using state::Unpacker;

constexpr auto SRCA_SET_SetOvrdWithAddr = registers::field("SRCA_SET_SetOvrdWithAddr");

struct Operands {
    std::uint32_t LeftVal, RightVal, ResultReg;
};
Operands operands(const ScalarMachine& m) {
    const std::uint32_t Right = m.bits(11, 6);
    return {m.GPR(m.bits(5, 0)), m.bits(23, 23) ? Right : m.GPR(Right), m.bits(17, 12)};
}

std::uint32_t ReadBF16Lo(std::uint32_t x) {
    const std::uint32_t Sign = x & 0x8000, Man = x & 0x7f00, Exp = x & 0x00ff;
    return (Sign << 3) | (Man << 3) | Exp;
}
std::uint32_t ReadBF16Hi(std::uint32_t x) {
    const std::uint32_t Sign = x >> 31, Exp = (x >> 23) & 0xff, Man = (x >> 16) & 0x7f;
    return (Sign << 18) | (Man << 11) | Exp;
}

Outcome store_l1(ScalarMachine& m) {
    const std::uint32_t Size = m.bits(22, 21), OffsetHalfReg = m.bits(20, 14);
    const std::uint32_t DataReg = m.bits(11, 6) & (Size ? 0x3f : 0x3c);
    const std::uint32_t L1Address = m.GPR(m.bits(5, 0)) * 16 + m.HalfReg(OffsetHalfReg);
    if (!m.in_L1(L1Address)) return Outcome::undefined;
    m.increment_offset(OffsetHalfReg, m.bits(13, 12));
    switch (Size) {
        case 0:
            for (unsigned i = 0; i < 4; ++i) m.write_L1((L1Address & ~15u) + 4 * i, m.GPR(DataReg + i), 4);
            break;
        case 1: m.write_L1(L1Address & ~3u, m.GPR(DataReg), 4); break;
        case 2: m.write_L1(L1Address & ~1u, m.GPR(DataReg), 2); break;
        case 3: m.write_L1(L1Address, m.GPR(DataReg), 1); break;
    }
    return Outcome::done;
}

Outcome store_mmio(ScalarMachine& m) {
    const std::uint32_t OffsetHalfReg = m.bits(20, 14);
    std::uint32_t Addr = m.GPR(m.bits(5, 0)) + (m.HalfReg(OffsetHalfReg) >> 4);
    Addr = 0xFFB00000 + (Addr & 0x000FFFFC);
    if (Addr < 0xFFB11000) return Outcome::undefined;
    if (!StoreRegister(m, Addr, m.GPR(m.bits(11, 6)), true)) return Outcome::undefined;
    m.increment_offset(OffsetHalfReg, m.bits(13, 12));
    return Outcome::done;
}

// Rows that the page leaves undefined are treated as in UNPACR (spec-notes A10, A11, A13, G6).
Outcome store_src(ScalarMachine& m) {
    const bool StoreToSrcB = m.bits(21, 21);
    const std::uint32_t OffsetHalfReg = m.bits(20, 14), DataReg = m.bits(11, 6) & 0x3c;
    const std::uint32_t Datum[4] = {ReadBF16Lo(m.GPR(DataReg)), ReadBF16Hi(m.GPR(DataReg)),
                                    ReadBF16Lo(m.GPR(DataReg + 1)), ReadBF16Hi(m.GPR(DataReg + 1))};
    const std::uint32_t Addr = (m.GPR(m.bits(5, 0)) + (m.HalfReg(OffsetHalfReg) >> 4)) & 0xFFFFF;
    m.increment_offset(OffsetHalfReg, m.bits(13, 12));
    if (Addr & 0xf0000) return Outcome::undefined;
    const unsigned Column0 = (Addr & 3) * 4, which = StoreToSrcB ? 1 : 0;
    const std::uint32_t Bank = m[state::cells::unpacker(which, Unpacker::bank)];
    std::int32_t Row = static_cast<std::int32_t>(Addr >> 2) - (StoreToSrcB ? 0 : 4);
    if (Row < 0) return Outcome::done;
    if (StoreToSrcB || !m[SRCA_SET_SetOvrdWithAddr])
        Row += static_cast<std::int32_t>(m[state::cells::unpacker(which, Unpacker::src_row_t0, m.CurrentThread)]);
    for (unsigned i = 0; i < 4; ++i)
        m.set_src(Src(which), Bank, static_cast<unsigned>(Row) & 0x3f, Column0 + i, Datum[i]);
    return Outcome::done;
}

Outcome adddmareg(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    ScalarMachine m(state, CurrentThread, word);
    const Operands o = operands(m);
    m.set_GPR(o.ResultReg, o.LeftVal + o.RightVal);
    return Outcome::done;
}

Outcome subdmareg(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    ScalarMachine m(state, CurrentThread, word);
    const Operands o = operands(m);
    m.set_GPR(o.ResultReg, o.LeftVal - o.RightVal);
    return Outcome::done;
}

Outcome muldmareg(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    ScalarMachine m(state, CurrentThread, word);
    const Operands o = operands(m);
    m.set_GPR(o.ResultReg, (o.LeftVal & 0xffff) * (o.RightVal & 0xffff));
    return Outcome::done;
}

Outcome loadind(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    ScalarMachine m(state, CurrentThread, word);
    const std::uint32_t Size = m.bits(23, 22), OffsetHalfReg = m.bits(20, 14);
    const std::uint32_t ResultReg = m.bits(11, 6) & (Size ? 0x3f : 0x3c);
    const std::uint32_t L1Address = m.GPR(m.bits(5, 0)) * 16 + m.HalfReg(OffsetHalfReg);
    if (!m.in_L1(L1Address)) return Outcome::undefined;
    m.increment_offset(OffsetHalfReg, m.bits(13, 12));
    switch (Size) {
        case 0:
            for (unsigned i = 0; i < 4; ++i) m.set_GPR(ResultReg + i, m.read_L1((L1Address & ~15u) + 4 * i, 4));
            break;
        case 1: m.set_GPR(ResultReg, m.read_L1(L1Address & ~3u, 4)); break;
        case 2: m.set_HalfReg(2 * ResultReg, m.read_L1(L1Address & ~1u, 2)); break;
        case 3: m.set_GPR(ResultReg, (m.GPR(ResultReg) & ~0xffu) | m.read_L1(L1Address, 1)); break;
    }
    return Outcome::done;
}

Outcome storeind(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    ScalarMachine m(state, CurrentThread, word);
    if (m.bits(23, 23)) return store_l1(m);
    return m.bits(22, 22) ? store_mmio(m) : store_src(m);
}

Outcome loadreg(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    ScalarMachine m(state, CurrentThread, word);
    const std::uint32_t Addr = 0xFFB00000 + (m.bits(17, 0) << 2);
    std::uint32_t Value = 0;
    if (Addr < 0xFFB11000 || !LoadRegister(m, Addr, Value)) return Outcome::undefined;
    m.set_GPR(m.bits(23, 18), Value);
    return Outcome::done;
}

Outcome storereg(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    ScalarMachine m(state, CurrentThread, word);
    const std::uint32_t Addr = 0xFFB00000 + (m.bits(17, 0) << 2);
    if (Addr < 0xFFB11000 || !StoreRegister(m, Addr, m.GPR(m.bits(23, 18)), true)) return Outcome::undefined;
    return Outcome::done;
}

Outcome atincget(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    ScalarMachine m(state, CurrentThread, word);
    const std::uint32_t L1Address = m.GPR(m.bits(5, 0)) * 16 + m.bits(13, 12) * 4;
    if (!m.in_L1(L1Address)) return Outcome::undefined;
    const std::uint32_t IncrementBy = m.GPR(m.bits(11, 6)), IntMask = (2u << m.bits(18, 14)) - 1u;
    const std::uint32_t OriginalValue = m.read_L1(L1Address, 4), Incremented = OriginalValue + IncrementBy;
    m.write_L1(L1Address, (Incremented & IntMask) | (OriginalValue & ~IntMask), 4);
    m.set_GPR(m.bits(11, 6), OriginalValue);
    return Outcome::done;
}

Outcome atincgetptr(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    ScalarMachine m(state, CurrentThread, word);
    const std::uint32_t NoIncr = m.bits(22, 22), IncrLog2 = m.bits(21, 18), IntWidth = m.bits(17, 14);
    const std::uint32_t Ofs = m.bits(13, 12);
    const std::uint32_t IncrementBy = std::uint32_t{!NoIncr} << IncrLog2, IntMask = (1u << IntWidth) - 1;
    const std::uint32_t L1Address = m.GPR(m.bits(5, 0)) * 16;
    if (!m.in_L1(L1Address)) return Outcome::undefined;
    const std::uint32_t Rd = m.read_L1(L1Address, 4), Wr = m.read_L1(L1Address + 4, 4);
    const std::uint32_t FIFOSize = Wr - Rd;
    const bool FIFOEmpty = FIFOSize == 0;
    if (Ofs & 1) {
        const std::uint32_t FIFOCapacity = IntWidth ? 1u << (IntWidth - 1) : 0x8000;
        if (FIFOSize % FIFOCapacity == 0 && !FIFOEmpty) return Outcome::undefined;  // retries
    } else if (FIFOEmpty) {
        return Outcome::undefined;  // retries
    }
    const std::uint32_t OriginalValue = m.read_L1(L1Address + 4 * Ofs, 4);
    const std::uint32_t Incremented = OriginalValue + IncrementBy;
    m.write_L1(L1Address + 4 * Ofs, (Incremented & IntMask) | (OriginalValue & ~IntMask), 4);
    m.set_GPR(m.bits(11, 6), OriginalValue);
    return Outcome::done;
}

Outcome atswap(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    ScalarMachine m(state, CurrentThread, word);
    const std::uint32_t L1Address = m.GPR(m.bits(5, 0)) * 16, DataReg = m.bits(11, 6);
    if (!m.in_L1(L1Address)) return Outcome::undefined;
    std::uint32_t ToWrite[4] = {0, 0, 0, 0};
    if (m.bits(22, 22))
        ToWrite[DataReg & 3] = m.GPR(DataReg);
    else
        for (unsigned i = 0; i < 4; ++i) ToWrite[i] = m.GPR((DataReg & 0x3c) + i);
    for (unsigned i = 0; i < 8; ++i)
        if (m.bits(21, 14) & (1u << i)) m.write_L1(L1Address + 2 * i, ToWrite[i / 2] >> i % 2 * 16, 2);
    return Outcome::done;
}

Outcome atcas(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    ScalarMachine m(state, CurrentThread, word);
    const std::uint32_t L1Address = m.GPR(m.bits(5, 0)) * 16 + m.bits(13, 12) * 4;
    if (!m.in_L1(L1Address)) return Outcome::undefined;
    if (m.read_L1(L1Address, 4) != m.bits(17, 14)) return Outcome::undefined;  // retries
    m.write_L1(L1Address, m.bits(21, 18), 4);
    return Outcome::done;
}

Outcome flushdma(state::State&, unsigned, std::uint32_t) { return Outcome::done; }

constexpr Registered models[] = {
    {isa::mnemonic("ADDDMAREG"), adddmareg},
    {isa::mnemonic("SUBDMAREG"), subdmareg},
    {isa::mnemonic("MULDMAREG"), muldmareg},
    {isa::mnemonic("LOADIND"), loadind},
    {isa::mnemonic("STOREIND"), storeind},
    {isa::mnemonic("LOADREG"), loadreg},
    {isa::mnemonic("STOREREG"), storereg},
    {isa::mnemonic("ATINCGET"), atincget},
    {isa::mnemonic("ATINCGETPTR"), atincgetptr},
    {isa::mnemonic("ATSWAP"), atswap},
    {isa::mnemonic("ATCAS"), atcas},
    {isa::mnemonic("FLUSHDMA"), flushdma},
};

}  // namespace

std::span<const Registered> scalar_models() { return models; }

}  // namespace tessera::reference
