// SPDX-License-Identifier: Apache-2.0
// Waits of actors, and the signals that wake them.
#pragma once

#include <compare>
#include <cstdint>

#include "engine/clock.hpp"

namespace tessera::engine {

/// Signals that wake a parked actor or evaluate a latched wait.
enum class Signal : std::uint16_t {
    bank = 1 << 0,
    semaphore = 1 << 1,
    mutex = 1 << 2,
    unit = 1 << 3,   ///< an instruction ended or left a queue
    store = 1 << 4,  ///< a core's store was processed
    latch = 1 << 5,
    pushed = 1 << 6,      ///< into a FIFO
    popped = 1 << 7,      ///< from a FIFO
    stream = 1 << 8,      ///< a register of an overlay stream
    tile = 1 << 9,        ///< tile state that only cores see: mailboxes, resets
    issued = 1 << 10,     ///< an instruction passed the wait gate, or an expander took one
    predictor = 1 << 11,  ///< configuration of the cores' branch predictors
    debugger = 1 << 12,   ///< whether the debug interface asks a core at each instruction
};

/// A set of signals.
class Signals {
public:
    constexpr Signals() = default;
    constexpr Signals(Signal one) : bits_(static_cast<std::uint16_t>(one)) {}
    constexpr explicit operator bool() const { return bits_ != 0; }
    constexpr Signals& operator|=(Signals others) { return *this = *this | others; }
    friend constexpr Signals operator|(Signals a, Signals b) { return Signals(a.bits_ | b.bits_); }
    friend constexpr Signals operator&(Signals a, Signals b) { return Signals(a.bits_ & b.bits_); }
    constexpr Signals without(Signals others) const { return Signals(bits_ & ~others.bits_); }
    friend constexpr bool operator==(Signals, Signals) = default;

private:
    constexpr explicit Signals(int bits) : bits_(static_cast<std::uint16_t>(bits)) {}

    std::uint16_t bits_ = 0;
};
constexpr Signals operator|(Signal a, Signal b) { return Signals(a) | b; }

/// In place of a thread: no FIFO in particular.
inline constexpr std::uint8_t no_fifo = 0xFF;

/// Reason and start of an actor's wait.
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
        own_stores,        ///< Auto TTSync: earlier stores of its core
        own_instructions,  ///< Auto TTSync: a core waits until its earlier pushes pass the gate
        tile,              ///< tile state; Cores::describe() interprets `a`, `b` and `c`
        finished,          ///< a core that ended or was never started
        condition,         ///< of an instruction in its unit: its thread's work in flight
        memory,            ///< the same: contents of L1
        count
    };
    Kind kind = Kind::none;
    std::uint8_t a = 0, b = 0;  ///< source and bank; pipe; mutex; semaphore and condition; kind of the latched wait
    std::uint16_t c = 0;        ///< mask of the latched wait; owner that a bank should have
    friend auto operator<=>(const Wait&, const Wait&) = default;
};

/// The last change of a resource that others wait for.
struct Cause {
    bool by_core = false;
    int thread = -1;
    std::int64_t index = 0;
    Cycle cycle = 0;
    std::int64_t number = -1;  ///< tessera::Event::number
};

/// An instruction's place: its op, and its position in the op's expansion or -1. Index -1: of an earlier run.
struct Origin {
    std::int64_t index = -1, position = -1;
};

}  // namespace tessera::engine
