// SPDX-License-Identifier: Apache-2.0
// ApplyAddrMod (RWCs; seed rwc-and-addressing 3.4; spec-notes B13), and formats implied by banks (spec-notes A64).
#include "reference/matrix_machine.hpp"

namespace tessera::reference {

namespace {

using registers::field;
using registers::fields;
using state::Rwc;
using state::Src;

constexpr auto SrcA_override = field("ALU_FORMAT_SPEC_REG_SrcA_override");
constexpr auto SrcA_val = field("ALU_FORMAT_SPEC_REG_SrcA_val");
constexpr auto REG0_SrcA = field("ALU_FORMAT_SPEC_REG0_SrcA");
constexpr auto SrcB_override = field("ALU_FORMAT_SPEC_REG_SrcB_override");
constexpr auto SrcB_val = field("ALU_FORMAT_SPEC_REG_SrcB_val");
constexpr auto REG1_SrcB = field("ALU_FORMAT_SPEC_REG1_SrcB");
constexpr auto DISABLE_IMPLIED_SRCA_FMT = field("DISABLE_IMPLIED_SRCA_FMT_Base");
constexpr auto DISABLE_IMPLIED_SRCB_FMT = field("DISABLE_IMPLIED_SRCB_FMT_Base");
constexpr auto CLR_DVALID_SrcA_Disable = field("CLR_DVALID_SrcA_Disable");
constexpr auto CLR_DVALID_SrcB_Disable = field("CLR_DVALID_SrcB_Disable");
constexpr auto ADDR_MOD_SET_Base = field("ADDR_MOD_SET_Base");

constexpr auto SrcAIncr = fields<8>("ADDR_MOD_AB_SEC#_SrcAIncr"), SrcACR = fields<8>("ADDR_MOD_AB_SEC#_SrcACR"),
               SrcAClear = fields<8>("ADDR_MOD_AB_SEC#_SrcAClear"), SrcBIncr = fields<8>("ADDR_MOD_AB_SEC#_SrcBIncr"),
               SrcBCR = fields<8>("ADDR_MOD_AB_SEC#_SrcBCR"), SrcBClear = fields<8>("ADDR_MOD_AB_SEC#_SrcBClear"),
               DestIncr = fields<8>("ADDR_MOD_DST_SEC#_DestIncr"), DestCR = fields<8>("ADDR_MOD_DST_SEC#_DestCR"),
               DestClear = fields<8>("ADDR_MOD_DST_SEC#_DestClear"),
               DestCToCR = fields<8>("ADDR_MOD_DST_SEC#_DestCToCR"),
               FidelityIncr = fields<8>("ADDR_MOD_DST_SEC#_FidelityIncr"),
               FidelityClear = fields<8>("ADDR_MOD_DST_SEC#_FidelityClear"),
               BiasIncr = fields<8>("ADDR_MOD_BIAS_SEC#_BiasIncr"),
               BiasClear = fields<8>("ADDR_MOD_BIAS_SEC#_BiasClear");

}  // namespace

std::uint32_t MatrixMachine::ConfiguredSrcAFmt() const {
    return (*this)[SrcA_override] ? (*this)[SrcA_val] : (*this)[REG0_SrcA];
}
std::uint32_t MatrixMachine::ConfiguredSrcBFmt() const {
    return (*this)[SrcB_override] ? (*this)[SrcB_val] : (*this)[REG1_SrcB];
}
bool MatrixMachine::ImpliesSrcAFmt() const { return blackhole() && !(*this)[DISABLE_IMPLIED_SRCA_FMT]; }
bool MatrixMachine::ImpliesSrcBFmt() const { return blackhole() && !(*this)[DISABLE_IMPLIED_SRCB_FMT]; }

void MatrixMachine::ApplyAddrMod(std::uint32_t AddrMod, bool UpdateFidelityPhase) {
    std::uint32_t Index = AddrMod;  // three bits on Blackhole, two and a set on Wormhole (B13)
    if (!blackhole() && (RWC(Rwc::extra_addr_mod_bit) || (*this)[ADDR_MOD_SET_Base])) Index += 4;

    if ((*this)[SrcAClear[Index]]) {
        set(rwc(Rwc::src_a), 0);
        set(rwc(Rwc::src_a_cr), 0);
    } else if ((*this)[SrcACR[Index]]) {
        add(rwc(Rwc::src_a_cr), (*this)[SrcAIncr[Index]], 6);
        set(rwc(Rwc::src_a), RWC(Rwc::src_a_cr));
    } else {
        add(rwc(Rwc::src_a), (*this)[SrcAIncr[Index]], 6);
    }
    if ((*this)[SrcBClear[Index]]) {
        set(rwc(Rwc::src_b), 0);
        set(rwc(Rwc::src_b_cr), 0);
    } else if ((*this)[SrcBCR[Index]]) {
        add(rwc(Rwc::src_b_cr), (*this)[SrcBIncr[Index]], 6);
        set(rwc(Rwc::src_b), RWC(Rwc::src_b_cr));
    } else {
        add(rwc(Rwc::src_b), (*this)[SrcBIncr[Index]], 6);
    }
    if ((*this)[DestClear[Index]]) {
        set(rwc(Rwc::dst), 0);
        set(rwc(Rwc::dst_cr), 0);
    } else if ((*this)[DestCToCR[Index]]) {
        add(rwc(Rwc::dst), (*this)[DestIncr[Index]], 10);
        set(rwc(Rwc::dst_cr), RWC(Rwc::dst));
    } else if ((*this)[DestCR[Index]]) {
        add(rwc(Rwc::dst_cr), (*this)[DestIncr[Index]], 10);
        set(rwc(Rwc::dst), RWC(Rwc::dst_cr));
    } else {
        add(rwc(Rwc::dst), (*this)[DestIncr[Index]], 10);
    }
    if (UpdateFidelityPhase) {
        if ((*this)[FidelityClear[Index]]) {
            set(rwc(Rwc::fidelity), 0);
        } else {
            add(rwc(Rwc::fidelity), (*this)[FidelityIncr[Index]], 2);
        }
    }
    if ((*this)[BiasClear[Index]]) {
        set(rwc(Rwc::extra_addr_mod_bit), 0);
    } else if ((*this)[BiasIncr[Index]] & 3) {
        add(rwc(Rwc::extra_addr_mod_bit), 1, 1);  // B14
    }
}

void MatrixMachine::FlipSrc(Src src) {
    const std::uint32_t Bank = (*this)[state::cells::matrix_bank(src)];
    if (!(*this)[src == Src::a ? CLR_DVALID_SrcA_Disable : CLR_DVALID_SrcB_Disable]) give_to_unpackers(src, Bank);
    set(state::cells::matrix_bank(src), Bank ^ 1);
}

}  // namespace tessera::reference
