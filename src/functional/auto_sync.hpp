// SPDX-License-Identifier: Apache-2.0
// Auto TTSync without time (frontend/auto_sync.hpp): what a thread's core has pushed that has not passed the gate, and
// whether that holds up the core's own accesses.
#pragma once

#include <array>
#include <cstdint>

#include "frontend/auto_sync.hpp"
#include "frontend/pushed_uses.hpp"

namespace tessera::functional {

class AutoSync {
public:
    explicit AutoSync(state::State& state) : state_(state) {}

    /// A core pushes a word; a RESOURCEDECL takes effect in the order of pushes. `idle`: the thread is.
    template <class Idle>
    void push(unsigned thread, std::uint32_t word, std::int64_t index, Idle&& idle) {
        if (!frontend::auto_sync::may_declare(word) && !is_on(thread)) return;
        const isa::Instruction instruction = isa::decode(word, state_.arch().arch);
        if (instruction.is(isa::mnemonic("RESOURCEDECL")))
            declare(thread, instruction);
        else if (is_on(thread))
            uses_[thread].push(state_, thread, instruction, index, idle());
    }
    /// The same for a RESOURCEDECL that no core has pushed.
    void declare(unsigned thread, const isa::Instruction& instruction) {
        frontend::auto_sync::declare(state_, thread, instruction);
    }
    /// As frontend::PushedUses::discard_behind().
    void discard_behind(unsigned thread, std::int64_t last) { uses_[thread].discard_behind(last); }
    /// As frontend::PushedUses::may_access().
    bool may_access(unsigned thread, state::Resources resources, bool store, std::int64_t oldest,
                    const frontend::Activity& activity) {
        return uses_[thread].may_access(resources, store, oldest, activity, thread);
    }

private:
    bool is_on(unsigned thread) {
        if (as_of_ != state_.configured) {
            as_of_ = state_.configured;
            for (unsigned t = 0; t < state::threads; ++t) on_[t] = frontend::auto_sync::tracks(state_, t);
        }
        return on_[thread];
    }

    state::State& state_;
    std::array<frontend::PushedUses, state::threads> uses_;
    std::array<bool, state::threads> on_{};
    std::uint64_t as_of_ = ~std::uint64_t{0};  ///< State::configured of `on_`
};

}  // namespace tessera::functional
