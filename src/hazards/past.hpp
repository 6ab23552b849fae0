// SPDX-License-Identifier: Apache-2.0
// A recorded access, an instruction that is checked against it, and the happens-before rule between the two.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "hazards/disregards.hpp"
#include "hazards/noc_knowledge.hpp"
#include "hazards/vector_clock.hpp"
#include "plan/plan.hpp"

namespace tessera::hazards {

/// Identifies an instruction: its numbers in its streams, and its place in the program.
struct Ticket {
    unsigned thread = 0;
    std::int64_t index = 0;
    std::uint32_t sequence = 0;  ///< counts all instructions issued by the thread
    std::uint32_t serial = 0;  ///< without those issued with `counts` false (Order::issue())
    plan::PipeMask pipes = 0;
    std::array<std::uint32_t, 4> number{};  ///< in the stream of each of its pipes, lowest pipe first
    bool learned = false;                   ///< its clock has what its thread lacks: acquired in its unit
    /// The core that gave it as a command to the mover, or `by_request`; -1: an instruction.
    std::int8_t commander = -1;
    bool stores_flag = false;  ///< such a command that stores a word of L1 (TDMA-RISC, 0x66)

    /// The core whose accesses always happen before it.
    unsigned own_core() const {
        return commander < 0 ? core_of_thread(thread) : static_cast<unsigned>(commander);
    }
    plan::Pipe pipe() const { return plan::Pipe(std::countr_zero(pipes)); }
    unsigned stream_in(plan::Pipe which) const {
        return commander < 0 ? stream_of(thread, which) : command_stream(static_cast<unsigned>(commander));
    }
    unsigned stream() const { return stream_in(pipe()); }
    /// The same instruction in its `part`th pipe alone.
    Ticket in(std::uint8_t part) const {
        Ticket one = *this;
        for (unsigned i = 0; i < part; ++i) one.pipes &= static_cast<plan::PipeMask>(one.pipes - 1);
        one.number[0] = number[part];
        return one;
    }
};

/// Three instructions between a matrix instruction and an SFPLOAD that reads its result suffice (SFPLOAD, Instruction scheduling). Later
/// instructions of the vector unit come behind the result, too. So do as many between an SFPLOAD and a matrix instruction that writes
/// what it reads. Both are Ticket::serial of one thread.
constexpr bool is_far_enough(std::uint32_t serial, std::uint32_t before) { return serial - before > 3; }

/// A ticket with a vector clock of its own, for an instruction that takes time.
struct ClockedTicket : Ticket {
    VectorClock known;  ///< at issue, and acquired in its unit since
};

/// An instruction whose access is recorded.
struct Past {
    std::uint32_t number = 0;  ///< in its stream; 0: none
    std::uint16_t stream = 0;
    std::uint32_t sequence = 0, serial = 0;
    std::int64_t index = 0;
    /// A bit per stream found to come after it. Memoised for good, since a vector clock only grows.
    mutable std::uint64_t before = 0;

    static Past of(const Ticket& ticket) {
        return {ticket.number[0], static_cast<std::uint16_t>(ticket.stream()), ticket.sequence, ticket.serial,
                ticket.index};
    }
    bool same_instruction(const Past& other) const {
        return sequence == other.sequence && thread_of_stream(stream) == thread_of_stream(other.stream);
    }
};

/// An instruction whose accesses are checked.
class Requester {
public:
    Requester(const Ticket& who, const VectorClock& what_it_knows, const Disregards& disregards)
        : ticket(who),
          known(what_it_knows),
          stream(who.stream()),
          self(Past::of(who)),
          disregards_(disregards),
          unit_orders_(who.commander < 0 ? disregards.allow(Ordering::unit_order, who.thread)
                                         : disregards.allow_core(Ordering::unit_order, static_cast<unsigned>(who.commander))) {}

    /// Hardware's guard between some pairs of accesses to Dst.
    enum class Guard : std::uint8_t {
        none,
        holds_back,  ///< hardware holds this one back until the other has passed: the order of issue suffices
        distance,    ///< SFPLOAD and a matrix instruction: some instructions between the two suffice
        is_over,     ///< the other takes one cycle: a later instruction of its thread is issued behind it
    };
    /// Whether `past` happens before this instruction.
    bool comes_after(const Past& past, Guard guard = Guard::none) const {
        return comes_after_at_once(past) || found_after(past, guard);
    }
    /// The cheap part of comes_after(); false means unknown.
    bool comes_after_at_once(const Past& past) const {
        return known.done()[past.stream] >= past.number || past.before >> stream & 1 ||
               (past.stream == stream && unit_orders_);
    }

    /// A bit per stream whose earlier instructions all happen before this one: its own stream.
    std::uint64_t in_order_by_itself() const { return unit_orders_ ? std::uint64_t{1} << stream : 0; }

    const Ticket& ticket;
    const VectorClock& known;
    const unsigned stream;
    const Past self;

private:
    bool found_after(const Past& past, Guard guard) const;

    const Disregards& disregards_;
    const bool unit_orders_;
};

/// The use of bytes of this tile by a request over the NoC.
enum class NocUse : std::uint8_t {
    none,
    fills,    ///< with what it reads elsewhere
    arrives,  ///< another tile writes them, or this one to itself
    sends,
    is_read,  ///< by another tile
    unread,   ///< they had come and been announced, and nothing has used them
};

/// A request that an access met.
struct NocMeeting {
    NocUse use{};
    NocOrigin by;
};

/// Another access without order between the two.
struct Conflict {
    plan::Storage storage{};
    std::uint32_t first = 0, last = 0;  ///< Dst rows, L1 bytes, or a source's bank
    unsigned other_thread = 0;
    plan::PipeMask other_pipes = 0;
    std::int64_t other_index = 0;
    int core = -1;              ///< the core that made the other access; -1: an instruction did
    std::uint32_t core_pc = 0;  ///< address of that core's instruction; 0: no longer kept
    NocMeeting request{};       ///< a request over the NoC made the other access

    static Conflict with(const Past& past, plan::Storage storage, std::uint32_t first, std::uint32_t last) {
        return {storage, first, last, thread_of_stream(past.stream), bit(pipe_of_stream(past.stream)), past.index};
    }
};

/// Conflicts of one instruction: the first of each storage, with all pipes of the other instruction.
class Conflicts {
public:
    /// Drops a second conflict of the same storage. A core's word of L1 and a request do not count: they are
    /// reported beside an instruction's access.
    void add(const Conflict& conflict);
    void add_beside(const Conflict& conflict) { all_.push_back(conflict); }
    std::vector<Conflict> take() { return std::move(all_); }

private:
    std::vector<Conflict> all_;
};

}  // namespace tessera::hazards
