// SPDX-License-Identifier: Apache-2.0
// Access of a RISC-V core to the coprocessor during its turn. After a change, call limit() again: other actors' turns
// may come earlier.
#pragma once

#include <span>

#include <tl/expected.hpp>

#include "diagnostics/op_index.hpp"
#include "engine/actors.hpp"
#include "engine/cores.hpp"
#include "findings/catalogue.hpp"
#include "hazards/order.hpp"
#include "plan/plan.hpp"
#include "state/state.hpp"

namespace tessera::engine {

class NocPort;

/// Start of a core's turn.
struct TurnBegin {
    unsigned core = 0;
    Cycle now = 0;
    Cycle limit = 0;                 ///< Port::limit()
    std::uint32_t instructions = 0;  ///< the core executes at most this number
    bool l1_is_shared = false;       ///< Port::l1_is_shared()
    bool timed = true;               ///< false: each instruction of the core takes one cycle
    bool may_sleep = false;          ///< a core that polls ends its turn (Turn::poll_ends)
    bool stops_in_l1 = false;        ///< a finding about an access to L1 ends the run: ask Port::limit() behind each
    /// Beyond `limit`: the last cycle of plain accesses to L1, and of pushes. Earlier: none.
    Cycle l1_ahead = 0, push_ahead = 0;
    /// A power of two: the core executes no further than to a multiple of it, counted from its reset. 0: it may.
    std::uint32_t interval = 0;
};

class Port {
public:
    virtual ~Port() = default;

    /// Registers an instruction or a store of `core`. Reports about it name `pc`.
    struct By {
        unsigned core = 0;
        std::uint32_t pc = 0;
    };

    /// The last cycle in which the acting core may touch shared state.
    virtual Cycle limit() const = 0;
    /// The most recent turn.
    const TurnBegin& turn() const { return turn_; }
    /// The core continues at `time` and has nothing else to report. True: its turn ended and the earliest core's turn
    /// began.
    virtual bool next_turn(Cycle /*time*/) { return false; }
    /// Moves the turn's time to this cycle, which must not exceed limit(). Waits that end by what follows are ended by `by`.
    virtual void at(Cycle now, By by) = 0;
    virtual state::State& state() = 0;
    /// Counts every change that an actor could observe.
    virtual std::uint64_t& changes() = 0;

    /// Pushes instruction words into a thread's FIFO, all or none. False: no room; wait for Signal::popped. `expanded`:
    /// behind the MOP expander, as for RISC-V B.
    virtual bool push(By by, unsigned thread, std::span<const std::uint32_t> words, bool expanded) = 0;
    /// The FIFO in front of a thread's replay expander.
    struct Fifo {
        bool full = false;
        bool empty = true;  ///< and no MOP is being expanded
    };
    virtual Fifo fifo(unsigned thread) = 0;
    /// Whether Auto TTSync lets the core's access pass. If not, ask again on Signal::issued or Signal::unit.
    /// `resources`: those of the core's thread that the access needs (frontend/auto_sync.hpp).
    virtual bool in_order(By by, state::Resources resources, bool store) = 0;
    /// Sets a word of configuration or a GPR, or posts or gets a semaphore. `resources`: as of in_order().
    virtual void store(By by, state::Cell cell, plan::CellOp op, std::uint32_t value,
                       state::Resources resources = 0) = 0;
    virtual void store_mop(By by, unsigned thread, unsigned item, std::uint32_t value) = 0;
    /// All stores of the core by the functions above are done, so its loads see them. Otherwise wait for Signal::store.
    virtual bool stores_done(By by) const = 0;
    /// The core loads a GPR while stores_done() holds: its later pushes come after its stores to GPRs.
    virtual void loads_gpr(By) {}
    /// The same of configuration. `cell`: a word of a bank; none: of a thread. `resources`: as of in_order(), which has let it pass.
    virtual void loads_config(By, std::optional<state::Cell> /*cell*/, state::Resources /*resources*/) {}
    /// `waits`: the core continues only when the value allows it.
    virtual std::uint32_t semaphore(By by, unsigned semaphore, bool waits) = 0;
    /// The outcome of a store to a register of the tile.
    enum class Written : std::uint8_t {
        done,
        busy,  ///< a command while the mover works: retry on Signal::unit
    };
    /// The asker of a store to a register of the tile.
    struct Asker {
        By by;                      ///< for reports; `core` is riscv_cores or more if no core of this tile asked
        bool is_request = false;    ///< over the NoC, also of a host: it has no core's clock
        std::string_view detail{};  ///< names it in findings

