// SPDX-License-Identifier: Apache-2.0
// A run of a chip that has been set up: its nodes, and the mesh between them. Chip::run() does it at once, ChipExecution in steps.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "chip/distances.hpp"
#include "chip/host_memory.hpp"
#include "chip/impl.hpp"
#include "chip/mesh.hpp"
#include "chip/tensix_node.hpp"

namespace tessera {

class Chip::Impl::Running {
public:
    struct How {
        bool in_steps = false;                    ///< observers of tiles may be set later
        bool hosted = false;                      ///< cores that fault stop alone
        chip::HostMemory* host_memory = nullptr;  ///< outlives the run; null: none
        image::CodeFiles* code_files = nullptr;   ///< as host_memory
    };
    /// `chip` outlives the run. Errors: those of Chip::run().
    static Result<std::unique_ptr<Running>> begin(Impl& chip, const ChipRunOptions& options, const How& how);
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    chip::Mesh& mesh() { return *mesh_; }
    /// The node of a tile, by its number in the grid; null: it has no kernels, and nothing has come to it.
    chip::TensixNode* tile(unsigned number) const { return tiles_[number]; }
    /// Calls `tell` for each tile that has a node, and from now on for each new one.
    using NewTile = std::function<void(unsigned number, chip::TensixNode&, const Kernels&)>;
    void tell_tiles(NewTile tell);
    /// The node of a tile; it is made if there is none yet.
    chip::TensixNode& make(unsigned number);
    /// Gives a tile, all of whose cores are in reset, a new node with the state and the requests that the last one has
    /// left. `now`: the present cycle.
    void begin_anew(unsigned number, chip::Cycle now);
    /// The report of a run that is over.
    ChipRun finish(chip::Mesh::End end);
    TileRun tile_run(unsigned number, Run run) const;
    /// The report until now.
    ChipRun so_far(bool tell_waits = false) const;

private:
    Running(Impl& chip, const ChipRunOptions& options, const How& how);
    std::unique_ptr<chip::Node> make_node(noc::Place place);
    std::unique_ptr<chip::Node> make_memory(noc::Place place);
    /// For the delays of a tile, or of a memory behind all tiles; empty: none.
    std::optional<std::uint64_t> seed_of(unsigned number) const;
    /// The options that a tile runs with.
    RunOptions options_of(unsigned number) const;
    /// Errors: those of Core::Impl::prepare(), "chip.timing".
    Result<void> prepare(unsigned number, const RunOptions& own);
    /// Error "kernels.not-loaded": the cores of all tiles stand at their end of an earlier run.
    Result<void> check_not_ended() const;
    std::unique_ptr<chip::TensixNode> make_tile(unsigned number, RunOptions own);
    /// An instruction of a tile, as reports of other tiles name it (diagnostics::CoreTexts). Any thread may ask.
    std::string text_on(noc::Place tile, unsigned core, std::uint32_t pc) const;
    ChipRun counts() const;
    /// The chip's fault, which stopped that tile: at the instruction of the tile that asked for it.
    Fault fault_of(unsigned number, Fault fault) const;
    /// The chip's fault, if no tile can go on: whom the tiles wait for, and words of `done` that no core can store any more.
    Fault fault_of_stuck(const ChipRun& result) const;
    /// Findings of memory tiles go to the tiles whose requests they are about, at their levels.
    void add_memory_findings(ChipRun& result) const;
    const Kernels& kernels_of(unsigned number) const { return chip_.tiles[number].kernels ? *chip_.tiles[number].kernels : none_; }

    Impl& chip_;
    const ChipRunOptions options_;
    const How how_;
    const noc::Costs& costs_;
    const chip::Distances distances_;
    const chip::Surroundings around_;
    Kernels none_;
    std::vector<chip::TensixNode*> tiles_;
    NewTile tell_tile_;
    std::optional<chip::Mesh> mesh_;
};

}  // namespace tessera
