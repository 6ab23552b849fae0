// SPDX-License-Identifier: Apache-2.0
// A port for trial turns of a core (engine/sources/time_loops.hpp). It reads what the run's port reads. Effects on
// others are noted and not performed.
#pragma once

#include "engine/port.hpp"
#include "engine/sources/time_loops.hpp"

namespace tessera::functional {

class QuietPort final : public engine::Port {
public:
    /// Valid for one turn of the core.
    QuietPort(engine::Port& run, unsigned core, engine::Cycle now) : run_(run), changes_(run.changes()) {
        turn_ = {core, now, engine::never, engine::TimeLoops::many, false, false};
    }

    /// True if the core would have affected others since construction. L1 and devices that it changed stay changed.
    bool noticed() const { return noticed_ || changes_ != run_.changes(); }

    engine::Cycle limit() const override { return noticed() ? 0 : engine::never; }
    void at(engine::Cycle, By) override {}
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
    void loads_gpr(By) override {}
    void loads_config(By, std::optional<state::Cell>, state::Resources) override {}
    void release(By, std::uint32_t) override {}
    void acquire(By, std::uint32_t) override {}
    void note(const findings::Note&, By) override {}

    bool push(By, unsigned, std::span<const std::uint32_t>, bool) override { return notice(); }
    void store(By, state::Cell, plan::CellOp, std::uint32_t, state::Resources) override { notice(); }
    void store_mop(By, unsigned, unsigned, std::uint32_t) override { notice(); }
    tl::expected<Written, findings::Note> write_tile_register(const Asker&, std::uint32_t, std::uint32_t) override {
        return notice(), Written::done;
    }
    void wrote(By, state::Storage, std::uint32_t, std::uint32_t, engine::Cycle) override { notice(); }
    void wake(unsigned, engine::Cycle) override { notice(); }
    void halt(unsigned) override { notice(); }
    void discard(unsigned) override { notice(); }
    void raise(engine::Signals) override { notice(); }
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

    engine::Port& run_;
    std::uint64_t changes_;
    bool noticed_ = false;
};

}  // namespace tessera::functional
