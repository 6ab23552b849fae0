// SPDX-License-Identifier: Apache-2.0
// What a RISC-V core can do to the coprocessor and learn from it, at its turn. Whatever changes something may bring other
// actors' turns nearer: limit() is to be asked again after it.
#pragma once

#include <span>

#include "engine/cores.hpp"
#include "findings/catalogue.hpp"
#include "hazards/order.hpp"
#include "plan/plan.hpp"
#include "state/state.hpp"

namespace tessera::engine {

/// What a core's turn begins with.
struct TurnBegin {
    unsigned core = 0;
    Cycle now = 0;
    Cycle limit = 0;                 ///< Port::limit()
    std::uint32_t instructions = 0;  ///< the core executes at most so many
    bool l1_is_shared = false;       ///< Port::l1_is_shared()
    bool timed = true;               ///< else each instruction of the core takes a cycle
};

class Port {
public:
    virtual ~Port() = default;

    /// The last cycle at which the core whose turn it is may touch what others can see.
    virtual Cycle limit() const = 0;
    /// The turn that has begun last.
    const TurnBegin& turn() const { return turn_; }
    /// The core goes on at `time` and has nothing else to tell. True: its turn has ended, and that of whichever core comes first has begun.
    virtual bool next_turn(Cycle time) = 0;
    /// What follows happens at this cycle, not beyond limit().
    virtual void at(Cycle now) = 0;
    virtual state::State& state() = 0;
    /// Counts whatever an actor could notice.
    virtual std::uint64_t& changes() = 0;

    /// An instruction or a store of `core`; `pc` is that of the core's instruction, for what is told about it later.
    struct By {
        unsigned core = 0;
        std::uint32_t pc = 0;
    };

    /// Pushes instruction words into a thread's FIFO, all or none. False: no room (Signal::popped tells when there may be). `expanded`: behind
    /// the MOP expander, where RISC-V B's go.
    virtual bool push(By by, unsigned thread, std::span<const std::uint32_t> words, bool expanded) = 0;
    /// Auto TTSync lets the core's access pass now; else Signal::issued and Signal::unit tell when to ask again. `resources`: what
    /// it is to the core's thread (frontend/auto_sync.hpp).
    virtual bool in_order(By by, state::Resources resources, bool store) = 0;
    /// Stores to the configuration space, in 32-bit words from its base.
    virtual void store_config(By by, unsigned word, std::uint32_t value, state::Resources resources) = 0;
    virtual void store_gpr(By by, unsigned thread, unsigned gpr, std::uint32_t value, state::Resources resources) = 0;
    virtual void store_mop(By by, unsigned thread, unsigned item, std::uint32_t value) = 0;
    virtual void post_semaphore(By by, unsigned semaphore) = 0;
    virtual void get_semaphore(By by, unsigned semaphore) = 0;
    /// All that the core has stored by the functions above has been processed: what it reads now has it (else Signal::store tells).
    virtual bool stores_done(By by) const = 0;
    /// The core loads from the region while stores_done(): what it pushes from now on comes after its stores there.
    virtual void read_back(By by, hazards::CoreRegion region) = 0;
    /// `waits`: the core goes on only once the value lets it.
    virtual std::uint32_t semaphore(By by, unsigned semaphore, bool waits) = 0;
    /// A register of the tile that the coprocessor's state holds (state/mmio.hpp): of overlay streams and of TDMA-RISC, its
    /// command register included.
    enum class Written : std::uint8_t {
        done,
        busy,     ///< a command, and the mover is at work: not now (Signal::unit)
        nothing,  ///< there is no such register, or it cannot be written
    };
    virtual Written write_tile_register(By by, std::uint32_t address, std::uint32_t value) = 0;
    virtual std::optional<std::uint32_t> read_tile_register(By by, std::uint32_t address) = 0;

    /// Memory of the coprocessor that the core has just written, for RunOptions::on_write: at the cycle of the turn, or at `at`,
    /// bytes of L1.
    virtual void wrote(By by, state::Storage storage, std::uint32_t first, std::uint32_t count) = 0;
    virtual void stored(By by, std::uint32_t address, std::uint32_t bytes, Cycle at) = 0;

    /// Nothing of the thread is in flight, and the core knows that from now on.
    virtual bool idle(By by, unsigned thread) = 0;
    /// No MOP of the thread is waiting or being expanded.
    virtual bool mops_expanded(By by, unsigned thread) = 0;
    /// Kinds of instructions of the thread that wait in the frontend, and that wait there or execute: a bit each, as in tt_cfg_qstatus and
    /// tt_cfg_bstatus (CSRs).
    virtual std::uint32_t queued(unsigned thread) const = 0;
    virtual std::uint32_t busy(unsigned thread) const = 0;

    /// Starts a core, or lets it look again at what it waits for.
    virtual void wake(unsigned core, Cycle time) = 0;
    /// Puts a core into reset: it acts no more.
    virtual void halt(unsigned core) = 0;
    virtual void raise(Signals signals) = 0;

    /// What the core has accessed in L1, itself or by the NoC, and in Dst: what is not ordered with the coprocessor's accesses is told.
    /// Somebody but this core may use L1: from now on its accesses have to be told.
    virtual bool l1_is_shared() const = 0;
    virtual void loaded_l1(By by, std::uint32_t address, std::uint32_t bytes) = 0;
    virtual void stored_l1(By by, std::uint32_t address, std::uint32_t bytes) = 0;
    virtual void accessed_dst(By by, unsigned first_row, unsigned last_row, bool write) = 0;
    /// The core has stored a word of a device that others may load, or has loaded it: who loads it knows what who stored it knew. Words are
    /// addresses; stream_registers_word is all registers of overlay streams.
    virtual void told(By by, std::uint32_t word) = 0;
    virtual void heard(By by, std::uint32_t word) = 0;

    // What the host does: neither a core's nor a thread's.

    /// It has waited for a word of L1: it knows what who stored it knew.
    virtual void host_saw(std::uint32_t address) = 0;
    /// It has written L1.
    virtual void host_wrote(std::uint32_t address, std::uint32_t bytes) = 0;
    virtual void host_read(HostRead read) = 0;

    virtual void stop(const findings::Note& note, By by) = 0;
    /// The same of a fault that users may give a lower level: then it is noted as a finding of that level.
    virtual void stop_or_note(const findings::Note& note, By by) = 0;
    virtual void note(const findings::Note& note, By by) = 0;

protected:
    TurnBegin turn_;
};

}  // namespace tessera::engine
