// SPDX-License-Identifier: Apache-2.0
// Shared by the functional models of the vector unit: lanes with flags and configuration, the random generator, an
// instruction's fields (Vector Unit; LReg; SFPCONFIG, LaneConfig; SFPLOADMACRO).
#pragma once

#include <optional>

#include "reference/matrix_machine.hpp"

namespace tessera::reference {

/// The fields of an instruction. An encoding without VB or VC has VD's (usual assignments of the models).
struct Insn {
    std::uint32_t VA = 0;
    std::optional<std::uint32_t> VB, VC;
    std::uint32_t VD = 0;
    std::uint32_t Mod = 0;  ///< Mod0 or Mod1
    std::uint32_t Imm = 0;
    std::uint32_t RoundingMode = 0;
    std::uint32_t AddrMod = 0;
    bool Scheduled = false;  ///< from SFPLOADMACRO: LaneConfig.DISABLE_BACKDOOR_LOAD counts as true

    bool VD_is_writable() const { return VD < 8 || VD == 16; }
    void default_to_VD() {
        if (!VB) VB = VD;
        if (!VC) VC = VD;
    }
};

/// The fields as encoded; VB and VC are empty if the encoding lacks them.
Insn ParseInsn(const isa::Instruction& instruction);

/// Bits of LaneConfig.
enum LaneConfigBit : std::uint32_t {
    ENABLE_FP16A_INF = 0,
    DISABLE_BACKDOOR_LOAD = 1,
    ENABLE_DEST_INDEX = 2,
    CAPTURE_DEFAULT_DEST_INDEX = 3,
    BLOCK_DEST_WR_FROM_SFPU = 4,
    BLOCK_SFPU_RD_FROM_DEST = 5,
    DEST_RD_COL_EXCHANGE = 6,
    DEST_WR_COL_EXCHANGE = 7,
    EXCHANGE_SRCB_SRCC = 8,
    ROW_MASK = 12,
};

inline constexpr std::uint32_t Lanes = 32, Columns = 8;
/// Words of LoadMacroConfig: InstructionTemplate[4], Sequence[4], Misc, as SFPCONFIG and SFPMOV number them.
inline constexpr std::uint32_t MacroSequence = 4, MacroMisc = 8;

struct VectorMachine : MatrixMachine {
    using MatrixMachine::MatrixMachine;

    std::uint32_t LReg(std::uint32_t i, std::uint32_t Lane) const {
        return state.lregs.lane[i * Lanes + Lane];
    }
    void set_LReg(std::uint32_t i, std::uint32_t Lane, std::uint32_t u32) {
        state.lregs.lane[i * Lanes + Lane] = u32;
    }

    /// SFPCONFIG sets all lanes of a column of the 4x8 grid alike.
    std::uint32_t LaneConfig(std::uint32_t Lane) const { return (*this)[state::cells::lane_config_block[Lane & 7]]; }
    bool LaneConfig(std::uint32_t Lane, LaneConfigBit bit) const { return LaneConfig(Lane) >> bit & 1; }
    /// `i`: 0 to 8 as above.
    static state::Cell macro(std::uint32_t Lane, std::uint32_t i) {
        return state::cells::macro(Lane & 7, state::Macro::template_0, i);
    }
    std::uint32_t LoadMacroConfig(std::uint32_t Lane, std::uint32_t i) const { return (*this)[macro(Lane, i)]; }

    bool LaneFlags(std::uint32_t Lane) const { return (*this)[state::cells::cc_block[0]] >> Lane & 1; }
    void set_LaneFlags(std::uint32_t Lane, bool flag) {
        const std::uint32_t others = (*this)[state::cells::cc_block[0]] & ~(1u << Lane);
        set(state::cells::cc_block[0], others | std::uint32_t{flag} << Lane);
    }
    /// One value for all lanes (V62).
    bool UseLaneFlagsForLaneEnable() const { return (*this)[state::cells::cc_enable_block[0]]; }
    bool LaneEnabled(std::uint32_t Lane) const {
        if (LaneConfig(Lane) >> (ROW_MASK + Lane / 8) & 1) return false;
        return UseLaneFlagsForLaneEnable() ? LaneFlags(Lane) : true;
    }

    std::uint32_t AdvancePRNG(std::uint32_t Lane);

    /// VD < 12 || LaneConfig.DISABLE_BACKDOOR_LOAD
    bool executes(const Insn& i, std::uint32_t Lane) const {
        return i.VD < 12 || i.Scheduled || LaneConfig(Lane, DISABLE_BACKDOOR_LOAD);
    }
    /// if (vd < 8 || vd == 16) LReg[vd] = x
    void write_result(std::uint32_t vd, std::uint32_t Lane, std::uint32_t x) {
        if (vd < 8 || vd == 16) set_LReg(vd, Lane, x);
    }

    /// lanewise { if (LaneEnabled) body }
    template <class Body>
    void lanewise_enabled(Body&& body) {
        for (std::uint32_t Lane = 0; Lane < Lanes; ++Lane)
            if (LaneEnabled(Lane)) body(Lane);
    }
    /// lanewise { if (VD < 12 || LaneConfig.DISABLE_BACKDOOR_LOAD) { if (LaneEnabled) body } }
    template <class Body>
    void lanewise_executed(const Insn& i, Body&& body) {
        for (std::uint32_t Lane = 0; Lane < Lanes; ++Lane)
            if (executes(i, Lane) && LaneEnabled(Lane)) body(Lane);
    }
};

/// Whether C < D, as sign-magnitude integers or as FP32 in total order (SFPSWAP, SFPLE, SFPGT).
bool SignMagIsSmaller(std::uint32_t C, std::uint32_t D);

/// x * y + z (docs/internals/numerics.md 8).
std::uint32_t fma_model(std::uint32_t x, std::uint32_t y, std::uint32_t z, bool wh);

}  // namespace tessera::reference
