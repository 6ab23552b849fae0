// SPDX-License-Identifier: Apache-2.0
// Services that devices need from outside the tile's memory: coprocessor, engine, cores.
#pragma once

#include "engine/port.hpp"
#include "tessera/kernels.hpp"

namespace tessera::tile {

using Cycle = engine::Cycle;
using By = engine::Port::By;
using Written = engine::Port::Written;
using Asker = engine::Port::Asker;

/// Functions named as in engine::Port have the same contract.
class Machine {
public:
    virtual ~Machine() = default;

    virtual state::State& state() = 0;
    virtual bool push(By by, unsigned thread, std::span<const std::uint32_t> words, bool expanded) = 0;
    virtual bool in_order(By by, state::Resources resources, bool store) = 0;
    virtual void store_config(By by, unsigned word, std::uint32_t value, state::Resources resources) = 0;
    virtual void store_gpr(By by, unsigned thread, unsigned gpr, std::uint32_t value, state::Resources resources) = 0;
    virtual void store_mop(By by, unsigned thread, unsigned item, std::uint32_t value) = 0;
    virtual void post_semaphore(By by, unsigned semaphore) = 0;
    virtual void get_semaphore(By by, unsigned semaphore) = 0;
    virtual std::uint32_t semaphore(By by, unsigned semaphore, bool waits) = 0;
    virtual bool stores_done(By by) = 0;
    virtual void read_back(By by, hazards::CoreRegion region) = 0;
    virtual tl::expected<Written, findings::Note> write_tile_register(const Asker& asker, std::uint32_t address,
                                                                      std::uint32_t value) = 0;
    virtual std::optional<std::uint32_t> read_tile_register(std::optional<By> by, std::uint32_t address) = 0;
    virtual bool idle(By by, unsigned thread) = 0;
    virtual bool mops_expanded(By by, unsigned thread) = 0;
    virtual std::uint32_t queued(unsigned thread) = 0;
    virtual std::uint32_t busy(unsigned thread) = 0;
    virtual void note(const findings::Note& note, By by) = 0;

    /// Call after a change that cores may wait for.
    virtual void changed() = 0;
    /// Call when a core may have to be asked at each instruction, or no longer.
    virtual void asked_changed() { changed(); }
    /// Clock value for the core in this cycle. A core that reads it counts as making progress.
    virtual Cycle time(By by, Cycle now) = 0;
    /// Call when an access showed another core's progress, which changes without an event. The reading core counts as
    /// making progress.
    virtual void saw_progress() = 0;
    /// Call before an access to bytes of the core's local memory that is not its own: see Hart::share_local().
    virtual void share_local(RiscvCore, std::uint32_t, std::uint32_t) {}
    /// Call after a device wrote the coprocessor's memory for a core.
    virtual void wrote(By by, state::Storage storage, std::uint32_t first, std::uint32_t count) = 0;
    /// As Port::noc_wrote().
    virtual void noc_wrote(const By*, std::uint32_t, std::uint32_t) {}
    /// As Port::noc().
    virtual engine::NocPort* noc() { return nullptr; }
    /// Call after a core loaded or stored rows of Dst.
    virtual void accessed_dst(By, unsigned, unsigned, bool) {}
    /// The core leaves reset at this cycle with the registers of state::Riscv.
    virtual void start(RiscvCore core, Cycle at) = 0;
    /// The core acts no more; go_on(): it continues at this cycle with the registers of state::Riscv.
    virtual void halt(RiscvCore core) = 0;
    /// Call after a store that switches the branch predictor of the core itself: its next branch already knows.
    virtual void let_predict(RiscvCore core, bool may) = 0;
    /// As Port::discard().
    virtual void discard(unsigned) {}
    virtual void go_on(RiscvCore core, Cycle at) = 0;
};

}  // namespace tessera::tile
