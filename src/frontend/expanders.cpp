// SPDX-License-Identifier: Apache-2.0
#include "frontend/expanders.hpp"

#include <utility>

#include "frontend/mop_expander.hpp"
#include "frontend/replay_expander.hpp"

namespace tessera::frontend {

namespace {

using state::ReplayMode;

constexpr std::uint16_t all_mop_registers = (1u << state::cells::mop_words) - 1;

bool is_mop(const isa::Instruction& instruction) { return instruction.is(isa::mnemonic("MOP")); }

}  // namespace

void Expanders::begin_run(state::State& state) {
    stop_mop(state, thread_);
    // MOP registers stored by earlier runs are not tracked one by one: if any is non-zero, all count as stored.
    for (unsigned i = 0; i < state::cells::mop_words; ++i)
        if (state[state::cells::mop(thread_, i)]) mop_stored_ = all_mop_registers;
    if (replay_mode(state, thread_) == ReplayMode::play) stop_replay(state, thread_);
}

bool Expanders::idle(const state::State& state) const {
    return !gated_ && !mop_active(state, thread_) && replay_mode(state, thread_) != ReplayMode::play;
}

state::Cell Expanders::store_mop_register(state::State& state, unsigned item, std::uint32_t value) {
    const state::Cell cell = state::cells::mop(thread_, item);
    state.write(cell, value);
    mop_stored_ |= static_cast<std::uint16_t>(1u << item);
    return cell;
}

std::optional<Expanders::OpenRecording> Expanders::open_recording(const state::State& state) const {
    const ReplayMode mode = replay_mode(state, thread_);
    if (mode != ReplayMode::record && mode != ReplayMode::record_and_execute) return std::nullopt;
    return OpenRecording{{recording_.index, -1, recording_.word}, replay_left(state, thread_)};
}

void Expanders::report_open_recording(const state::State& state, ExpanderListener& listener) const {
    if (const auto open = open_recording(state))
        listener.found({findings::id("frontend.recording-open"), {open->left}}, thread_, open->by);
}

std::int64_t Expanders::discard(state::State& state, ExpanderListener& listener) {
    const Arch arch = state.arch().arch;
    if (mop_active(state, thread_)) listener.mop_expanded(thread_);
    stop_mop(state, thread_);
    fifo.discard(gated_ && gate_.source == Source::fifo, [&](const FifoEntry& entry) {
        if (entry.expanded) return false;
        if (entry.mop_register >= 0)
            take_mop_register(state, entry, listener);
        else if (is_mop(isa::decode(entry.word, arch)))
            listener.mop_expanded(thread_);
        return true;
    });
    if (idle(state)) return -1;
    return gated_ ? gate_.index : expanding_.index;
}

std::int64_t Expanders::oldest(const state::State& state) const {
    if (gated_) return gate_.index;
    if (!idle(state)) return expanding_.index;
    return fifo.empty() ? std::numeric_limits<std::int64_t>::max() : fifo.front().index;
}

// Fills the gate, except for the instruction's origin. Inlined: the instruction has just been decoded, and need not go through memory.
[[gnu::always_inline]] inline void Expanders::stand(const isa::Instruction& instruction, Source source, Cycle now) {
    gate_.instruction = instruction;
    gate_.source = source;
    gate_.arrived = now;
    gate_.held_until = 0;
    gate_.resolved = false;
    gated_ = true;
    if (source == Source::fifo) return;
    gate_.index = expanding_.index;
    gate_.position = expanding_.position;
    gate_.pushed = expanding_pushed_;
    gate_.uses = std::exchange(expansion_uses_, {});
}

// The replay expander plays what it has recorded.
inline Expanders::Filled Expanders::fill_from_replay(state::State& state, Cycle now, ExpanderListener& listener) {
    if (replay_free_ > now) return {Filled::Kind::expanding, replay_free_};
    if (!replay_word_recorded(state, thread_))
        listener.found({findings::id("frontend.replay-unrecorded"), {replay_slot(state, thread_)}}, thread_,
                       expanding_);
    gate_.out_of_mop = 0;
    gate_.out_of_replay = replay_free_;
    gate_.recorded = false;
    stand(isa::decode(replay_word(state, thread_), state.arch().arch), Source::replay, now);
    return {Filled::Kind::word};
}

// The replay expander keeps the instruction: it is the REPLAY, or is only recorded.
inline void Expanders::stay_in_replay(state::State& state, const isa::Instruction& next, Source source, bool begins,
                                      Cycle now, ExpanderListener& listener) {
    mop_free_ = next_step(gate_.out_of_mop, gate_.out_of_replay, times_.behind_mop);
    replay_free_ = gate_.out_of_replay + 1;
    const std::int64_t index = source == Source::mop ? expanding_.index : gate_.index;
    if (begins) {
        gate_.instruction = next;
        gate_.source = source;
        begin_replay(state, listener);
    } else {
        replay_record(state, thread_, next.word);
    }
    leave_source(state, source, now, listener);
    listener.taken(thread_, index);
}

Expanders::Filled Expanders::fill(state::State& state, Cycle now, ExpanderListener& listener) {
    using Kind = Filled::Kind;
    const Arch arch = state.arch().arch;
    do {
        const ReplayMode mode = replay_mode(state, thread_);
        if (mode == ReplayMode::play) return fill_from_replay(state, now, listener);
        isa::Instruction next;
        const Source source = mop_active(state, thread_) ? Source::mop : Source::fifo;
        Cycle out_of_mop = mop_free_;
        if (source == Source::mop) {
            next = isa::decode(mop_word(state, thread_), arch);
            if (next.word == 0 && is_unset(state, listener)) return {Kind::over};
        } else {
            if (fifo.empty()) return {Kind::empty};
            const FifoEntry& entry = fifo.front();
            if (entry.visible > now) return {Kind::invisible, entry.visible};
            next = isa::decode(entry.word, arch);
            if (after_mop_ && !is_mop(next)) out_of_mop += times_.mop_exit;
            out_of_mop = std::max(out_of_mop, entry.visible);
            if (stays_in_mop_expander(entry, next)) {
                if (out_of_mop > now) return {Kind::expanding, out_of_mop};
                // Of a copy, so that `next` itself need not go through memory.
                take_entry(state, isa::Instruction(next), out_of_mop, now, listener);
                continue;
            }
            gate_.index = entry.index;
            gate_.position = -1;
            gate_.pushed = entry.pushed;
            gate_.uses = entry.uses;
        }
        const Cycle out_of_replay = std::max(out_of_mop, replay_free_);
        if (out_of_replay > now) return {Kind::expanding, out_of_replay};

        gate_.out_of_mop = out_of_mop;
        gate_.out_of_replay = out_of_replay;
        const bool begins_replay = mode == ReplayMode::idle && next.is(isa::mnemonic("REPLAY"));
        if (mode != ReplayMode::record && !begins_replay) {
            gate_.recorded = mode == ReplayMode::record_and_execute;
            stand(next, source, now);
            return {Kind::word};
        }
        stay_in_replay(state, next, source, begins_replay, now, listener);
    } while (!listener.is_over());
    return {Kind::over};
}

// True if the MOP's next instruction comes from a register that was never written; this ends the run.
bool Expanders::is_unset(const state::State& state, ExpanderListener& listener) const {
    const MopSource from = mop_source(state, thread_);
    if (mop_stored_ >> from.item & 1) return false;
    listener.failed({findings::id("frontend.mop-unset"), {from.item}, mop_register_name(from.mop_template, from.item)},
                    thread_, expanding_);
    return true;
}

void Expanders::take_mop_register(state::State& state, const FifoEntry& entry, ExpanderListener& listener) {
    const auto item = static_cast<unsigned>(entry.mop_register);
    listener.stored(thread_, entry.index, store_mop_register(state, item, entry.word));
}

void Expanders::take_entry(state::State& state, const isa::Instruction& instruction, Cycle taken, Cycle now,
                           ExpanderListener& listener) {
    const FifoEntry entry = fifo.front();
    fifo.take(now);
    if (entry.mop_register >= 0) {
        take_mop_register(state, entry, listener);
    } else {
        after_mop_ = is_mop(instruction);
        if (after_mop_)
            begin_mop(state, entry, instruction, listener);
        else
            set_mop_mask(state, thread_, instruction);
        mop_free_ = mop_active(state, thread_) ? taken : taken + 1;
    }
    listener.taken(thread_, entry.index);
}

inline void Expanders::begin(const WordOrigin& op, Cycle pushed, const state::Uses& uses) {
    expanding_ = op;
    expanding_.position = 0;
    expanding_pushed_ = pushed;
    expansion_uses_ = uses;
}

void Expanders::begin_mop(state::State& state, const FifoEntry& entry, const isa::Instruction& mop,
                          ExpanderListener& listener) {
    const WordOrigin op{entry.index, -1, entry.word};
    begin(op, entry.pushed, entry.uses);
    start_mop(state, thread_, mop, mop_stored_, listener, op);
    if (!mop_active(state, thread_)) listener.mop_expanded(thread_);
}

// The instruction at the gate is the REPLAY.
void Expanders::begin_replay(state::State& state, ExpanderListener& listener) {
    WordOrigin op{gate_.index, -1, gate_.instruction.word};
    if (gate_.source == Source::mop) {
        op.index = expanding_.index;
        op.position = expanding_.position;
    } else {
        begin(op, gate_.pushed, gate_.uses);
    }
    const auto report = [&](const findings::Note& what) { listener.found(what, thread_, op); };
    const unsigned count = start_replay(state, thread_, gate_.instruction);
    const unsigned first = replay_slot(state, thread_), some = std::min(count, Recordings::slots);
    if (replay_mode(state, thread_) == ReplayMode::play) {
        replay_free_ = gate_.out_of_replay;  // the first instruction comes out in the cycle of the REPLAY
        if (const auto lost = recordings_.overwritten(first, some))
            report({findings::id("frontend.replay-overwritten"), {lost->first, lost->second}});
    } else {
        recording_ = op;
        recordings_.record(first, some, op.index, op.position);
    }
    if (count > Recordings::slots) report({findings::id("frontend.replay-count"), {count, Recordings::slots}});
}

void Expanders::leave_source(state::State& state, Source source, Cycle now, ExpanderListener& listener) {
    if (source == Source::fifo) {
        after_mop_ = false;
        return fifo.take(now);
    }
    if (!mop_active(state, thread_)) return;  // it has been discarded
    mop_advance(state, thread_);
    if (!mop_active(state, thread_)) listener.mop_expanded(thread_);
}

void Expanders::leave(state::State& state, Cycle now, ExpanderListener& listener) {
    gated_ = false;
    if (gate_.recorded) replay_record(state, thread_, gate_.instruction.word);
    pass(state, gate_.source, gate_.out_of_mop, gate_.out_of_replay, now, listener);
    if (gate_.source == Source::replay) replay_advance(state, thread_);
}

Source Expanders::source(const state::State& state) const {
    if (gated_ || expansion_uses_.any()) return Source::other;
    const ReplayMode mode = replay_mode(state, thread_);
    if (mode == ReplayMode::play) return Source::replay;
    if (mode != ReplayMode::idle) return Source::other;
    if (mop_active(state, thread_)) return Source::mop;
    return after_mop_ || fifo.empty() ? Source::other : Source::fifo;
}

void Expanders::pass(state::State& state, Source source, Cycle out_of_mop, Cycle out_of_replay, Cycle now,
                     ExpanderListener& listener) {
    replay_free_ = next_step(out_of_replay, now, times_.behind_replay);
    if (source != Source::fifo) ++expanding_.position;
    if (source == Source::replay) return;
    mop_free_ = next_step(out_of_mop, out_of_replay, times_.behind_mop);
    leave_source(state, source, now, listener);
}

void Expanders::play(state::State& state, unsigned count, Cycle now) {
    replay_free_ = next_step(replay_free_ + count - 1, now, times_.behind_replay);
    expanding_.position += count;
    replay_advance(state, thread_, count);
}

void Expanders::take(std::span<const std::uint32_t> cycles, Cycle start) {
    const std::size_t count = cycles.size();
    // Words become visible, and are taken, at least one cycle apart, as the expanders step. Only the last three words
    // therefore affect when the expanders are free again.
    const std::size_t skipped = count - std::min<std::size_t>(count, 3);
    mop_free_ += skipped;
    replay_free_ += skipped;
    for (std::size_t i = skipped; i < count; ++i) {
        const Cycle out_of_mop = std::max(mop_free_, fifo[i].visible);
        const Cycle out_of_replay = std::max(out_of_mop, replay_free_);
        replay_free_ = next_step(out_of_replay, start + cycles[i], times_.behind_replay);
        mop_free_ = next_step(out_of_mop, out_of_replay, times_.behind_mop);
    }
    fifo.take(count, [&](std::size_t i) { return start + cycles[i]; });
}

}  // namespace tessera::frontend
