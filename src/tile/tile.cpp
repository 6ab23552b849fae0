// SPDX-License-Identifier: Apache-2.0
#include "tile/tile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "riscv/decode.hpp"
#include "tile/bus.hpp"
#include "tile/texts.hpp"

namespace tessera::tile {

namespace {

using engine::Signal;

engine::Signals wakes(WaitFor what) {
    switch (what) {
        case WaitFor::instruction_fifo: return static_cast<engine::Signals>(Signal::popped);
        case WaitFor::coprocessor_done:
        case WaitFor::mops_expanded:
            return Signal::unit | Signal::issued | Signal::latch | Signal::pushed | Signal::tile;
        case WaitFor::pc_buf_done: return Signal::unit | Signal::issued | Signal::latch | Signal::pushed | Signal::tile;
        case WaitFor::own_stores: return Signal::store | Signal::semaphore;
        case WaitFor::own_instructions: return Signal::unit | Signal::issued;
        case WaitFor::mover: return static_cast<engine::Signals>(Signal::unit);
        default: return static_cast<engine::Signals>(Signal::tile);
    }
}

std::uint32_t l1_word(const state::L1& l1, std::uint32_t address) {
    std::uint32_t value = 0;
    if (l1.contains(address, 4)) std::memcpy(&value, &l1.bytes[address], 4);
    return value;
}

/// pc of the last instruction of an ended core: ecall and ebreak leave pc behind themselves.
std::uint32_t stopped_at(const state::Riscv& riscv) { return riscv.paused ? riscv.pc - 4 : riscv.pc; }

}  // namespace

/// Adapter from Machine to the port of the current turn.
class Tile::PortMachine final : public Machine {
public:
    explicit PortMachine(Tile& tile) : tile_(tile) {}
    void use(engine::Port& port) { port_ = &port; }

