// SPDX-License-Identifier: Apache-2.0
// Shared by the functional models of the matrix unit (and SFPLOAD, SFPSTORE): counters, formats, row addresses,
// ApplyAddrMod, banks (RWCs; seed rwc-and-addressing 3.4; spec-notes A64, B13).
#pragma once

#include <initializer_list>

#include "reference/machine.hpp"

namespace tessera::reference {

constexpr bool one_of(std::uint32_t format, std::initializer_list<std::uint32_t> list) {
    for (std::uint32_t x : list)
        if (x == format) return true;
    return false;
}
constexpr bool is_format(std::uint32_t code) { return code != 12 && code != 13; }

inline constexpr auto FP16A_FORCE_Enable = registers::field("FP16A_FORCE_Enable");
inline constexpr auto INT8_math_enabled = registers::field("ALU_ACC_CTRL_INT8_math_enabled");
inline constexpr auto Fp32_enabled = registers::field("ALU_ACC_CTRL_Fp32_enabled");
inline constexpr auto Zero_Flag_disabled_src = registers::field("ALU_ACC_CTRL_Zero_Flag_disabled_src");
inline constexpr auto MATH_Offset = registers::field("DEST_TARGET_REG_CFG_MATH_Offset");
inline constexpr auto DEST_REGW_BASE_Base = registers::field("DEST_REGW_BASE_Base");

struct MatrixMachine : Machine {
    using Machine::Machine;

    state::Cell rwc(state::Rwc counter) const { return state::cells::rwc(CurrentThread, counter); }
    std::uint32_t RWC(state::Rwc counter) const { return (*this)[rwc(counter)]; }

    std::uint32_t SrcABank() const { return (*this)[state::cells::matrix_bank(state::Src::a)]; }
    std::uint32_t SrcBBank() const { return (*this)[state::cells::matrix_bank(state::Src::b)]; }

    /// The format in ALU_FORMAT_SPEC, ignoring the one implied by a bank.
    std::uint32_t ConfiguredSrcAFmt() const;
    std::uint32_t ConfiguredSrcBFmt() const;
    /// A bank's implied format overrides the configured one, if it exists and is not disabled (A64).
    bool ImpliesSrcAFmt() const;
    bool ImpliesSrcBFmt() const;
    std::uint32_t ImpliedSrcFmt(state::Src src) const {
        return (*this)[state::cells::implied_format(src, (*this)[state::cells::matrix_bank(src)])];
    }
    std::uint32_t SrcAFmt() const { return ImpliesSrcAFmt() ? ImpliedSrcFmt(state::Src::a) : ConfiguredSrcAFmt(); }
    std::uint32_t SrcBFmt() const { return ImpliesSrcBFmt() ? ImpliedSrcFmt(state::Src::b) : ConfiguredSrcBFmt(); }

    std::uint32_t DstRow(std::uint32_t field_value) const {
        return field_value + (*this)[MATH_Offset] + RWC(state::Rwc::dst) + (*this)[DEST_REGW_BASE_Base];
    }

    void ApplyAddrMod(std::uint32_t AddrMod, bool UpdateFidelityPhase = true);
    void ApplyPartialAddrMod(std::uint32_t AddrMod) { ApplyAddrMod(AddrMod, false); }

    void FlipSrc(state::Src src);
    void give_to_unpackers(state::Src src, std::uint32_t Bank) {
        set(state::cells::bank_owner(src, Bank), static_cast<std::uint32_t>(state::Owner::unpackers));
    }
};

}  // namespace tessera::reference
