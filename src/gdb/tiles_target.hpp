// SPDX-License-Identifier: Apache-2.0
// The cores of one or several tiles that run kernels, as a debugger sees them: what they have, and why they stand still.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gdb/hooks.hpp"
#include "gdb/points.hpp"
#include "gdb/position.hpp"
#include "gdb/registers.hpp"
#include "gdb/target.hpp"
#include "tessera/execution.hpp"

namespace tessera::gdb {

class TilesTarget : public Target {
public:
    std::size_t cores() const final { return riscv_cores * views_.size(); }
    CoreInfo info(unsigned core) const override;
    const std::vector<Register>& registers() const final { return registers_.all(); }
    std::optional<std::uint64_t> read_register(unsigned core, std::size_t number) const final;
    Result<void> write_register(unsigned core, std::size_t number, std::uint64_t value) final;
    std::size_t read_memory(unsigned core, std::uint32_t address, std::span<std::uint8_t> bytes) final;
    Result<void> write_memory(unsigned core, std::uint32_t address, std::span<const std::uint8_t> bytes) final;
    Result<void> insert(unsigned core, const Point& point) final;
    Result<void> remove(unsigned core, const Point& point) final;
    void remove_all(unsigned core) final { points_.remove_all(core); }
    Result<std::string> command(unsigned core, std::string_view line, const std::function<bool()>& interrupted) final;

    // For commands (monitor.cpp).

    static unsigned tile_of(unsigned core) { return core / riscv_cores; }
    static unsigned of_tile(unsigned core) { return core % riscv_cores; }
    static unsigned first_core(unsigned tile) { return tile * riscv_cores; }

    std::size_t tiles() const { return views_.size(); }
    core::TileView& tile(unsigned number) const {
        if (!views_[number]) [[unlikely]] views_[number] = &make(number);
        return *views_[number];
    }
    bool is_there(unsigned tile) const { return views_[tile] != nullptr; }
    /// The name of a tile for users: "1,0". Empty: there is one only.
    virtual std::string tile_name(unsigned tile) const = 0;
    virtual std::uint64_t cycle() const = 0;
    virtual bool ended() const = 0;
    /// A stop that gdb has no packet for.
    struct Break {
        std::string text;  ///< as typed
        Breakpoints what;  ///< in `finding`, `instructions` or `written`
        unsigned tile = 0;
    };
    std::vector<Break>& breaks() { return breaks_; }
    /// All that a client has asked for: it has gone.
    void forget_client();
    using Interrupted = std::function<bool()>;
    /// The last writer of one of these bytes before now, and its cycle, as a line of text.
    virtual Result<std::string> last_writer(unsigned core, std::uint32_t address, std::uint32_t bytes, const Interrupted& interrupted) = 0;
    /// The tile's last instructions of the coprocessor that have ended before now, the last one at the end.
    virtual Result<std::vector<Event>> last_instructions(unsigned tile, std::size_t most, const Interrupted& interrupted) = 0;
    /// Events before that cycle are forgotten. 0: none are.
    virtual std::uint64_t known_from() const { return 0; }

protected:
    class Watcher;
    class Forwards;

    /// `any`: a core of the chip.
    TilesTarget(const Core& any, std::size_t tiles) : registers_(any), points_(riscv_cores * tiles), views_(tiles) {}

    /// A tile that is not there yet, for views(); called when something is asked of it.
    virtual core::TileView& make(unsigned tile) const = 0;
    /// Null: the tile is not there yet.
    std::vector<core::TileView*>& views() { return views_; }
    const core::TileView* view(unsigned tile) const { return views_[tile]; }
    virtual void write_l1(unsigned tile, std::uint32_t address, std::span<const std::uint8_t> bytes) = 0;
    /// A debugger has changed something of that core, beside what write_l1() does.
    virtual void changed(unsigned core) = 0;
    /// The core stands still from now on, until the present resume() is over.
    virtual void hold(unsigned core) = 0;

    /// A breakpoint or watchpoint that has been met.
    struct Hit {
        Stopped stopped;                ///< of the core that has the breakpoint or the watchpoint
        std::optional<unsigned> by;     ///< the core whose instruction of number `executed` at `pc` meets it; empty: none
        std::uint64_t executed = 0;
        std::uint32_t pc = 0;
        std::string text{};  ///< without `by`: who did it
        std::uint64_t cycle = 0;
        std::uint64_t stored_at = 0;  ///< of a core's store: when it arrives; 0: in `cycle`
        std::uint64_t told_cycle() const { return std::max(cycle, stored_at); }
        // Of a watchpoint, on the way back: behind the step that meets it, and before it.
        std::optional<Position> position{}, before{};

