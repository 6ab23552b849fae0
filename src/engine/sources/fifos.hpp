// SPDX-License-Identifier: Apache-2.0
// Input of a thread from its core: instruction words in the FIFO, and MOP registers.
#pragma once

#include <array>
#include <span>

#include "engine/context.hpp"
#include "engine/kept.hpp"
#include "engine/observe/writes.hpp"
#include "engine/scheduler.hpp"
#include "engine/sources/auto_sync.hpp"
#include "frontend/auto_sync.hpp"
#include "isa/opcode.hpp"

namespace tessera::engine {

struct FifosState {
protected:
    std::array<frontend::WordOrigin, state::threads> last_mop_{};  ///< the most recent MOP
    /// By thread: when its last word comes out of the MOP expander, and when RISC-V B's last word comes in behind it.
    std::array<std::array<Cycle, 2>, state::threads> last_behind_mop_{};
};

class Fifos : private Context, public Kept<FifosState> {
public:
    Fifos(const Context& context, Scheduler& scheduler, const Workload& work, Fronts& fronts, AutoSync& auto_sync, Writes& writes)
        : Context(context), scheduler_(scheduler), work_(work), fronts_(fronts), auto_sync_(auto_sync), writes_(writes) {}

    /// Pushes all words, or none and returns false. `expanded`: behind the MOP expander, as for RISC-V B.
    bool push(unsigned thread, std::span<const std::uint32_t> words, std::int64_t index, bool expanded);
    /// Whether a word may do more at its push than enter the FIFO: a RESOURCEDECL takes effect, and a MOP is remembered.
    static bool notices(std::uint32_t word) {
        return isa::is_word_of(isa::mnemonic("MOP"), word) || frontend::auto_sync::may_declare(word);
    }
    /// As Port::discard(). `listener`: of the thread's expanders.
    void discard(unsigned thread, frontend::ExpanderListener& listener);
    void store_mop(unsigned thread, unsigned item, std::uint32_t value, std::int64_t index);
    /// Whether nothing of the thread is in flight.
    bool is_idle(unsigned thread) const {
        return fronts_[thread].is_empty(state_) && work_.idle(thread, scheduler_.now());
    }
    frontend::Fifo& operator[](unsigned thread) { return fronts_[thread].fifo; }
    const frontend::Fifo& operator[](unsigned thread) const { return fronts_[thread].fifo; }
    std::size_t capacity(unsigned thread) const { return costs_.thread.fifo_words[thread]; }
    /// `expanded`: as of push().
    bool has_room(unsigned thread, std::size_t words, bool expanded) const {
        return fronts_[thread].has_room(words, expanded, capacity(thread), costs_.thread.words_behind_mop);
    }

private:
    void check_collision(unsigned thread, std::span<const std::uint32_t> words, std::int64_t index, bool expanded);
    /// A store to a MOP register must not change what of an expanded MOP has not left the gate, or be overtaken by a later one.
    bool store_stays_behind(unsigned thread) const;
    /// Behind the stores that wait.
    std::uint32_t mop_register(unsigned thread, unsigned item) const;
    void mop_stored(unsigned thread, unsigned item, std::uint32_t value, std::int64_t index);

    Scheduler& scheduler_;
    const Workload& work_;
    Fronts& fronts_;
    AutoSync& auto_sync_;
    Writes& writes_;
};

}  // namespace tessera::engine
