// SPDX-License-Identifier: Apache-2.0
// A run of kernels as a debugger sees it: it stops between two instructions of a core, where no core is ahead of the others.
#pragma once

#include <functional>
#include <span>

#include "core/tile_view.hpp"
#include "tessera/execution.hpp"

namespace tessera::core {

class DebugView {
public:
    using Counts = TileView::Counts;

    /// `execution` must be one of kernels on a tile by itself, and outlive the view.
    explicit DebugView(Execution& execution);
    /// Whether that is so.
    static bool fits(const Execution& execution);

    Execution& execution() { return execution_; }
    const Execution& execution() const { return execution_; }
    TileView& tile() { return tile_; }
    const TileView& tile() const { return tile_; }

    /// Runs until a breakpoint is met or `enough` says so, which is asked before each step.
    Pause run(const Breakpoints& breakpoints, const std::function<bool()>& enough);
    /// After Pause::Why::written: the cycle in which that write arrives. A core that has executed its store may come to it later.
    std::uint64_t written_at() const;
    /// Runs without a watch up to that cycle, as fast as Core::run(). False: the run may be over; run() tells.
    bool run_fast_to(std::uint64_t cycle);
    /// Called from now on for each instruction of the coprocessor that has ended; empty: as the run began (RunOptions::on_event).
    void observe(std::function<void(const Event&)> on_event);
    bool is_observed() const;
    /// Ends the run as it had ended before.
    void end_again(const Fault& fault);
    /// Nothing happens before that cycle any more.
    bool has_reached(std::uint64_t cycle) const;

    /// Writes L1 as a host does, which wakes who waits for it.
    void write_l1(std::uint32_t address, std::span<const std::uint8_t> bytes);

private:
    Execution& execution_;
    std::function<void(const Event&)> own_observer_;
    TileView tile_;
};

}  // namespace tessera::core
