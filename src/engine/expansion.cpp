// SPDX-License-Identifier: Apache-2.0
// From the FIFO through MOP expander and replay expander to the wait gate. Both expanders are asked for their next
// instruction when the gate is free; when they could have had it ready follows from when they had the one before, and
// from how much the FIFOs behind them hold.
#include <utility>

#include "engine/engine.hpp"
#include "frontend/mop_expander.hpp"
#include "frontend/replay_expander.hpp"

namespace tessera::engine {

namespace {

using state::ReplayMode;

constexpr std::uint16_t all_mop_registers = (1u << state::cells::mop_words) - 1;

bool records(ReplayMode mode) { return mode == ReplayMode::record || mode == ReplayMode::record_and_execute; }

}  // namespace

// A run begins with empty FIFOs and expanders; a recording goes on.
void Engine::begin_expansions() {
    for (unsigned t = 0; t < state::threads; ++t) {
        frontend::stop_mop(state_, t);
        // What an earlier run on this core has stored, nobody knows register by register.
        for (unsigned i = 0; i < state::cells::mop_words; ++i)
            if (state_[state::cells::mop(t, i)]) threads_[t].mop_stored = all_mop_registers;
        if (frontend::replay_mode(state_, t) == ReplayMode::play) frontend::stop_replay(state_, t);
    }
}

void Engine::end_expansions() {
    if (run_.fault) return;
    for (unsigned t = 0; t < state::threads; ++t)
        if (records(frontend::replay_mode(state_, t)))
            note({findings::id("frontend.recording-open"), {frontend::replay_left(state_, t)}}, t,
                 threads_[t].recording, threads_[t].recording_word);
}

bool Engine::expanders_idle(unsigned t) const {
    return !threads_[t].gated && !frontend::mop_active(state_, t) &&
           frontend::replay_mode(state_, t) != ReplayMode::play;
}

bool Engine::await(unsigned t, Wait::Kind why, Cycle time, const Touch& begun_by) {
    wait_until(state::threads + t, {why}, time, begun_by);
    return false;
}

bool Engine::no_instruction(unsigned t) {
    const unsigned actor = state::threads + t;
    if (all_cores_finished(t)) {
        account_wait(actor, now_);
        actors_[actor].wait = {};
        actors_[actor].finished = true;
        due_[actor] = never;
    } else {
        park(actor, {Wait::Kind::fifo_empty}, static_cast<Signals>(Signal::pushed));
    }
    return false;
}

// Brings the next instruction to the wait gate. False: there is none now, and the front end waits or is finished.
bool Engine::fill_gate(unsigned t) {
    auto& thread = threads_[t];
    const Arch arch = state_.arch().arch;
    while (!stopped_) {
        const ReplayMode mode = frontend::replay_mode(state_, t);
        if (mode == ReplayMode::play) {
            if (thread.replay_free > now_) return await(t, Wait::Kind::expander, thread.replay_free);
            if (!frontend::replay_word_recorded(state_, t))
                note({findings::id("frontend.replay-unrecorded"), {frontend::replay_slot(state_, t)}}, t,
                     thread.expanding, thread.expanding_word, thread.position);
            GateWord& played = thread.gate = {};
            played.instruction = isa::decode(frontend::replay_word(state_, t), arch);
            played.index = thread.expanding;
            played.position = thread.position;
            played.played = true;
            played.pushed = thread.expanding_pushed;
            played.arrived = now_;
            played.out_of_replay = thread.replay_free;
            played.uses = std::exchange(thread.expansion_uses, {});
            thread.gated = true;
            return true;
        }

        GateWord& next = thread.gate = {};
        next.from_mop = frontend::mop_active(state_, t);
        if (next.from_mop) {
            next.out_of_mop = thread.mop_free;
            next.instruction = isa::decode(frontend::mop_word(state_, t), arch);
            if (next.instruction.word == 0 && is_unset(t)) return false;
            next.index = thread.expanding;
            next.position = thread.position;
            next.pushed = thread.expanding_pushed;
        } else {
            if (thread.fifo.empty()) return no_instruction(t);
            const FifoEntry& entry = thread.fifo.front();
            next.uses = entry.uses;
            if (entry.visible > now_)
                return await(t, Wait::Kind::fifo_empty, entry.visible,
                             {true, static_cast<int>(t), entry.index, entry.pushed});
            next.instruction = isa::decode(entry.word, arch);
            next.index = entry.index;
            next.pushed = entry.pushed;
            const bool leaves_mop = thread.after_mop && !next.instruction.is(isa::mnemonic("MOP"));
            next.out_of_mop =
                std::max(thread.mop_free + (leaves_mop ? costs_.thread.mop_exit_cycles : 0), entry.visible);
            if (for_mop_expander(entry)) {
                if (next.out_of_mop > now_) return await(t, Wait::Kind::expander, next.out_of_mop);
                take_entry(t, next.out_of_mop);
                continue;
            }
        }
        next.out_of_replay = std::max(next.out_of_mop, thread.replay_free);
        if (next.out_of_replay > now_) return await(t, Wait::Kind::expander, next.out_of_replay);

        next.recorded = mode == ReplayMode::record_and_execute;
        const bool begins_replay = mode == ReplayMode::idle && next.instruction.is(isa::mnemonic("REPLAY"));
        if (mode != ReplayMode::record && !begins_replay) {
            next.arrived = now_;
            if (next.from_mop) next.uses = std::exchange(thread.expansion_uses, {});
            thread.gated = true;
            return true;
        }
        thread.mop_free = next_step(next.out_of_mop, next.out_of_replay, costs_.thread.replay_fifo_words);
        thread.replay_free = next.out_of_replay + 1;
        if (begins_replay)
            begin_replay(t, next);
        else
            frontend::replay_record(state_, t, next.instruction.word);
        leave_source(t, next.from_mop);
        caused_by({false, static_cast<int>(t), next.index, now_});
        raise(static_cast<Signals>(Signal::popped), now_);
        refill(t);
    }
    return false;
}

// Whether the MOP's next instruction comes from a register that nobody has written; then the run has ended.
bool Engine::is_unset(unsigned t) {
    const Thread& thread = threads_[t];
    const frontend::MopSource from = frontend::mop_source(state_, t);
    if (thread.mop_stored >> from.item & 1) return false;
    stop({findings::id("frontend.mop-unset"), {from.item}, frontend::mop_register_name(from.mop_template, from.item)},
         where(t, thread.expanding, thread.expanding_word, now_, thread.position));
    return true;
}

// MOP, MOP_CFG, and a core's store that is kept in order: nothing that passes the MOP expander.
bool Engine::for_mop_expander(const FifoEntry& entry) const {
    if (entry.mop_register >= 0) return true;
    if (entry.expanded) return false;
    const isa::Instruction instruction = isa::decode(entry.word, state_.arch().arch);
    return instruction.is(isa::mnemonic("MOP")) || instruction.is(isa::mnemonic("MOP_CFG"));
}

void Engine::take_entry(unsigned t, Cycle taken) {
    auto& thread = threads_[t];
    const FifoEntry entry = thread.fifo.front();
    pop_fifo(t, now_);
    if (entry.mop_register >= 0) {
        const auto cell = state::cells::mop(t, static_cast<unsigned>(entry.mop_register));
        state_.write(cell, entry.word);
        thread.mop_stored |= static_cast<std::uint16_t>(1u << entry.mop_register);
        if (options_.on_write) tell_store(t, entry.index, cell);
    } else {
        const isa::Instruction instruction = isa::decode(entry.word, state_.arch().arch);
        thread.after_mop = instruction.is(isa::mnemonic("MOP"));
        if (thread.after_mop)
            begin_mop(t, entry, instruction);
        else
            frontend::set_mop_mask(state_, t, instruction);
        thread.mop_free = frontend::mop_active(state_, t) ? taken : taken + 1;
    }
    caused_by({false, static_cast<int>(t), entry.index, now_});
    raise(static_cast<Signals>(Signal::popped), now_);
    refill(t);
}

void Engine::begin_mop(unsigned t, const FifoEntry& entry, const isa::Instruction& mop) {
    auto& thread = threads_[t];
    thread.expanding = entry.index;
    thread.expanding_word = entry.word;
    thread.expanding_pushed = entry.pushed;
    thread.expansion_uses = entry.uses;
    thread.position = 0;
    frontend::for_each_remark(frontend::start_mop(state_, t, mop), state_, t, thread.mop_stored,
                              [&](const findings::Note& what) { note(what, t, entry.index, entry.word); });
    if (!frontend::mop_active(state_, t)) order_.mop_expanded(t);
}

void Engine::begin_replay(unsigned t, const GateWord& replay) {
    auto& thread = threads_[t];
    if (!replay.from_mop) {
        thread.expanding = replay.index;
        thread.expanding_word = replay.instruction.word;
        thread.expanding_pushed = replay.pushed;
        thread.expansion_uses = replay.uses;
        thread.position = 0;
    }
    const unsigned count = frontend::start_replay(state_, t, replay.instruction);
    if (frontend::replay_mode(state_, t) == ReplayMode::play) {
        thread.replay_free = replay.out_of_replay;  // the first instruction comes out in the cycle of the REPLAY
    } else {
        thread.recording = replay.index;
        thread.recording_word = replay.instruction.word;
    }
    check_replay(t, replay, count);
    if (count > state::cells::replay_words)
        note({findings::id("frontend.replay-count"), {count, state::cells::replay_words}}, t, replay.index,
             replay.instruction.word, replay.position);
}

void Engine::check_replay(unsigned t, const GateWord& replay, unsigned count) {
    auto& recordings = threads_[t].recordings;
    const unsigned first = frontend::replay_slot(state_, t), played = std::min(count, frontend::Recordings::slots);
    if (frontend::replay_mode(state_, t) != ReplayMode::play)
        recordings.record(first, played, replay.index, replay.position);
    else if (const auto found = recordings.overwritten(first, played))
        note({findings::id("frontend.replay-overwritten"), {found->first, found->second}}, t, replay.index,
             replay.instruction.word, replay.position);
}

void Engine::leave_source(unsigned t, bool from_mop) {
    auto& thread = threads_[t];
    if (!from_mop) {
        thread.after_mop = false;
        return pop_fifo(t, now_);
    }
    frontend::mop_advance(state_, t);
    if (!frontend::mop_active(state_, t)) order_.mop_expanded(t);
}

// The instruction at the gate has been issued.
void Engine::leave_gate(unsigned t, Cycle now) {
    auto& thread = threads_[t];
    const GateWord& at = thread.gate;
    thread.gated = false;
    if (at.position >= 0) ++thread.position;
    thread.replay_free = next_step(at.out_of_replay, now, costs_.thread.gate_fifo_words);
    if (at.played) return frontend::replay_advance(state_, t);
    thread.mop_free = next_step(at.out_of_mop, at.out_of_replay, costs_.thread.replay_fifo_words);
    if (at.recorded) frontend::replay_record(state_, t, at.instruction.word);
    leave_source(t, at.from_mop);
}

}  // namespace tessera::engine
