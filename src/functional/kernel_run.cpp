// SPDX-License-Identifier: Apache-2.0
// RISC-V cores in long turns. A turn ends when the core must wait, has polled for a while, or has used its quantum of
// instructions. All cores share one cycle count, which their clocks show. It advances with each core's instructions, and with those
// of the coprocessor: at the end of a turn for those that the turn let execute.
#include <algorithm>
#include <utility>

#include "diagnostics/op_index.hpp"
#include "engine/actors.hpp"
#include "engine/port.hpp"
#include "engine/sources/time_loops.hpp"
#include "engine/stuck.hpp"
#include "functional/machine.hpp"
#include "functional/run.hpp"
#include "state/mmio.hpp"
#include "units/tile_registers.hpp"

namespace tessera::functional {

namespace {

using diagnostics::KernelOp;
using engine::Cycle;
using engine::never;
using engine::Signals;

constexpr std::uint32_t most_instructions = 4096, fewest_instructions = 128;
constexpr unsigned most_looks = 8;  // consecutive polls before other cores get a turn

class KernelRun final : private engine::Port {
public:
    KernelRun(state::State& state, units::Slots& slots, engine::Cores& cores, const RunOptions& options)
        : cores_(cores),
          options_(options),
          places_(state.arch().arch, nullptr, &cores),
          machine_(state, slots, options, places_) {
        const unsigned running = cores.running();
        for (unsigned c = 0; c < riscv_cores; ++c) kernels_[c].finished = !(running >> c & 1);
    }

    Run run() {
        if (is_done()) {
            Where nowhere;
            nowhere.cycle = no_cycle;
            machine_.outcome().log().add({findings::id("kernel.done-before")}, {state::threads}, [&] { return nowhere; });
        }
        while (!machine_.stopped() && !is_done()) {
            machine_.look_up(now_);
            if (!machine_.stopped()) look_ahead();
            if (machine_.stopped() || go_round()) continue;
            end();
            break;
        }
        if (machine_.outcome().stuck()) list_blocked();
        if (!machine_.outcome().run().fault) cores_.tell_unfinished(*this);
        return machine_.finish();
    }

private:
    struct Kernel {
        bool finished = false;
        bool waiting = false;
        engine::Wait wait;
        Signals wakes, raised;
        std::uint32_t instructions = most_instructions;
        std::uint64_t repeats_since = never;  ///< Machine::changes when its turn only repeated itself
    };

    bool is_done() const { return cores_.done() && machine_.all_idle(); }

    // Gives a turn to each core that can act. Returns true if any acted.
    bool go_round() {
        bool acted = false;
        for (unsigned c = 0; c < riscv_cores && !machine_.stopped(); ++c) {
            acted |= act_host();
            if (is_done()) return true;
            if (can_act(c)) {
                act(c);
                acted = true;
            }
        }
        acted |= settle();
        if (acted || machine_.stopped()) return true;
        const Cycle due = cores_.host_due(now_);
        if (due == never) return false;
        now_ = std::max(now_, due);  // idle until then
        return act_host();
    }

    bool can_act(unsigned c) {
        Kernel& kernel = kernels_[c];
        if (kernel.finished || kernel.repeats_since == machine_.changes) return false;
        return !kernel.waiting || kernel.raised & kernel.wakes;
    }

    void act(unsigned c) {
        Kernel& kernel = kernels_[c];
        looks_ = 0;
        kernel.waiting = false;
        kernel.raised = {};
        const std::uint64_t before = machine_.changes;
        turn_ = {c, now_, limit(), kernel.instructions, false, false};
        const engine::Turn turn = cores_.act(c, now_, *this);
        now_ = std::max(now_, turn.time);
        count_steps();
        // A core that changes nothing others see gets shorter turns.
        kernel.instructions =
            machine_.changes != before ? most_instructions : std::max(kernel.instructions / 2, fewest_instructions);
        kernel.repeats_since = turn.repeats ? machine_.changes : never;
        switch (turn.kind) {
            case engine::Turn::Kind::again: break;
            case engine::Turn::Kind::wait:
                kernel.waiting = true;
                kernel.wait = turn.wait;
                kernel.wakes = turn.wakes;
                pass_signals();
                kernel.raised = {};  // its own signals do not wake it
                break;
            case engine::Turn::Kind::finished: kernel.finished = true; break;
            case engine::Turn::Kind::stop: machine_.outcome().stop(); break;
        }
        settle();
    }

    bool act_host() {
        bool acted = false;
        while (!machine_.stopped() && cores_.host_due(now_) <= now_) {
            ++machine_.changes;
            cores_.act_host(now_, *this);
            acted = true;
        }
        return acted;
    }

    bool settle() {
        const bool acted = machine_.settle();
        count_steps();
        pass_signals();
        return acted;
    }

