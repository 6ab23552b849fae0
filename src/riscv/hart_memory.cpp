// SPDX-License-Identifier: Apache-2.0
// A hart's accesses to memory, but for those to local memory that need no second look.
#include <algorithm>
#include <bit>
#include <cstring>

#include "riscv/arithmetic.hpp"
#include "riscv/hart.hpp"

namespace tessera::riscv {

using findings::id;

namespace {

constexpr std::uint32_t round_down(std::uint32_t address, unsigned bytes) { return address & ~(bytes - 1); }

// A call of memcpy or memcmp would cost more than the access.
std::uint32_t get(const std::uint8_t* place, unsigned bytes) {
    std::uint16_t half;
    std::uint32_t word;
    switch (bytes) {
        case 1: return *place;
        case 2: std::memcpy(&half, place, sizeof half); return half;
        default: std::memcpy(&word, place, sizeof word); return word;
    }
}

void put(std::uint8_t* place, unsigned bytes, std::uint32_t value) {
    const auto half = static_cast<std::uint16_t>(value);
    switch (bytes) {
        case 1: *place = static_cast<std::uint8_t>(value); break;
        case 2: std::memcpy(place, &half, sizeof half); break;
        default: std::memcpy(place, &value, sizeof value);
    }
}

Stop::Why why(Response::Kind kind) { return kind == Response::Kind::wait ? Stop::Why::wait : Stop::Why::stop; }

}  // namespace

void Hart::note_misaligned(Bus& bus, std::uint32_t address, unsigned bytes, std::uint32_t pc, Cycle now) {
    bus.note({id("riscv.misaligned"), {address, bytes, round_down(address, bytes)}}, pc, now);
}

void Hart::flush_l0() {
    for (auto& line : state_.l0.line) line.address = state::L0::empty;
    state_.l0.hits = 0;
}

Hart::Effect Hart::load(Bus& bus, const Turn& turn, std::uint32_t asked, unsigned bytes, std::uint32_t pc, Cycle now) {
    const std::uint32_t address = round_down(asked, bytes);
    if (fences_all_) {
        now = std::max({now, latest_, store_port_.drained()});
        flush_l0();
    }
    Effect effect;
    if (const std::uint32_t offset = address - state::Riscv::local_base; offset < state_.local.size()) {
        std::memcpy(&effect.value, state_.local.data() + offset, bytes);
        effect.latency = costs_.local_load.cycles;
    } else if (l1_.contains(address, bytes)) {
        const unsigned most = costs_.loads_in_flight.cycles;
        if (most) now = std::max(now, in_flight_[flights_ % most]);
        if (now > turn.limit) return refused(Stop::Why::limit, now);
        effect.value = load_l1(bus, address, bytes, pc, now, effect.latency);
        if (most) in_flight_[flights_++ % most] = now + effect.latency - 1;
        repetition_.loaded(pc, address, effect.value);
    } else {
        if (now > turn.limit) return refused(Stop::Why::limit, now);
        const Response response = bus.load({address, static_cast<std::uint8_t>(bytes), pc, now});
        if (response.kind != Response::Kind::done) return refused(why(response.kind), now);
        effect.value = bytes == 4 ? response.value : response.value & ((1u << 8 * bytes) - 1);
        effect.latency = response.latency;
        repetition_.loaded(pc, address, effect.value);
    }
    if (address != asked) note_misaligned(bus, asked, bytes, pc, now);
    effect.at = now;
    return effect;
}

std::uint32_t Hart::load_l1(Bus& bus, std::uint32_t address, unsigned bytes, std::uint32_t pc, Cycle now,
                            std::uint32_t& latency) {
    const std::uint32_t value = get(l1_.bytes.data() + address, bytes);
    latency = costs_.l1_load.cycles;
    if (!caches_) return value;

    auto& l0 = state_.l0;
    const std::uint32_t line_address = round_down(address, state::L0::line_bytes);
    for (const auto& line : l0.line) {
        if (line.address != line_address) continue;
        const std::uint32_t cached = get(line.bytes.data() + address % state::L0::line_bytes, bytes);
        if (cached != value) bus.note({id("riscv.stale-l0"), {address, cached, value}}, pc, now);
        latency = costs_.l0_hit.cycles;
        if (++l0.hits >= costs_.periodic_flush.cycles && flushes_) flush_l0();
        return cached;
    }
    auto& line = l0.line[l0.next];
    l0.next = (l0.next + 1) % state::L0::lines;
    line.address = line_address;
    std::memcpy(line.bytes.data(), l1_.bytes.data() + line_address, line.bytes.size());
    return value;
}

void Hart::store_local(std::uint32_t offset, unsigned bytes, std::uint32_t value) {
    const std::uint32_t word = round_down(offset, 4);
    std::uint8_t* const place = state_.local.data() + word;
    std::uint32_t before, after;
    std::memcpy(&before, place, sizeof before);
    put(state_.local.data() + offset, bytes, value);
    std::memcpy(&after, place, sizeof after);
    // A sum over words, each with a factor of its own: it comes back when all of them do.
    local_digest_ += (std::uint64_t{after} - before) * ((word + 1) * 0x9E37'79B9'7F4A'7C15 | 1);
}

bool Hart::store_l1(std::uint32_t address, unsigned bytes, std::uint32_t value) {
    std::uint8_t* const place = l1_.bytes.data() + address;
    l1_.mark_written(address, bytes);
    for (auto& line : state_.l0.line)
        if (line.address == round_down(address, state::L0::line_bytes)) line.address = state::L0::empty;
    const std::uint32_t before = get(place, bytes);
    put(place, bytes, value);
    return get(place, bytes) != before;
}

Hart::Effect Hart::store(Bus& bus, const Turn& turn, std::uint32_t asked, unsigned bytes, std::uint32_t value,
                         std::uint32_t pc, Cycle now, std::uint64_t& change) {
    const std::uint32_t address = round_down(asked, bytes);
    if (fences_all_) {
        now = std::max({now, latest_, store_port_.drained()});
        flush_l0();
    }
    if (const std::uint32_t offset = address - state::Riscv::local_base; offset < state_.local.size()) {
        store_local(offset, bytes, value);
    } else if (l1_.contains(address, bytes)) {
        now = store_port_.earliest(costs_, address, now);
        if (now > turn.limit) return refused(Stop::Why::limit, now);
        store_port_.accept(costs_, address, bytes, now);
        change += store_l1(address, bytes, value);
        if (address >= watch_first_ && address < watch_end_)
            bus.watched_store({address, static_cast<std::uint8_t>(bytes), pc, now});
    } else {
        if (now > turn.limit) return refused(Stop::Why::limit, now);
        if (bytes < 4) value &= (1u << 8 * bytes) - 1;
        const Response response = bus.store({address, static_cast<std::uint8_t>(bytes), pc, now}, value);
        if (response.kind != Response::Kind::done) return refused(why(response.kind), now);
        repetition_.broken();
    }
    if (address != asked) note_misaligned(bus, asked, bytes, pc, now);
    return {.at = now};
}

Hart::Effect Hart::atomic(Bus& bus, const Turn& turn, Op op, std::uint32_t asked, std::uint32_t operand,
                          std::uint32_t pc, Cycle now, std::uint64_t& change) {
    constexpr unsigned bytes = 4;
    const std::uint32_t address = round_down(asked, bytes);
    if (!l1_.contains(address, bytes)) {
        fault_ = {id("riscv.atomic-address"), {asked}};
        return refused(Stop::Why::illegal, now);
    }
    now = std::max({now, latest_, store_port_.drained()});
    if (now > turn.limit) return refused(Stop::Why::limit, now);
    flush_l0();
    Effect effect{.at = now, .latency = costs_.atomic.cycles};
    std::memcpy(&effect.value, l1_.bytes.data() + address, bytes);
    change += store_l1(address, bytes, atomic_result(op, effect.value, operand));
    repetition_.loaded(pc, address, effect.value);
    if (address >= watch_first_ && address < watch_end_) bus.watched_store({address, bytes, pc, now});
    if (address != asked) note_misaligned(bus, asked, bytes, pc, now);
    return effect;
}

Hart::Pushed Hart::push(Bus& bus, const Turn& turn, std::uint32_t pc, Cycle now) {
    if (now > turn.limit) return {refused(Stop::Why::limit, now)};
    std::array<std::uint32_t, 4> words{};
    std::uint32_t count = 0;
    for (std::uint32_t at = pc; count < fuses_ && l1_.contains(at, 4); at += 4) {
        std::uint32_t word;
        std::memcpy(&word, l1_.bytes.data() + at, sizeof word);
        if ((word & 3) == 3) break;
        words[count++] = std::rotr(word, 2);
    }
    const Response response = bus.push(std::span(words).first(count), pc, now);
    if (response.kind != Response::Kind::done) return {refused(why(response.kind), now)};
    repetition_.broken();
    return {{.at = now}, count};
}

}  // namespace tessera::riscv
