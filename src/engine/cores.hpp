// SPDX-License-Identifier: Apache-2.0
// RISC-V cores in place of a program's ops. The engine owns time and gives turns; cores act through Port
// (engine/port.hpp).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "diagnostics/places.hpp"
#include "engine/wait.hpp"
#include "state/l1_access.hpp"
#include "tessera/run.hpp"

namespace tessera::engine {

class Port;

/// How a turn ended.
struct Turn {
    enum class Kind : std::uint8_t {
        again,     ///< goes on at `time`
        wait,      ///< until one of `wakes`, for `wait`
        finished,  ///< has nothing left to do until another core starts it (Port::wake)
        stop,      ///< the run is over; Port::stop has the reason
    };
    Kind kind = Kind::finished;
    Cycle time = 0;
    Wait wait{};
    Signals wakes{};
    /// The core waits for room in this thread's FIFO and for nothing else; no_fifo: it waits for something else.
    std::uint8_t room_of = no_fifo;
    /// With `again`: the core has come to an access beyond the turn's limit.
    bool at_limit = false;
    /// The core only repeats itself until Port::changes() moves on.
    bool repeats = false;
    /// The core polls: until one of these signals, its next access is the same every `period` cycles and finds the same. 0: it does not.
    Signals poll_ends{};
    Cycle period = 0;
};

class Cores : public diagnostics::CoreTexts {
public:
    /// Which cores run when the run begins: a bit per RiscvCore.
    virtual unsigned running() const = 0;
    /// Runs the core's turn from `now` on, and the turns that Port::next_turn() begins. Returns how the last one ended.
    virtual Turn act(unsigned core, Cycle now, Port& port) = 0;

    // Apart from others, a core computes and accesses L1 until it comes to anything else; nobody hears of it before it is kept.

    /// Whether the core may do so now. `changes`: Port::changes().
    virtual bool may_act_apart(unsigned core, std::uint64_t changes) const = 0;
    struct Apart {
        Cycle next = 0;                             ///< when the core acts next
        std::span<const state::L1Access> accesses;  ///< in order
        std::uint64_t changes = 0;                  ///< how many of them have changed L1
        bool can_be_kept = true;
        bool is_cut = false;  ///< it stopped where a turn would have gone on: its last access has to be that of a turn
    };
    /// It does, from `now` on, with accesses up to the cycle `until`.
    virtual Apart act_apart(unsigned core, Cycle now, Cycle until) = 0;
    /// Everything is as before its act_apart().
    virtual void undo_apart(unsigned core) = 0;
    /// Keeps the acts apart of these cores, a bit per RiscvCore. False, and nothing is done: together, one would have acted at another time.
    virtual bool keep_apart(unsigned cores) = 0;
    /// When the core continues after that.
    virtual Cycle kept_until(unsigned core) const = 0;
    /// Whether a core may have executed instructions near this address in L1.
    virtual bool may_hold_code(std::uint32_t address) const = 0;

    // The host's steps (Kernels::host).

    /// Cycle of the host's next step; `now` if its conditions hold; never: it waits for a word, or has no step left.
    Cycle host_due(Cycle now) const { return host_waits_ ? host_step_due(now) : never; }
    /// Takes that step, which must be due.
    virtual void act_host(Cycle now, Port& port) = 0;
    /// Puts cores into reset or releases them, as a host does.
    virtual void host_resets(const std::array<bool, riscv_cores>& cores, bool start, Cycle now, Port& port) = 0;
    /// The result of a host's access to a register of the tile.
    struct HostAccess {
        std::uint32_t value = 0;  ///< of a load
        std::string wrong;        ///< why there was no access; empty: there was one
    };
    /// A host loads a register of the tile, or stores this value to it.
    virtual HostAccess host_accesses(std::uint32_t address, std::optional<std::uint32_t> stored, Cycle now, Port& port) = 0;
    /// A RISC-V core that faults stops alone, and the run goes on, as on a chip. The fault is a finding.
    bool goes_on_after_faults() const { return goes_on_after_faults_; }
    /// The host's wait; empty when no step is left.
    virtual std::optional<Blocked> describe_host() const = 0;

    // Acts of the NoC on the tile.

    /// Cycle of the tile's next act for the NoC; never: none is known.
    Cycle noc_due() const { return noc_due_; }
    /// Does it; it must be due.
    virtual void act_noc(Cycle now, Port& port) = 0;
    /// The run may not reach this cycle yet: other tiles may still act on this one before.
    Cycle horizon() const { return horizon_; }
    /// Other tiles may act on this one: what waits or polls in vain is no deadlock.
    bool has_neighbours() const { return has_neighbours_; }
    /// The core repeats itself (Turn::repeats) until that cycle. Returns when it goes on: at the end of the last round until then; 0: no
    /// round has been skipped.
    virtual Cycle skip_repeats(unsigned core, Cycle until) = 0;
    /// A core that polls (Turn::poll_ends) has done so many of its rounds.
    virtual void pass_polls(unsigned core, std::uint64_t rounds) = 0;

    // Trial turns: what a core would do if only time passed (time_loops.cpp).

    /// All clocks show the core this cycle, and Turn::repeats tells whether it then repeats itself. Without a value the
    /// clocks run again.
    virtual void hold_time(unsigned core, std::optional<Cycle> at) = 0;
    virtual std::uint32_t program_counter(unsigned core) const = 0;
    /// Registers and local memory.
    virtual std::vector<std::uint32_t> memory(unsigned core) const = 0;
    /// No cycle up to that one which was tried ends the core's loop. describe() then names what it polls.
    virtual void found_time_loop(unsigned core, Cycle until) = 0;
    /// No core is known to be in such a loop any more.
    virtual void forget_time_loops() = 0;

    /// State of cores and devices beside the State.
    class Memory {
    public:
        virtual ~Memory() = default;
    };
    virtual std::shared_ptr<const Memory> save() const = 0;
    /// A port of its own.
    virtual void restore(const Memory& memory) = 0;
    /// Every condition of Kernels::done holds and the host has no step left. The run ends when the coprocessor is idle. If the cores have
    /// neighbours, the chip decides when it ends.
    virtual bool done() const = 0;
    /// A word of L1 that Kernels::done waits for and that still has another value.
    struct Unmet {
        std::uint32_t address = 0, value = 0, wanted = 0;
    };
    virtual std::optional<Unmet> unmet() const = 0;

    /// At the end of a run without a fault: tells the port what the cores have left open.
    virtual void tell_unfinished(Port& port) = 0;

    // Descriptions.
    virtual std::string describe(const Wait& wait, unsigned core) const = 0;
    struct Polled {
        enum class Place : std::uint8_t { semaphore, stream_register, l1 };
        Place place{};
        std::uint32_t at = 0;  ///< a semaphore's number, state::mmio::stream_word(), or an address in L1
        std::string name;      ///< for the reader
    };
    /// Describes where a core stands or stopped: instruction and place; and waits_for, if it polls. `repeats`: it is
    /// known to repeat itself. Returns what it polls, as far as actors of the tile change that.
    virtual std::vector<Polled> describe(unsigned core, bool repeats, Blocked& blocked) const = 0;
    /// Its registers x1 to x31.
    virtual std::vector<NamedValue> registers(unsigned core) const = 0;

protected:
    /// host_due() while a step is left.
    virtual Cycle host_step_due(Cycle now) const = 0;

    bool host_waits_ = true;  ///< a step is left
    bool has_neighbours_ = false;
    bool goes_on_after_faults_ = false;
    Cycle noc_due_ = never, horizon_ = never;
};

}  // namespace tessera::engine
