// SPDX-License-Identifier: Apache-2.0
#include "frontend/visible.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "frontend/mop_expander.hpp"
#include "frontend/replay_expander.hpp"
#include "isa/opcode.hpp"
#include "util/set_bits.hpp"

namespace tessera::frontend {

namespace {

// Kinds of instructions as tt_cfg_qstatus and tt_cfg_bstatus show them, a bit each (CSRs).
constexpr std::uint32_t replay_kind = 1 << 0, mop_kind = 1 << 1;

constexpr std::uint32_t status_kinds(isa::Unit unit) {
    switch (unit) {
        case isa::Unit::frontend: return 0;
        case isa::Unit::scalar: return 1 << 2 | 1 << 8;
        case isa::Unit::mover: return 1 << 3 | 1 << 8;
        case isa::Unit::unpacker: return 1 << 4 | 1 << 8;
        case isa::Unit::packer: return 1 << 5 | 1 << 8;
        case isa::Unit::config: return 1 << 6;
        case isa::Unit::sync: return 1 << 7;
        case isa::Unit::misc: return 1 << 8;
        case isa::Unit::vector: return 1 << 9;
        case isa::Unit::matrix: return 1 << 10;
    }
    return 0;
}

std::uint32_t status_kinds(const isa::Instruction& instruction) {
    if (!instruction.spec) return 0;
    if (instruction.is(isa::mnemonic("MOP"))) return mop_kind;
    if (instruction.is(isa::mnemonic("REPLAY")))
        return mode_of(instruction) == state::ReplayMode::record ? 0 : replay_kind;
    return status_kinds(isa::unit_of(instruction.mnemonic));
}

constexpr std::uint32_t status_kinds(plan::Pipe pipe) { return status_kinds(unit_of(pipe)); }

bool is_replay(std::uint32_t word) { return isa::is_word_of(isa::mnemonic("REPLAY"), word); }

/// The instructions that come of a thread's expansions and of its FIFO, as the MOP expander takes one word after the other.
class ComingWords {
public:
    /// `tells_kinds`: kinds() is wanted.
    ComingWords(const Expanders& front, unsigned thread, const state::State& state, bool tells_kinds = false)
        : arch_(state.arch()),
          tells_kinds_(tells_kinds),
          behind_replay_(front.times().behind_replay),
          room_(front.times().behind_mop + 1u + behind_replay_),
          upper_mask_(state[state::cells::mop_mask_block[thread]]) {
        std::ranges::copy(mop_registers(state, thread), registers_.begin());
        if (replay_mode(state, thread) == state::ReplayMode::play) words_ = 1, replays_ = true;
        if (mop_active(state, thread)) note(mop_rest(state, thread, room_, told()));
    }
    void take(const FifoEntry& entry, const isa::Instruction& instruction) {
        if (Expanders::holds_mop(entry, instruction)) {
            note(mop_rest(instruction, registers_, upper_mask_, arch_, room_, told()));
        } else if (!Expanders::stays_in_mop_expander(entry, instruction)) {
            ++words_;
            replays_ |= is_replay(entry.word);
        } else if (entry.mop_register >= 0) {
            registers_[static_cast<unsigned>(entry.mop_register)] = entry.word;
        } else {
            upper_mask_ = mop_mask(instruction);
        }
    }
    /// Whether all have room behind the MOP expander, one of them at the gate. What a REPLAY plays fills the FIFO in front of the gate, so
    /// only the other one has room for what comes behind it.
    bool fit() const { return words_ + (replays_ ? behind_replay_ : 0u) <= room_; }
    /// Of the expansions' instructions that have room there.
    std::uint32_t kinds() const { return kinds_; }

private:
    /// How many of the next instructions kinds() has: those with room.
    unsigned told() const {
        return tells_kinds_ ? room_ - static_cast<unsigned>(std::min<std::uint64_t>(words_, room_)) : 0;
    }
    void note(const MopRest& expansion) {
        for (const unsigned i : util::SetBits(expansion.registers))
            kinds_ |= status_kinds(isa::decode(registers_[i], arch_.arch));
        words_ += expansion.words;
        replays_ |=
            std::any_of(registers_.begin() + 2, registers_.end(), is_replay);  // the first two are counts or flags
    }

    const state::ArchDescription& arch_;
    bool tells_kinds_;
    unsigned behind_replay_;  ///< room for words behind the replay expander
    unsigned room_;           ///< the same behind the MOP expander, with the gate
    std::array<std::uint32_t, state::cells::mop_words> registers_;
    std::uint32_t upper_mask_;
    std::uint64_t words_ = 0;
    bool replays_ = false;
    std::uint32_t kinds_ = 0;
};

}  // namespace

bool has_mops(const Expanders& front, unsigned thread, const state::State& state) {
    return mop_active(state, thread) || std::any_of(front.fifo.begin(), front.fifo.end(), [&](const FifoEntry& entry) {
               return Expanders::holds_mop(entry, isa::decode(entry.word, state.arch().arch));
           });
}

bool mops_expanded(const Expanders& front, unsigned thread, const state::State& state) {
    if (!has_mops(front, thread, state)) return true;
    ComingWords coming(front, thread, state);
    bool fits = coming.fit();
    for (const FifoEntry& entry : front.fifo) {
        const isa::Instruction instruction = isa::decode(entry.word, state.arch().arch);
        coming.take(entry, instruction);
        if (Expanders::holds_mop(entry, instruction)) fits = coming.fit();
    }
    return fits;
}

std::uint32_t queued_kinds(const Expanders& front, unsigned thread, const state::State& state) {
    std::uint32_t kinds = front.gated() ? status_kinds(front.gate().instruction) : 0;
    std::optional<ComingWords> coming;
    if (has_mops(front, thread, state)) coming.emplace(front, thread, state, true);
    if (coming && !coming->fit()) kinds |= mop_kind;
    for (const FifoEntry& entry : front.fifo) {
        const isa::Instruction instruction = isa::decode(entry.word, state.arch().arch);
        if (coming) coming->take(entry, instruction);
        const bool is_expanded = coming && Expanders::holds_mop(entry, instruction) && coming->fit();
        if (entry.mop_register < 0 && !is_expanded) kinds |= status_kinds(instruction);
    }
    return coming ? kinds | coming->kinds() : kinds;
}

std::uint32_t busy_kinds(const Expanders& front, unsigned thread, const state::State& state, const Activity& activity) {
    std::uint32_t kinds = queued_kinds(front, thread, state);
    for (unsigned p = 0; p < plan::pipes; ++p)
        if (activity.busy(plan::Pipe(p), thread)) kinds |= status_kinds(plan::Pipe(p));
    return kinds;
}

void publish_fifo(const Fifo& fifo, unsigned thread, state::State& state) {
    using namespace state::cells;
    unsigned count = 0;
    for (const FifoEntry& entry : fifo)
        if (entry.mop_register < 0 && count < fifo_words) state.write(fifo_block[thread * fifo_words + count++], entry.word);
    state.write(fifo_count_block[thread], count);
    for (unsigned i = count; i < fifo_words; ++i) state.write(fifo_block[thread * fifo_words + i], 0);
}

}  // namespace tessera::frontend
