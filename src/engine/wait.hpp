// SPDX-License-Identifier: Apache-2.0
// What actors wait for, and what wakes them.
#pragma once

#include <compare>
#include <cstdint>

#include "engine/clock.hpp"

namespace tessera::engine {

/// What a parked actor or a latched wait is woken by.
enum class Signal : std::uint16_t {
    bank = 1 << 0,
    semaphore = 1 << 1,
    mutex = 1 << 2,
    unit = 1 << 3,   ///< an instruction has ended, or left a queue
    store = 1 << 4,  ///< a core's store has been processed
    latch = 1 << 5,
    pushed = 1 << 6,   ///< into a FIFO
    popped = 1 << 7,   ///< from a FIFO
    stream = 1 << 8,   ///< a register of an overlay stream
    tile = 1 << 9,     ///< something of the tile that only cores see: mailboxes, resets
    issued = 1 << 10,  ///< an instruction has passed the wait gate, or an expander has taken one
};
using Signals = std::uint16_t;
constexpr Signals operator|(Signal a, Signal b) {
    return static_cast<Signals>(static_cast<Signals>(a) | static_cast<Signals>(b));
}
constexpr Signals operator|(Signals a, Signal b) { return static_cast<Signals>(a | static_cast<Signals>(b)); }

/// In place of a thread: no FIFO in particular.
inline constexpr std::uint8_t no_fifo = 0xFF;

/// Why an actor does not act, and since when.
struct Wait {
    enum class Kind : std::uint8_t {
        none,
        fifo_empty,
        fifo_full,
        latched,
        bank,
        mutex,
        semaphore,
        unit_busy,
        queue_full,
        address_phase,
        own_scalar,
        dst_block,
        drain,
        expander,
        delayed,
        own_stores,        ///< Auto TTSync: what its core has stored before
        own_instructions,  ///< Auto TTSync: a core, for what it has pushed before to pass the gate
        tile,              ///< something of the tile; `a`, `b` and `c` are known to Cores::describe()
        finished,          ///< a core that has ended, or has not been started
        condition,         ///< of an instruction in its unit: what its thread has under way
        memory,            ///< the same: L1 is not as it needs it
        count
    };
    Kind kind = Kind::none;
    std::uint8_t a = 0, b = 0;  ///< source and bank; pipe; mutex; semaphore and condition; kind of the latched wait
    std::uint16_t c = 0;        ///< mask of the latched wait; owner that a bank should have
    friend auto operator<=>(const Wait&, const Wait&) = default;
};

/// Who last changed something that others wait for.
struct Cause {
    bool by_core = false;
    int thread = -1;
    std::int64_t index = 0;
    Cycle cycle = 0;
    std::int64_t number = -1;  ///< tessera::Event::number
};

/// Where an instruction stands: its op, and its place in that one's expansion or -1. Index -1: in an earlier run.
struct Origin {
    std::int64_t index = -1, position = -1;
};

}  // namespace tessera::engine