        /// Of its ops (diagnostics::KernelOp).
        By author() const { return is_request ? By{diagnostics::KernelOp::of_request} : by; }
        std::optional<unsigned> core() const { return is_request ? std::nullopt : std::optional(by.core); }
        /// T0 for what has no thread.
        unsigned thread() const { return is_request ? 0 : thread_of(by.core).value_or(0); }
        findings::Note named_in(findings::Note what) const {
            if (!detail.empty()) what.detail = detail;
            return what;
        }
    };
    /// Pushes a word behind the thread's MOP expander for a core or a request over the NoC (INSTRN_BUF_CTRL0). False: no room.
    virtual bool push_by_debug_bus(const Asker& asker, unsigned thread, std::uint32_t word) = 0;
    /// A register of the tile that the coprocessor's state holds (state/mmio.hpp): overlay streams, and TDMA-RISC with
    /// its command register. Error: the fault of a command, or mmio-unmapped if there is no such register or it is read-only.
    virtual tl::expected<Written, findings::Note> write_tile_register(const Asker& asker, std::uint32_t address,
                                                                      std::uint32_t value) = 0;
    /// `by`: none for a request over the NoC, from which no core learns anything.
    virtual std::optional<std::uint32_t> read_tile_register(std::optional<By> by, std::uint32_t address) = 0;

    /// Reports memory that the core has just written (RunOptions::on_write), at the turn's cycle, or at `at` if that is later.
    virtual void wrote(By, state::Storage, std::uint32_t /*first*/, std::uint32_t /*count*/, Cycle /*at*/ = 0) {}

    /// Whether nothing of the thread is in flight. If so, the core acquires that order.
    virtual bool idle(By by, unsigned thread) = 0;
    /// Whether no MOP of the thread waits or is being expanded.
    virtual bool mops_expanded(By by, unsigned thread) = 0;
    /// Kinds of the thread's instructions that wait in the front end, and that wait there or execute: one bit each, as
    /// in tt_cfg_qstatus and tt_cfg_bstatus (CSRs).
    virtual std::uint32_t queued(unsigned thread) const = 0;
    virtual std::uint32_t busy(unsigned thread) const = 0;

    /// The core looks at what the coprocessor has come to. Without time, its threads first go on as far as they can.
    virtual void catch_up() {}

    /// Starts a core, or lets it check its wait again.
    virtual void wake(unsigned core, Cycle time) = 0;
    /// Puts a core into reset. It acts no more.
    virtual void halt(unsigned core) = 0;
    /// Drops the thread's instructions in front of the replay expander (frontend::Expanders::discard()).
    virtual void discard(unsigned thread) = 0;
    virtual void raise(Signals signals) = 0;

    // Reports accesses to L1 (the core's own or by the NoC) and to Dst to the hazard checker.

    /// Another actor may use L1: from now on the core must report its accesses.
    virtual bool l1_is_shared() const { return false; }
    /// The core's own in order, before it does anything else that others can notice. Never of none. Moves the time as at().
    virtual void accessed_l1(unsigned /*core*/, std::span<const state::L1Access>) {}
    virtual void accessed_dst(By, unsigned /*first_row*/, unsigned /*last_row*/, bool /*write*/) {}
    /// Takes reports about requests over the NoC; null: nobody looks. From now on another actor may use L1.
    virtual NocPort* noc() { return nullptr; }
    /// Release and acquire of a device's word: a core that loads it acquires the vector clock of the core that stored
    /// it. Words are addresses; of registers of overlay streams, state::mmio::stream_word().
    virtual void release(By, std::uint32_t /*word*/) {}
    virtual void acquire(By, std::uint32_t /*word*/) {}
    /// The core loads a register of an overlay stream (state::mmio::stream_word()): it acquires what a packet's write to it told.
    virtual void loaded_stream(By, std::uint32_t /*word*/) {}

    // The host, which is neither a core nor a thread.

    /// The host read a word of L1 that it waited for, and acquires the writer's vector clock.
    virtual void host_saw(std::uint32_t /*address*/) {}
    /// The host wrote L1.
    virtual void host_wrote(std::uint32_t address, std::uint32_t bytes) = 0;
    /// A packet of the NoC wrote L1; `by`: for a request of this core, null: of another tile.
    virtual void noc_wrote(const By* by, std::uint32_t address, std::uint32_t bytes) = 0;
    virtual void host_read(HostRead read) = 0;

    virtual void stop(const findings::Note& note, By by) = 0;
    /// As stop(), for a fault whose level users may lower: then it is a finding.
    virtual void stop_or_note(const findings::Note& note, By by) = 0;
    virtual void note(const findings::Note& note, By by) = 0;

protected:
    TurnBegin turn_;
};

}  // namespace tessera::engine
