// SPDX-License-Identifier: Apache-2.0
#include "tile/tile.hpp"

#include <algorithm>
#include <cstring>

#include "riscv/decode.hpp"
#include "tile/askers.hpp"
#include "tile/texts.hpp"
#include "util/set_bits.hpp"

namespace tessera::tile {

namespace {

using engine::Signal;

engine::Signals wakes(WaitFor what) {
    switch (what) {
        case WaitFor::instruction_fifo: return Signal::popped;
        case WaitFor::coprocessor_done:
        case WaitFor::mops_expanded:
        case WaitFor::pc_buf_done:
            return Signal::unit | Signal::issued | Signal::latch | Signal::pushed | Signal::tile;
        case WaitFor::own_stores: return Signal::store | Signal::semaphore;
        case WaitFor::own_instructions: return Signal::unit | Signal::issued;
        case WaitFor::mover: return Signal::unit;
        default: return Signal::tile;
    }
}

}  // namespace

Tile::Tile(state::State& state, const Kernels& kernels, Timing timing, bool tells_stores)
    : state_(state),
      harts_(state, timing),
      devices_(state, harts_, timing),
      buses_{devices_, harts_,       noc_due_, riscv::costs(state.arch().arch, timing), AwaitedRange(kernels),
             {},       tells_stores, {}},
      done_words_(kernels.done, state.l1),
      host_(kernels.host, devices_),
      code_(state, kernels),
      reports_(state, harts_, devices_, code_) {
    host_waits_ = host_.waits();
    release_running_cores(state);
    if (tells_stores)
        harts_.watch(0, state.arch().l1_bytes);
    else
        harts_.watch(buses_.awaited.first(), buses_.awaited.end());
}

unsigned Tile::running() const {
    unsigned mask = 0;
    for (std::size_t i = 0; i < riscv_cores; ++i) mask |= static_cast<unsigned>(state_.riscv[i].running) << i;
    return mask;
}

struct Tile::Saved final : Memory {
    Harts::Memory harts;
    std::array<Waiting, riscv_cores> waiting{};
    std::array<std::optional<std::uint32_t>, riscv_cores> shown_pc{};
    Host::Memory host;
    Nius::Memory nius;
    CoreDebugger::Memory debugger;
    Cycle noc_due = engine::never;
};

std::shared_ptr<const Tile::Memory> Tile::save() const {
    auto saved = std::make_shared<Saved>();
    saved->harts = harts_.save();
    saved->waiting = devices_.waiting;
    saved->shown_pc = devices_.shown_pc;
    saved->host = host_.save();
    saved->nius = devices_.nius.save();
    saved->debugger = devices_.debugger.save();
    saved->noc_due = noc_due_;
    return saved;
}

void Tile::restore(const Memory& memory) {
    const auto& saved = static_cast<const Saved&>(memory);
    harts_.restore(saved.harts);
    devices_.waiting = saved.waiting;
    devices_.shown_pc = saved.shown_pc;
    host_.restore(saved.host);
    devices_.nius.restore(saved.nius);
    devices_.debugger.restore(saved.debugger);
    noc_due_ = saved.noc_due;
    host_waits_ = host_.waits();
}

void Tile::join(noc::Fabric& fabric) {
    devices_.nius.connect(fabric);
    has_neighbours_ = true;
    // While a tile polls, it and its neighbours go on in short rounds.
    constexpr std::uint32_t branches = 128;
    harts_.look_early_for_repetition(branches);
}

// Most tiles of a host's chip wait for work, and the host waits for each of its cycles.
void Tile::obey_host() {
    goes_on_after_faults_ = true;
    constexpr std::uint32_t branches = 8, most = 512;
    harts_.look_early_for_repetition(branches, most);
}

void Tile::go_on_from(const Tile& before, Cycle now) {
    restore(*before.save());
    devices_.nius.go_on_at(now);
    noc_due_ = devices_.nius.due();
}

void Tile::arrive(noc::Arrival arrival) {
    const unsigned noc = arrival.packet.noc;
    devices_.nius[noc].arrive(std::move(arrival));
    noc_due_ = devices_.nius.due();
}

bool Tile::all_done() const {
    return !host_waits_ && noc_due_ == engine::never && (done_words_.empty() || done_words_.hold());
}

bool Tile::done() const { return done_words_.may_hold() && !host_waits_ && done_words_.hold(); }

void Tile::act_host(Cycle now, engine::Port& port) {
    use(port);
    host_.act(now, port);
    host_waits_ = host_.waits();
}

void Tile::host_resets(const std::array<bool, riscv_cores>& cores, bool start, Cycle now, engine::Port& port) {
    use(port);
    host_reset(devices_, cores, start, now);
}

engine::Cores::HostAccess Tile::host_accesses(std::uint32_t address, std::optional<std::uint32_t> stored, Cycle now, engine::Port& port) {
    use(port);
    HostAccess access = host_.access(address, stored, now);
    noc_due_ = devices_.nius.due();
    return access;
}

void Tile::tell_unfinished(engine::Port& port) {
    use(port);
    devices_.nius.tell_open_transactions();
}

void Tile::act_noc(Cycle now, engine::Port& port) {
    use(port);
    while (devices_.nius.due() <= now) {
        const auto failed = devices_.nius.act();
        if (!failed) continue;
        const noc::Origin& origin = failed->origin;
        const noc::Place here = devices_.nius.place();
        port.stop({code_of(failed->refusal), {}, devices_.keep(text_of(*failed, here))}, reported(origin, here));
        if (goes_on_after_faults_) continue;
        if (!origin.is_core_of(here)) stopped_by_ = origin;
        break;
    }
    noc_due_ = devices_.nius.due();
}

std::vector<std::uint32_t> Tile::memory(unsigned core) const {
    const auto& riscv = state_.riscv[core];
    std::vector<std::uint32_t> words(riscv.x.begin(), riscv.x.end());
    words.resize(words.size() + riscv.local.size() / sizeof(std::uint32_t));
    std::memcpy(words.data() + riscv.x.size(), riscv.local.data(), riscv.local.size());
    return words;
}

// While cores only reach their limit, turns follow each other in this loop without returning to the engine.
engine::Turn Tile::act(unsigned, Cycle, engine::Port& port) {
    use(port);
    std::uint64_t& changes = port.changes();
    for (;;) {
        const engine::TurnBegin& begin = port.turn();
        const unsigned core = begin.core;
        follow_predictor(core);
        if (is_asked(core)) return act_watched(port);
        riscv::Hart& hart = harts_[core];
        riscv::Turn turn{.limit = begin.limit,
                         .instructions = begin.instructions,
                         .timed = begin.timed,
                         .devices = changes - l1_changes_,
                         .l1_ahead = begin.l1_ahead,
                         .push_ahead = begin.push_ahead};
        if (begin.interval) turn.instructions = std::min(turn.instructions, begin.interval - (static_cast<std::uint32_t>(hart.executed()) & (begin.interval - 1)));
        Bus bus(buses_, port, core, turn);
        hart.report_l1(begin.l1_is_shared);
        const riscv::Stop stop = hart.run(bus, turn, begin.now, changes);
        bus.tell_l1();
        l1_changes_ += turn.l1_changes;
        const bool goes_on =
            stop.why == riscv::Stop::Why::limit && state_.riscv[core].running && !hart.repeats(changes);
        const bool sleeps = begin.may_sleep && poll_ends(core, changes);
        if (!goes_on || sleeps) return what_ended(core, stop, port);
        leaves_shown_pc(core, changes);
        if (!port.next_turn(stop.time)) return what_ended(core, stop, port);
    }
}

engine::Turn Tile::act_watched(engine::Port& port) {
    const engine::TurnBegin& begin = port.turn();
    const unsigned core = begin.core;
    // Nobody watches what a core would do if only time passed.
    if (watch_ && !harts_[core].holds_time()) {
        const CoreWatch::Answer answer = watch_->before_instruction(core);
        if (answer == CoreWatch::Answer::stops) return {.kind = engine::Turn::Kind::again, .time = begin.now};
        devices_.waiting[core] = {};
        if (answer == CoreWatch::Answer::waits) {
            devices_.waiting[core] = {WaitFor::debugger};
            return {.kind = engine::Turn::Kind::wait,
                    .time = begin.now,
                    .wait = {engine::Wait::Kind::tile, static_cast<std::uint8_t>(WaitFor::debugger)}};
        }
    }
    riscv::Hart& hart = harts_[core];
    const bool watches = devices_.debugger.watches(core);
    const std::uint32_t met = watches ? devices_.debugger.meets(core, hart.fused_words(state_.riscv[core].pc)) : 0;
    riscv::Turn turn{begin.limit, 1, begin.timed, port.changes() - l1_changes_};
    Bus bus(buses_, port, core, turn);
    hart.report_l1(begin.l1_is_shared);
    const riscv::Stop stop = hart.run(bus, turn, begin.now, port.changes());
    bus.tell_l1();
    l1_changes_ += turn.l1_changes;
    const bool executed = stop.why == riscv::Stop::Why::instructions || stop.why == riscv::Stop::Why::self_loop;
    if (executed && devices_.debugger.watches(core) && devices_.debugger.passed(core, met)) return ended(core, stop.time);
    return what_ended(core, stop, port);
}

engine::Turn Tile::what_ended(unsigned core, const riscv::Stop& stop, engine::Port& port) {
    const engine::Turn turn = turn_of(core, stop, port);
    leaves_shown_pc(core, port.changes());
    return turn;
}

engine::Turn Tile::turn_of(unsigned core, const riscv::Stop& stop, engine::Port& port) {
    using Why = riscv::Stop::Why;
    riscv::Hart& hart = harts_[core];
    if (!state_.riscv[core].running && stop.why != Why::breakpoint) return ended(core, stop.time);
    switch (stop.why) {
        case Why::instructions:
        case Why::limit:
            return {.kind = engine::Turn::Kind::again,
                    .time = stop.time,
                    .at_limit = stop.why == Why::limit,
                    .repeats = hart.repeats(port.changes()),
                    .poll_ends = poll_ends(core, port.changes()),
                    .period = hart.poll_cycles()};
        case Why::wait: {
            const Waiting& waiting = devices_.waiting[core];
            return {.kind = engine::Turn::Kind::wait,
                    .time = stop.time,
                    .wait = {engine::Wait::Kind::tile, static_cast<std::uint8_t>(waiting.what()), waiting.index()},
                    .wakes = wakes(waiting.what()),
                    .room_of = waiting.what() == WaitFor::instruction_fifo ? waiting.index() : engine::no_fifo};
        }
        case Why::paused:
        case Why::self_loop: return ended(core, stop.time);
        case Why::breakpoint: {
            const std::uint32_t pc = state_.riscv[core].stopped_at();
            port.at(stop.time - 1, {core, pc});
            port.stop_or_note({findings::id("riscv.ebreak"), {pc}}, {core, pc});
            return ended(core, stop.time);
        }
        case Why::stop: break;
        case Why::illegal:
        case Why::fetch:
            port.at(stop.time, {core, state_.riscv[core].pc});
            port.stop(hart.fault(), {core, state_.riscv[core].pc});
            break;
    }
    if (goes_on_after_faults_) {
        state_.riscv[core].running = false;
        return ended(core, stop.time);
    }
    return {.kind = engine::Turn::Kind::stop, .time = stop.time};
}

Tile::Apart Tile::act_apart(unsigned core, Cycle now, Cycle until) {
    if (apart_.empty()) apart_.resize(riscv_cores);
    follow_predictor(core);
    riscv::Apart& log = apart_[core];
    const Cycle next = harts_[core].act_apart(log, now, until);
    return {next, log.accesses(), log.l1_changes, !log.has_news, log.is_cut};
}

bool Tile::keep_apart(unsigned cores) {
    riscv::L1Ports ports = harts_.l1_ports();
    for (;;) {
        // Of the cores' next blocks, the first to enter its queue.
        std::optional<std::pair<Cycle, unsigned>> first;
        for (const unsigned core : util::SetBits(cores)) {
            const riscv::Apart& log = apart_[core];
            if (log.served == log.blocks.size()) continue;
            const std::pair next{log.blocks[log.served].at, engine::actor_of(RiscvCore(core))};
            if (!first || next < *first) first = next;
        }
        if (!first) break;
        const unsigned core = engine::core_of(first->second);
        if (!harts_[core].serve(apart_[core], ports)) return false;
    }
    harts_.l1_ports() = ports;
    for (const unsigned core : util::SetBits(cores)) {
        harts_[core].keep(apart_[core]);
        l1_changes_ += apart_[core].l1_changes;
    }
    return true;
}

engine::Turn Tile::ended(unsigned core, Cycle at) {
    devices_.waiting[core] = {};
    return {.kind = engine::Turn::Kind::finished, .time = at};
}

void Tile::forget_rounds(unsigned core) {
    harts_[core].restore(harts_[core].save());
    if (devices_.waiting[core].what() == WaitFor::debugger) devices_.waiting[core] = {};
}

std::string Tile::waits_for(unsigned core) const { return wait_text(devices_.waiting[core]); }

std::string Tile::describe(const engine::Wait& wait, unsigned) const { return wait_text({WaitFor(wait.a), wait.b}); }

std::vector<NamedValue> Tile::registers(unsigned core) const {
    std::vector<NamedValue> values;
    if (core >= riscv_cores) return values;  // as reported() has it
    const auto& x = state_.riscv[core].x;
    for (unsigned i = 1; i < x.size(); ++i) values.push_back({std::string(riscv::register_name(i)), x[i]});
    return values;
}

}  // namespace tessera::tile
