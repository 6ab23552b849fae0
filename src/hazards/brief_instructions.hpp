// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "hazards/past.hpp"

namespace tessera::hazards {

/// Instructions of the matrix unit that take one cycle: each is over before a later instruction of its thread has an effect.
class BriefInstructions {
public:
    /// The unit begins an instruction that uses its memories. `known`: its thread's clock.
    void begins(const Ticket& ticket, bool is_brief, const VectorClock& known) {
        Brief& brief = brief_[ticket.thread];
        if (!is_brief) {
            brief.other = ticket.number[0];
        } else if (brief.other <= known.done()[ticket.stream()]) {
            brief.last = ticket.number[0];
            brief.sequence = ticket.sequence;
            brief.serial = ticket.serial;
        }
    }
    /// The clock, and that the thread's brief instructions are over.
    VectorClock with(unsigned thread, VectorClock known) const {
        raise(known.done()[stream_of(thread, plan::Pipe::matrix)], brief_[thread].last);
        return known;
    }
    /// Whether the instruction comes after them, and its clock does not say so.
    bool lacks(const Ticket& ticket, const VectorClock& known) const {
        const Brief& brief = brief_[ticket.thread];
        return brief.last > known.done()[stream_of(ticket.thread, plan::Pipe::matrix)] &&
               ticket.sequence > brief.sequence && ticket.commander < 0;
    }
    /// As is_far_enough(), from the last one.
    bool are_far_enough(const Ticket& ticket) const {
        return is_far_enough(ticket.serial, brief_[ticket.thread].serial);
    }

private:
    /// Of a thread: instructions up to the number `last` are brief, or were known to be done then.
    struct Brief {
        std::uint32_t last = 0, sequence = 0, serial = 0;  ///< of the last one: also Ticket's
        std::uint32_t other = 0;                           ///< the last one that is not brief
    };
    std::array<Brief, state::threads> brief_{};
};

}  // namespace tessera::hazards
