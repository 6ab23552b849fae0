// SPDX-License-Identifier: Apache-2.0
// A run of kernels as a debugger sees it: it stops between two instructions of a core, where no core is ahead of the others.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "riscv/bus.hpp"
#include "state/state.hpp"
#include "tessera/execution.hpp"
#include "tile/core_watch.hpp"

namespace tessera::core {

class DebugView {
public:
    /// `execution` must be one of kernels on a tile by itself, and outlive the view.
    explicit DebugView(Execution& execution) : execution_(execution) {}
    /// Whether that is so.
    static bool fits(const Execution& execution);

    Execution& execution() { return execution_; }
    const Execution& execution() const { return execution_; }
    Core& core() { return execution_.core(); }
    const Kernels& kernels() const;
    state::State& state();
    const state::State& state() const;

    /// From now on a step is an instruction of a core, or something around the cores; null: cores run ahead.
    void set_watch(tile::CoreWatch* watch);
    /// The first cycle at whose begin no core is ahead, if a watch is set until then.
    std::uint64_t furthest() const;
    /// How many instructions each core has executed, over all its resets.
    using Counts = std::array<std::uint64_t, riscv_cores>;
    Counts executed() const;
    std::uint64_t executed(unsigned core) const;
    unsigned fused_words(unsigned core, std::uint32_t pc) const;
    /// The core has ended, or is in reset.
    bool has_finished(unsigned core) const;
    /// The core only repeats itself until something changes.
    bool repeats(unsigned core) const;
    /// What the core is parked for; empty: it is not.
    std::string waits_for(unsigned core) const;

    /// Runs until a breakpoint is met or `enough` says so, which is asked before each step.
    Pause run(const Breakpoints& breakpoints, const std::function<bool()>& enough);
    /// Runs without a watch up to that cycle, as fast as Core::run(). False: the run may be over; run() tells.
    bool run_fast_to(std::uint64_t cycle);
    /// Called from now on for each instruction of the coprocessor that has ended; empty: nobody is.
    void observe(std::function<void(const Event&)> on_event);
    /// Nothing happens before that cycle any more.
    bool has_reached(std::uint64_t cycle) const;

    /// A word of a device as a host reads it, without what the access does to it. Empty: there is none, or the run is over.
    std::optional<std::uint32_t> peek(std::uint32_t address);
    /// Writes L1 as a host does, which wakes who waits for it.
    void write_l1(std::uint32_t address, std::span<const std::uint8_t> bytes);
    /// Registers or memory of the core have been changed through state(), or where it goes on.
    void changed(RiscvCore core);
    /// "file:line, function+0x12" of a core's instruction, and the instruction.
    std::string place(unsigned core, std::uint32_t pc) const;
    std::string instruction(unsigned core, std::uint32_t pc) const;

private:
    Execution& execution_;
};

}  // namespace tessera::core
