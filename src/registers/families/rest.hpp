// SPDX-License-Identifier: Apache-2.0
// Fields outside the data paths: mover, RISC-V cores, configuration itself, clocks. Rows are laid out by hand.
#pragma once

#include "registers/field_family.hpp"

namespace tessera::registers::families {

inline constexpr std::string_view config_page = "BackendConfiguration, Special cases";
inline constexpr std::string_view mover_page = "XMOV, Functional model";

// clang-format off
inline constexpr FieldFamily rest[] = {
    {"THCON_SEC0_REG6_Source_address", FieldKind::address16, "address that the mover reads", mover_page},
    {"THCON_SEC0_REG6_Destination_address", FieldKind::address16, "address that the mover writes", mover_page},
    {"THCON_SEC0_REG6_Buffer_size", FieldKind::size16, "bytes that the mover moves; low 16 bits count", mover_page},
    {"THCON_SEC0_REG6_Transfer_direction", FieldKind::transfer_direction, "between L1 and the tile's other memory", "Mover"},
    {"THCON_SEC1_REG6_Source_address", FieldKind::address16, "not used: the mover uses THCON_SEC0", mover_page, Place::ignored},
    {"THCON_SEC1_REG6_Destination_address", FieldKind::address16, "not used: the mover uses THCON_SEC0", mover_page, Place::ignored},
    {"THCON_SEC1_REG6_Buffer_size", FieldKind::size16, "not used: the mover uses THCON_SEC0", mover_page, Place::ignored},
    {"THCON_SEC1_REG6_Transfer_direction", FieldKind::transfer_direction, "not used: the mover uses THCON_SEC0", mover_page, Place::ignored},
    {"STREAMWAIT_PHASE_HI_Val", FieldKind::number, "high bits of the phase that STREAMWAIT waits for", "STREAMWAIT, Functional model"},
    {"STREAMWAIT_NUM_MSGS_HI_Val", FieldKind::number, "high bits of the message count that STREAMWAIT waits for", "STREAMWAIT, Functional model"},
    {"STREAM_ID_SYNC_SEC#_BankSel", FieldKind::number, "overlay stream that STREAMWAIT and STREAMWRCFG mean", "STREAMWRCFG, Functional model"},
    {"CFG_STATE_ID_StateID", FieldKind::number, "bank of the backend configuration that the thread uses", "BackendConfiguration"},
    {"STATE_RESET_EN", FieldKind::flag, "writing it clears the bank", config_page},
    {"PRNG_SEED_Seed_Val", FieldKind::bits, "writing it seeds the random number generators", config_page},
    {"RISCV_IC_INVALIDATE_InvalidateAll", FieldKind::mask, "writing it empties instruction caches: B, T0, T1, T2, NC", config_page, Place::tile},
    {"DISABLE_RISC_BP_Disable_main", FieldKind::flag, "B has no branch predictor", config_page, Place::tile},
    {"DISABLE_RISC_BP_Disable_trisc", FieldKind::mask, "T0 to T2 have no branch predictor", config_page, Place::tile},
    {"DISABLE_RISC_BP_Disable_ncrisc", FieldKind::flag, "NC has no branch predictor", config_page, Place::tile},
    {"DISABLE_RISC_BP_Disable_bmp_clear_main", FieldKind::flag, "disables part of B's branch predictor; leave 0", config_page, Place::tile},
    {"DISABLE_RISC_BP_Disable_bmp_clear_trisc", FieldKind::mask, "disables part of T0's to T2's branch predictors; leave 0", config_page, Place::tile},
    {"DISABLE_RISC_BP_Disable_bmp_clear_ncrisc", FieldKind::flag, "disables part of NC's branch predictor; leave 0", config_page, Place::tile},
    {"TRISC_RESET_PC_SEC#_PC", FieldKind::address, "start address of T0 to T2 after reset, when enabled", config_page, Place::tile},
    {"TRISC_RESET_PC_OVERRIDE_Reset_PC_Override_en", FieldKind::mask, "T0 to T2 start at TRISC_RESET_PC", config_page, Place::tile},
    {"NCRISC_RESET_PC_PC", FieldKind::address, "start address of NC after reset, when enabled", config_page, Place::tile},
    {"NCRISC_RESET_PC_OVERRIDE_Reset_PC_Override_en", FieldKind::flag, "NC starts at NCRISC_RESET_PC", config_page, Place::tile},
    {"TRISC_END_PC_SEC#_PC", FieldKind::address, "T0's to T2's prefetchers stop here", config_page, Place::tile},
    {"BRISC_END_PC_PC", FieldKind::address, "B's prefetcher stops here", config_page, Place::tile},
    {"NOC_RISC_END_PC_PC", FieldKind::address, "NC's prefetcher stops here", config_page, Place::tile},
    {"RISC_PREFETCH_CTRL_Enable_Trisc", FieldKind::mask, "T0 to T2 prefetch instructions", config_page, Place::tile},
    {"RISC_PREFETCH_CTRL_Enable_Brisc", FieldKind::flag, "B prefetches instructions", config_page, Place::tile},
    {"RISC_PREFETCH_CTRL_Enable_NocRisc", FieldKind::flag, "NC prefetches instructions", config_page, Place::tile},
    {"RISC_PREFETCH_CTRL_Max_Req_Count", FieldKind::number, "requests that a prefetcher may have in flight", config_page, Place::tile},
    {"RISC_DEST_ACCESS_CTRL_SEC#_no_swizzle", FieldKind::flag, "how a RISC-V core sees Dst: without swizzling", config_page, Place::tile},
    {"RISC_DEST_ACCESS_CTRL_SEC#_unsigned_int", FieldKind::flag, "how a RISC-V core sees Dst: integers are unsigned", config_page, Place::tile},
    {"RISC_DEST_ACCESS_CTRL_SEC#_fmt", FieldKind::number, "how a RISC-V core sees Dst: the format", config_page, Place::tile},
    {"TENSIX_TRISC_SYNC_TrackGlobalCfg", FieldKind::flag, "order kept by Auto TTSync: stores to shared configuration", config_page, Place::tile},
    {"TENSIX_TRISC_SYNC_EnSubdividedCfgForUnpacr", FieldKind::flag, "order kept by Auto TTSync: the unpackers' configuration in parts", config_page, Place::tile},
    {"TENSIX_TRISC_SYNC_TrackGPR", FieldKind::flag, "order kept by Auto TTSync: stores to GPRs", config_page, Place::tile},
    {"TENSIX_TRISC_SYNC_TrackTDMARegs", FieldKind::flag, "order kept by Auto TTSync: TDMA-RISC's registers", config_page, Place::tile},
    {"TENSIX_TRISC_SYNC_TrackTensixInstructions", FieldKind::flag, "order kept by Auto TTSync: instructions", config_page, Place::tile},
    {"SCRATCH_SEC#_val", FieldKind::bits, "operand of CFGSHIFTMASK", "CFGSHIFTMASK, Functional model"},
    {"CG_CTRL_EN_Packer", FieldKind::mask, "", ""},
    {"CG_CTRL_EN_Unpacker", FieldKind::mask, "", ""},
    {"CG_CTRL_KICK_Packer", FieldKind::mask, "", ""},
    {"CG_CTRL_KICK_Unpacker", FieldKind::mask, "", ""},
};
// clang-format on

}  // namespace tessera::registers::families
