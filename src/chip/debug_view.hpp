// SPDX-License-Identifier: Apache-2.0
// A chip as a debugger sees it: it stands still between two acts of one of its nodes, and no other one is in another cycle.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chip/running.hpp"
#include "core/tile_view.hpp"
#include "tessera/hosted_chip.hpp"

namespace tessera::chip {

class DebugView {
public:
    using Answer = tile::CoreWatch::Answer;
    /// As tile::CoreWatch, of all tiles.
    class Watch {
    public:
        virtual Answer before_instruction(unsigned tile, unsigned core) = 0;
        /// A tile is about to begin anew: its view is still that of before.
        virtual void leaves(unsigned tile) = 0;
        /// A tile has begun, also anew: its view has changed.
        virtual void begins(unsigned tile) = 0;

    protected:
        ~Watch() = default;
    };

    /// Begins a run of the chip's kernels. Errors: those of Chip::run(). `chip` outlives the view and is not used otherwise.
    static Result<std::unique_ptr<DebugView>> begin(Chip& chip, ChipRunOptions options);
    /// Whether a chip that a host drives can have a view. Error "gdb.listen": it was made for none, or has one.
    static Result<void> check(const HostedChip& chip);
    /// A chip that a host drives and check() accepts; it outlives the view. From then on `clocks` lets its time pass, up to that cycle.
    static std::unique_ptr<DebugView> of(HostedChip& chip, std::function<void(Cycle)> clocks);
    ~DebugView();
    DebugView(const DebugView&) = delete;
    DebugView& operator=(const DebugView&) = delete;

    // Tiles, by their number in the grid.

    unsigned tiles() const { return static_cast<unsigned>(views_.size()); }
    /// "column,row" of the grid; of a hosted chip "x,y" of NoC 0, as its reports have it.
    std::string name(unsigned tile) const;
    /// Something runs there, or has reached it.
    bool is_there(unsigned tile) const { return views_[tile].has_value(); }
    /// It is made if it is not there yet.
    core::TileView& tile(unsigned number);
    unsigned number(const TileRun& tile) const { return *chip_.number(tile.column, tile.row); }
    /// Of any tile, for what all have.
    const Core& any_core() const { return chip_.core(0); }

    // Time.

    bool is_hosted() const { return hosted_; }
    /// The present cycle: of the run, or of the host.
    Cycle cycle() const { return now_; }
    bool ended() const { return end_.has_value(); }
    /// The report of a run that has ended.
    const ChipRun& result() const { return *result_; }

    /// Is asked from now on before each instruction of a core, and told of tiles; null: nobody.
    void watch(Watch* watch) { watch_ = watch; }
    /// Cores of these tiles do not sleep in their loops: a debugger waits for their instructions.
    void keep_awake(std::vector<unsigned> tiles);

    enum class Reached : std::uint8_t {
        step,
        limit,  ///< all that comes before it is done
        end,    ///< of the run
    };
    /// Nothing can happen any more, and not all is done: the next advance() ends the run.
    bool is_stuck() { return nothing_is_due() && !mesh().finds_end(); }
    /// One act of one node, in the order of cycles.
    Reached advance(Cycle limit = never);
    /// The tile that has acted last; empty: another node, or none.
    std::optional<unsigned> acted() const { return acted_; }
    /// A core's instruction was not executed since the watch stopped it.
    bool was_stopped() const { return was_stopped_; }
    /// Runs as fast as without a debugger, until the limit, the end or an interruption; a run that does not come to its end then goes on
    /// to where all tiles are in the same cycle. A hosted chip also stops within some cycles of a fault.
    void run_fast(Cycle limit, const std::function<bool()>& interrupted);
    /// A fault of a hosted chip, which stops a core or a tile alone.
    struct LocalFault {
        std::optional<unsigned> tile;  ///< empty: a memory tile's
        Diagnosis what;
    };
    /// Those since the last call.
    std::vector<LocalFault> take_faults() { return std::exchange(faults_, {}); }
    /// Cores that have slept in their loops come to the present cycle. Call it where the chip is looked at.
    void settle();

    // Changes between two acts.

    /// A debugger changes the core's registers or memories.
    void changed(unsigned tile, RiscvCore core);
    /// Writes L1 as a host does.
    void write_l1(unsigned tile, std::uint32_t address, std::span<const std::uint8_t> bytes);

    /// The core that asked for the packet that wrote there last, as text; empty: it is not known.
    std::string writer(unsigned tile, std::uint64_t address) const;

private:
    class TileWatch;
    class Unwatched;
    /// Of a hosted chip.
    struct Host {
        std::function<void(Cycle)>* debugger_clock = nullptr;  ///< lets time pass
        Mesh::OnStop on_stop;
        bool* has_acted = nullptr;
        const Cycle** debugger_cycle = nullptr;
        bool* is_running = nullptr;  ///< while tiles act
    };
    DebugView(Chip::Impl& chip, bool hosted);
    void look();
    Mesh& mesh() const { return running_->mesh(); }
    Place place(unsigned tile) const;
    TensixNode& node(unsigned tile) const { return *running_->tile(tile); }
    bool nothing_is_due() const { return !hosted_ && !in_round_ && mesh().is_over(); }
    bool begin_cycle(Cycle limit);
    void end_cycle();
    void end(Mesh::End how);
    /// Completes the present round.
    void finish_round();
    void run_rounds(const std::function<bool()>& interrupted);
    void run_hosted(Cycle limit, const std::function<bool()>& interrupted);
    void note_faults(unsigned tile);
    void come_together();

    Chip::Impl& chip_;
    const bool hosted_;
    std::unique_ptr<Chip::Impl::Running> own_;
    Chip::Impl::Running* running_ = nullptr;
    Host host_;
    std::vector<std::optional<core::TileView>> views_;
    std::vector<std::unique_ptr<TileWatch>> watches_;
    Watch* watch_ = nullptr;
    bool asks_ = true;  ///< watch_ is asked
    bool is_unwatched_ = false;  ///< no tile asks, also none that begins
    bool was_stopped_ = false;
    std::vector<unsigned> awake_;
    std::uint64_t only_awake_ = 0;  ///< cycles in which nothing has acted but those
    Cycle now_ = 0;
    // The present round of the mesh.
    bool in_round_ = false, has_begun_ = false;
    std::size_t next_ = 0;  ///< of Mesh::in_round()
    std::optional<unsigned> acted_;
    std::optional<Mesh::End> end_;
    std::optional<ChipRun> result_;
    std::deque<PacketEvent> packets_;  ///< the last ones
    std::vector<LocalFault> faults_;   ///< that nobody has taken
    std::vector<std::size_t> looked_;  ///< by tile: at so many findings
};

}  // namespace tessera::chip
