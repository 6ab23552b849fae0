// SPDX-License-Identifier: Apache-2.0
// Stores of RISC-V cores to cells of the coprocessor, in flight until their own time.
#pragma once

#include <vector>

#include "engine/context.hpp"
#include "engine/execution/effects.hpp"
#include "engine/kept.hpp"
#include "engine/observe/writes.hpp"
#include "engine/scheduler.hpp"
#include "state/resources.hpp"

namespace tessera::engine {

struct Store {
    state::Cell cell{};
    plan::CellOp op{};
    std::uint32_t value = 0;
    unsigned thread = 0;  ///< or no_thread
    std::int64_t index = 0;
    state::Resources resources = 0;  ///< resources for Auto TTSync
    int core = -1;                   ///< the RISC-V core that counts it; -1: a program's core

    bool is_to_semaphore() const { return state::cells::semaphore_value_block.contains(cell); }
    /// TRISC_CFG waits for it.
    bool counts() const { return thread != no_thread && !is_to_semaphore(); }
};

struct StoresState {
protected:
    struct InFlight : Store {
        std::uint32_t id = 0;
    };
    std::vector<InFlight> in_flight_;  ///< few
    std::uint32_t last_id_ = 0;
};

class Stores : private Context, public Kept<StoresState> {
public:
    Stores(const Context& context, Scheduler& scheduler, Workload& work, Effects& effects, Writes& writes)
        : Context(context), scheduler_(scheduler), work_(work), effects_(effects), writes_(writes) {}

    /// A core issues a store; it takes effect after its latency. False: the run was stopped before.
    bool emit(const Store& store);
    void land(std::uint32_t id, Cycle now);
    /// Whether no store of the core is in flight.
    bool all_done(unsigned core) const;
    /// Whether a store from before op `index` of the thread is in flight to one of these resources.
    bool is_on_its_way(unsigned thread, state::Resources any, std::int64_t index) const;

private:
    Scheduler& scheduler_;
    Workload& work_;
    Effects& effects_;
    Writes& writes_;
};

}  // namespace tessera::engine
