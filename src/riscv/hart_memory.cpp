// SPDX-License-Identifier: Apache-2.0
// The general path of a hart's memory accesses. Aligned accesses to local memory and L1 take the fast path.
#include <algorithm>
#include <bit>
#include <cstring>

#include "riscv/apart.hpp"
#include "riscv/arithmetic.hpp"
#include "riscv/hart_l1-inl.hpp"
#include "util/split_mix.hpp"

namespace tessera::riscv {

using findings::id;

namespace {

constexpr std::uint32_t round_down(std::uint32_t address, unsigned bytes) { return address & ~(bytes - 1); }

}  // namespace

void Hart::note_misaligned(Bus& bus, std::uint32_t address, unsigned bytes, std::uint32_t pc, Cycle now) {
    bus.note({id("riscv.misaligned"), {address, bytes, round_down(address, bytes)}, "the core uses address"}, pc, now);
}

void Hart::note_stale(Bus& bus, std::uint32_t address, std::uint32_t cached, std::uint32_t value, std::uint32_t pc,
                      Cycle now) {
    bus.note({id("riscv.stale-l0"), {address, cached, value}}, pc, now);
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
        if (shares_local() && now > turn.limit) return refused(Stop::Why::limit, now);
        std::memcpy(&effect.value, state_.local.data() + offset, bytes);
        effect.latency = costs_.local_load.cycles;
    } else if (l1_.contains(address, bytes)) {
        now = flight_from(now, address);
        if (now > turn.limit) return refused(Stop::Why::limit, now);
        effect.value = load_l1(bus, address, bytes, pc, now, effect.latency);
        if (reports_l1_) bus.loaded_l1({address, static_cast<std::uint8_t>(bytes), pc, now});
        if (turn.timed) begin_flight(now, effect.latency);
        repetition_.loaded(pc, address, effect.value);
    } else {
        now = device_flight_from(now);
        if (now > turn.limit) return refused(Stop::Why::limit, now);
        const Response response = load_device(bus, {address, static_cast<std::uint8_t>(bytes), pc, now});
        if (response.kind != Response::Kind::done) return refused(stop_of(response.kind), now);
        if (address != asked) polled_at_ = nowhere;  // each load is noted, so none is passed over
        if (turn.timed) begin_device_flight(now, response.latency);
        effect.value = response.value;
        effect.latency = response.latency;
    }
    if (address != asked) note_misaligned(bus, asked, bytes, pc, now);
    effect.at = now;
    return effect;
}

bool Hart::store_local(std::uint32_t offset, unsigned bytes, std::uint32_t value) {
    const std::uint32_t word = round_down(offset, 4);
    std::uint8_t* const place = state_.local.data() + word;
    std::uint32_t before, after;
    std::memcpy(&before, place, sizeof before);
    if (apart_) apart_->local.push_back({word, before});
    put(state_.local.data() + offset, bytes, value);
    std::memcpy(&after, place, sizeof after);
    // A sum over words, so that equal contents give equal digests. What it adds is not linear in a value: changes of a few words
    // that depend on each other would cancel out.
    const auto part = [&](std::uint32_t now) { return util::split_mix(std::uint64_t{word} << 32 | now); };
    local_digest_ += part(after) - part(before);
    return before != after;
}