        /// gdb does not step over the access, since another one than its core has made it.
        bool is_told_afterwards() const { return stopped.is_watch() && by != stopped.core; }
    };
    std::optional<Hit> meets_breakpoint(unsigned core) const;
    /// A part of a memory that holds an address for a core.
    std::span<const std::uint8_t> memory(unsigned core, std::uint32_t address) const;
    /// Error "gdb.memory": the core has no memory with all of these bytes.
    Result<void> check_memory(unsigned core, std::uint32_t address, std::size_t bytes) const;
    /// Stops of a tile that are none of a core's instructions.
    Breakpoints breakpoints_around(unsigned tile) const;
    std::size_t l1_section(unsigned tile) const { return (*this->tile(tile).core().find_section("l1"))->id; }

    std::uint64_t executed(unsigned core) const { return tile(tile_of(core)).executed(of_tile(core)); }
    const state::Riscv& riscv(unsigned core) const { return tile(tile_of(core)).state().riscv[of_tile(core)]; }
    std::string core_name(unsigned core) const;

    // Stops.

    static unsigned acting_core(const Resume& how);
    static bool has_steps(const Resume& how);
    static Stopped interrupted_at(unsigned core) { return {.why = Stopped::Why::signal, .core = core, .signal = signals::interrupt}; }
    /// The client can be told of it now.
    Stopped stop_at(const Hit& hit);
    /// The same, but while gdb steps another core: then the core of a breakpoint stands there, and what others did to what it watches is
    /// told when it is resumed. Empty: the step goes on.
    std::optional<Stopped> stop_unless_it_waits(const Hit& hit, const Resume& how);
    /// A stop without a run. Empty: there is none.
    std::optional<Stopped> stop_at_once(const Resume& how);
    /// The way back before what has been told.
    virtual void go_before(const Position&) {}
    /// Of something around the cores of a tile. `core`: if none has to do with it.
    Hit why_paused(const Pause& pause, unsigned tile, unsigned core) const;
    /// The writer, if no instruction of the tile wrote.
    virtual std::string writer_outside(unsigned /*tile*/, std::size_t /*address*/) const { return "the host or the NoC"; }
    std::string who(const Hit& hit) const;
    /// The same, since the run would be stuck: the others wait for something that the held cores would do.
    static Stopped stuck_without_held(unsigned core);
    /// The run is over with this report; `first`: the core 0 of its tile.
    Stopped at_end(const std::optional<Fault>& fault, const std::string& blocked, std::uint64_t cycles, unsigned core, unsigned first) const;
    /// The run has ended because nothing could happen any more.
    static bool is_stuck(const Fault& fault);
    Stopped told_end(const Stopped& at_end, const Resume& how);
    /// A fault that stops a core or a tile alone. `tile`: empty if it is of none.
    Stopped at_fault(const Diagnosis& fault, std::optional<unsigned> tile, const Resume& how) const;
    void goes_on() { shown_.reset(); }
    void goes_back_from_here() { shown_.reset(), told_later_.clear(), told_end_ = false; }
    /// From that cycle on all happens again: it is told then.
    void forget_told_later(std::uint64_t cycle);
    static Stopped::Why watch_of(PointKind kind);

    Registers registers_;
    Points points_;
    std::vector<Break> breaks_;

private:
    bool holds(const Point& point, unsigned core) const;
    /// A step that is none, since what it would step over is done. Empty: it is one.
    std::optional<Stopped> pretended(const Resume& how);
    bool is_watched(const Hit& hit) const;
    void tell_later(const Hit& hit);
    /// ebreak and ecall leave pc behind themselves. False: the core does not pause, or the client has written pc since.
    bool is_behind_pause(unsigned core) const;

    mutable std::vector<core::TileView*> views_;
    /// A breakpoint within words that are pushed at once: its address is shown as pc until the core goes on.
    struct Shown {
        unsigned core = 0;
        std::uint64_t executed = 0;
        std::uint32_t pc = 0;
    };
    std::optional<Shown> shown_;
    /// gdb takes a watchpoint of RISC-V to be met before the access, and steps over that. A write by others than cores is told
    /// afterwards; gdb's step is then none, or leads back before it.
    struct Pretended {
        unsigned core = 0;
        std::optional<Position> before;
    };
    std::optional<Pretended> pretended_;
    std::vector<Hit> told_later_;
    /// The pc that the client has written into a core that pauses, behind so many instructions.
    struct WrittenPc {
        std::uint64_t executed = 0;
        std::uint32_t pc = 0;
        friend bool operator==(const WrittenPc&, const WrittenPc&) = default;
    };
    std::map<unsigned, WrittenPc> written_pcs_;  ///< by core
    bool told_end_ = false;
};

}  // namespace tessera::gdb
