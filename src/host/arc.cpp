// SPDX-License-Identifier: Apache-2.0
#include "host/arc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "noc/layout.hpp"
#include "noc/registers.hpp"

namespace tessera::host {

namespace {

constexpr std::uint32_t reset_unit = Arc::registers + 0x3'0000, misc_control = reset_unit + 0x100, message_interrupt = 1 << 16,
                        nius = Arc::registers + 0x5'0000, niu_step = 0x8000, message_fifo = Arc::registers + 0xB'0000;
constexpr std::uint32_t scratch(unsigned i) { return reset_unit + 0x60 + 4 * i; }

constexpr std::uint32_t legacy_telemetry = Arc::memory, telemetry_tags = Arc::memory + 0x100, telemetry_values = Arc::memory + 0x200;

// Wormhole. The counter is of 64 bits (ARCTile/ResetUnit).
constexpr std::uint32_t reference_counter = reset_unit + 0xE0, reference_mhz = 27;
constexpr std::uint32_t started = 0xC0DE'0001, tags_pointer = reset_unit + 0x1D0, values_pointer = reset_unit + 0x1D4,
                        queue_pointer = reset_unit + 0x1D8, legacy_bundle_version = legacy_telemetry + 4 * 49;
// Blackhole: words of a scratch memory in the reset unit.
constexpr std::uint32_t scratch_ram(unsigned i) { return reset_unit + 0x400 + 4 * i; }
constexpr std::uint32_t ready_for_messages = 5, queue_block = Arc::memory + 0x300, queues_begin = Arc::memory + 0x400, queues = 4, entries = 8,
                        entry_bytes = 32, header_bytes = 32, queue_bytes = header_bytes + 2 * entries * entry_bytes;

// Messages of both chips, by code.
constexpr std::uint8_t telemetry_address = 0x2C, get_clock = 0x34, set_trained = 0x58;
constexpr std::uint8_t without_answer[] = {0x11, 0x21, 0x51, 0x52, 0x53, 0x54, 0x56, 0x57, 0x90, 0xA0, 0xA3, 0xB6, 0xB7, 0xBA, 0xBC, 0xC1};
constexpr std::uint8_t log_of_blackhole = 0xC7;

constexpr std::uint32_t clock_mhz = 1000;

bool is_memory(std::uint32_t address) { return address - Arc::memory < Arc::memory_bytes; }

}  // namespace

Arc::Arc(Arch arch) : arch_(arch) {
    const bool blackhole = arch == Arch::blackhole;
    for (unsigned i = 0; i < 8; ++i) words_[scratch(i)] = 0;
    words_[misc_control] = 0;
    // NOC_NODE_ID and NIU_CFG_0 with translation on.
    const noc::Layout& chip = noc::layout(arch);
    const noc::Place place = chip.places_of(noc::TileKind::arc).front();
    for (unsigned noc = 0; noc < noc::nocs; ++noc) {
        const std::uint32_t niu = nius + noc * niu_step;
        words_[niu + noc::register_map(arch).node_id] = chip.node_id(place, noc);
        words_[niu + noc::offset::niu_cfg_0] = noc::translate_enable;
    }
    if (blackhole) {
        for (unsigned i = 0; i < 16; ++i) words_[scratch_ram(i)] = 0;
        words_[scratch_ram(2)] = ready_for_messages;
        words_[scratch_ram(11)] = queue_block;
        words_[scratch_ram(12)] = telemetry_values;
        words_[scratch_ram(13)] = telemetry_tags;
        words_[message_fifo] = 0;
        words_[queue_block] = queues_begin;
        words_[queue_block + 4] = entries | queues << 8;
    } else {
        words_[scratch(0)] = started;
        words_[tags_pointer] = telemetry_tags;
        words_[values_pointer] = telemetry_values;
        words_[queue_pointer] = 0;  // its firmware has no queue
        pass_to(0);
    }
    put_telemetry();
}

void Arc::put_telemetry() {
    const bool blackhole = arch_ == Arch::blackhole;
    const std::uint32_t channels = noc::layout(arch_).dram_channels, bundle = blackhole ? 0x1205'0000 : 0x1204'0000,
                        ethernet = blackhole ? 0x0FFF : 0xFFFF;
    constexpr unsigned degrees = 16;  // fixed point
    struct Value {
        std::uint32_t tag, value;
    };
    std::vector<Value> values{
        {1, blackhole ? 0x400u : 0x180u},            // board: P150, N150
        {2, 1},                                      // its number
        {3, 1},                                      // of the chip
        {4, 0},                                      // nothing is harvested
        {11, 40u << degrees}, {13, 35u << degrees},  // chip and board
        {14, clock_mhz}, {15, 900}, {16, 540},       // of tiles, of the bus, of the ARC
        {21, ethernet},                              // links that live
        {22, (1u << 2 * channels) / 3},              // channels of DRAM that are trained: 01 for each
        {28, bundle},                                // version of the firmware
        {32, 1},                                     // heartbeat
        {52, 0},                                     // place on the board
    };
    if (blackhole) values.insert(values.end(), {{38, 1}, {35, ethernet}, {61, 0}, {62, 1}});
    words_[telemetry_tags] = 1;
    words_[telemetry_tags + 4] = static_cast<std::uint32_t>(values.size());
    for (std::uint32_t i = 0; i < values.size(); ++i) {
        words_[telemetry_tags + 8 + 4 * i] = values[i].tag | i << 16;
        words_[telemetry_values + 4 * i] = values[i].value;
    }
    if (!blackhole) words_[legacy_bundle_version] = bundle;
}

Result<void> Arc::check(std::uint32_t address, std::size_t bytes) const {
    if (is_memory(address) && bytes <= memory + memory_bytes - address) return {};
    if (address % 4 == 0 && bytes == 4 && words_.contains(address)) return {};
    return fail("host.bar", fmt::format("{} bytes at 0x{:X} of the ARC: Tessera models its memory, and of its registers those that hosts need, "
                                        "as words of 4 bytes",
                                        bytes, address));
}

std::uint32_t Arc::word(std::uint32_t address) const {
    const auto found = words_.find(address);
    return found == words_.end() ? 0 : found->second;
}

Result<void> Arc::read(std::uint32_t address, std::span<std::byte> bytes) const {
    if (auto there = check(address, bytes.size()); !there) return there;
    for (std::uint32_t i = 0; i < bytes.size(); ++i) {
        const std::uint32_t at = address + i;
        bytes[i] = static_cast<std::byte>(word(at - at % 4) >> at % 4 * 8);
    }
    return {};
}

Result<void> Arc::write(std::uint32_t address, std::span<const std::byte> bytes) {
    if (auto there = check(address, bytes.size()); !there) return there;
    for (std::uint32_t i = 0; i < bytes.size(); ++i) {
        const std::uint32_t at = address + i, shift = at % 4 * 8;
        std::uint32_t& word = words_[at - at % 4];
        word = (word & ~(0xFFu << shift)) | static_cast<std::uint32_t>(bytes[i]) << shift;
    }
    if (address == message_fifo || (address == misc_control && words_[misc_control] & message_interrupt)) interrupt();
    return {};
}

void Arc::pass_to(std::uint64_t cycle) {
    if (arch_ != Arch::wormhole) return;
    const std::uint64_t count = cycle / clock_mhz * reference_mhz + cycle % clock_mhz * reference_mhz / clock_mhz;
    words_[reference_counter] = static_cast<std::uint32_t>(count);
    words_[reference_counter + 4] = static_cast<std::uint32_t>(count >> 32);
}

std::optional<std::uint32_t> Arc::answer(std::uint8_t code) const {
    const bool blackhole = arch_ == Arch::blackhole;
    if (!blackhole && code == telemetry_address) return legacy_telemetry - memory;
    if (!blackhole && code == get_clock) return clock_mhz;
    if (code == set_trained) return 1;
    if (std::ranges::find(without_answer, code) != std::end(without_answer) || (blackhole && code == log_of_blackhole)) return 0;
    return std::nullopt;
}

// Wormhole has one message, in scratch words. Its firmware answers a code that it does not know with ones.
void Arc::interrupt() {
    words_[misc_control] &= ~message_interrupt;
    if (arch_ == Arch::wormhole) {
        const auto code = static_cast<std::uint8_t>(words_[scratch(5)]);
        const auto result = answer(code);
        if (result) words_[scratch(3)] = *result;
        words_[scratch(5)] = result ? code : 0xFFFF'FFFF;
        return;
    }
    for (std::uint32_t i = 0; i < queues; ++i) serve_queue(queues_begin + i * queue_bytes);
}

// A queue: counters of requests written (word 0) and read (4), of answers read (1) and written (5); requests; answers. Counters count to twice
// the entries.
void Arc::serve_queue(std::uint32_t queue) {
    const std::uint32_t requests = queue + header_bytes, answers = requests + entries * entry_bytes;
    std::uint32_t &read = words_[queue + 16], &answered = words_[queue + 20];
    for (unsigned i = 0; i < entries && read != word(queue) % (2 * entries); ++i) {
        const auto code = static_cast<std::uint8_t>(word(requests + read % entries * entry_bytes));
        const auto result = answer(code);
        const std::uint32_t at = answers + answered % entries * entry_bytes;
        for (std::uint32_t k = 0; k < entry_bytes; k += 4) words_[at + k] = 0;
        words_[at] = result.value_or(0xFF);
        read = (read + 1) % (2 * entries);
        answered = (answered + 1) % (2 * entries);
    }
}

}  // namespace tessera::host
