// SPDX-License-Identifier: Apache-2.0
// ELWADD, ELWSUB, ELWMUL, MVMUL, DOTPV, GAPOOL, Functional models, with the arithmetic of docs/internals/numerics.md; legacy
// instructions; spec-notes A64, E4, E52, E53.
// Rules: units/matrix/rules/elementwise.cpp, units/matrix/rules/mvmul_dotpv_gapool.cpp; loops: units/matrix/loops/elementwise_loops.cpp,
//    units/matrix/loops/mvmul_loops.cpp.
#include "reference/dst.hpp"
#include "reference/matrix.hpp"
#include "reference/matrix_machine.hpp"
#include "reference/models.hpp"
#include "reference/numerics.hpp"
#include "reference/prng.hpp"

namespace tessera::reference {

namespace {

using state::Rwc;
using state::Src;

constexpr auto Fpu_srnd_en = registers::field("ALU_ROUNDING_MODE_Fpu_srnd_en");
constexpr auto FIDELITY_BASE_Phase = registers::field("FIDELITY_BASE_Phase");

constexpr bool Has5bExponent(std::uint32_t format) { return one_of(format, {FP16, FP8, BFP8a, BFP4a, BFP2a, INT8}); }

// Keeps the bits that a datum of the format has (docs/internals/numerics.md 1). Logical order.
std::uint32_t operand(std::uint32_t stored, std::uint32_t format) {
    const std::uint32_t x = ReadSrcTF32(stored);
    if (format == TF32) return x;
    if (Has5bExponent(format)) return x & ~(7u << 15);  // keep s, e[4:0], m
    return x & ~7u;
}

struct Formats {
    std::uint32_t SrcA, SrcB;
    bool int8 = false;
};

// Formats and mode; false for a code without a format.
bool determine(const MatrixMachine& m, Formats& format, MathMode& how) {
    format = {m.SrcAFmt(), m.SrcBFmt()};
    how.acc32 = m[Fp32_enabled];
    if (m[FP16A_FORCE_Enable]) {
        format.SrcA = format.SrcB = FP16;
        how.acc32 = false;
    } else if (m[INT8_math_enabled]) {
        format.int8 = true;
        how.acc32 = true;
    }
    how.E8 = !Has5bExponent(format.SrcA);
    how.wh = !m.blackhole();
    how.flush_b = !m[Zero_Flag_disabled_src];
    how.phase = (m.RWC(Rwc::fidelity) + m[FIDELITY_BASE_Phase]) & 3;
    return format.int8 || (is_format(format.SrcA) && is_format(format.SrcB));
}

/// Dst[Row][Column] = f(D) in the mode's form, with D as an FP32 field (docs/internals/numerics.md 1).
template <class F>
void update(DstView& Dst, std::uint32_t Row, std::uint32_t Column, const MathMode& how, F f) {
    if (how.acc32) {
        Dst.write32(Row, Column, WriteDstFP32(f(ReadDstFP32(Dst.read32(Row, Column)))));
    } else if (how.E8) {
        Dst.write16(Row, Column, WriteDstBF16(f(ReadDstBF16(Dst.read16(Row, Column)) << 16) >> 16));
    } else {
        const std::uint32_t x = ReadDstFP16(Dst.read16(Row, Column));
        const std::uint32_t r = f(x >> 15 << 31 | (x & 0x7FFF) << 13);
        Dst.write16(Row, Column, WriteDstFP16(r >> 31 << 15 | (r >> 13 & 0x7FFF)));
    }
}
void update_int32(DstView& Dst, std::uint32_t Row, std::uint32_t Column, bool AddDst, std::int32_t x) {
    if (AddDst) x = SaturateAddInt32(x, ReadDstInt32(Dst.read32(Row, Column)));
    Dst.write32(Row, Column, WriteDstInt32(x));
}

/// An element's random number for rounding: each element takes one, whether or not it drops bits (spec-notes E56).
std::optional<std::uint32_t> next_random(MatrixMachine& m) {
    if (!m[Fpu_srnd_en]) return std::nullopt;
    m.set(state::cells::matrix_random, NextPRNG(m[state::cells::matrix_random]));
    return m[state::cells::matrix_random];
}

struct MathOperands {
    isa::Operand clear_dvalid, instr_mod19, addr_mode, dst;
};
consteval MathOperands math_operands(std::string_view name) {
    return {isa::operand(name, "clear_dvalid"), isa::operand(name, "instr_mod19"), isa::operand(name, "addr_mode"),
            isa::operand(name, "dst")};
}

void finish(MatrixMachine& m, const MathOperands& op) {
    if (m[op.clear_dvalid] & 1) m.FlipSrc(Src::a);
    if (m[op.clear_dvalid] & 2) m.FlipSrc(Src::b);
    m.ApplyAddrMod(m[op.addr_mode]);
}

enum class Elw { add, sub, mul };

Outcome elementwise(MatrixMachine m, const MathOperands& op, Elw what, bool AddDst) {
    Formats format;
    MathMode how;
    if (!determine(m, format, how)) return Outcome::unsupported;
    how.en = AddDst;
    const bool BroadcastSrcBRow = m[op.instr_mod19] & 2, BroadcastSrcBCol0 = m[op.instr_mod19] & 1;
    const std::uint32_t SrcARow = m.RWC(Rwc::src_a) & 0x38;
    const std::uint32_t SrcBRow = m.RWC(Rwc::src_b) & (BroadcastSrcBRow ? 0x3F : 0x38);
    const std::uint32_t DstRow = m.DstRow(m[op.dst]) & 0x3F8;
    m.set(state::cells::last_src_a_row, SrcARow);

    DstView Dst(m);
    for (std::uint32_t i = 0; i < 8; ++i) {
        for (std::uint32_t j = 0; j < 16; ++j) {
            std::uint32_t SrcAVal = m.src(Src::a, m.SrcABank(), SrcARow + i, j);
            std::uint32_t SrcBVal =
                m.src(Src::b, m.SrcBBank(), SrcBRow + (BroadcastSrcBRow ? 0 : i), BroadcastSrcBCol0 ? 0 : j);
            if (what == Elw::sub) SrcBVal ^= 1u << 18;
            if (format.int8) {
                if (what == Elw::mul) {
                    SrcAVal = SrcAInt8Bits(SrcAVal, how.phase);
                    SrcBVal = SrcBInt8Bits(SrcBVal, how.phase);
                }
                const std::int32_t SrcAValInt = ReadSrcInt8(SrcAVal, true);
                const std::int32_t SrcBValInt = ReadSrcInt8(SrcBVal, how.flush_b);
                update_int32(Dst, DstRow + i, j, AddDst,
                             what == Elw::mul ? SrcAValInt * SrcBValInt : SrcAValInt + SrcBValInt);
                continue;
            }
            const std::uint32_t a = operand(SrcAVal, format.SrcA), b = operand(SrcBVal, format.SrcB);
            how.Random = next_random(m);
            update(Dst, DstRow + i, j, how,
                   [&](std::uint32_t D) { return what == Elw::mul ? elwmul(a, b, D, how) : elwadd(a, b, D, how); });
        }
    }
    finish(m, op);
    return Outcome::done;
}

// MVMUL and its close variants. `Zero`: both sources count as zeros.
Outcome multiply(MatrixMachine m, const MathOperands& op, std::uint32_t NumRows, bool BroadcastSrcBRow, bool Zero) {
    Formats format;
    MathMode how;
    if (!determine(m, format, how)) return Outcome::unsupported;
    const std::uint32_t SrcARow = m.RWC(Rwc::src_a) & 0x38;
    const std::uint32_t SrcBRow = m.RWC(Rwc::src_b) & (BroadcastSrcBRow ? 0x3F : 0x38);
    const std::uint32_t DstRow = m.DstRow(m[op.dst]) & (0x400 - NumRows);
    m.set(state::cells::last_src_a_row, SrcARow);

    DstView Dst(m);
    for (std::uint32_t i = 0; i < NumRows; i += BroadcastSrcBRow ? 2 : 1) {
        for (std::uint32_t j = 0; j < 16; ++j) {
            // A block of sixteen rows from row 56 on wraps to row 0.
            const auto SrcAVal = [&](std::uint32_t k) {
                return Zero ? 0 : m.src(Src::a, m.SrcABank(), (SrcARow + k) & 0x3F, j);
            };
            const auto SrcBVal = [&](std::uint32_t k) {
                return Zero ? 0 : m.src(Src::b, m.SrcBBank(), SrcBRow + (BroadcastSrcBRow ? 0 : i), k);
            };
            if (format.int8) {
                std::int32_t x = 0;
                for (std::uint32_t k = 0; k < 16; ++k)
                    x += ReadSrcInt8(SrcBInt8Bits(SrcBVal(k), how.phase), how.flush_b) *
                         ReadSrcInt8(SrcAInt8Bits(SrcAVal(k), how.phase), true);
                update_int32(Dst, DstRow + i, j, true, x);
                continue;
            }
            std::array<std::uint32_t, 16> A, B;
            for (std::uint32_t k = 0; k < 16; ++k) {
                A[k] = operand(SrcAVal(k), format.SrcA);
                B[k] = operand(SrcBVal(k), format.SrcB);
            }
            how.Random = next_random(m);
            update(Dst, DstRow + i, j, how, [&](std::uint32_t D) { return mvmul(A, B, D, how); });
        }
    }
    finish(m, op);
    return Outcome::done;
}

consteval MathOperands pool_operands(std::string_view name) {
    return {isa::operand(name, "clear_dvalid"), isa::operand(name, "clear_dvalid"),
            isa::operand(name, "pool_addr_mode", "addr_mode"), isa::operand(name, "dst")};
}
consteval MathOperands convolution_operands(std::string_view name) {
    return {isa::operand(name, "clear_dvalid"), isa::operand(name, "clear_dvalid"), isa::operand(name, "addr_mode"),
            isa::operand(name, "dst")};
}

}  // namespace

Outcome elwadd(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    static constexpr auto op = math_operands("ELWADD");
    constexpr auto dest_accum_en = isa::operand("ELWADD", "dest_accum_en");
    const MatrixMachine m(state, CurrentThread, word);
    return elementwise(m, op, Elw::add, m[dest_accum_en]);
}
Outcome elwsub(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    static constexpr auto op = math_operands("ELWSUB");
    constexpr auto dest_accum_en = isa::operand("ELWSUB", "dest_accum_en");
    const MatrixMachine m(state, CurrentThread, word);
    return elementwise(m, op, Elw::sub, m[dest_accum_en]);
}
// Accumulates for either value of its accumulation bit.
Outcome elwmul(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    static constexpr auto op = math_operands("ELWMUL");
    return elementwise({state, CurrentThread, word}, op, Elw::mul, true);
}

Outcome mvmul(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    static constexpr auto op = math_operands("MVMUL");
    const MatrixMachine m(state, CurrentThread, word);
    const bool BroadcastSrcBRow = m[op.instr_mod19];
    return multiply(m, op, BroadcastSrcBRow ? 7 : 8, BroadcastSrcBRow, false);
}
Outcome dotpv(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    static constexpr auto op = math_operands("DOTPV");
    return multiply({state, CurrentThread, word}, op, 8, false, false);
}
Outcome gapool(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    static constexpr auto op = pool_operands("GAPOOL");
    return multiply({state, CurrentThread, word}, op, 4, false, false);
}

// Dst += 0 (E53).
Outcome convolution(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    static constexpr auto op = convolution_operands("CONV3S1");
    return multiply({state, CurrentThread, word}, op, 8, false, true);
}
Outcome apool(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    static constexpr auto op = pool_operands("APOOL3S1");
    return multiply({state, CurrentThread, word}, op, 4, false, true);
}

namespace {

constexpr Registered models[] = {
    {isa::mnemonic("ELWADD"), elwadd},
    {isa::mnemonic("ELWSUB"), elwsub},
    {isa::mnemonic("ELWMUL"), elwmul},
    {isa::mnemonic("MVMUL"), mvmul},
    {isa::mnemonic("DOTPV"), dotpv},
    {isa::mnemonic("GAPOOL"), gapool},
    {isa::mnemonic("CONV3S1"), convolution},
    {isa::mnemonic("CONV3S2"), convolution},
    {isa::mnemonic("MFCONV3S1"), convolution},
    {isa::mnemonic("APOOL3S1"), apool},
    {isa::mnemonic("APOOL3S2"), apool},
};

}  // namespace

std::span<const Registered> matrix_math_models() { return models; }

}  // namespace tessera::reference
