// SPDX-License-Identifier: Apache-2.0
// Checks the program during a run and reports findings. The engine calls it in the order of events. A finding changes
// the run only if its level stops the run.
//
//  issue.cpp         what is checked at issue
//  captures.cpp      captures that come too early
//  config_uses.cpp   configuration that one thread writes and another uses
//  config_writes.cpp findings about writes to configuration
//  unread.cpp        findings about data, held back until the data can be read
//  outputs.cpp       strides of packers and unpackers that do not fit what is written
//  l1_formats.cpp    unpackers that read L1 in another format than it has
//  accesses.cpp      accesses, when an instruction's work begins
//  dst_contents.cpp  packers that read Dst in another format than it has
//  vector_order.cpp  distances between the vector unit's instructions
//  waits.cpp         a thread's vector clock after a wait
//  present_waits.cpp waits that are there and miss what they are for
//  missing_wait.cpp  the wait that would order two accesses
//  noc_conflicts.cpp requests over the NoC that no wait orders
//  replaced_bits.cpp bits of configuration that a write replaces while they are used
#pragma once

#include <bit>
#include <span>

#include "checks/memory.hpp"
#include "checks/source_rows.hpp"
#include "diagnostics/op_index.hpp"
#include "state/state.hpp"
#include "units/plan_cache.hpp"
#include "units/trace.hpp"

namespace tessera::checks {

using diagnostics::Diagnostics;
using diagnostics::FindingsLog;
using diagnostics::Places;

/// An instruction's place in the program, and its time.
struct At {
    std::int64_t index = 0, position = -1;
    Cycle pushed = 0;  ///< when its op enters the FIFO
    Cycle now = 0;
};

/// The last thread to hand over a bank of SrcA or SrcB.
struct BankPass {
    int thread = -1;  ///< -1: none
    std::int64_t index = 0;
    std::uint32_t word = 0;
};

/// An instruction scheduled by SFPLOADMACRO; plan null: none.
struct Scheduled {
    const plan::Plan* plan = nullptr;
    std::int64_t index = 0, position = -1;
};
using Due = std::array<Scheduled, state::cells::sub_units>;

class Checker {
public:
    /// The references must outlive the checker. `run`: PlanCache::begin_run(). `looks_for_unwritten`: report
    /// state.read-before-write.
    Checker(Memory& memory, const state::State& state, const units::CostTable& costs, const Diagnostics& diagnostics,
            std::uint64_t run, bool looks_for_unwritten);
    /// Whether hazards are checked: instructions take time, and at least one such finding is reported.
    bool looks_on() const { return ordered_; }
    /// The run continues from an earlier state.
    void begin_run(std::uint64_t run) { run_ = run; }

    // At issue, before any effect of the instruction.

    void check_issue(const units::Resolved& resolved, const At& at);
    /// The part of check_issue() that is needed even if Resolved::unobservable holds.
    void check_at_gate(const units::Resolved& resolved, const At& at);
    /// The same for an instruction that uses configuration, when no core's store and no late write can matter to it.
    void check_config_at_gate(const units::Resolved& resolved, const At& at);
    /// For a vector instruction, before check_issue(). `issued`: number of its thread's earlier instructions.
    void check_vector(const plan::Plan& plan, const units::RegisterUse& use, const At& at, std::uint64_t issued);
    void remember_vector(unsigned thread, const units::RegisterUse& use, std::uint64_t issued,
                         std::int64_t index) {
        memory_.last_vector = {use, thread, issued, index};
    }
    /// Scheduled instructions, by sub-unit, will execute at the end of this cycle.
    void check_due(const Due& due, Cycle now);

    // At the start of its work. `known`: the instruction's vector clock.

    void check_start(const units::Resolved& resolved, const hazards::Ticket& ticket, const hazards::VectorClock& known,
                     std::int64_t position, Cycle now) {
        if (resolved.reaches_memory) check_accesses(resolved, ticket, known, {ticket.index, position, 0, now});
    }
    /// A request (Cost::lands_at_end) reaches memory: all requests before it have, and it has no effect yet (spec-notes G10).
    void check_arrival(const units::Resolved& resolved, const At& at) {
        if (resolved.reaches_memory) check_written(resolved, at);
    }
    /// Whether this run has yet to check that all data the work reads has been written.
    bool asks_for_written(const units::Resolved& resolved) const {
        return looks_for_unwritten_ && resolved.reads_written_in != run_;
    }

    // Cores and other writers of L1.

    using Stored = hazards::CellStores::Store;
    /// The thread's own core stores to configuration or GPRs. Called before the store is in flight.
    void check_store(state::Cell cell, Stored what);
    /// Reports a word of configuration once only, since a core's store has no instruction word to tell it apart.
    void check_fields(unsigned thread, state::Cell cell, std::uint32_t value, std::int64_t index, Cycle now);
    /// Whether l1_is_written() does anything.
    bool knows_l1_formats() const { return !memory_.l1_formats.empty(); }
    void l1_is_written(std::uint32_t first, std::uint32_t last) {
        if (knows_l1_formats()) memory_.l1_formats.forget(first, last);
    }
    /// A core loads a word of configuration, in order with what the instructions of thread `in_order` write.
    void check_loaded_config(unsigned core, std::uint32_t pc, state::Cell cell, unsigned in_order, Cycle now);
    void core_accesses_dst(unsigned first_row, unsigned last_row, bool write) {
        if (write) memory_.dst_contents.forget(first_row, last_row);
    }

