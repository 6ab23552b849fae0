// SPDX-License-Identifier: Apache-2.0
// A thread's way from the FIFO through MOP expander and replay expander to the wait gate (frontend.md). Both expanders are asked for
// their next instruction when the gate is free; when they could have had it ready follows from when they had the one before, and from how
// much the FIFOs behind them hold. What they have still to emit is state (mop_expander.hpp, replay_expander.hpp).
#pragma once

#include <limits>
#include <span>

#include "findings/catalogue.hpp"
#include "frontend/gate_word.hpp"
#include "frontend/recordings.hpp"
#include "state/state.hpp"

namespace tessera::frontend {

/// Each expander takes one instruction and emits one per cycle.
struct ExpanderTimes {
    std::uint8_t mop_exit = 0;                       ///< cycles of the MOP expander from a MOP to something else
    std::uint8_t behind_mop = 0, behind_replay = 0;  ///< words that the FIFO behind it holds
};

/// A word that expanders have to do with, by its op, and its place in that one's expansion or -1.
struct WordOrigin {
    std::int64_t index = -1, position = -1;
    std::uint32_t word = 0;
};

/// Who is told what expanders do.
class ExpanderListener {
public:
    virtual void found(const findings::Note& note, unsigned thread, const WordOrigin& origin) = 0;
    /// There is no next instruction, and none will come: the run is over.
    virtual void failed(const findings::Note& note, unsigned thread, const WordOrigin& origin) = 0;
    /// Whether either has ended the run.
    virtual bool is_over() const = 0;
    /// An expander has taken a word of the op: there may be room in the FIFO.
    virtual void taken(unsigned thread, std::int64_t index) = 0;
    /// A core's store to a MOP register, which was kept in order, is done.
    virtual void stored(unsigned thread, std::int64_t index, state::Cell cell) = 0;
    virtual void mop_expanded(unsigned thread) = 0;

protected:
    ~ExpanderListener() = default;
};

class Expanders {
public:
    /// For fill() where there is no time; leave() then gets 0.
    static constexpr Cycle end_of_time = std::numeric_limits<Cycle>::max();

    Expanders() = default;
    Expanders(unsigned thread, const ExpanderTimes& times) : thread_(thread), times_(times) {}

    Fifo fifo;

    /// A run begins with empty FIFO and expanders; a recording goes on.
    void begin_run(state::State& state);
    /// A core has stored to a MOP register.
    void mop_register_stored(unsigned item) { mop_stored_ |= static_cast<std::uint16_t>(1u << item); }
    /// Whether nothing is at the gate or in the expanders.
    bool idle(const state::State& state) const;
    /// MOP, MOP_CFG, and a core's store that is kept in order: nothing that passes the MOP expander.
    static bool for_mop_expander(const FifoEntry& entry, Arch arch);

    // The gate.

    bool gated() const { return gated_; }
    const GateWord& gate() const { return gate_; }
    GateWord& gate() { return gate_; }
    /// What fill() has come to.
    struct Filled {
        enum class Kind : std::uint8_t {
            word,       ///< it stands at the gate
            empty,      ///< nothing is in the FIFO
            invisible,  ///< the first word of the FIFO is seen only at `until`
            expanding,  ///< the expanders have none before `until`
            over,       ///< the run is
        };
        Kind kind{};
        Cycle until = 0;
    };
    /// Brings the next instruction to the gate, which is free.
    Filled fill(state::State& state, Cycle now, ExpanderListener& listener);
    /// The instruction at the gate has been issued.
    void leave(state::State& state, Cycle now, ExpanderListener& listener);

    /// The op whose MOP or REPLAY is being expanded, and the place of the next instruction in it.
    std::int64_t expanding() const { return expanding_.index; }
    std::int64_t position() const { return expanding_.position; }
    /// The op of the first instruction that has not passed the gate; without any, greater than all.
    std::int64_t oldest(const state::State& state) const;
    /// The REPLAY that recorded last.
    const WordOrigin& recording() const { return recording_; }

    // Past the gate: instructions of which is known what comes.

    /// Where the next instruction comes from.
    Source source(const state::State& state) const;
    /// When the expanders can take their next step.
    Cycle mop_free() const { return mop_free_; }
    Cycle replay_free() const { return replay_free_; }
    /// One that came out of the expanders then is issued. Of one that is played the expansion is not taken further: replay_advance() is to
    /// follow.
    void pass(state::State& state, Source source, Cycle out_of_mop, Cycle out_of_replay, Cycle now,
              ExpanderListener& listener);
    /// So many are played, one a cycle, the last one now.
    void play(state::State& state, unsigned count, Cycle now);
    /// So many words of the FIFO are issued, the one of number i in cycle `start` + cycles[i].
    void take(std::span<const std::uint32_t> cycles, Cycle start);

private:
    static constexpr Filled waits(Filled::Kind why, Cycle until) { return {why, until}; }
    /// The earliest cycle for the next step of an expander that may be `ahead` instructions ahead of `taken`.
    static Cycle next_step(Cycle step, Cycle taken, Cycle ahead) {
        return std::max(step + 1, taken > ahead ? taken - ahead : 0);
    }
    void stand(const isa::Instruction& instruction, Source source, Cycle now);
    bool is_unset(const state::State& state, ExpanderListener& listener) const;
    void take_entry(state::State& state, Cycle taken, Cycle now, ExpanderListener& listener);
    void begin(const WordOrigin& op, Cycle pushed, const state::Uses& uses);
    void begin_mop(state::State& state, const FifoEntry& entry, const isa::Instruction& mop,
                   ExpanderListener& listener);
    void begin_replay(state::State& state, ExpanderListener& listener);
    void leave_source(state::State& state, Source source, Cycle now, ExpanderListener& listener);

    unsigned thread_ = 0;
    ExpanderTimes times_;
    GateWord gate_;
    bool gated_ = false;      ///< something stands there
    bool after_mop_ = false;  ///< the last thing that the MOP expander did was a MOP
    Cycle mop_free_ = 0, replay_free_ = 0;
    WordOrigin expanding_;  ///< `position` is that of the next instruction
    Cycle expanding_pushed_ = 0;
    state::Uses expansion_uses_;  ///< of the first instruction of the expansion that has begun
    WordOrigin recording_;
    Recordings recordings_;
    std::uint16_t mop_stored_ = 0;  ///< MOP registers that somebody has written, a bit each
};

}  // namespace tessera::frontend
