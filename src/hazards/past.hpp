// SPDX-License-Identifier: Apache-2.0
// An access that has been, an instruction that asks about it, and the rule for whether the one certainly came before the other.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "hazards/disregards.hpp"
#include "hazards/vector_clock.hpp"
#include "plan/plan.hpp"

namespace tessera::hazards {

/// Identifies an instruction: its streams' numbers, and where it stands in its program.
struct Ticket {
    unsigned thread = 0;
    std::int64_t index = 0;
    std::uint32_t sequence = 0;  ///< counts all that is issued as its thread's
    std::uint32_t serial = 0;  ///< counts its thread's instructions, expanded ones too, but not what nobody has issued
    plan::PipeMask pipes = 0;
    std::array<std::uint32_t, 4> number{};  ///< in the streams of its pipes, lowest pipe first
    bool learned = false;                   ///< it has waited for something, and knows what its thread may not know

    plan::Pipe pipe() const { return plan::Pipe(std::countr_zero(pipes)); }
    unsigned stream() const { return stream_of(thread, pipe()); }
};

/// That of an instruction that takes its time.
struct ClockedTicket : Ticket {
    VectorClock known;  ///< when it was issued, and what it waited for since
};

/// An instruction that has been somewhere.
struct Past {
    std::uint32_t number = 0;  ///< in its stream; 0: nobody
    std::uint16_t stream = 0;
    std::uint32_t sequence = 0, serial = 0;
    std::int64_t index = 0;
    /// Streams whose instructions have been found to come after it, a bit each: no thread forgets what it knows.
    mutable std::uint64_t before = 0;

    static Past of(const Ticket& ticket) {
        return {ticket.number[0], static_cast<std::uint16_t>(ticket.stream()), ticket.sequence, ticket.serial,
                ticket.index};
    }
    bool same_instruction(const Past& other) const { return number == other.number && stream == other.stream; }
};

/// An instruction whose accesses are looked at.
class Requester {
public:
    Requester(const Ticket& who, const VectorClock& what_it_knows, const Disregards& disregards)
        : ticket(who),
          known(what_it_knows),
          stream(who.stream()),
          self(Past::of(who)),
          disregards_(disregards),
          unit_orders_(disregards.allow(Ordering::unit_order, who.thread)) {}

    /// Whether the other one certainly comes before this one. `guarded`: hardware holds this one back until the other has passed, so
    /// that the order of issue is enough.
    bool comes_after(const Past& past, bool guarded = false) const {
        return comes_after_at_once(past) || found_after(past, guarded);
    }
    /// As far as it takes few steps to say.
    bool comes_after_at_once(const Past& past) const {
        return known.done()[past.stream] >= past.number || past.before >> stream & 1 ||
               (past.stream == stream && unit_orders_);
    }

    /// Streams of which all that has been comes before, a bit each: its own.
    std::uint64_t in_order_by_itself() const { return unit_orders_ ? std::uint64_t{1} << stream : 0; }

    const Ticket& ticket;
    const VectorClock& known;
    const unsigned stream;
    const Past self;

private:
    bool found_after(const Past& past, bool guarded) const;

    const Disregards& disregards_;
    const bool unit_orders_;
};

/// An access that another one meets without order.
struct Conflict {
    plan::Storage storage{};
    std::uint32_t first = 0, last = 0;  ///< Dst rows, L1 bytes, or a source's bank
    unsigned other_thread = 0;
    plan::Pipe other_pipe{};
    std::int64_t other_index = 0;
    int core = -1;              ///< it is this core's own access; -1: an instruction's
    std::uint32_t core_pc = 0;  ///< of that access; 0: no longer known

    static Conflict with(const Past& past, plan::Storage storage, std::uint32_t first, std::uint32_t last) {
        return {storage, first, last, thread_of_stream(past.stream), pipe_of_stream(past.stream), past.index};
    }
};

/// What one instruction's accesses meet: of each storage the first.
class Conflicts {
public:
    /// Nothing if one of this storage is there, and it is not a core's word of L1, which is told beside an instruction's.
    void add(const Conflict& conflict);
    void add_core_word(const Conflict& conflict) { all_.push_back(conflict); }
    std::vector<Conflict> take() { return std::move(all_); }

private:
    std::vector<Conflict> all_;
};

}  // namespace tessera::hazards
