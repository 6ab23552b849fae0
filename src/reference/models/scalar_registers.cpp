// SPDX-License-Identifier: Apache-2.0
// SETDMAREG (both) and REG2FLOP (both): their pages, Functional models. Blackhole has one packer; values of others are
// zero (spec-notes G5).
// Rules: units/scalar/rules/setdmareg_reg2flop.cpp.
#include "reference/models.hpp"
#include "reference/scalar_machine.hpp"
#include "registers/packer_fields.hpp"

namespace tessera::reference {

namespace {

using registers::field;
using state::Adc;
using state::Packer;

constexpr auto Out_data_format = registers::packer_fields("Out_data_format");
constexpr auto Disable_zero_compress = registers::packer_fields("Disable_zero_compress");
constexpr auto All_ovrd = field("THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd");
constexpr auto All_disable = field("THCON_SEC0_REG1_All_pack_disable_zero_compress");
constexpr auto first_THCON = field("THCON_SEC0_REG0_TileDescriptor_InDataFormat");

Outcome special(ScalarMachine& m) {
    const std::uint32_t ResultSize = m.bits(23, 22), WhichPackers = m.bits(18, 15), InputSource = m.bits(14, 11);
    const std::uint32_t InputHalfReg = m.bits(10, 8), ResultHalfReg = m.bits(6, 0);
    const unsigned NumPackers = m.state.arch().packers;
    const auto packer = [&](unsigned i, Packer item, unsigned n = 0) {
        return state::cells::packer(i, Packer(static_cast<unsigned>(item) + n));
    };
    const auto LastTileSize = [&](unsigned i) {
        return m[packer(i, Packer::last_thread)] == m.CurrentThread ? m[packer(i, Packer::last_tile_size)] & 0xffff : 0;
    };

    std::uint32_t Values[4] = {0, 0, 0, 0};
    switch (InputSource) {
        case 0:
            for (unsigned i = 0; i < NumPackers; ++i)
                Values[i] = (m[packer(i, Packer::acc_tile_size_t0, m.CurrentThread)] << 16) + LastTileSize(i);
            break;
        case 1:
            for (unsigned i = 0; i < NumPackers; ++i) Values[i] = m[packer(i, Packer::all_zero_flags)];
            break;
        case 2:
        case 3:
        case 4:
        case 5: {
            const unsigned i = InputSource - 2;
            if (i >= NumPackers) break;
            const bool All = m.blackhole() || m[All_disable] >> i & 1;  // E62
            const bool Disable = m[All_ovrd] ? All : m[Disable_zero_compress[i]];
            Values[0] = (LastTileSize(i) + 1) & 0xffff;
            Values[1] = m[Out_data_format[i]] << 16 | std::uint32_t{Disable} << 20;
            Values[2] = m[packer(i, Packer::all_zero_flags)];
            break;
        }
        case 6:
        case 7:
            if ((WhichPackers & 3) >= NumPackers) break;
            for (unsigned b = 0; b < 16; ++b)
                Values[b / 4] |=
                    (m[state::cells::exp_histogram_block[(WhichPackers & 3) * 32 + (InputSource - 6) * 16 + b]] & 0xff)
                    << b % 4 * 8;
            break;
        case 8:
            for (unsigned i = 0; i < NumPackers; ++i) {
                Values[0] |= (m[packer(i, Packer::all_zero_flags)] & 1) << i;
                if (WhichPackers >> i & 1)
                    for (unsigned t = 0; t < 3; ++t) m.set(packer(i, Packer::acc_tile_size_t0, t), 0);
            }
            break;
        case 9: Values[0] = m[packer(0, Packer::exp_histogram_max)]; break;
        default: break;
    }

    const std::uint32_t ResultReg = ResultHalfReg >> 1;
    switch (ResultSize) {
        case 0: m.set_HalfReg(ResultHalfReg, Values[InputHalfReg >> 1] >> (InputHalfReg & 1) * 16); break;
        case 1: m.set_GPR(ResultReg, Values[InputHalfReg >> 1]); break;
        case 2:
            for (unsigned i = 0; i < 4; ++i) m.set_GPR((ResultReg & 0x3c) + i, Values[i]);
            break;
        case 3: {
            const std::uint32_t r = ResultReg & 0x3c;
            m.set_GPR(r, (m.GPR(r) & 0xffff0000) | (Values[0] & 0xffff));
            m.set_GPR(r + 1, (m.GPR(r + 1) & 0xff00ffff) | (Values[1] & 0x00ff0000));
            m.set_GPR(r + 2, Values[2]);
            break;
        }
    }
    return Outcome::done;
}

Outcome to_adc(ScalarMachine& m) {
    const std::uint32_t SizeSel = m.bits(23, 22), Shift8 = m.bits(19, 18);
    std::uint32_t Value = m.GPR(m.bits(5, 0));
    switch (SizeSel) {
        case 0: Value = 0; break;
        case 1:
            if (Shift8 != 0) Value = 0;
            break;
        case 2:
            if (Shift8 == 0)
                Value &= 0xffff;
            else if (Shift8 == 2)
                Value >>= 16;
            else
                Value = 0;
            break;
        case 3: Value = (Value >> (Shift8 * 8)) & 0xff; break;
    }
    std::uint32_t WhichThread = m.CurrentThread;
    if (m.bits(20, 20)) {
        WhichThread = m.bits(17, 16);
        if (WhichThread >= 3) return Outcome::done;
    }
    const std::uint32_t ADCSel = m.bits(10, 9), Cr = m.bits(8, 8), XYZW = m.bits(7, 6);
    if (ADCSel == 3) return Outcome::done;
    constexpr Adc counters[4][2] = {{Adc::x, Adc::x_cr}, {Adc::y, Adc::y_cr}, {Adc::z, Adc::z_cr}, {Adc::w, Adc::w_cr}};
    m.set(state::cells::adc(WhichThread, state::AdcUnit(ADCSel), m.bits(11, 11), counters[XYZW][Cr]), Value);
    return Outcome::done;
}

Outcome setdmareg(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    ScalarMachine m(state, CurrentThread, word);
    if (m.bits(7, 7)) return special(m);
    m.set_HalfReg(m.bits(6, 0), m.bits(23, 8));
    return Outcome::done;
}

Outcome reg2flop(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    ScalarMachine m(state, CurrentThread, word);
    if (m.bits(21, 21)) return to_adc(m);
    if (m.bits(20, 20)) return Outcome::undefined;
    const std::uint32_t THCON_CFGREG_BASE_ADDR32 = first_THCON[state.arch().arch].addr32;
    const std::uint32_t GLOBAL_CFGREG_BASE_ADDR32 = m.blackhole() ? 180 : 152;
    const std::uint32_t ThConCfgIndex = m.bits(12, 6), InputReg = m.bits(5, 0);
    if (ThConCfgIndex >= GLOBAL_CFGREG_BASE_ADDR32 - THCON_CFGREG_BASE_ADDR32) return Outcome::undefined;
    const unsigned StateID = state.config_bank(CurrentThread);
    const auto Config = [&](std::uint32_t i) {
        return state::cells::config(state.arch(), StateID, THCON_CFGREG_BASE_ADDR32 + i);
    };
    if (m.bits(23, 22) == 0)
        for (unsigned i = 0; i < 4; ++i) m.set(Config((ThConCfgIndex & ~3u) + i), m.GPR((InputReg & ~3u) + i));
    else
        m.set(Config(ThConCfgIndex), m.GPR(InputReg));
    return Outcome::done;
}

constexpr Registered models[] = {
    {isa::mnemonic("SETDMAREG"), setdmareg},
    {isa::mnemonic("REG2FLOP"), reg2flop},
};

}  // namespace

std::span<const Registered> scalar_registers_models() { return models; }

}  // namespace tessera::reference
