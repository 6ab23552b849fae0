// SPDX-License-Identifier: Apache-2.0
// All small state of the coprocessor is one flat array of 32-bit cells: configuration, GPRs, counters, semaphores,
// ownership, streams. A cell's number is its name everywhere. Plans, footprints, comparison, snapshots and reports
// share it.
#pragma once

#include <cstdint>

#include "state/arch_description.hpp"

namespace tessera::state {

enum class Cell : std::uint16_t {};

constexpr unsigned index(Cell cell) { return static_cast<unsigned>(cell); }

/// A run of cells with one meaning.
struct CellBlock {
    std::uint16_t first;
    std::uint16_t count;

    constexpr Cell operator[](unsigned i) const { return Cell(first + i); }
    constexpr bool contains(Cell cell) const { return index(cell) >= first && index(cell) < first + count; }
    constexpr std::uint16_t end() const { return static_cast<std::uint16_t>(first + count); }
};

constexpr CellBlock after(CellBlock previous, unsigned count) {
    return {previous.end(), static_cast<std::uint16_t>(count)};
}

inline constexpr unsigned threads = 3;

/// Matrix-unit counters of a thread (seed rwc-and-addressing, 2.1). `sp` is the vector unit's Dst stack pointer.
enum class Rwc : std::uint8_t {
    src_a,
    src_a_cr,
    src_b,
    src_b_cr,
    dst,
    dst_cr,
    fidelity,
    extra_addr_mod_bit,
    sp,
    count
};

/// Address counters of one channel of one unit (seed rwc-and-addressing, 5.1), each followed by its checkpoint.
enum class Adc : std::uint8_t { x, x_cr, y, y_cr, z, z_cr, w, w_cr, count };
enum class AdcUnit : std::uint8_t { unpacker0, unpacker1, packers, count };

enum class Src : std::uint8_t { a, b };
/// AllowedClient of a source bank.
enum class Owner : std::uint8_t { unpackers, matrix };

/// State of an unpacker. `bank` is the bank of the transfer that finishes next. `next_bank` is the bank of the next
/// UNPACR to issue, which is further along while transfers are queued.
enum class Unpacker : std::uint8_t {
    bank,
    next_bank,
    src_row_t0,
    src_row_t1,
    src_row_t2,
    context_counter_t0,
    context_counter_t1,
    context_counter_t2,
    setreg_acc,
    count
};

/// An entry of an unpacker's cache of row starts: the number + 1 of a line of L1 (0: none), and the eight row starts
/// in it.
enum class RowCache : std::uint8_t { line, word_0, word_1, word_2, word_3, count };

/// State of a packer between PACRs until Last: for each output stream its write position and the bytes of an
/// unfinished line; and its position in the tile.
enum class Packer : std::uint8_t {
    data_needs_address,
    data_address,  ///< L1 byte address of the 16 bytes being filled
    data_filled,   ///< bytes of them already there, counted at the issue of a PACR
    data_0,
    data_1,
    data_2,
    data_3,
    exp_needs_address,
    exp_address,
    exp_filled,
    exp_0,
    exp_1,
    exp_2,
    exp_3,
    group_filled,  ///< datums of an unfinished block float group, counted at the issue of a PACR
    group_0,       ///< two datums each, the first in the low half
    group_1,
    group_2,
    group_3,
    group_4,
    group_5,
    group_6,
    group_7,
    rsi_needs_address,
    rsi_address,
    rsi_filled,
    rsi_0,
    rsi_1,
    rsi_2,
    rsi_3,
    compressing,  ///< compressed stream: counted at issue; its other items change when the PACR runs
    reach_first,  ///< bounds in L1 of a compressed stream's writes
    reach_end,
    rle_filled,  ///< datums written of the current 32
    rle_0,       ///< zeros after each of them, four bits each
    rle_1,
    rle_2,
    rle_3,
    rsi_datums,  ///< datums written since the stream began
    row_open,    ///< the next PACR continues the row (Concat)
    row_zero,    ///< all of its datums so far are zero
    row_number,
    all_zero_flags,  ///< a bit for each of the first 32 rows
    tile_size,       ///< units of 16 bytes written since the stream began
    last_tile_size,
    last_thread,
    acc_tile_size_t0,
    acc_tile_size_t1,
    acc_tile_size_t2,
    l1_dest_addr_offset,  ///< in units of 16 bytes; TDMA-RISC sets it
    gasket_random,        ///< generators of stochastic rounding: for the early conversion
    packer_random,        ///< and for the late one
    tile_x,
    tile_y,
    tile_z,
    exp_histogram_max,
    count
};

/// Registers of an overlay stream within reach of the coprocessor's instructions (state/mmio.hpp). A write to
/// STREAM_REMOTE_DEST_BUF_SIZE sets `space_available`, and a write to …_SPACE_AVAILABLE_UPDATE adds to it. `phase`
/// includes `phase_base`.
enum class StreamRegister : std::uint8_t {
    remote_src,
    remote_dest_buf_start,
    remote_dest_buf_size,
    space_available,
    phase_base,
    phase,
    messages,  ///< STREAM_NUM_MSGS_RECEIVED; only the NoC changes it
    count
};

/// State of TDMA-RISC: parameters of its next command, raw register values, and values derived from them.
enum class Tdma : std::uint8_t {
    source,  ///< CmdParams
    destination,
    size,
    direction,
    mover_base,       ///< MovCmdBase of RISCV T0, used by all but the RISCV cores
    unpack_reg_addr,  ///< UnpackRegAddrRaw
    clk_gate_hyst,    ///< Scaler2Raw
    pack_reg_addr,    ///< PackRegAddrRaw
    pack_base_0,      ///< Packers.SetRegBase
    pack_base_1,
    scaler_0,  ///< Packers.SetRegHiScaler
    scaler_1,
    scaler_2,
    scaler_3,
    count
};

/// The latched wait of a thread's gate, in architecture-independent form. `stream` and `target` are STREAMWAIT's
/// StreamSelect and TargetValue.
enum class Latch : std::uint8_t { kind, block_mask, conditions, semaphores, stream, target, count };
enum class LatchKind : std::uint8_t { none, stall, sem, stream };

/// The rest of a thread's MOP expansion: template (0: none), loops, and position in them. Counts, mask and flags are
/// captured when the expansion begins. The instructions are read from the MOP registers one at a time.
enum class Mop : std::uint8_t { active, outer, inner, outer_at, inner_at, step, mask, flags, count };
enum class MopActive : std::uint8_t { none, template0, template1 };

/// State of a thread's replay expander: slots still to be played or recorded, and the next slot.
enum class Replay : std::uint8_t { mode, slot, left, count };
enum class ReplayMode : std::uint8_t { idle, play, record, record_and_execute };

/// Configuration of SFPLOADMACRO for each of the eight lane columns (SFPCONFIG page, LoadMacroConfig).
enum class Macro : std::uint8_t {
    template_0,
    template_1,
    template_2,
    template_3,
    sequence_0,
    sequence_1,
    sequence_2,
    sequence_3,
    misc,
    count
};

/// An instruction scheduled by SFPLOADMACRO, with its inputs (SFPLOADMACRO page, Functional model).
enum class Scheduled : std::uint8_t {
    word,       ///< 0: none
    registers,  ///< VB, VC and VD, eight bits each
    store,      ///< SFPSTORE: address in Dst; mode from bit 16 on
    how,        ///< thread; from bit 8 on, whether it waits for elapsed instructions
    count
};

/// The bits of an address counter or of its checkpoint (ADCs; spec-notes A29).
constexpr std::uint32_t adc_mask(const ArchDescription& arch, Adc counter) {
    if (counter <= Adc::x_cr) return 0x3FFFF;
    if (counter <= Adc::y_cr) return 0x1FFF;
    return (1u << arch.adc_zw_bits) - 1;
}

namespace cells {

template <class E>
constexpr unsigned size = static_cast<unsigned>(E::count);

inline constexpr unsigned max_config_words = 224, max_thread_config_words = 68, max_packers = 4, max_mutexes = 8;
inline constexpr unsigned mop_words = 9, replay_words = 32, fifo_words = 42, exp_histogram_words = 32;
inline constexpr unsigned lane_config_words = 8, cc_stack_depth = 8, lanes = 32, streams = 64;
inline constexpr unsigned set_reg_bases = 4, row_caches = 4;
inline constexpr unsigned queue_words = 4, queues = 10;
inline constexpr unsigned sub_units = 4, macro_delays = 8, rotated_rows = 4;
inline constexpr unsigned instruction_classes = 16;  ///< of RESOURCEDECL

inline constexpr CellBlock config_block{0, 2 * max_config_words};
inline constexpr CellBlock thread_config_block = after(config_block, threads* max_thread_config_words);
inline constexpr CellBlock gpr_block = after(thread_config_block, threads * 64);
inline constexpr CellBlock rwc_block = after(gpr_block, threads* size<Rwc>);
inline constexpr CellBlock adc_block = after(rwc_block, threads* size<AdcUnit> * 2 * size<Adc>);
inline constexpr CellBlock semaphore_value_block = after(adc_block, 8);
inline constexpr CellBlock semaphore_max_block = after(semaphore_value_block, 8);
inline constexpr CellBlock mutex_block = after(semaphore_max_block, max_mutexes);  // holder + 1, or 0
inline constexpr CellBlock bank_owner_block = after(mutex_block, 4);
inline constexpr CellBlock implied_format_block = after(bank_owner_block, 4);
inline constexpr CellBlock matrix_bank_block = after(implied_format_block, 2);
inline constexpr CellBlock unpacker_block = after(matrix_bank_block, 2 * size<Unpacker>);
inline constexpr CellBlock packer_block = after(unpacker_block, max_packers* size<Packer>);
inline constexpr CellBlock exp_histogram_block = after(packer_block, max_packers* exp_histogram_words);
inline constexpr CellBlock latch_block = after(exp_histogram_block, threads* size<Latch>);
inline constexpr CellBlock mop_block = after(latch_block, threads* mop_words);
inline constexpr CellBlock mop_mask_block = after(mop_block, threads);
inline constexpr CellBlock mop_expansion_block = after(mop_mask_block, threads* size<Mop>);
inline constexpr CellBlock replay_block = after(mop_expansion_block, threads* replay_words);
inline constexpr CellBlock replay_recorded_block = after(replay_block, threads);  // a bit per slot
inline constexpr CellBlock replay_expansion_block = after(replay_recorded_block, threads* size<Replay>);
inline constexpr CellBlock fifo_block = after(replay_expansion_block, threads* fifo_words);
inline constexpr CellBlock fifo_count_block = after(fifo_block, threads);
inline constexpr CellBlock queue_block = after(fifo_count_block, queues* queue_words);
inline constexpr CellBlock cc_block = after(queue_block, 1);  // lane flags, a bit per lane
inline constexpr CellBlock cc_enable_block = after(cc_block, 1);
inline constexpr CellBlock cc_stack_block = after(cc_enable_block, 2 * cc_stack_depth);
inline constexpr CellBlock cc_stack_size_block = after(cc_stack_block, 1);
inline constexpr CellBlock lane_config_block = after(cc_stack_size_block, lane_config_words);
inline constexpr CellBlock prng_block = after(lane_config_block, lanes);
inline constexpr CellBlock macro_block = after(prng_block, lane_config_words* size<Macro>);
inline constexpr CellBlock scalar_outstanding_block = after(macro_block, threads);
inline constexpr CellBlock stream_block = after(scalar_outstanding_block, streams);
inline constexpr CellBlock set_reg_base_block = after(stream_block, set_reg_bases);
inline constexpr CellBlock last_src_a_row_block = after(set_reg_base_block, 1);
inline constexpr CellBlock row_cache_block = after(last_src_a_row_block, 2 * row_caches * size<RowCache>);
inline constexpr CellBlock schedule_block = after(row_cache_block, sub_units* macro_delays* size<Scheduled>);
inline constexpr CellBlock rotated_block = after(schedule_block, rotated_rows);
inline constexpr CellBlock stream_register_block = after(rotated_block, streams* size<StreamRegister>);
inline constexpr CellBlock tdma_block = after(stream_register_block, size<Tdma>);
inline constexpr CellBlock matrix_random_block = after(tdma_block, 1);
inline constexpr CellBlock feature_disable_block = after(matrix_random_block, 1);
inline constexpr CellBlock declared_resources_block = after(feature_disable_block, threads* instruction_classes);
inline constexpr unsigned total = declared_resources_block.end();

/// RISCV_DEBUG_REG_DBG_FEATURE_DISABLE. Its one bit with a known effect makes the 16-bit view of Dst the upper half
/// of the 32-bit view (Dst; spec-notes T21).
inline constexpr Cell feature_disable = feature_disable_block[0];
inline constexpr std::uint32_t upper_dst = 1u << 11;

/// The generator of the matrix unit's stochastic rounding.
inline constexpr Cell matrix_random = matrix_random_block[0];

/// The row of SrcA that the matrix unit used last. SHIFTXA takes bits 5 and 4 of it.
inline constexpr Cell last_src_a_row = last_src_a_row_block[0];

/// Word `addr32` of configuration bank `bank`. A shared word is one cell, whichever bank is given.
constexpr Cell config(const ArchDescription& arch, unsigned bank, unsigned addr32) {
    return config_block[(addr32 >= arch.shared_config_base ? 0 : bank) * max_config_words + addr32];
}
constexpr Cell thread_config(unsigned thread, unsigned addr32) {
    return thread_config_block[thread * max_thread_config_words + addr32];
}
constexpr Cell gpr(unsigned thread, unsigned i) { return gpr_block[thread * 64 + i]; }
constexpr Cell rwc(unsigned thread, Rwc counter) {
    return rwc_block[thread * size<Rwc> + static_cast<unsigned>(counter)];
}
constexpr Cell adc(unsigned thread, AdcUnit unit, unsigned channel, Adc counter) {
    return adc_block[((thread * size<AdcUnit> + static_cast<unsigned>(unit)) * 2 + channel) * size<Adc> +
                     static_cast<unsigned>(counter)];
}
constexpr Cell semaphore_value(unsigned i) { return semaphore_value_block[i]; }
constexpr Cell semaphore_max(unsigned i) { return semaphore_max_block[i]; }
constexpr Cell mutex(unsigned i) { return mutex_block[i]; }
constexpr Cell bank_owner(Src src, unsigned bank) { return bank_owner_block[static_cast<unsigned>(src) * 2 + bank]; }
constexpr Cell implied_format(Src src, unsigned bank) {
    return implied_format_block[static_cast<unsigned>(src) * 2 + bank];
}
constexpr Cell matrix_bank(Src src) { return matrix_bank_block[static_cast<unsigned>(src)]; }
constexpr Cell unpacker(unsigned which, Unpacker item, unsigned thread = 0) {
    return unpacker_block[which * size<Unpacker> + static_cast<unsigned>(item) + thread];
}
/// `word`: offset behind the item, for row starts.
constexpr Cell row_cache(unsigned unpacker, unsigned entry, RowCache item, unsigned word = 0) {
    return row_cache_block[(unpacker * row_caches + entry) * size<RowCache> + static_cast<unsigned>(item) + word];
}
constexpr Cell packer(unsigned which, Packer item) {
    return packer_block[which * size<Packer> + static_cast<unsigned>(item)];
}
/// The last value written to STREAM_MSG_DATA_CLEAR of an overlay stream.
constexpr Cell stream_data_clear(unsigned stream) { return stream_block[stream]; }
constexpr Cell stream_register(unsigned stream, StreamRegister item) {
    return stream_register_block[stream * size<StreamRegister> + static_cast<unsigned>(item)];
}
constexpr Cell tdma(Tdma item) { return tdma_block[static_cast<unsigned>(item)]; }
/// Unpackers.SetRegBase: the target of UNPACR_NOP's writes to registers of the tile, as an offset in bytes.
constexpr Cell set_reg_base(unsigned i) { return set_reg_base_block[i]; }
constexpr Cell latch(unsigned thread, Latch item) {
    return latch_block[thread * size<Latch> + static_cast<unsigned>(item)];
}
/// `column`: 0 to 7; stands for lanes column, column + 8, and so on.
constexpr Cell macro(unsigned column, Macro item, unsigned i = 0) {
    return macro_block[column * size<Macro> + static_cast<unsigned>(item) + i];
}
/// The instruction that sub-unit `sub_unit` (simple, MAD, round, store) executes in `delay` cycles.
constexpr Cell scheduled(unsigned sub_unit, unsigned delay, Scheduled item) {
    return schedule_block[(sub_unit * macro_delays + delay) * size<Scheduled> + static_cast<unsigned>(item)];
}
/// The last lane of each row of eight at SFPSHFT2's latest rotation. Wormhole's shift takes it by mistake.
constexpr Cell last_rotated(unsigned row) { return rotated_block[row]; }
/// Declared use of resources by a class of a thread's instructions, for Auto TTSync (state/resources.hpp): bits 4 to
/// 16 of RESOURCEDECL.
constexpr Cell declared_resources(unsigned thread, unsigned instruction_class) {
    return declared_resources_block[thread * instruction_classes + instruction_class];
}
constexpr Cell mop(unsigned thread, unsigned i) { return mop_block[thread * mop_words + i]; }
constexpr Cell mop_expansion(unsigned thread, Mop item) {
    return mop_expansion_block[thread * size<Mop> + static_cast<unsigned>(item)];
}
constexpr Cell replay(unsigned thread, unsigned slot) { return replay_block[thread * replay_words + slot]; }
constexpr Cell replay_expansion(unsigned thread, Replay item) {
    return replay_expansion_block[thread * size<Replay> + static_cast<unsigned>(item)];
}

}  // namespace cells

}  // namespace tessera::state
