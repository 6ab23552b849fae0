// SPDX-License-Identifier: Apache-2.0
// Values of the waits' and semaphores' operands (STALLWAIT, SEMWAIT, STREAMWAIT, SEMINIT, FLUSHDMA, ATGETM; the
// kernel library's p_stall). `also` has the kernel library's spelling if it differs.
#pragma once

#include "isa/values/value_spec.hpp"

namespace tessera::isa::values {

inline constexpr ValueSpec blocks[] = {
    choice("default", 0, "the same as math", "NONE"),
    bits("tdma", block::tdma, "miscellaneous, mover, scalar, packer and unpacker instructions", "STALL_TDMA"),
    bits("sync", block::sync, "sync instructions", "STALL_SYNC"),
    bits("pack", block::pack, "packer instructions", "STALL_PACK"),
    bits("unpack", block::unpack, "unpacker instructions", "STALL_UNPACK"),
    bits("xmov", block::xmov, "mover instructions", "STALL_XMOV"),
    bits("thcon", block::thcon, "scalar instructions", "STALL_THCON"),
    bits("math", block::math, "matrix unit instructions", "STALL_MATH"),
    bits("cfg", block::cfg, "configuration instructions", "STALL_CFG"),
    bits("sfpu", block::sfpu, "vector unit instructions", "STALL_SFPU"),
    bits("thread", block::all, "all of them, NOP too", "STALL_THREAD all"),
};

/// Each condition keeps the thread waiting while it holds. state/arch_description.cpp maps them to Conditions.
inline constexpr ValueSpec conditions[] = {
    choice("default", 0, "scalar unit, unpackers and packers", "NONE"),
    bits("thcon", 0x1, "the scalar unit has requests of the thread outstanding"),
    bits("unpack0", 0x2, "unpacker 0 has an instruction of the thread"),
    bits("unpack1", 0x4, "unpacker 1 has an instruction of the thread"),
    bits("pack0", 0x8, "packer 0 (Blackhole: the packer) has an instruction of the thread"),
    bits("pack1", 0, 0x10, "packer 1 has an instruction of the thread").only(wormhole),
    bits("pack2", 0, 0x20, "packer 2 has an instruction of the thread").only(wormhole),
    bits("pack3", 0, 0x40, "packer 3 has an instruction of the thread").only(wormhole),
    bits("math", 0x10, 0x80, "the matrix unit has an instruction of the thread"),
    bits("srca_clr", 0x20, 0x100, "the bank of SrcA that unpacker 0 is at is not the unpackers'"),
    bits("srcb_clr", 0x40, 0x200, "the bank of SrcB that unpacker 1 is at is not the unpackers'"),
    bits("srca_vld", 0x80, 0x400, "the bank of SrcA that the matrix unit is at is not the matrix unit's"),
    bits("srcb_vld", 0x100, 0x800, "the bank of SrcB that the matrix unit is at is not the matrix unit's"),
    bits("xmov", 0x200, 0x1000, "the mover has a transfer, of any thread"),
    bits("trisc_cfg", 0x400, 0x2000, "the thread's core has an unprocessed store to configuration or GPRs"),
    bits("sfpu", 0x800, 0x4000, "the vector unit has an instruction of the thread", "SFPU1 WAIT_SFPU"),
    bits("cfgexu", 0x1000, 0, "the configuration unit has an instruction, of any thread").only(blackhole),
    bits("unpack", 0x6, "unpack0|unpack1"),
    bits("pack", 0x8, 0x78, "all packers: pack0, on Wormhole pack0|pack1|pack2|pack3"),
};

inline constexpr ValueSpec flush_conditions[] = {
    choice("default", 0, "all four"),
    bits("thcon", 0x1, "the scalar unit has requests of the thread outstanding"),
    bits("unpack0", 0x2, "unpacker 0 has an instruction of the thread"),
    bits("unpack1", 0x4, "unpacker 1 has an instruction of the thread"),
    bits("pack0", 0x8, "packer 0 (Blackhole: the packer) has an instruction of the thread"),
    bits("unpack", 0x6, "unpack0|unpack1"),
};

inline constexpr ValueSpec semaphores[] = {
    bits("sem0", 0x01, "semaphore 0", "SEMAPHORE_0"), bits("sem1", 0x02, "semaphore 1", "SEMAPHORE_1"),
    bits("sem2", 0x04, "semaphore 2", "SEMAPHORE_2"), bits("sem3", 0x08, "semaphore 3", "SEMAPHORE_3"),
    bits("sem4", 0x10, "semaphore 4", "SEMAPHORE_4"), bits("sem5", 0x20, "semaphore 5", "SEMAPHORE_5"),
    bits("sem6", 0x40, "semaphore 6", "SEMAPHORE_6"), bits("sem7", 0x80, "semaphore 7", "SEMAPHORE_7"),
};

inline constexpr ValueSpec semaphore_conditions[] = {
    bits("zero", 1, "a chosen semaphore is 0", "STALL_ON_ZERO"),
    bits("max", 2, "a chosen semaphore is at its maximum or above", "STALL_ON_MAX"),
};

inline constexpr ValueSpec stream_values[] = {
    choice("phase", 0, "the stream's phase, from its base on, is below the target"),
    choice("messages", 1, "the number of its messages is below the target"),
};

inline constexpr ValueSpec mutexes[] = {
    choice("reg_rmw", 0, "the kernel library's, for read-modify-write of configuration"),
    choice("sfpu", 4, "the kernel library's, for the vector unit"),
};

inline constexpr ValueSet block_mask = {
    "block mask", "Instructions that the wait gate holds until the wait ends: any of", blocks};
inline constexpr ValueSet condition_mask = {
    "wait conditions", "The wait lasts while any of these holds", conditions};
inline constexpr ValueSet flush_mask = {
    "flush conditions", "The scalar unit waits while any of these holds", flush_conditions};
inline constexpr ValueSet semaphore_mask = {"semaphore mask", "Which semaphores: any of", semaphores};
inline constexpr ValueSet semaphore_condition_mask = {
    "semaphore conditions",
    "The wait lasts while any of these holds. With none it is a STALLWAIT for the default conditions",
    semaphore_conditions};
inline constexpr ValueSet stream_value = {"stream condition", "The wait lasts while", stream_values};
inline constexpr ValueSet mutex = {
    "mutex", "0, 2 to 4 (Blackhole) or 2 to 7 (Wormhole); 1 does not exist", mutexes};
inline constexpr ValueSet semaphore_maximum = {"semaphore maximum", "0 to 15; SEMWAIT for max compares with it"};
inline constexpr ValueSet semaphore_value = {"semaphore value", "0 to 15"};
inline constexpr ValueSet stream_target = {
    "stream target",
    "The low 10 bits of the value to compare with; the upper bits are in thread configuration "
    "(STREAMWAIT_PHASE_HI, STREAMWAIT_NUM_MSGS_HI)"};
inline constexpr ValueSet stream_select = {
    "stream selection", "0 to 3: which STREAM_ID_SYNC_SEC of thread configuration names the stream"};

inline constexpr OperandValues sync[] = {
    {"", "stall_res", &block_mask},
    {"STALLWAIT", "wait_res", &condition_mask},
    {"FLUSHDMA", "FlushSpec", &flush_mask},
    {"", "sem_sel", &semaphore_mask},
    {"SEMWAIT", "wait_sem_cond", &semaphore_condition_mask},
    {"SEMINIT", "max_value", &semaphore_maximum},
    {"SEMINIT", "init_value", &semaphore_value},
    {"STREAMWAIT", "target_sel", &stream_value},
    {"STREAMWAIT", "target_value", &stream_target},
    {"STREAMWAIT", "wait_stream_sel", &stream_select},
    {"ATGETM ATRELM", "mutex_index", &mutex},
};

}  // namespace tessera::isa::values