    // Waits.

    /// The wait of the thread's instruction `index` for these conditions has ended.
    void waited(unsigned thread, state::ConditionMask conditions, std::int64_t index);
    /// The thread comes to the first instruction behind it that it holds up.
    void awaited_is_over(unsigned thread);
    /// All instructions of the thread are done, and its core has seen that.
    void drained(unsigned thread);

    /// The run has ended without a fault. `banks`: by source * 2 + bank.
    void check_end(std::span<const BankPass, 4> banks, Cycle now);

    // For the engine's fast paths: whether a call may be left out.

    /// Whether data that was handed over still awaits its reader, the matrix unit.
    bool any_awaits_reader() const { return !memory_.unread.empty() && has_been_handed_over(); }
    bool any_late_writes(unsigned thread) const { return !memory_.threads[thread].late_writes.empty(); }
    /// Whether a store of a core may still matter to what the next instructions of the thread, from `index` on, capture.
    bool stores_may_matter(const units::Trace& trace, unsigned thread, std::int64_t index) const;

private:
    static bool asks_for_order(const Diagnostics& diagnostics);
    /// The other instruction of a conflict.
    struct Other {
        unsigned thread = 0;
        plan::PipeMask pipes = 0;
        std::int64_t index = 0;
        std::optional<plan::CellBits> bits;  ///< bits of configuration in conflict
        /// Set if the reporting instruction's own thread may switch the matrix unit's bank of this source after its
        /// wait tested it.
        std::optional<state::Src> flips;
        bool read_too_early = false;  ///< it read what nobody had written, and the reporting instruction writes that
    };

    static Subject subject_of(const plan::Plan& plan, const At& at) {
        return {plan.thread, at.index, at.position, word_of(plan, at), at.now};
    }
    /// A core's command to the mover has no word: its place tells it apart.
    static std::uint32_t word_of(const plan::Plan& plan, const At& at) {
        if (plan.instruction.spec) return plan.instruction.word;
        return static_cast<std::uint32_t>(at.index) & diagnostics::KernelOp::place_mask;
    }
    void note(const findings::Note& note, const plan::Plan& plan, const At& at,
              const std::optional<plan::CellBits>& bits = {}) const {
        diagnostics_.note(note, subject_of(plan, at), bits);
    }

    // captures.cpp
    /// The key of a ConfigOrder::Use: the word, and the cells that it captures.
    static std::uint64_t use_key(const units::Resolved& resolved) {
        return resolved.captures->id ^ resolved.plan.instruction.word;
    }
    void check_captures(const units::Resolved& resolved, const At& at, hazards::ConfigOrder::Use& use);
    /// An earlier write that may not have landed in the cell. `written`: the instruction writes it, too, so it may land earlier.
    const LateWrite* late_write_of(const plan::Plan& plan, unsigned cell, bool written) const;
    /// Reports the first. Returns whether there is one.
    bool check_captured_late_writes(const units::Resolved& resolved, const At& at);
    void check_overwritten_late_writes(const plan::Plan& plan, const At& at);
    /// Of several stores the last: the missing wait belongs behind it.
    struct CapturedStores {
        std::optional<hazards::CellStores::Conflict> before, behind;
    };
    CapturedStores captured_stores(const units::Resolved& resolved, const At& at) const;
    bool overwrites_store(const plan::Plan& plan, std::uint32_t until) const;
    std::optional<hazards::CellStores::Conflict> overwritten_store(const plan::Plan& plan, std::int64_t index) const;
    bool replaces_store(const plan::Plan& plan, std::int64_t index, std::optional<hazards::CellStores::Conflict>& last) const;
    void note_late_write(const findings::Note& what, const plan::CellBits& bits, const units::Resolved& resolved,
                         const At& at);
    void note_store(const hazards::CellStores::Conflict& store, Cycle distance, const Subject& subject);
    void note_store(const hazards::CellStores::Conflict& store, const units::Resolved& resolved, const At& at);
    FindingsLog::Subject overtaken(const Subject& user, unsigned core, std::int64_t store) const;
    void remember_late_writes(const plan::Plan& plan, std::int64_t index);
    void remember(unsigned thread, const LateWrite& write);
    void forget_late_writes(unsigned thread, plan::Pipe pipe);