Hart::Effect Hart::store(Bus& bus, Turn& turn, std::uint32_t asked, unsigned bytes, std::uint32_t value,
                         std::uint32_t pc, Cycle now, std::uint64_t& change) {
    const std::uint32_t address = round_down(asked, bytes);
    if (fences_all_) {
        now = std::max({now, latest_, store_port_.drained()});
        flush_l0();
    }
    if (const std::uint32_t offset = address - state::Riscv::local_base; offset < state_.local.size()) {
        if (shares_local() && now > turn.limit) return refused(Stop::Why::limit, now);
        const bool has_changed = store_local(offset, bytes, value);
        change += has_changed && offset < shared_end_ && offset + bytes > shared_first_;
    } else if (l1_.contains(address, bytes)) {
        const StorePort::Entry enters = store_port_.earliest(costs_, address, now);
        now = enters.at;
        if (now > turn.limit) return refused(Stop::Why::limit, now);
        if (turn.timed) store_port_.accept(costs_, address, bytes, enters, way_);
        const auto put_there = [&](std::uint32_t to, unsigned size, std::uint32_t stored) {
            store_l1(to, size, stored, turn, change);
            if (reports_l1_) bus.stored_l1({to, static_cast<std::uint8_t>(size), pc, now});
            if (is_watched(to)) bus.watched_store({to, static_cast<std::uint8_t>(size), pc, now});
        };
        if (address == asked || arch_ != Arch::blackhole) {
            put_there(address, bytes, value);
        } else {
            // The value repeats itself through the line of L1, and its bytes stay in their lanes.
            const std::uint32_t line_end = asked - asked % state::L0::line_bytes + state::L0::line_bytes;
            for (std::uint32_t to = asked; to < std::min(asked + bytes, line_end); ++to) put_there(to, 1, value >> to % bytes * 8 & 0xFF);
            bus.note({id("riscv.misaligned"), {asked, bytes, asked}, "the core stores each byte in the lane of its own address, from"}, pc, now);
            return {.at = now};
        }
    } else {
        if (now > turn.limit) return refused(Stop::Why::limit, now);
        const Response response = store_device(bus, {address, static_cast<std::uint8_t>(bytes), pc, now}, value);
        if (response.kind != Response::Kind::done) return refused(stop_of(response.kind), now);
    }
    if (address != asked) note_misaligned(bus, asked, bytes, pc, now);
    return {.at = now};
}

Hart::Effect Hart::atomic(Bus& bus, Turn& turn, Op op, std::uint32_t asked, std::uint32_t operand, std::uint32_t pc,
                          Cycle now, std::uint64_t& change) {
    constexpr unsigned bytes = 4;
    const std::uint32_t address = round_down(asked, bytes);
    now = std::max({now, latest_, store_port_.drained()});
    if (now > turn.limit) return refused(Stop::Why::limit, now);
    if (!l1_.contains(address, bytes)) {
        fault_ = {id("riscv.atomic-address"), {asked}};
        return refused(Stop::Why::illegal, now);
    }
    flush_l0();
    Effect effect{.at = now, .latency = costs_.atomic.cycles};
    std::memcpy(&effect.value, l1_.bytes.data() + address, bytes);
    store_l1(address, bytes, atomic_result(op, effect.value, operand), turn, change);
    if (reports_l1_) {
        bus.loaded_l1({address, bytes, pc, now});
        bus.stored_l1({address, bytes, pc, now});
    }
    repetition_.loaded(pc, address, effect.value);
    if (is_watched(address)) bus.watched_store({address, bytes, pc, now});
    if (address != asked) note_misaligned(bus, asked, bytes, pc, now);
    return effect;
}

Response Hart::load_device(Bus& bus, const Access& access) {
    saw_time_ = false;
    Response response = bus.load(access);
    if (response.steady && polled_at_ == access.pc && poll_round_.pc() != access.pc) find_round(access.pc);
    polled_at_ = response.steady ? access.pc : nowhere;
    if (response.kind != Response::Kind::done) return response;
    if (access.bytes < 4) response.value &= (1u << 8 * access.bytes) - 1;
    if (!saw_time_) repetition_.loaded(access.pc, access.address, response.value);
    return response;
}

Response Hart::store_device(Bus& bus, const Access& access, std::uint32_t value) {
    if (access.bytes < 4) value &= (1u << 8 * access.bytes) - 1;
    const Response response = bus.store(access, value);
    if (response.kind == Response::Kind::done) repetition_.broken();
    return response;
}

unsigned Hart::fused_words(std::uint32_t pc) const {
    unsigned count = 0;
    for (std::uint32_t at = pc; count < fuses_ && l1_.contains(at, 4); at += 4, ++count) {
        std::uint32_t word;
        std::memcpy(&word, l1_.bytes.data() + at, sizeof word);
        if ((word & 3) == 3) break;
    }
    return std::max(count, 1u);
}

Hart::Pushed Hart::push(Bus& bus, std::uint32_t first, std::uint32_t pc, Cycle now) {
    std::array<std::uint32_t, 4> words;
    words[0] = first;
    const std::uint32_t count = fused_words(pc);
    for (std::uint32_t i = 1; i < count; ++i) {
        std::uint32_t word;
        std::memcpy(&word, l1_.bytes.data() + pc + 4 * i, sizeof word);
        words[i] = std::rotr(word, 2);
    }
    const Response response = bus.push(std::span(words).first(count), pc, now);
    if (response.kind == Response::Kind::done) repetition_.broken();
    return {response.kind, count};
}

}  // namespace tessera::riscv