    state::State& state() override { return tile_.state_; }
    bool push(By by, unsigned thread, std::span<const std::uint32_t> words, bool expanded) override {
        return port_->push(by, thread, words, expanded);
    }
    bool in_order(By by, state::Resources resources, bool store) override {
        return port_->in_order(by, resources, store);
    }
    void store_config(By by, unsigned word, std::uint32_t value, state::Resources resources) override {
        port_->store_config(by, word, value, resources);
    }
    void store_gpr(By by, unsigned thread, unsigned gpr, std::uint32_t value, state::Resources resources) override {
        port_->store_gpr(by, thread, gpr, value, resources);
    }
    void store_mop(By by, unsigned thread, unsigned item, std::uint32_t value) override {
        port_->store_mop(by, thread, item, value);
    }
    void post_semaphore(By by, unsigned semaphore) override { port_->post_semaphore(by, semaphore); }
    void get_semaphore(By by, unsigned semaphore) override { port_->get_semaphore(by, semaphore); }
    std::uint32_t semaphore(By by, unsigned semaphore, bool waits) override {
        return port_->semaphore(by, semaphore, waits);
    }
    bool stores_done(By by) override { return port_->stores_done(by); }
    void read_back(By by, hazards::CoreRegion region) override { port_->read_back(by, region); }
    Written write_tile_register(By by, std::uint32_t address, std::uint32_t value) override {
        return port_->write_tile_register(by, address, value);
    }
    std::optional<std::uint32_t> read_tile_register(By by, std::uint32_t address) override {
        return port_->read_tile_register(by, address);
    }
    bool idle(By by, unsigned thread) override { return port_->idle(by, thread); }
    bool mops_expanded(By by, unsigned thread) override { return port_->mops_expanded(by, thread); }
    std::uint32_t queued(unsigned thread) override { return port_->queued(thread); }
    std::uint32_t busy(unsigned thread) override { return port_->busy(thread); }
    void note(const findings::Note& note, By by) override { port_->note(note, by); }
    void changed() override { port_->raise(static_cast<engine::Signals>(Signal::tile)); }
    void wrote(By by, state::Storage storage, std::uint32_t first, std::uint32_t count) override {
        ++port_->changes();
        port_->wrote(by, storage, first, count);
        if (storage != state::Storage::l1) return;
        port_->stored_l1(by, first, count);
        port_->raise(0);  // wakes the host
    }
    void noc_wrote(const By* by, std::uint32_t first, std::uint32_t count) override {
        ++port_->changes();
        port_->noc_wrote(by, first, count);
        port_->raise(0);  // wakes the host
    }
    engine::NocWatch* noc() override { return port_->noc(); }
    void accessed_dst(By by, unsigned first_row, unsigned last_row, bool write) override {
        port_->accessed_dst(by, first_row, last_row, write);
    }
    Cycle time(By by, Cycle now) override { return tile_.hart(by.core).see_time(now); }
    void saw_progress() override { ++port_->changes(); }
    void start(RiscvCore core, Cycle at) override {
        tile_.reset(core);
        port_->wake(static_cast<unsigned>(core), at);
    }
    void halt(RiscvCore core) override { port_->halt(static_cast<unsigned>(core)); }
    void go_on(RiscvCore core, Cycle at) override { port_->wake(static_cast<unsigned>(core), at); }

private:
    Tile& tile_;
    engine::Port* port_ = nullptr;
};

Tile::Tile(state::State& state, const Kernels& kernels, Timing timing, bool tells_stores)
    : state_(state),
      kernels_(kernels),
      tells_stores_(tells_stores),
      costs_(riscv::costs(state.arch().arch, timing)),
      decoded_(state.arch().arch, state.arch().l1_bytes),
      machine_(std::make_unique<PortMachine>(*this)),
      devices_(std::make_unique<Devices>(*machine_, timing)) {
    host_waits_ = !kernels.host.empty();
    if (!kernels.done.empty()) missing_ = kernels.done.data();
    release_running_cores(state);
    std::vector<std::uint32_t> watched;
    for (const auto& word : kernels.done) watched.push_back(word.address);
    for (const HostStep& step : kernels.host)
        if (step.when) watched.push_back(step.when->address);
    if (!watched.empty()) {
        const auto [low, high] = std::minmax_element(watched.begin(), watched.end());
        watched_first_ = *low;
        watched_end_ = *high + 4;
    }
    for (std::size_t i = 0; i < riscv_cores; ++i) {
        harts_[i].emplace(state.arch().arch, static_cast<RiscvCore>(i), timing, state.riscv[i], state.l1, decoded_);
        harts_[i]->share(l1_ports_);
        if (static_cast<RiscvCore>(i) == RiscvCore::nc && !state.iram.empty()) harts_[i]->attach_iram(state.iram);
        if (tells_stores)
            harts_[i]->watch(0, state.arch().l1_bytes);
        else
            harts_[i]->watch(watched_first_, watched_end_);
    }
}

Tile::~Tile() = default;

Machine& Tile::machine() { return *machine_; }

void Tile::use(engine::Port& port) { machine_->use(port); }

unsigned Tile::running() const {
    unsigned mask = 0;
    for (std::size_t i = 0; i < riscv_cores; ++i) mask |= static_cast<unsigned>(state_.riscv[i].running) << i;
    return mask;
}

struct Tile::Saved final : Memory {
    std::array<riscv::HartMemory, riscv_cores> harts;
    riscv::L1Ports l1_ports;
    std::array<Waiting, riscv_cores> waiting{};
    Host host;
    Nius::Memory nius;
    CoreDebugger::Memory debugger;
    Cycle noc_due = engine::never;
    std::array<std::uint16_t, riscv_cores> resets{};
};

std::shared_ptr<const Tile::Memory> Tile::save() const {
    auto saved = std::make_shared<Saved>();
    for (std::size_t i = 0; i < riscv_cores; ++i) saved->harts[i] = harts_[i]->save();
    saved->l1_ports = l1_ports_;
    saved->waiting = devices_->waiting;
    saved->host = host_;
    saved->nius = devices_->nius.save();
    saved->debugger = devices_->debugger.save();
    saved->noc_due = noc_due_;
    saved->resets = resets_;
    return saved;
}

void Tile::restore(const Memory& memory) {
    const auto& saved = static_cast<const Saved&>(memory);
    for (std::size_t i = 0; i < riscv_cores; ++i) hart(i).restore(saved.harts[i]);
    l1_ports_ = saved.l1_ports;
    devices_->waiting = saved.waiting;
    host_ = saved.host;
    devices_->nius.restore(saved.nius);
    devices_->debugger.restore(saved.debugger);
    noc_due_ = saved.noc_due;
    resets_ = saved.resets;
    host_waits_ = host_.next != kernels_.host.size();
}

void Tile::join(noc::Fabric& fabric) {
    devices_->nius.connect(fabric);
    has_neighbours_ = true;
    // While a tile polls, it and its neighbours go on in short rounds.
    constexpr std::uint32_t branches = 128;
    for (auto& hart : harts_)
        hart->look_early_for_repetition(branches);
}

// Most tiles of a host's chip wait for work, and the host waits for each of its cycles.
void Tile::obey_host() {
    goes_on_after_faults_ = true;
    constexpr std::uint32_t branches = 8, most = 512;
    for (auto& hart : harts_)
        hart->look_early_for_repetition(branches, most);
}

void Tile::arrive(noc::Arrival arrival) {
    const unsigned noc = arrival.packet.noc;
    devices_->nius[noc].arrive(std::move(arrival));
    noc_due_ = devices_->nius.due();
}

inline bool Tile::holds(const Kernels::Word& word) const { return l1_word(state_.l1, word.address) == word.value; }

bool Tile::all_done() const {
    return !host_waits_ && noc_due_ == engine::never && (kernels_.done.empty() || holds_all());
}

// Called at every step, so it first checks the word that was unmet last. The chip decides when the run of a tile that
// has neighbours ends.
bool Tile::done() const { return missing_ && holds(*missing_) && !has_neighbours_ && !host_waits_ && holds_all(); }

bool Tile::holds_all() const {
    const auto& words = kernels_.done;
    const auto unmet = std::find_if(words.begin(), words.end(), [&](const auto& word) { return !holds(word); });
    missing_ = unmet == words.end() ? words.data() : &*unmet;
    return unmet == words.end();
}

void Tile::act_noc(Cycle now, engine::Port& port) {
    use(port);
    while (devices_->nius.due() <= now) {
        const auto failed = devices_->nius.act();
        if (!failed) continue;
        texts_.push_back(fmt::format("a request of {} at {}: {}", name(RiscvCore(failed->origin.core)),
                                     noc::describe(failed->origin.tile), failed->why));
        port.stop({findings::id("tile.noc-request"), {}, texts_.back()}, {failed->origin.core, failed->origin.pc});
        if (!goes_on_after_faults_) break;
    }
    noc_due_ = devices_->nius.due();
}

Cycle Tile::skip_repeats(unsigned core, Cycle until) { return hart(core).skip_repeats(until); }

std::optional<Tile::Unmet> Tile::unmet() const {
    for (const auto& word : kernels_.done)
        if (!holds(word)) return Unmet{word.address, l1_word(state_.l1, word.address), word.value};
    return std::nullopt;
}

void Tile::reset(RiscvCore core) {
    auto& riscv = state_.riscv[static_cast<std::size_t>(core)];
    hart(static_cast<std::size_t>(core)).reset(riscv.pc);
    ++resets_[static_cast<std::size_t>(core)];
    riscv.running = true;
    riscv.paused = false;
}

void Tile::hold_time(unsigned core, std::optional<Cycle> at) { hart(core).hold_time(at); }

Cycle Tile::furthest() const {
    Cycle furthest = 0;
    for (const auto& hart : harts_) furthest = std::max(furthest, hart->begins_next());
    return furthest;
}

std::vector<std::uint32_t> Tile::memory(unsigned core) const {
    const auto& riscv = state_.riscv[core];
    std::vector<std::uint32_t> words(riscv.x.size() + riscv.local.size() / 4);
    std::copy(riscv.x.begin(), riscv.x.end(), words.begin());
    std::memcpy(words.data() + riscv.x.size(), riscv.local.data(), riscv.local.size() / 4 * 4);
    return words;
}

void Tile::found_time_loop(unsigned core, Cycle until) { time_loops_[core] = {until, hart(core).poll()}; }

// While cores only reach their limit, turns follow each other in this loop without returning to the engine.
[[gnu::always_inline]] inline engine::Turn Tile::act(engine::Port& port, std::uint32_t most_instructions) {
    machine_->use(port);
    std::uint64_t& changes = port.changes();
    for (;;) {
        const engine::TurnBegin& begin = port.turn();
        const unsigned core = begin.core;
        if (is_asked(core)) return act_watched(port);
        riscv::Hart& hart = *harts_[core];
        riscv::Turn turn{begin.limit, std::min(begin.instructions, most_instructions), begin.timed,
                         changes - l1_changes_};
        Bus bus(*this, port, core, turn);
        hart.report_l1(begin.l1_is_shared);
        const riscv::Stop stop = hart.run(bus, turn, begin.now, changes);
        l1_changes_ += turn.l1_changes;
        const bool goes_on =
            stop.why == riscv::Stop::Why::limit && state_.riscv[core].running && !hart.repeats(changes);
        const bool sleeps = begin.may_sleep && poll_ends(core, changes);
        if (!goes_on || sleeps || !port.next_turn(stop.time)) return what_ended(core, stop, port);
    }
}

engine::Turn Tile::act_watched(engine::Port& port) {
    const engine::TurnBegin& begin = port.turn();
    const unsigned core = begin.core;
    // Nobody watches what a core would do if only time passed.
    if (watch_ && !hart(core).holds_time()) {
        const CoreWatch::Answer answer = watch_->before_instruction(core);
        if (answer == CoreWatch::Answer::stops) return {.kind = engine::Turn::Kind::again, .time = begin.now};
        devices_->waiting[core] = {};
        if (answer == CoreWatch::Answer::waits) {
            devices_->waiting[core] = {WaitFor::debugger, 0};
            return {.kind = engine::Turn::Kind::wait,
                    .time = begin.now,
                    .wait = {engine::Wait::Kind::tile, static_cast<std::uint8_t>(WaitFor::debugger), 0}};
        }
    }
    const std::uint32_t met = devices_->debugger.watches(core) ? devices_->debugger.meets(core) : 0;
    riscv::Turn turn{begin.limit, 1, begin.timed, port.changes() - l1_changes_};
    Bus bus(*this, port, core, turn);
    hart(core).report_l1(begin.l1_is_shared);
    const riscv::Stop stop = hart(core).run(bus, turn, begin.now, port.changes());
    l1_changes_ += turn.l1_changes;
    const bool executed = stop.why == riscv::Stop::Why::instructions || stop.why == riscv::Stop::Why::self_loop;
    if (executed && devices_->debugger.watches(core) && devices_->debugger.passed(core, met)) return ended(core, stop.time);
    return what_ended(core, stop, port);
}

engine::Turn Tile::what_ended(unsigned core, const riscv::Stop& stop, engine::Port& port) {
    using Why = riscv::Stop::Why;
    riscv::Hart& hart = *harts_[core];
    if (!state_.riscv[core].running && stop.why != Why::paused && stop.why != Why::breakpoint) return ended(core, stop.time);
    switch (stop.why) {
        case Why::instructions:
        case Why::limit:
            return {.kind = engine::Turn::Kind::again,
                    .time = stop.time,
                    .repeats = hart.repeats(port.changes()),
                    .poll_ends = poll_ends(core, port.changes()),
                    .period = hart.poll_cycles()};
        case Why::wait: {
            const Waiting& waiting = devices_->waiting[core];
            return {.kind = engine::Turn::Kind::wait,
                    .time = stop.time,
                    .wait = {engine::Wait::Kind::tile, static_cast<std::uint8_t>(waiting.what), waiting.index},
                    .wakes = wakes(waiting.what),
                    .room_of = waiting.what == WaitFor::instruction_fifo ? waiting.index : engine::no_fifo};
        }
        case Why::paused:
        case Why::self_loop: return ended(core, stop.time);
        case Why::breakpoint: {
            const std::uint32_t pc = stopped_at(state_.riscv[core]);
            port.at(stop.time - 1);
            port.stop_or_note({findings::id("riscv.ebreak"), {pc}}, {core, pc});
            return ended(core, stop.time);
        }
        case Why::stop: break;
        case Why::illegal:
        case Why::fetch: port.stop(hart.fault(), {core, state_.riscv[core].pc}); break;
    }
    if (goes_on_after_faults_) {
        state_.riscv[core].running = false;
        return ended(core, stop.time);
    }
    return {.kind = engine::Turn::Kind::stop, .time = stop.time};
}

engine::Turn Tile::act(unsigned, Cycle, engine::Port& port) { return act(port, port.turn().instructions); }

engine::Turn Tile::step(unsigned, Cycle, engine::Port& port) { return act(port, 1); }

engine::Turn Tile::ended(unsigned core, Cycle at) {
    devices_->waiting[core] = {};
    return {.kind = engine::Turn::Kind::finished, .time = at};
}

void Tile::forget_rounds(unsigned core) {
    hart(core).restore(hart(core).save());
    if (devices_->waiting[core].what == WaitFor::debugger) devices_->waiting[core] = {};
}

std::string Tile::waits_for(unsigned core) const {
    const Waiting& waiting = devices_->waiting[core];
    return waiting.what == WaitFor::none ? std::string() : wait_text(waiting);
}

std::string Tile::describe(const engine::Wait& wait, unsigned) const { return wait_text({WaitFor(wait.a), wait.b}); }

void Tile::describe(unsigned core, Blocked& blocked) const {
    const auto& riscv = state_.riscv[core];
    if (blocked.finished) {
        blocked.in_reset = !riscv.running && !riscv.paused && !devices_->debugger.paused(core);
        if (blocked.in_reset) return;
        blocked.place = place_text(core, stopped_at(riscv));
        blocked.instruction = instruction(core, stopped_at(riscv));
        return;
    }
    if (!riscv.running) return;
    blocked.instruction = instruction(core, riscv.pc);
    std::uint32_t at = riscv.pc;
    const auto& time_loop = time_loops_[core];
    if (const auto poll = poll_of(core)) {
        at = poll->pc;
        if (blocked.waits_for.empty())
            blocked.waits_for = fmt::format("{}, which it polls, to change from 0x{:X}",
                                            address_text(state_.arch().arch, User(core), poll->address), poll->value);
    }
    if (time_loop)
        blocked.waits_for += fmt::format("{}time alone does not end its loop (looked ahead to cycle {})",
                                         blocked.waits_for.empty() ? "time, which it reads: " : "; ", time_loop->until);
    blocked.place = place_text(core, at);
}

// A core that is held in an access polls nothing: its last load came before.
std::optional<riscv::Poll> Tile::poll_of(unsigned core) const {
    if (devices_->waiting[core].what != WaitFor::none) return {};
    return time_loops_[core] ? time_loops_[core]->poll : harts_[core]->poll();
}

std::optional<Tile::Polled> Tile::polled(unsigned core) const {
    if (!state_.riscv[core].running) return {};
    const auto poll = poll_of(core);
    if (!poll) return {};
    return Polled{core, poll->pc, address_text(state_.arch().arch, User(core), poll->address), poll->value,
                  devices_->nius.writers().find(poll->address)};
}

std::string Tile::place_text(unsigned core, std::uint32_t pc) const {
    const std::string lines = describe_frames(frames(core, pc)), in = function(core, pc);
    return lines.empty() || in.empty() ? lines + in : fmt::format("{}, {}", lines, in);
}

std::string Tile::instruction(unsigned, std::uint32_t pc) const {
    if (const std::uint32_t offset = pc - state::Riscv::iram_base; offset + 4 <= state_.iram.size()) {
        std::uint32_t word;
        std::memcpy(&word, &state_.iram[offset], sizeof word);
        return riscv::disassemble(state_.arch().arch, word, pc);
    }
    if (!state_.l1.contains(pc, 4)) return {};
    return riscv::disassemble(state_.arch().arch, l1_word(state_.l1, pc), pc);
}

std::vector<NamedValue> Tile::registers(unsigned core) const {
    std::vector<NamedValue> values;
    const auto& x = state_.riscv[core].x;
    for (unsigned i = 1; i < x.size(); ++i) values.push_back({std::string(riscv::register_name(i)), x[i]});
    return values;
}

image::CodeFiles::Code Tile::code(unsigned core, std::uint32_t pc) const {
    // Whoever gave the kernels keeps them.
    if (const auto& image = kernels_.images[core]) return {std::shared_ptr<const KernelImage>(std::shared_ptr<void>(), &*image), pc};
    if (!code_files_) return {};
    const image::Memory l1{{state_.l1.bytes.data(), state_.l1.bytes.size()}}, iram{{state_.iram.data(), state_.iram.size()}, state::Riscv::iram_base};
    return code_files_->find(iram.contains(pc, 4) ? iram : l1, pc);
}

std::vector<Frame> Tile::frames(unsigned core, std::uint32_t pc) const {
    const auto [image, address] = code(core, pc);
    return image ? image->frames(address) : std::vector<Frame>();
}

std::string Tile::function(unsigned core, std::uint32_t pc) const {
    const auto [image, address] = code(core, pc);
    return image ? image->function(address) : std::string();
}

}  // namespace tessera::tile