    // config_uses.cpp
    hazards::ConfigOrder::Who use_of(const units::Resolved& resolved, const At& at) const {
        const plan::Plan& plan = resolved.plan;
        const unsigned stream = hazards::stream_of(plan.thread, plan::Pipe(std::countr_zero(plan.pipes)));
        return {memory_.order.next_number(stream),
                memory_.order.next_sequence(plan.thread),
                static_cast<std::uint16_t>(stream),
                at.index,
                plan.instruction.word,
                at.now,
                resolved.brings_only()};
    }
    /// Whether another thread may have written a captured cell since the use was last checked.
    bool is_news(const units::Resolved& resolved, hazards::ConfigOrder::Use& use) const;
    /// check_config_order(), unless it would find nothing.
    void check_config_use(const units::Resolved& resolved, const At& at, hazards::ConfigOrder::Use& use);
    void check_config_order(const units::Resolved& resolved, const At& at, hazards::ConfigOrder::Use& use);
    void check_rdcfg(const units::Resolved& resolved, const At& at);
    void check_stored_config(state::Cell cell, const Stored& what);
    void check_stored_while_busy(const Stored& what, const plan::CellBits& changes);

    // config_writes.cpp
    void check_config_writes(const units::Resolved& resolved, const At& at);
    bool takes_gpr_not_awaited(const units::Resolved& resolved) const;

    // unread.cpp
    /// Whether the bits only decide which address of L1 an UNPACR reads.
    bool decides_what_is_read(const plan::CellBits& bits) const;
    bool has_been_handed_over() const;
    std::optional<Unread> unread_place(const units::Resolved& resolved, const At& at) const;
    /// Updates memory_.unread when the instruction reads a bank, overwrites it or hands it over.
    void review_unread(const units::Resolved& resolved);
    void note_findings(const units::Resolved& resolved, const At& at);
    void report_what_is_unread();
    void set_aside(const Unread& unread);
    void report_unread(const Unread& unread);

    // outputs.cpp
    void check_outputs(const units::Resolved& resolved, const At& at);
    void check_packed(const plan::PackWork& work, const plan::Plan& plan, const At& at);
    void check_unpacked(const units::Resolved& resolved, const At& at);

    // l1_formats.cpp
    void check_l1_format(const units::Resolved& resolved, const At& at);
    void note_l1_formats(const units::Resolved& resolved);

    // accesses.cpp
    void check_accesses(const units::Resolved& resolved, const hazards::Ticket& ticket,
                        const hazards::VectorClock& known, const At& at);
    void report_conflict(const units::Resolved& resolved, const At& at, const hazards::Conflict& conflict);
    void check_written(const units::Resolved& resolved, const At& at);
    bool all_read_is_written(const units::Resolved& resolved, const At& at);
    /// Whether the instruction writes what the conflict's other one has read, and what nobody had written then.
    bool writes_for(const units::Resolved& resolved, const hazards::Conflict& conflict) const;

    // dst_contents.cpp
    void check_dst_contents(const units::Resolved& resolved, const At& at);

    // present_waits.cpp
    void remember_sync(const plan::Plan& plan, const At& at);
    /// One side of an order between two accesses.
    struct Side {
        unsigned thread = 0;
        std::int64_t index = 0;
        state::ConditionMask busy = 0;  ///< one of them holds until its work is over; none: its end needs no wait
        std::uint32_t block = 0;        ///< what blocks it
        std::string_view name;
    };
    /// How to change a wait of their own thread that stands between the two, so that it orders them. Empty if there is none.
    std::string changed_wait(const Side& first, const Side& second) const;
    /// How to change a SEMWAIT in front of `second`, and what is in front of the SEMPOST behind `first`. Empty if there are no such two.
    std::string changed_handshake(const Side& first, const Side& second) const;
    /// How to change the last SEMWAIT in front of `second` that does not block it. Empty if there is none.
    std::string changed_semwait(const Side& second) const;

    // missing_wait.cpp
    std::string wait_in_thread(const Side& first, const Side& second) const;
    /// `post_is_to_come`: a SEMPOST behind `first` may stand in the program, not issued yet.
    std::string wait_across_threads(const Side& first, const Side& second, bool post_is_to_come) const;
    std::string missing_wait(const plan::Plan& plan, const At& at, const Other& other) const;
    /// The wait that would bring an instruction behind a core's store. A STALLWAIT for its own core's stores sees no other core's: those
    /// need a semaphore. Empty if the store comes later in the program than the instruction.
    std::string missing_store_wait(const hazards::CellStores::Conflict& store, const Subject& subject) const;
    /// Reports a finding about two instructions, with the other's place and, as the cure, the waits that would order
    /// them.
    void note_pair(const findings::Note& note, const plan::Plan& plan, const At& at, const Other& other);

    Memory& memory_;
    const state::State& state_;
    const units::CostTable& costs_;
    const Diagnostics& diagnostics_;
    std::uint64_t run_;
    const bool looks_for_unwritten_;
    const bool ordered_;  ///< looks_on()
};

/// The word of configuration of a cell, without its bank.
inline std::uint32_t addr32_of(state::Cell cell) { return state::index(cell) % state::cells::max_config_words; }

}  // namespace tessera::checks
