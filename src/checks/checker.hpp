// SPDX-License-Identifier: Apache-2.0
// Looks on while a run goes on, and tells what is wrong with the program. The engine calls it with what happens, in the order in which it
// happens, and nothing that it finds changes the run, unless a finding's level stops it.
//
//   captures.cpp      what an instruction captures too early
//   config_uses.cpp   configuration that one thread writes and another uses
//   config_writes.cpp what is to be said of writes to configuration
//   unread.cpp        what is told of data only when somebody may read them
//   outputs.cpp       strides of packers and unpackers that do not fit what is written
//   l1_tensors.cpp    unpackers that take what L1 held for something else
//   accesses.cpp      what is accessed when the work of an instruction begins
//   dst_contents.cpp  packers that take what Dst holds for something else
//   vector_order.cpp  what the vector unit's instructions must keep apart
//   waits.cpp         what a thread knows when it has waited
//   missing_wait.cpp  what would order two accesses
#pragma once

#include <bit>
#include <span>

#include "checks/memory.hpp"
#include "checks/source_rows.hpp"
#include "state/state.hpp"
#include "units/plan_cache.hpp"

namespace tessera::checks {

using diagnostics::Diagnostics;
using diagnostics::FindingsLog;
using diagnostics::Places;

/// Where an instruction stands, and when.
struct At {
    std::int64_t index = 0, position = -1;
    Cycle pushed = 0;  ///< its op, into the FIFO
    Cycle now = 0;
};

/// A core's store to configuration or GPRs, by the thread whose core it is.
struct StoredCell {
    unsigned thread = 0;
    state::Cell cell{};
    std::uint32_t value = 0;
    std::int64_t index = 0;
    state::Resources resources = 0;  ///< as Auto TTSync takes it
    Cycle now = 0;
};

/// Who has passed on a bank of SrcA or SrcB last.
struct BankPass {
    int thread = -1;  ///< -1: nobody
    std::int64_t index = 0;
    std::uint32_t word = 0;
};

/// An instruction that SFPLOADMACRO has scheduled; plan null: none.
struct Scheduled {
    const plan::Plan* plan = nullptr;
    std::int64_t index = 0, position = -1;
};
using Due = std::array<Scheduled, state::cells::sub_units>;

class Checker {
public:
    /// All that it refers to outlives it. `run`: PlanCache::begin_run(). `looks_for_unwritten`: state.read-before-write is told.
    Checker(Memory& memory, const state::State& state, const units::CostTable& costs, const Diagnostics& diagnostics,
            std::uint64_t run, bool looks_for_unwritten);
    /// Instructions take time, so that they can meet, and something that is found so is told.
    bool looks_on() const { return ordered_; }
    /// The run goes on from an earlier state.
    void begin_run(std::uint64_t run) { run_ = run; }

    // An instruction is issued: before anything of it is done.

    void issues(const units::Resolved& resolved, const At& at);
    /// The same as far as nothing is left out where Resolved::unnoticed holds.
    void comes_to(const units::Resolved& resolved, const At& at);
    /// The same of one that uses configuration, behind which no store of a core and no late write may matter.
    void comes_to_config(const units::Resolved& resolved, const At& at);
    /// Before that, one of the vector unit: `issued`, so many instructions of its thread before it.
    void issues_vector(const plan::Plan& plan, const units::vector::Footmark& mark, const At& at, std::uint64_t issued);
    void remember_vector(unsigned thread, const units::vector::Footmark& mark, std::uint64_t issued,
                         std::int64_t index) {
        memory_.last_vector = {mark, thread, issued, index};
    }
    /// Scheduled instructions, by sub-unit, will execute at the end of this cycle.
    void check_due(const Due& due, Cycle now);

    // Its work begins. `known`: by it.

    void begins(const units::Resolved& resolved, const hazards::Ticket& ticket, const hazards::VectorClock& known,
                std::int64_t position, Cycle now) {
        if (resolved.has_work) check_accesses(resolved, ticket, known, {ticket.index, position, 0, now});
    }
    /// Whether it is to be asked if all that the work reads has been written.
    bool asks_for_written(const units::Resolved& resolved) const {
        return looks_for_unwritten_ && resolved.reads_written_in != run_;
    }

    // Cores, and whoever else writes L1.

    /// Before the store is on its way.
    void stores(const StoredCell& what);
    /// Once for each word of configuration: a core's store has no instruction word of its own.
    void check_fields(unsigned thread, state::Cell cell, std::uint32_t value, std::int64_t index, Cycle now);
    void l1_is_written(std::uint32_t first, std::uint32_t last);
    void core_accesses_dst(unsigned first_row, unsigned last_row, bool write) {
        if (write) memory_.dst_contents.forget(first_row, last_row);
    }

    // Waits.

    /// The thread has waited for these conditions.
    void waited(unsigned thread, state::ConditionMask conditions);
    /// All that the thread was given is done, and its core knows.
    void drained(unsigned thread);

    /// The run is over, without a fault. By source * 2 + bank.
    void ends(std::span<const BankPass, 4> banks, Cycle now);

