// SPDX-License-Identifier: Apache-2.0
// A thread's path from the FIFO through MOP expander and replay expander to the wait gate (frontend.md). When the gate
// is free, it pulls the next instruction. Its ready time follows from the previous instruction and from the depth of
// the FIFOs behind the expanders. Instructions still to emit are state (mop_expander.hpp, replay_expander.hpp).
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "findings/catalogue.hpp"
#include "frontend/gate_word.hpp"
#include "frontend/recordings.hpp"
#include "state/state.hpp"

namespace tessera::frontend {

/// Timing of the expanders. Each takes one instruction and emits one per cycle.
struct ExpanderTimes {
    std::uint8_t mop_exit = 0;                       ///< cycles of the MOP expander from a MOP to something else
    std::uint8_t behind_mop = 0, behind_replay = 0;  ///< words that the FIFO behind it holds
};

/// Origin of a word in the expanders: its op, and its position in that op's expansion or -1.
struct WordOrigin {
    std::int64_t index = -1, position = -1;
    std::uint32_t word = 0;
};

/// Receives events of the expanders.
class ExpanderListener {
public:
    virtual void found(const findings::Note& note, unsigned thread, const WordOrigin& origin) = 0;
    /// The next instruction does not exist: the run ends.
    virtual void failed(const findings::Note& note, unsigned thread, const WordOrigin& origin) = 0;
    /// True if this listener or an expander has ended the run.
    virtual bool is_over() const = 0;
    /// An expander took a word of the op, so the FIFO may have room.
    virtual void taken(unsigned thread, std::int64_t index) = 0;
    /// A core's in-order store to a MOP register is done.
    virtual void stored(unsigned thread, std::int64_t index, state::Cell cell) = 0;
    /// A MOP was expanded, or will never be.
    virtual void mop_expanded(unsigned thread) = 0;

protected:
    ~ExpanderListener() = default;
};

class Expanders {
public:
    /// Time for fill() in runs without time; leave() then gets 0.
    static constexpr Cycle end_of_time = std::numeric_limits<Cycle>::max();

    Expanders() = default;
    Expanders(unsigned thread, const ExpanderTimes& times) : thread_(thread), times_(times) {}

    Fifo fifo;

    /// Empties the expanders for a new run; a recording in progress continues.
    void begin_run(state::State& state);
    /// A core stores to a MOP register.
    state::Cell store_mop_register(state::State& state, unsigned item, std::uint32_t value);
    /// Drops what the FIFO in front of the MOP expander and that expander hold. The instruction at the gate, a replay,
    /// and words that entered behind the MOP expander stay. Stores to MOP registers, which are no instructions, are
    /// done. The result is the op of the last instruction that stays; -1: none stays.
    std::int64_t discard(state::State& state, ExpanderListener& listener);
    /// True if gate and expanders are empty.
    bool idle(const state::State& state) const;
    /// True if the FIFO is empty, too.
    bool is_empty(const state::State& state) const { return fifo.empty() && idle(state); }
    const ExpanderTimes& times() const { return times_; }
    /// A MOP of the thread's own core.
    static bool holds_mop(const FifoEntry& entry, const isa::Instruction& instruction) {
        return entry.mop_register < 0 && !entry.expanded && instruction.is(isa::mnemonic("MOP"));
    }
    /// True for entries that stay in the MOP expander: MOP, MOP_CFG, and a core's in-order store. Inlined: every word from the FIFO is
    /// asked about.
    [[gnu::always_inline]] static bool stays_in_mop_expander(const FifoEntry& entry,
                                                             const isa::Instruction& instruction) {
        return entry.mop_register >= 0 ||
               (!entry.expanded && (instruction.is(isa::mnemonic("MOP")) || instruction.is(isa::mnemonic("MOP_CFG"))));
    }

    // The gate.

    bool gated() const { return gated_; }
    const GateWord& gate() const { return gate_; }
    GateWord& gate() { return gate_; }
    /// True if the thread's own core has pushed the instruction at the gate. Others come from an expansion, or from RISC-V B.
    bool gate_is_from_own_core() const { return gate_.position < 0 && !fifo.front().expanded; }
    /// Result of fill().
    struct Filled {
        enum class Kind : std::uint8_t {
            word,       ///< now at the gate
            empty,      ///< the FIFO is empty
            invisible,  ///< the FIFO's first word becomes visible at `until`
            expanding,  ///< the expanders have a word at `until`
            over,       ///< the run has ended
        };
        Kind kind{};
        Cycle until = 0;
    };
    /// Moves the next instruction to the gate. The gate must be free.
    Filled fill(state::State& state, Cycle now, ExpanderListener& listener);
    /// Call when the instruction at the gate was issued.
    void leave(state::State& state, Cycle now, ExpanderListener& listener);

