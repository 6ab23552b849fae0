// SPDX-License-Identifier: Apache-2.0
// A tile that runs kernels, as a debugger sees it between two steps: by itself or as one of a chip.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "state/state.hpp"
#include "tile/tile.hpp"

namespace tessera::core {

class TileView {
public:
    /// All of it outlives the view.
    struct Parts {
        Core& core;
        state::State& state;
        engine::Engine& engine;
        RunOptions& options;  ///< the engine's
        tile::Tile& cores;
        const Kernels& kernels;
    };
    explicit TileView(const Parts& parts) : parts_(parts) {}

    Core& core() { return parts_.core; }
    const Core& core() const { return parts_.core; }
    const Kernels& kernels() const { return parts_.kernels; }
    state::State& state() { return parts_.state; }
    const state::State& state() const { return parts_.state; }
    engine::Engine& engine() { return parts_.engine; }
    RunOptions& options() { return parts_.options; }
    /// The cycle of the last step.
    std::uint64_t cycle() const { return parts_.engine.now(); }
    /// Instructions that the threads have issued; of one thread.
    std::uint64_t issued() const { return parts_.engine.issued(); }
    std::uint64_t issued(unsigned thread) const { return parts_.engine.issued(thread); }
    std::vector<Blocked> blocked() const { return parts_.engine.blocked(); }
    const std::vector<Finding>& findings() const { return parts_.engine.findings().found(); }

    /// From now on a step is an instruction of a core, or something around the cores; null: cores run ahead.
    void set_watch(tile::CoreWatch* watch) { parts_.cores.set_watch(watch); }
    /// The first cycle at whose begin no core is ahead, if a watch is set until then.
    std::uint64_t furthest() const { return parts_.cores.furthest(); }
    /// How many instructions each core has executed, over all its resets.
    using Counts = std::array<std::uint64_t, riscv_cores>;
    Counts executed() const;
    std::uint64_t executed(unsigned core) const { return parts_.cores.executed(core); }
    unsigned fused_words(unsigned core, std::uint32_t pc) const { return parts_.cores.fused_words(core, pc); }
    /// The core has ended, or is in reset.
    bool has_finished(unsigned core) const { return parts_.engine.has_finished(static_cast<RiscvCore>(core)); }
    /// The wait that the core is parked for; empty: it is not parked.
    std::string waits_for(unsigned core) const { return parts_.cores.waits_for(core); }

    /// A word of a device as a host reads it, without what the access does to it. Empty: there is none.
    std::optional<std::uint32_t> peek(std::uint32_t address);
    /// Registers or memory of the core have been changed through state(), or where it goes on, or cells of the coprocessor. The run must not
    /// be over.
    void changed(RiscvCore core);

    /// "file:line, function+0x12" of a core's instruction, and the instruction.
    std::string place(unsigned core, std::uint32_t pc) const { return parts_.cores.place_text(core, pc); }
    std::string instruction(unsigned core, std::uint32_t pc) const { return parts_.cores.instruction(core, pc); }

private:
    Parts parts_;
};

}  // namespace tessera::core
