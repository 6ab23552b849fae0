// SPDX-License-Identifier: Apache-2.0
// A port for trial turns of a core (time_loops.hpp). It reads what the run's port reads. Effects on others are noted and
// not performed.
#pragma once

#include "engine/port.hpp"

namespace tessera::engine {

class QuietPort final : public Port {
public:
    /// Valid for one turn of the core.
    QuietPort(Port& run, unsigned core, Cycle now, std::uint32_t most_instructions)
        : run_(run), changes_(run.changes()) {
        turn_ = {core, now, last, most_instructions, false, run.turn().timed};
    }

    /// True if the core would have affected others since construction. L1 and devices that it changed stay changed.
    bool noticed() const { return noticed_ || changes_ != run_.changes(); }

    Cycle limit() const override { return noticed() ? 0 : last; }
    void at(Cycle, By) override {}
    state::State& state() override { return run_.state(); }
    std::uint64_t& changes() override { return changes_; }

    bool in_order(By by, state::Resources resources, bool store) override {
        return run_.in_order(by, resources, store);
    }
    bool stores_done(By by) const override { return run_.stores_done(by); }
    std::uint32_t semaphore(By by, unsigned semaphore, bool waits) override {
        return run_.semaphore(by, semaphore, waits);
    }
    std::optional<std::uint32_t> read_tile_register(std::optional<By> by, std::uint32_t address) override {
        return run_.read_tile_register(by, address);
    }
    bool idle(By by, unsigned thread) override { return run_.idle(by, thread); }
    bool mops_expanded(By by, unsigned thread) override { return run_.mops_expanded(by, thread); }
    std::uint32_t queued(unsigned thread) const override { return run_.queued(thread); }
    std::uint32_t busy(unsigned thread) const override { return run_.busy(thread); }
    Fifo fifo(unsigned thread) override { return run_.fifo(thread); }
    void catch_up() override { run_.catch_up(); }
    void note(const findings::Note&, By) override {}

    bool push(By, unsigned, std::span<const std::uint32_t>, bool) override { return notice(); }
    bool push_by_debug_bus(const Asker&, unsigned, std::uint32_t) override { return notice(); }
    void store(By, state::Cell, plan::CellOp, std::uint32_t, state::Resources) override { notice(); }
    void store_mop(By, unsigned, unsigned, std::uint32_t) override { notice(); }
    tl::expected<Written, findings::Note> write_tile_register(const Asker&, std::uint32_t, std::uint32_t) override {
        return notice(), Written::done;
    }
    void wake(unsigned, Cycle) override { notice(); }
    void halt(unsigned) override { notice(); }
    void discard(unsigned) override { notice(); }
    void raise(Signals) override { notice(); }
    void host_wrote(std::uint32_t, std::uint32_t) override {}
    void noc_wrote(const By*, std::uint32_t, std::uint32_t) override { notice(); }
    void host_read(HostRead) override {}
    void stop(const findings::Note&, By) override { notice(); }
    void stop_or_note(const findings::Note&, By) override { notice(); }

private:
    bool notice() {
        noticed_ = true;
        return false;
    }

    static constexpr Cycle last = never - 1;

    Port& run_;
    std::uint64_t changes_;
    bool noticed_ = false;
};

}  // namespace tessera::engine