    /// Words in front of the gate that have entered behind the MOP expander.
    std::size_t behind_mop() const {
        const auto entered =
            std::count_if(fifo.begin(), fifo.end(), [](const FifoEntry& entry) { return entry.expanded; });
        return static_cast<std::size_t>(entered) - (gated_ && gate_.source == Source::fifo && fifo.front().expanded);
    }

    /// Whether the FIFO has room for these words, of `most`. `expanded`: they enter behind the MOP expander, as of `most_behind_mop`.
    bool has_room(std::size_t words, bool expanded, std::size_t most, std::size_t most_behind_mop) const {
        return fifo.size() + words <= most && (!expanded || behind_mop() + words <= most_behind_mop);
    }
    /// The op whose MOP or REPLAY is being expanded, and the position of its next instruction.
    std::int64_t expanding() const { return expanding_.index; }
    std::int64_t position() const { return expanding_.position; }
    /// The op of the oldest instruction that has not passed the gate; the greatest value if there is none.
    std::int64_t oldest(const state::State& state) const;
    struct OpenRecording {
        WordOrigin by;
        std::uint32_t left = 0;  ///< instructions
    };
    /// The recording that still waits for instructions; none: there is no such one.
    std::optional<OpenRecording> open_recording(const state::State& state) const;
    /// The same as a finding, at the end of a run.
    void report_open_recording(const state::State& state, ExpanderListener& listener) const;

    // Bypass of the gate, for instructions known in advance.

    /// Source of the next instruction.
    Source source(const state::State& state) const;
    /// Earliest cycle of each expander's next step.
    Cycle mop_free() const { return mop_free_; }
    Cycle replay_free() const { return replay_free_; }
    /// Issues an instruction with these ready times. For a replayed instruction the caller then calls replay_advance().
    void pass(state::State& state, Source source, Cycle out_of_mop, Cycle out_of_replay, Cycle now,
              ExpanderListener& listener);
    /// Issues `count` replayed instructions, one per cycle, the last at `now`.
    void play(state::State& state, unsigned count, Cycle now);
    /// Issues words of the FIFO: word i in cycle `start` + cycles[i].
    void take(std::span<const std::uint32_t> cycles, Cycle start);

private:
    /// Earliest cycle of the next step of an expander that may run `ahead` instructions ahead of `taken`.
    static Cycle next_step(Cycle step, Cycle taken, Cycle ahead) {
        return std::max(step + 1, taken > ahead ? taken - ahead : 0);
    }
    void stand(const isa::Instruction& instruction, Source source, Cycle now);
    Filled fill_from_replay(state::State& state, Cycle now, ExpanderListener& listener);
    void stay_in_replay(state::State& state, const isa::Instruction& next, Source source, bool begins, Cycle now,
                        ExpanderListener& listener);
    bool is_unset(const state::State& state, ExpanderListener& listener) const;
    void take_mop_register(state::State& state, const FifoEntry& entry, ExpanderListener& listener);
    void take_entry(state::State& state, const isa::Instruction& instruction, Cycle taken, Cycle now,
                    ExpanderListener& listener);
    void begin(const WordOrigin& op, Cycle pushed, const state::Uses& uses);
    void begin_mop(state::State& state, const FifoEntry& entry, const isa::Instruction& mop,
                   ExpanderListener& listener);
    void begin_replay(state::State& state, ExpanderListener& listener);
    void leave_source(state::State& state, Source source, Cycle now, ExpanderListener& listener);

    unsigned thread_ = 0;
    ExpanderTimes times_;
    GateWord gate_;
    bool gated_ = false;      ///< an instruction is at the gate
    bool after_mop_ = false;  ///< the MOP expander's last instruction was a MOP
    Cycle mop_free_ = 0, replay_free_ = 0;
    WordOrigin expanding_;  ///< `position` is the next instruction's
    Cycle expanding_pushed_ = 0;
    state::Uses expansion_uses_;  ///< of the first instruction of the current expansion
    WordOrigin recording_;        ///< the last REPLAY that recorded
    Recordings recordings_;
    std::uint16_t mop_stored_ = 0;  ///< MOP registers written so far, a bit each
};

/// Of all threads.
using Fronts = std::array<Expanders, state::threads>;

}  // namespace tessera::frontend
