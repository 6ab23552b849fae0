// SPDX-License-Identifier: Apache-2.0
// The devices' Machine of a run: the engine's port of the current turn, and the cores.
#pragma once

#include "tile/harts.hpp"
#include "tile/machine.hpp"

namespace tessera::tile {

class PortMachine final : public Machine {
public:
    /// Both outlive it.
    PortMachine(state::State& state, Harts& harts) : state_(state), harts_(harts) {}

    /// The port of what comes now. Before any access of a device.
    void use(engine::Port& port) { port_ = &port; }

    state::State& state() override { return state_; }
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
    tl::expected<Written, findings::Note> write_tile_register(const Asker& asker, std::uint32_t address,
                                                              std::uint32_t value) override {
        return port_->write_tile_register(asker, address, value);
    }
    std::optional<std::uint32_t> read_tile_register(std::optional<By> by, std::uint32_t address) override {
        return port_->read_tile_register(by, address);
    }
    bool idle(By by, unsigned thread) override { return port_->idle(by, thread); }
    bool mops_expanded(By by, unsigned thread) override { return port_->mops_expanded(by, thread); }
    std::uint32_t queued(unsigned thread) override { return port_->queued(thread); }
    std::uint32_t busy(unsigned thread) override { return port_->busy(thread); }
    void note(const findings::Note& note, By by) override { port_->note(note, by); }
    void changed() override { port_->raise(engine::Signal::tile); }
    void asked_changed() override { port_->raise(engine::Signal::debugger); }
    void wrote(By by, state::Storage storage, std::uint32_t first, std::uint32_t count) override {
        ++port_->changes();
        port_->wrote(by, storage, first, count);
        if (storage != state::Storage::l1) return;
        const state::L1Access store{
            .address = first, .pc = by.pc, .bytes = static_cast<std::uint8_t>(count), .is_store = true};
        port_->accessed_l1(by.core, {&store, 1});
        port_->raise({});  // wakes the host
    }
    void noc_wrote(const By* by, std::uint32_t first, std::uint32_t count) override {
        ++port_->changes();
        port_->noc_wrote(by, first, count);
        port_->raise({});  // wakes the host
    }
    engine::NocPort* noc() override { return port_->noc(); }
    void accessed_dst(By by, unsigned first_row, unsigned last_row, bool write) override {
        port_->accessed_dst(by, first_row, last_row, write);
    }
    Cycle time(By by, Cycle now) override { return harts_[by.core].see_time(now); }
    void saw_progress() override { ++port_->changes(); }
    void share_local(RiscvCore core, std::uint32_t offset, std::uint32_t bytes) override {
        harts_[static_cast<std::size_t>(core)].share_local(offset, bytes);
    }
    void start(RiscvCore core, Cycle at) override {
        harts_.reset(core);
        port_->wake(static_cast<unsigned>(core), at);
    }
    void let_predict(RiscvCore core, bool may) override { harts_[static_cast<std::size_t>(core)].let_predict(may); }
    void discard(unsigned thread) override { port_->discard(thread); }
    void halt(RiscvCore core) override { port_->halt(static_cast<unsigned>(core)); }
    void go_on(RiscvCore core, Cycle at) override { port_->wake(static_cast<unsigned>(core), at); }

private:
    state::State& state_;
    Harts& harts_;
    engine::Port* port_ = nullptr;
};

}  // namespace tessera::tile
