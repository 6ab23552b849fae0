// SPDX-License-Identifier: Apache-2.0
// Differences between the architectures other than encodings and registers: sizes, counts and features, as data.
#pragma once

#include <array>
#include <cstdint>

#include "tessera/arch.hpp"

namespace tessera::state {

/// The conditions of a latched STALLWAIT, independent of each architecture's bit numbers. A set bit in a
/// ConditionMask means: keep waiting while this holds.
enum class Condition : std::uint8_t {
    thcon,      ///< scalar unit has requests outstanding for the thread
    unpack0,    ///< thread has an instruction in unpacker 0
    unpack1,    ///< thread has an instruction in unpacker 1
    pack0,      ///< thread has an instruction in packer 0
    pack1,      ///< Wormhole only, as the next two
    pack2,      ///<
    pack3,      ///<
    math,       ///< thread has an instruction in the matrix unit
    srca_clr,   ///< unpacker 0's SrcA bank is not the unpackers'
    srcb_clr,   ///< unpacker 1's SrcB bank is not the unpackers'
    srca_vld,   ///< the matrix unit's SrcA bank is not the matrix unit's
    srcb_vld,   ///< the matrix unit's SrcB bank is not the matrix unit's
    xmov,       ///< mover has requests outstanding
    trisc_cfg,  ///< the thread's RISC-V core has an unprocessed store to configuration or GPRs
    sfpu,       ///< thread has an instruction in the vector unit
    cfgexu,     ///< any thread has an instruction in the configuration unit; Blackhole only
    count
};
using ConditionMask = std::uint32_t;
constexpr ConditionMask bit(Condition c) { return 1u << static_cast<unsigned>(c); }

struct ArchDescription {
    static constexpr unsigned max_condition_bits = 15;

    Arch arch;
    std::uint32_t l1_bytes;             ///< spec-notes B26
    std::uint16_t config_words;         ///< per bank: 4 * CFG_STATE_SIZE; spec-notes B9
    std::uint16_t shared_config_base;   ///< words from here on are shared by both banks; spec-notes B10
    std::uint16_t thread_config_words;  ///< THD_STATE_SIZE; spec-notes B32
    std::uint8_t packers;               ///< Blackhole has one packer with four read interfaces; spec-notes C5
    std::uint8_t mutexes;               ///< index 1 is invalid on both; spec-notes B25
    std::uint16_t stream_data_clear;    ///< STREAM_MSG_DATA_CLEAR_REG_INDEX; spec-notes A80
    std::uint8_t mop_count_bits;        ///< of the counts of MOP's template 1; spec-notes B27
    std::uint8_t adc_zw_bits;           ///< width of the Z and W address counters; spec-notes A29
    bool fp8_saturated;                 ///< FP8 E5M2 has a pattern for the largest magnitude; spec-notes A45
    bool unpack_wide_rows;              ///< 32 datums of more than 8 bits in a row of unpackers' input; spec-notes A7
    bool unpacks_broadcast;             ///< bit 5 of UNPACR copies rows of SrcB; spec-notes A57
    bool implied_formats;               ///< source banks carry the format they were unpacked with; spec-notes A64
    bool drops_unnamed_config_bits;     ///< configuration bits of no field read as zero; spec-notes H10
    bool addr_mod_set;                  ///< 2-bit AddrMod plus set selection, instead of 3-bit; spec-notes B13
    bool packs_wide_to_fp16;            ///< Round_10b_mant makes FP32 or BF16 in Dst an FP16; spec-notes E22
    bool config_dual_write;             ///< a third part of the map of configuration writes both banks
    bool semwait_replaces;              ///< a SEMWAIT may replace a latched wait (Wormhole SEMWAIT, "Block mask")
    std::array<Condition, max_condition_bits> conditions;  ///< of STALLWAIT's bits; Condition::count: no meaning
    std::uint16_t default_conditions;  ///< meaning of a zero mask, in STALLWAIT's bits; spec-notes C6
};

const ArchDescription& describe(Arch arch);

}  // namespace tessera::state
