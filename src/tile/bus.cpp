// SPDX-License-Identifier: Apache-2.0
#include "tile/bus.hpp"

#include "state/lane_config.hpp"
#include "state/mmio.hpp"
#include "tile/texts.hpp"

namespace tessera::tile {

namespace {

constexpr std::uint32_t instruction_buffer = 0xFFE4'0000;

/// Of a steady device: loads from it only read, and show what changes with Port::changes() alone. The signals without
/// which it shows the same; 0: there are none.
constexpr std::optional<engine::Signals> changes_with(Device device) {
    switch (device) {
        case Device::overlay: return engine::Signal::stream;
        case Device::semaphores: return engine::Signal::semaphore;
        case Device::noc: return engine::Signals();
        default: return std::nullopt;
    }
}

constexpr unsigned tt_cfg_qstatus = 0xBC0;

}  // namespace

Request Bus::request(const riscv::Access& access) {
    tell_l1();
    port_.at(access.at, {core_, access.pc});
    return {User(core_), nullptr, access.address, access.bytes, access.pc, access.at};
}

riscv::Response Bus::load(const riscv::Access& access) {
    Request asked = request(access);
    const Reply reply = shared_.devices.load(asked);
    if (reply.kind != Reply::Kind::done) return refuse(asked, reply, "loads from");
    pass_word(asked, false);
    const bool is_done_check = asked.region->device == Device::tt_sync;
    riscv::Response response =
        done(reply.value, is_done_check ? shared_.costs.done_check.cycles : asked.region->latency);
    const auto signals = changes_with(asked.region->device);
    response.steady = signals.has_value();
    shared_.poll_ends[core_] = signals.value_or(engine::Signals());
    return response;
}

riscv::Response Bus::store(const riscv::Access& access, std::uint32_t value) {
    Request asked = request(access);
    const Reply reply = shared_.devices.store(asked, value);
    if (reply.kind != Reply::Kind::done) return refuse(asked, reply, "stores to");
    pass_word(asked, true);
    return done();
}

// The coprocessor's own memories synchronise separately.
void Bus::pass_word(const Request& request, bool store) {
    const Region& region = *request.region;
    std::uint32_t word = request.address & ~3u;
    switch (region.device) {
        case Device::mailbox: {
            const std::uint32_t from = store ? core_ : region.index, to = store ? region.index : core_;
            word = 1 + from * riscv_cores + to;
            break;
        }
        case Device::pc_buf: word = 64 + region.index; break;
        case Device::pc_buf_own: word = 64 + request.thread(); break;
        case Device::overlay:
            word = *state::mmio::stream_word(shared_.devices.state.arch(), request.address);
            if (!store) port_.loaded_stream(request.by(), word);
            break;
        case Device::tdma:
        case Device::debug:
        case Device::local_window:
        case Device::noc: break;
        default: return;
    }
    const By by = request.by();
    if (store)
        port_.release(by, word);
    else
        port_.acquire(by, word);
}

void Bus::loaded_l1(const riscv::Access& access) { keep(access, false); }

void Bus::stored_l1(const riscv::Access& access) { keep(access, true); }

inline void Bus::keep(const riscv::Access& access, bool is_store) {
    shared_.l1_group[kept_++] = {access.at, access.address, access.pc, 0, access.bytes, is_store, false, false};
    const bool stops = port_.turn().stops_in_l1;
    if (stops || kept_ == shared_.l1_group.size()) tell_l1();
    if (stops) stop_at_limit();
}

riscv::Response Bus::push(std::span<const std::uint32_t> words, std::uint32_t pc, riscv::Cycle at) {
    Request asked = request({.address = instruction_buffer, .pc = pc, .at = at});
    const Reply reply = shared_.devices.push(asked, words);
    return reply.kind == Reply::Kind::done ? done() : refuse(asked, reply, "pushes to");
}

riscv::Response Bus::done(std::uint32_t value, std::uint16_t latency) {
    shared_.devices.waiting[core_] = {};
    shorten_turn();
    return {value, latency};
}

riscv::Response Bus::refuse(const Request& request, const Reply& reply, const char* does) {
    using Kind = riscv::Response::Kind;
    Devices& devices = shared_.devices;
    Waiting& waiting = devices.waiting[core_];
    // RISC-V B's read of a PCBuf ends when T waits for a value: wake B.
    const bool b_may_go_on = reply.waiting.what() == WaitFor::pc_buf_value && waiting != reply.waiting;
    waiting = reply.waiting;
    if (b_may_go_on) devices.changed();
    shorten_turn();
    if (reply.kind == Reply::Kind::wait) return {.kind = Kind::wait};
    const auto in_region = [&] {
        return findings::Note{reply.fault, {}, devices.keep(fault_text(devices.arch, request, does, reply.why))};
    };
    port_.stop(reply.note ? *reply.note : in_region(), request.by());
    return {.kind = Kind::stop};
}

// A core without a thread of its own sees the activity of all threads (CSRs).
std::uint32_t Bus::status_csr(unsigned number, riscv::Cycle at) {
    tell_l1();
    port_.at(at, {core_, shared_.devices.state.riscv[core_].pc});
    port_.catch_up();
    const auto of = [&](unsigned thread) {
        return number == tt_cfg_qstatus ? port_.queued(thread) : port_.busy(thread);
    };
    const std::uint32_t all = of(0) | of(1) | of(2);
    const Request asked{User(core_)};
    const std::uint32_t own = asked.from_t() ? of(asked.thread()) : all;
    if (number != tt_cfg_qstatus) return own | all << 11;
    const std::uint32_t sfpu_cc = state::enabled_lanes(shared_.devices.state) != 0;
    return own | sfpu_cc << 11 | all << 13 | sfpu_cc << 24;
}

void Bus::watched_store(const riscv::Access& access) {
    tell_l1();
    if (shared_.tells_stores)
        port_.wrote({core_, access.pc}, state::Storage::l1, access.address, access.bytes, access.at);
    const bool is_awaited = shared_.awaited.contains(access.address);
    if (!is_awaited && !shared_.looked_at.contains(access.address)) return;
    port_.at(access.at, {core_, access.pc});
    if (!is_awaited) {
        turn_.limit = turn_.l1_ahead = turn_.push_ahead = 0;
        return;
    }
    port_.raise({});  // the engine checks for the run's end and wakes the host
    shorten_turn();
}

void Bus::note(const findings::Note& note, std::uint32_t pc, riscv::Cycle at) {
    tell_l1();
    port_.at(at, {core_, pc});
    port_.note(note, {core_, pc});
    stop_at_limit();
}

void Bus::shorten_turn() {
    shared_.noc_due = shared_.devices.nius.due();
    turn_.limit = port_.limit();
    turn_.l1_ahead = turn_.push_ahead = 0;
    shared_.harts[core_].report_l1(port_.l1_is_shared());
}

}  // namespace tessera::tile
