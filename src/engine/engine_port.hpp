// SPDX-License-Identifier: Apache-2.0
// The engine's Port.
#pragma once

#include "engine/port.hpp"

namespace tessera::engine {

class Engine;

class EnginePort final : public Port {
public:
    explicit EnginePort(Engine& engine) : engine_(engine) {}

    /// The core's turn begins, which ends after that cycle, or when the core has changed something that others look at before it goes on.
    void begin_turn(unsigned core, Cycle now, Cycle limit);
    /// The same of the engine's actor `turn_of_`, behind which others may have theirs.
    void begin_turns();

    Cycle limit() const override { return turn_.limit; }
    bool next_turn(Cycle time) override;
    void at(Cycle now) override;
    state::State& state() override;
    std::uint64_t& changes() override;
    bool push(By by, unsigned thread, std::span<const std::uint32_t> words, bool expanded) override;
    bool in_order(By by, state::Resources resources, bool store) override;
    void store_config(By by, unsigned word, std::uint32_t value, state::Resources resources) override;
    void store_gpr(By by, unsigned thread, unsigned gpr, std::uint32_t value, state::Resources resources) override;
    void store_mop(By by, unsigned thread, unsigned item, std::uint32_t value) override;
    void post_semaphore(By by, unsigned semaphore) override;
    void get_semaphore(By by, unsigned semaphore) override;
    bool stores_done(By by) const override;
    void read_back(By by, hazards::CoreRegion region) override;
    std::uint32_t semaphore(By by, unsigned semaphore, bool waits) override;
    Written write_tile_register(By by, std::uint32_t address, std::uint32_t value) override;
    std::optional<std::uint32_t> read_tile_register(By by, std::uint32_t address) override;
    void wrote(By by, state::Storage storage, std::uint32_t first, std::uint32_t count) override;
    void stored(By by, std::uint32_t address, std::uint32_t bytes, Cycle at) override;
    bool idle(By by, unsigned thread) override;
    bool mops_expanded(By by, unsigned thread) override;
    std::uint32_t queued(unsigned thread) const override;
    std::uint32_t busy(unsigned thread) const override;
    void wake(unsigned core, Cycle time) override;
    void halt(unsigned core) override;
    void raise(Signals signals) override;
    bool l1_is_shared() const override;
    void loaded_l1(By by, std::uint32_t address, std::uint32_t bytes) override;
    void stored_l1(By by, std::uint32_t address, std::uint32_t bytes) override;
    void accessed_dst(By by, unsigned first_row, unsigned last_row, bool write) override;
    void told(By by, std::uint32_t word) override;
    void heard(By by, std::uint32_t word) override;
    void host_saw(std::uint32_t address) override;
    void host_wrote(std::uint32_t address, std::uint32_t bytes) override;
    void host_read(HostRead read) override;
    void stop(const findings::Note& note, By by) override;
    void stop_or_note(const findings::Note& note, By by) override;
    void note(const findings::Note& note, By by) override;

private:
    void tell(By by, const hazards::Conflict& conflict);
    std::int64_t index(By by, unsigned thread);
    void changed();
    void tell_written(By by, Cycle at);
    void store(By by, state::Cell cell, plan::CellOp op, std::uint32_t value, Cycle latency,
               state::Resources resources = 0);

    Engine& engine_;
    bool changed_ = true;    ///< by the core, in its turn
    Cycle cores_until_ = 0;  ///< Engine::only_cores_until(), unless the core has changed something
};

}  // namespace tessera::engine
