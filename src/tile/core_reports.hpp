// SPDX-License-Identifier: Apache-2.0
// The place of each core, and its wait or poll: for the report of a run that goes on no more.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/cores.hpp"
#include "tessera/run.hpp"
#include "tile/code_names.hpp"
#include "tile/device.hpp"
#include "tile/harts.hpp"

namespace tessera::tile {

class CoreReports {
public:
    /// All of it outlives the reports.
    CoreReports(const state::State& state, const Harts& harts, const Devices& devices, const CodeNames& code)
        : state_(state), harts_(harts), devices_(devices), code_(code) {}

    /// See engine::Cores::found_time_loop().
    void found_time_loop(unsigned core, Cycle until) { time_loops_[core] = {until, harts_[core].polled()}; }
    /// The same.
    void forget_time_loops() { time_loops_ = {}; }
    /// See engine::Cores::describe().
    std::vector<engine::Cores::Polled> describe(unsigned core, bool repeats, Blocked& blocked) const;

    /// A place that a core polls which repeats itself.
    struct Polled {
        unsigned core = 0;
        std::uint32_t pc = 0;
        std::string text;         ///< the location
        std::uint32_t value = 0;  ///< what it reads there
        const NocWriters::Writer* writer = nullptr;  ///< who wrote it last over the NoC; null: nobody
        bool counts_packets = false;                 ///< it is a counter of an NIU
        bool in_l1 = false;                          ///< where other tiles write
    };
    /// `repeats`: as of describe().
    std::vector<Polled> polled(unsigned core, bool repeats) const;

private:
    /// A loop that no time that was tried ends.
    struct TimeLoop {
        Cycle until = 0;     ///< how far the engine has looked ahead
        riscv::Polls polls;  ///< what the core polls meanwhile
    };

    /// Of a core that repeats itself, as it may only now be known to do.
    riscv::Polls polls_of(unsigned core, bool repeats) const;
    /// The core waits for what it polls.
    std::string polled_text(unsigned core, const riscv::Polls& polls) const;
    /// Empty for a place that others than the tile's actors have changed.
    std::optional<engine::Cores::Polled> known_place(unsigned core, std::uint32_t address) const;

    const state::State& state_;
    const Harts& harts_;
    const Devices& devices_;
    const CodeNames& code_;
    std::array<std::optional<TimeLoop>, riscv_cores> time_loops_;
};

}  // namespace tessera::tile