    void count_steps() { now_ += machine_.steps() - std::exchange(counted_, machine_.steps()); }

    void pass_signals() {
        const Signals raised = std::exchange(machine_.raised, {});
        for (Kernel& kernel : kernels_) kernel.raised |= raised;
    }

    // Finds cores that read the time while they wait (engine/sources/time_loops.hpp).
    void look_ahead() {
        using engine::TimeLoops;
        quiet_.note(machine_.changes, now_);
        if (!quiet_.is_over(machine_.changes, now_) || cores_.host_due(now_) != never) return;
        quiet_.looked(now_);
        const Cycle until = std::min(options_.max_cycles, now_ + TimeLoops::furthest);
        if (until > now_ && find_time_loops(until)) machine_.stop({findings::id("no-progress.polling")}, {});
    }
    bool find_time_loops(Cycle until) {
        std::vector<engine::TimeLoops::Candidate> candidates;
        for (unsigned c = 0; c < riscv_cores; ++c)
            if (can_act(c)) candidates.push_back({c, now_});
        return engine::TimeLoops(cores_, *this).find_loops(candidates, now_, until);
    }

    // No core can change anything that another sees: the run has ended.
    void end() {
        bool finished = machine_.all_idle(), repeats = false;
        for (const Kernel& kernel : kernels_) {
            finished &= kernel.finished;
            repeats |= !kernel.finished && kernel.repeats_since == machine_.changes;
        }
        if (repeats) return machine_.stop({findings::id("no-progress.polling")}, {});
        if (!finished || cores_.describe_host()) return machine_.stop({findings::id("deadlock")}, {});
        if (const auto word = cores_.unmet())
            machine_.stop({findings::id("kernel.not-done"), {word->address, word->value, word->wanted}}, {});
    }

    void list_blocked() {
        auto& list = machine_.outcome().run().blocked;
        const auto add = [&](RiscvCore which) {
            const auto c = static_cast<unsigned>(which);
            const Kernel& kernel = kernels_[c];
            Blocked b;
            b.since = no_cycle;
            b.who = std::string(name(which));
            b.finished = kernel.finished;
            if (!b.finished && kernel.waiting) b.waits_for = cores_.describe(kernel.wait, c);
            cores_.describe(c, kernel.repeats_since == machine_.changes, b);
            if (!b.finished && b.waits_for.empty()) b.waits_for = Blocked::nothing;
            list.push_back(std::move(b));
        };
        for (const RiscvCore which : {RiscvCore::t0, RiscvCore::t1, RiscvCore::t2}) add(which);
        for (unsigned t = 0; t < state::threads; ++t) list.push_back(machine_.blocked().front_end(t, nullptr));
        for (const RiscvCore which : {RiscvCore::b, RiscvCore::nc}) add(which);
        if (auto waits = cores_.describe_host()) {
            waits->since = no_cycle;
            list.push_back(std::move(*waits));
        }
        machine_.blocked().list_units(list);
    }

    // --- engine::Port

    // The core polls shared state, so pending instructions execute first.
    void begin_poll() {
        ++looks_;
        machine_.settle();
    }
    void begin_act() {
        looks_ = 0;
        machine_.settle();
    }
    void changed() {
        ++machine_.changes;
        pass_signals();
    }
    std::int64_t index(By by, unsigned thread) { return KernelOp{ops_[thread]++, by.core, by.pc}.index(); }

    Cycle limit() const override {
        if (machine_.stopped() || looks_ > most_looks) return 0;
        const Cycle due = cores_.host_due(now_);
        return std::min(options_.max_cycles, due == never || due == 0 ? due : due - 1);
    }
    void at(Cycle now, By) override { now_ = std::max(now_, now); }
    state::State& state() override { return machine_.state(); }
    std::uint64_t& changes() override { return machine_.changes; }

