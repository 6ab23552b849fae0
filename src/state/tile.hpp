// SPDX-License-Identifier: Apache-2.0
// State of the devices around the coprocessor that only RISC-V cores can see: one array of 32-bit words.
#pragma once

#include <array>
#include <cstdint>

#include "tessera/arch.hpp"

namespace tessera::state {

/// A run of words with one meaning.
struct TileBlock {
    std::uint16_t first, count;
    constexpr unsigned operator[](unsigned i) const { return first + i; }
    constexpr std::uint16_t end() const { return static_cast<std::uint16_t>(first + count); }
};

namespace tile_words {

inline constexpr unsigned nocs = 2, mailbox_cores = 4, mailbox_entries = 4, pc_bufs = 3, pc_buf_entries = 16;
inline constexpr unsigned initiators = 4, initiator_words = 16, niu_configuration_words = 32, niu_counters = 64;
inline constexpr unsigned debug_words = 0x24C / 4;

constexpr TileBlock after(TileBlock previous, unsigned count) {
    return {previous.end(), static_cast<std::uint16_t>(count)};
}

inline constexpr TileBlock mailbox{0, mailbox_cores* mailbox_cores* mailbox_entries};
inline constexpr TileBlock mailbox_count = after(mailbox, mailbox_cores* mailbox_cores);
inline constexpr TileBlock pc_buf = after(mailbox_count, pc_bufs* pc_buf_entries);
inline constexpr TileBlock pc_buf_count = after(pc_buf, pc_bufs);
/// Registers from RISCV_DEBUG_REGS_START_ADDR on, by offset / 4.
inline constexpr TileBlock debug = after(pc_buf_count, debug_words);
inline constexpr TileBlock initiator = after(debug, nocs* initiators* initiator_words);
inline constexpr TileBlock niu_configuration = after(initiator, nocs* niu_configuration_words);
inline constexpr TileBlock niu_counter = after(niu_configuration, nocs* niu_counters);
inline constexpr unsigned total = niu_counter.end();

/// A mailbox from RISC-V core `from` to `to` (B, T0, T1, T2); its oldest value is entry 0.
constexpr unsigned mailbox_entry(unsigned from, unsigned to, unsigned entry) {
    return mailbox[(from * mailbox_cores + to) * mailbox_entries + entry];
}
constexpr unsigned mailbox_size(unsigned from, unsigned to) { return mailbox_count[from * mailbox_cores + to]; }
constexpr unsigned pc_buf_entry(unsigned thread, unsigned entry) { return pc_buf[thread * pc_buf_entries + entry]; }
/// By the register's offset from RISCV_DEBUG_REGS_START_ADDR.
constexpr unsigned debug_register(std::uint32_t offset) { return debug[offset / 4]; }
/// By the register's offset from the initiator's first.
constexpr unsigned initiator_register(unsigned noc, unsigned which, std::uint32_t offset) {
    return initiator[(noc * initiators + which) * initiator_words + offset / 4];
}
/// By the register's offset from NIU_BASE + 0x100.
constexpr unsigned niu_configuration_register(unsigned noc, std::uint32_t offset) {
    return niu_configuration[noc * niu_configuration_words + offset / 4];
}
constexpr unsigned counter(unsigned noc, unsigned index) { return niu_counter[noc * niu_counters + index]; }

}  // namespace tile_words

/// A tile's place in each NoC, and the NoC's size, as in NOC_NODE_ID.
struct NocPlace {
    std::uint8_t x, y, width, height;
    friend bool operator==(const NocPlace&, const NocPlace&) = default;
    /// X and Y in the form of NOC_NODE_ID and NOC_ID_LOGICAL. NoC 1 counts from the opposite corner.
    constexpr std::uint32_t coordinates(unsigned noc) const {
        const auto across = static_cast<std::uint32_t>(noc ? width - 1 - x : x);
        const auto down = static_cast<std::uint32_t>(noc ? height - 1 - y : y);
        return across | down << 6;
    }
};
/// The first Tensix tile of each chip (spec-notes T13).
constexpr NocPlace noc_place(Arch arch) {
    return arch == Arch::blackhole ? NocPlace{1, 2, 17, 12} : NocPlace{1, 1, 10, 12};
}

struct Tile {
    explicit Tile(Arch arch);
    /// Moves a tile after reset to another place of the NoC.
    void put(NocPlace at);

    NocPlace place;

    std::array<std::uint32_t, tile_words::total> words{};
    std::uint32_t& operator[](unsigned i) { return words[i]; }
    std::uint32_t operator[](unsigned i) const { return words[i]; }
};

}  // namespace tessera::state