    // What may be left out where nobody could notice.

    /// Something waits for the matrix unit to read it.
    bool any_awaits_reader() const { return !memory_.unread.empty() && has_been_handed_over(); }
    bool any_late_writes(unsigned thread) const { return !memory_.threads[thread].late_writes.empty(); }

private:
    static bool asks_for_order(const Diagnostics& diagnostics);
    /// An instruction that another one meets.
    struct Other {
        unsigned thread = 0;
        plan::Pipe pipe{};
        std::int64_t index = 0;
        std::optional<plan::CellBits> bits;  ///< of configuration, about which it is
        /// The instruction's own thread may change the matrix unit's bank of this source later than it has looked at it.
        std::optional<state::Src> flips;
    };

    static Subject subject_of(const plan::Plan& plan, const At& at) {
        return {plan.thread, at.index, at.position, plan.instruction.word, at.now};
    }
    void note(const findings::Note& note, const plan::Plan& plan, const At& at,
              const std::optional<plan::CellBits>& bits = {}) const {
        diagnostics_.note(note, subject_of(plan, at), bits);
    }

    // captures.cpp
    void check_captures(const units::Resolved& resolved, const At& at, hazards::ConfigOrder::Use& use);
    void note_store(const hazards::CellStores::Conflict& store, Cycle distance, const Subject& subject);
    void note_store(const hazards::CellStores::Conflict& store, const units::Resolved& resolved, const At& at);
    FindingsLog::Subject overtaken(const Subject& user, unsigned core, std::int64_t store) const;
    void remember_late_writes(const plan::Plan& plan, std::int64_t index);
    void remember(unsigned thread, const LateWrite& write);
    void forget_late_writes(unsigned thread, plan::Pipe pipe);

    // config_uses.cpp
    hazards::ConfigOrder::Who use_of(const units::Resolved& resolved, std::int64_t index) const {
        const plan::Plan& plan = resolved.plan;
        const unsigned stream = hazards::stream_of(plan.thread, plan::Pipe(std::countr_zero(plan.pipes)));
        return {memory_.order.next_number(stream),
                memory_.order.next_sequence(plan.thread),
                static_cast<std::uint16_t>(stream),
                index,
                plan.instruction.word,
                resolved.work().brings_only};
    }
    /// Since the use was looked at others may have written what the instruction captures.
    bool is_news(const units::Resolved& resolved, hazards::ConfigOrder::Use& use) const;
    void check_config_order(const units::Resolved& resolved, const At& at, hazards::ConfigOrder::Use& use);
    void check_stored_config(const StoredCell& what);

    // config_writes.cpp
    void check_config_writes(const units::Resolved& resolved, const At& at);
    bool takes_gpr_not_awaited(const units::Resolved& resolved) const;

    // unread.cpp
    /// Bits of fields that say where in L1 an UNPACR reads, and nothing else.
    bool decides_what_is_read(const plan::CellBits& bits) const;
    /// Where in a source's bank the instruction puts data that others may still overwrite before anybody can read them.
    static bool is_about_data(findings::Id id);
    bool has_been_handed_over() const;
    std::optional<Unread> unread_place(const units::Resolved& resolved, const At& at) const;
    /// The instruction reads what others have put into a bank, overwrites it, or hands the bank over.
    void review_unread(const units::Resolved& resolved);
    void note_findings(const units::Resolved& resolved, const At& at);
    void tell_what_is_unread();
    void set_aside(const Unread& unread);
    void tell_unread(const Unread& unread);

    // outputs.cpp
    void check_outputs(const units::Resolved& resolved, const At& at);
    void check_packed(const plan::PackWork& work, const plan::Plan& plan, const At& at);
    void check_unpacked(const units::Resolved& resolved, const At& at);

    // l1_tensors.cpp
    void check_l1_format(const units::Resolved& resolved, const At& at);
    void l1_is_written(const units::Resolved& resolved);

    // accesses.cpp
    void check_accesses(const units::Resolved& resolved, const hazards::Ticket& ticket,
                        const hazards::VectorClock& known, const At& at);
    void tell_conflict(const plan::Plan& plan, const At& at, const hazards::Conflict& conflict);
    bool all_read_is_written(const units::Resolved& resolved, const At& at);

    // dst_contents.cpp
    void check_dst_contents(const units::Resolved& resolved, const At& at);

    // missing_wait.cpp
    std::string missing_wait(const plan::Plan& plan, const Other& other) const;
    /// Notes a finding about an instruction and another one: with that one's place, and the waits that would order them as its cure.
    void note_pair(const findings::Note& note, const plan::Plan& plan, const At& at, const Other& other);

    Memory& memory_;
    const state::State& state_;
    const units::CostTable& costs_;
    const Diagnostics& diagnostics_;
    std::uint64_t run_;
    const bool looks_for_unwritten_;
    const bool ordered_;  ///< looks_on()
};

/// The word of configuration that a cell is, without its bank.
inline std::uint32_t addr32_of(state::Cell cell) { return state::index(cell) % state::cells::max_config_words; }

}  // namespace tessera::checks
