// SPDX-License-Identifier: Apache-2.0
// Registers of the tile that instructions reach by address and whose values are part of the coprocessor's state:
// overlay streams and TDMA-RISC. Instructions reach 0xFFB0'0000 to 0xFFBF'FFFF. Configuration, GPRs and semaphores,
// from 0xFFE0'0000 on, are out of their reach (BabyRISCV, memory map; spec-notes A80, G4). units/tile_registers has
// the effects of reads and writes.
#pragma once

#include <optional>
#include <string_view>

#include "state/cells.hpp"

namespace tessera::state::mmio {

inline constexpr std::uint32_t base = 0xFFB0'0000;
inline constexpr std::uint32_t lowest = 0xFFB1'1000;  ///< LOADREG, STOREREG and STOREIND reach no address below
inline constexpr std::uint32_t tdma = 0xFFB1'1000;    ///< TDMA-RISC
inline constexpr std::uint32_t tdma_command = tdma + 0x10;
inline constexpr std::uint32_t tdma_status = tdma + 0x14;  ///< cores read it, instructions do not
/// Its bits: the mover's, and those of the queues, which are empty since a core's command waits in the core (TDMA-RISC, Memory map).
inline constexpr std::uint32_t tdma_mover_busy = 1, tdma_queues_empty = 1 << 3 | 1 << 5 | 4 << 8;
inline constexpr std::uint32_t overlay = 0xFFB4'0000;      ///< NOC_OVERLAY_START_ADDR
inline constexpr std::uint32_t overlay_end = 0xFFB8'0000;  ///< first address behind
inline constexpr std::uint32_t stream_bytes = 0x1000;
static_assert((overlay_end - overlay) / stream_bytes == cells::streams);

/// A register of a stream: its index in 32-bit words by architecture (-1: unknown), and its width.
struct StreamRegisterSpec {
    StreamRegister item;
    std::int16_t index[2];
    std::uint8_t bits;
    bool read_only;
    std::string_view name;
};
inline constexpr StreamRegisterSpec stream_registers[] = {
    {StreamRegister::remote_src, {4, 0}, 24, false, "STREAM_REMOTE_SRC"},
    {StreamRegister::remote_dest_buf_start, {8, 3}, 17, false, "STREAM_REMOTE_DEST_BUF_START"},
    {StreamRegister::remote_dest_buf_size, {10, 4}, 17, false, "STREAM_REMOTE_DEST_BUF_SIZE"},
    {StreamRegister::space_available, {297, 64}, 17, true, "STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE"},
    {StreamRegister::phase_base, {28, -1}, 20, false, "STREAM_CURR_PHASE_BASE"},
    {StreamRegister::phase, {29, -1}, 20, false, "STREAM_CURR_PHASE"},
    {StreamRegister::messages, {259, -1}, 17, true, "STREAM_NUM_MSGS_RECEIVED"},
};
/// STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE, write only.
inline constexpr std::int16_t space_available_update[2] = {270, 34};

/// The stream and register of an address; the index counts words.
struct StreamPlace {
    unsigned stream = 0, index = 0;
};
constexpr std::optional<StreamPlace> stream_place(std::uint32_t address) {
    if (address < overlay || address >= overlay_end) return std::nullopt;
    return StreamPlace{(address - overlay) / stream_bytes, address % stream_bytes / 4};
}
constexpr const StreamRegisterSpec* stream_register(const ArchDescription& arch, unsigned index) {
    for (const auto& spec : stream_registers)
        if (spec.index[static_cast<unsigned>(arch.arch)] == static_cast<int>(index)) return &spec;
    return nullptr;
}

/// Accesses to registers of overlay streams synchronise by word. This one stands for the register, and for those that change with it.
constexpr std::uint32_t stream_word(unsigned stream, StreamRegister item) {
    if (item == StreamRegister::space_available) item = StreamRegister::remote_dest_buf_size;
    if (item == StreamRegister::phase) item = StreamRegister::phase_base;
    return overlay + stream * stream_bytes + static_cast<std::uint32_t>(item) * 4;
}
constexpr std::uint32_t stream_word(Cell cell) {
    const std::uint32_t at = index(cell) - cells::stream_register_block.first;
    constexpr auto registers = static_cast<std::uint32_t>(StreamRegister::count);
    return stream_word(at / registers, StreamRegister(at % registers));
}
/// The same by the register's address; nothing for an address that is no stream's.
constexpr std::optional<std::uint32_t> stream_word(const ArchDescription& arch, std::uint64_t address) {
    if (address < overlay || address >= overlay_end) return std::nullopt;
    const StreamPlace place = *stream_place(static_cast<std::uint32_t>(address));
    if (static_cast<int>(place.index) == space_available_update[static_cast<unsigned>(arch.arch)])
        return stream_word(place.stream, StreamRegister::space_available);
    const StreamRegisterSpec* const spec = stream_register(arch, place.index);
    return stream_word(place.stream, spec ? spec->item : StreamRegister::count);
}

}  // namespace tessera::state::mmio