    bool push(By by, unsigned thread, std::span<const std::uint32_t> words, bool expanded) override {
        looks_ = 0;
        const std::int64_t first = KernelOp{ops_[thread], by.core, by.pc}.index();
        if (!machine_.push(thread, words, first, KernelOp::next_word, expanded)) return false;
        ops_[thread] += words.size();
        ++machine_.changes;
        return true;
    }
    bool push_by_debug_bus(const Asker& asker, unsigned thread, std::uint32_t word) override {
        return push(asker.author(), thread, {&word, 1}, true);
    }
    void catch_up() override { begin_poll(); }
    Fifo fifo(unsigned thread) override {
        begin_poll();
        return {!machine_.has_room(thread, 1, true), machine_.has_passed_on(thread)};
    }
    bool in_order(By by, state::Resources resources, bool store) override {
        const auto thread = engine::thread_of(by.core);
        if (!thread || !resources) return true;
        machine_.settle();
        return machine_.in_order(*thread, resources, store);
    }
    void store(By by, state::Cell cell, plan::CellOp op, std::uint32_t value, state::Resources) override {
        const auto thread = engine::thread_of(by.core);
        const std::int64_t op_index = index(by, thread.value_or(0));
        begin_act();
        machine_.store(cell, op, value, thread, op_index);
        changed();
    }
    void store_mop(By by, unsigned thread, unsigned item, std::uint32_t value) override {
        machine_.store_mop(thread, item, value, index(by, thread));
        ++machine_.changes;
    }
    bool stores_done(By) const override { return true; }
    void loads_gpr(By) override { begin_poll(); }
    void loads_config(By, std::optional<state::Cell>, state::Resources) override { begin_poll(); }
    void accessed_dst(By, unsigned, unsigned, bool write) override { write ? begin_act() : begin_poll(); }
    std::uint32_t semaphore(By, unsigned semaphore, bool) override {
        machine_.await(semaphore);
        begin_poll();
        return machine_.state()[state::cells::semaphore_value(semaphore)];
    }
    tl::expected<Written, findings::Note> write_tile_register(const Asker& asker, std::uint32_t address,
                                                              std::uint32_t value) override {
        begin_act();
        plan::Plan plan;
        const isa::Instruction none;
        const unsigned thread = asker.thread();
        units::write_tile_register_or_command({none, thread, machine_.state(), machine_.costs(), nullptr}, plan,
                                              address, value, "a core's store");
        if (plan.fault) return tl::unexpected(*plan.fault);
        for (const auto& finding : plan.findings) note(asker.named_in(finding), asker.by);
        if (machine_.stopped()) return Written::done;
        if (plan.pipes) ++ops_[thread];
        machine_.execute_command(plan);
        changed();
        return Written::done;
    }
    std::optional<std::uint32_t> read_tile_register(std::optional<By>, std::uint32_t address) override {
        begin_poll();
        if (address == state::mmio::tdma_status) return state::mmio::tdma_queues_empty;  // commands are done at once
        const isa::Instruction none;
        return units::tile_register({none, 0, machine_.state(), machine_.costs(), nullptr}, address);
    }
    bool idle(By, unsigned thread) override {
        begin_poll();
        return machine_.is_idle(thread);
    }
    bool mops_expanded(By, unsigned thread) override {
        begin_poll();
        return machine_.mops_expanded(thread);
    }
    std::uint32_t queued(unsigned thread) const override { return machine_.queued(thread); }
    std::uint32_t busy(unsigned thread) const override { return machine_.busy(thread); }
    void wake(unsigned core, Cycle) override {
        kernels_[core].finished = kernels_[core].waiting = false;
        kernels_[core].repeats_since = never;
        changed();
    }
    void halt(unsigned core) override {
        kernels_[core].finished = true;
        changed();
    }
    void discard(unsigned thread) override {
        begin_act();
        machine_.discard(thread);
        changed();
    }
    void raise(Signals signals) override {
        machine_.raised = machine_.raised | signals;
        changed();
    }
    void release(By, std::uint32_t) override { looks_ = 0; }
    void acquire(By, std::uint32_t) override { ++looks_; }
    void host_wrote(std::uint32_t, std::uint32_t) override { changed(); }
    void noc_wrote(const By*, std::uint32_t, std::uint32_t) override {}
    void host_read(HostRead read) override {
        read.cycle = no_cycle;
        machine_.outcome().run().host_reads.push_back(std::move(read));
    }
    void stop(const findings::Note& what, By by) override {
        if (machine_.stopped()) return;
        machine_.stop(what, places_.where_of(by.core, by.pc, no_cycle));
        machine_.outcome().run().fault->registers = cores_.registers(by.core);
    }
    void stop_or_note(const findings::Note& what, By by) override {
        if (machine_.outcome().log().level(what.id) == Level::error)
            stop(what, by);
        else
            note(what, by);
    }
    void note(const findings::Note& what, By by) override {
        if (machine_.outcome().log().add(what, {state::threads + by.core, by.pc},
                               [&] { return places_.where_of(by.core, by.pc, no_cycle); }))
            machine_.outcome().stop();
    }

    engine::Cores& cores_;
    const RunOptions& options_;
    const diagnostics::Places places_;
    Machine machine_;
    std::array<Kernel, riscv_cores> kernels_;
    std::array<std::uint64_t, state::threads> ops_{};  ///< pushes and stores of each thread so far
    unsigned looks_ = 0;
    Cycle now_ = 0;
    std::uint64_t counted_ = 0;  ///< steps of the machine that are in `now_`
    engine::QuietTime quiet_;
};

}  // namespace

Run run(state::State& state, units::Slots& slots, engine::Cores& cores, const RunOptions& options) {
    return KernelRun(state, slots, cores, options).run();
}

}  // namespace tessera::functional
