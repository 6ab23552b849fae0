// SPDX-License-Identifier: Apache-2.0
// The engine's side of engine/port.hpp: accesses of RISC-V cores and of the host to the coprocessor.
#pragma once

#include <array>

#include "engine/context.hpp"
#include "engine/execution/effects.hpp"
#include "engine/execution/execution.hpp"
#include "engine/kept.hpp"
#include "engine/observe/writes.hpp"
#include "engine/port.hpp"
#include "engine/scheduler.hpp"
#include "engine/sources/auto_sync.hpp"
#include "engine/sources/fifos.hpp"
#include "engine/sources/noc_port.hpp"
#include "engine/sources/stores.hpp"
#include "frontend/expanders.hpp"

namespace tessera::engine {

struct CorePortState {
protected:
    /// A second core was started, or the coprocessor received work. From now on accesses are ordered; all earlier ones
    /// happen before the start.
    bool l1_shared_ = false;
    unsigned turn_of_ = 0;                             ///< the acting core, or the host
    std::array<std::uint64_t, state::threads> ops_{};  ///< pushes and stores to each thread
};

struct CorePortParts {
    Scheduler& scheduler_;
    const Workload& work_;
    const Pipes& pipes_;
    const Fronts& fronts_;
    Fifos& fifos_;
    frontend::ExpanderListener& expansion_;
    Stores& stores_;
    AutoSync& auto_sync_;
    Effects& effects_;
    Execution& execution_;
    Writes& writes_;
};

class CorePort : public Port, protected Context, public Kept<CorePortState>, protected CorePortParts {
public:
    CorePort(const Context& context, const CorePortParts& parts)
        : Context(context), CorePortParts(parts), noc_(context, parts.scheduler_) {}

    Cycle limit() const override { return outcome_.stopped() ? 0 : turn_.limit; }
    void at(Cycle now, By by) override {
        scheduler_.pass_to(now);
        if (options_.on_wait) caused_by(by);
    }
    state::State& state() override { return state_; }
    std::uint64_t& changes() override { return scheduler_.changes(); }
    bool push(By by, unsigned thread, std::span<const std::uint32_t> words, bool expanded) override;
    bool push_by_debug_bus(const Asker& asker, unsigned thread, std::uint32_t word) override;
    Fifo fifo(unsigned thread) override;
    bool in_order(By by, state::Resources resources, bool store) override;
    void store(By by, state::Cell cell, plan::CellOp op, std::uint32_t value, state::Resources resources) override;
    void store_mop(By by, unsigned thread, unsigned item, std::uint32_t value) override;
    bool stores_done(By by) const override { return stores_.all_done(by.core); }
    void loads_gpr(By by) override;
    void loads_config(By by, std::optional<state::Cell> cell, state::Resources resources) override;
    std::uint32_t semaphore(By by, unsigned semaphore, bool waits) override;
    tl::expected<Port::Written, findings::Note> write_tile_register(const Asker& asker, std::uint32_t address,
                                                                    std::uint32_t value) override;
    std::optional<std::uint32_t> read_tile_register(std::optional<By> by, std::uint32_t address) override;
    void wrote(By by, state::Storage storage, std::uint32_t first, std::uint32_t count, Cycle at) override;
    bool idle(By by, unsigned thread) override;
    bool mops_expanded(By by, unsigned thread) override;
    std::uint32_t queued(unsigned thread) const override;
    std::uint32_t busy(unsigned thread) const override;
    void wake(unsigned core, Cycle time) override;
    void halt(unsigned core) override;
    void discard(unsigned thread) override;
    void raise(Signals signals) override;
    bool l1_is_shared() const override { return l1_shared_ && !costs_.completes_at_issue; }
    void accessed_l1(unsigned core, std::span<const state::L1Access> accesses) override;
    /// As accessed_l1(), up to the first that could have an effect on anything else. Returns how many these are.
    std::size_t note_undisturbed(unsigned core, std::span<const state::L1Access> accesses);
    /// As accessed_l1(), of one that may have such an effect.
    void check_l1(unsigned core, const state::L1Access& access);
    void accessed_dst(By by, unsigned first_row, unsigned last_row, bool write) override;
    NocPort* noc() override {
        l1_shared_ = true;
        return &noc_;
    }
    void release(By by, std::uint32_t word) override { order_.core_releases_word(by.core, word); }
    void acquire(By by, std::uint32_t word) override { order_.core_acquires_word(by.core, word); }
    void loaded_stream(By by, std::uint32_t word) override { order_.core_loads_stream(by.core, by.pc, word); }
    void host_saw(std::uint32_t address) override { order_.host_saw(address); }
    void host_wrote(std::uint32_t address, std::uint32_t bytes) override;
    void noc_wrote(const By* by, std::uint32_t address, std::uint32_t bytes) override;
    void host_read(HostRead read) override { outcome_.run().host_reads.push_back(std::move(read)); }
    void stop(const findings::Note& note, By by) override;
    void stop_or_note(const findings::Note& note, By by) override;
    void note(const findings::Note& note, By by) override;

protected:
    /// Other actors may be due earlier: limits the turn to this cycle until they are checked.
    void changed() {
        ++scheduler_.changes();
        has_changed_ = true;
        turn_.limit = scheduler_.now();
    }
    /// Sets the cause of what the instruction changes now.
    void caused_by(By by) { scheduler_.caused_by(cause_of(by)); }
    bool has_changed_ = true;  ///< the core changed shared state in its turn

private:
    void read_back(unsigned thread, hazards::CoreRegion region);
    /// Front ends retire when no core is left to push.
    void start_front_end(unsigned thread, Cycle at);
    std::int64_t next_index(By by, unsigned thread);
    std::int64_t command_index(const Asker& asker);
    /// Of an instruction without an op of its own: it precedes the thread's next op.
    std::int64_t index_before_next(By by) const;
    Cause cause_of(By by) const;
    /// Reports what writes_ has noted. `by`: null for what no core of this tile asked for.
    void report_written(const By* by, Cycle at);
    Where where_of(By by) const { return places_.where_of(by.core, by.pc, scheduler_.now()); }

    NocPort noc_;
    /// How often each core has left reset: another program may be there since.
    std::array<std::uint32_t, riscv_cores> begun_{};
};

}  // namespace tessera::engine
