// SPDX-License-Identifier: Apache-2.0
// A hart's aligned accesses to L1 through L0. Inlined, because a call would cost more than the access. The caller
// handles time and turns.
#pragma once

#include <cstring>

#include "riscv/hart.hpp"

namespace tessera::riscv {

// Inlined copy and compare: calls of memcpy or memcmp would cost more than the access.
inline std::uint32_t get(const std::uint8_t* place, unsigned bytes) {
    std::uint16_t half;
    std::uint32_t word;
    switch (bytes) {
        case 1: return *place;
        case 2: std::memcpy(&half, place, sizeof half); return half;
        default: std::memcpy(&word, place, sizeof word); return word;
    }
}

inline void put(std::uint8_t* place, unsigned bytes, std::uint32_t value) {
    const auto half = static_cast<std::uint16_t>(value);
    switch (bytes) {
        case 1: *place = static_cast<std::uint8_t>(value); break;
        case 2: std::memcpy(place, &half, sizeof half); break;
        default: std::memcpy(place, &value, sizeof value);
    }
}

[[gnu::always_inline]] inline std::uint32_t Hart::load_l1(Bus& bus, std::uint32_t address, unsigned bytes,
                                                          std::uint32_t pc, Cycle now, std::uint32_t& latency) {
    const std::uint32_t value = get(l1_.bytes.data() + address, bytes);
    latency = costs_.l1_load.cycles;
    if (!caches_) return value;

    auto& l0 = state_.l0;
    const std::uint32_t line_address = address - address % state::L0::line_bytes;
    for (const auto& line : l0.line)
        if (line.address == line_address) {
            const std::uint32_t cached = get(line.bytes.data() + address % state::L0::line_bytes, bytes);
            if (cached != value) note_stale(bus, address, cached, value, pc, now);
            latency = costs_.l0_hit.cycles;
            if (++l0.hits >= flush_after_) flush_l0();
            return cached;
        }
    auto& line = l0.line[l0.next];
    l0.next = (l0.next + 1) % state::L0::lines;
    line.address = line_address;
    std::memcpy(line.bytes.data(), l1_.bytes.data() + line_address, state::L0::line_bytes);
    return value;
}

[[gnu::always_inline]] inline bool Hart::store_l1(std::uint32_t address, unsigned bytes, std::uint32_t value, Turn& turn,
                                                  std::uint64_t& change) {
    const std::uint32_t line_address = address - address % state::L0::line_bytes;
    for (auto& line : state_.l0.line)
        if (line.address == line_address) line.address = state::L0::empty;
    std::uint8_t* const place = l1_.write_in_line(address);
    const std::uint32_t before = get(place, bytes);
    put(place, bytes, value);
    const bool has_changed = get(place, bytes) != before;
    change += has_changed;
    turn.l1_changes += has_changed;
    return has_changed;
}

}  // namespace tessera::riscv
