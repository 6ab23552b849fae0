// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/wait_text.hpp"

#include <fmt/format.h>

namespace tessera::engine {

std::string wait_text(const Wait& wait, unsigned thread, const state::State& state, const frontend::Activity& activity) {
    switch (wait.kind) {
        case Wait::Kind::none: return {};
        case Wait::Kind::fifo_empty: return "instructions from its core";
        case Wait::Kind::fifo_full: return "room in the instruction FIFO";
        case Wait::Kind::latched: {
            const std::string unmet = frontend::unmet_conditions(state, activity, thread);
            return "latched wait: " + (unmet.empty() ? std::string("its conditions are met") : unmet);
        }
        case Wait::Kind::bank:
            return fmt::format("Src{} bank {} to be handed to the {}", wait.a ? 'B' : 'A', wait.b,
                               state::Owner(wait.c) == state::Owner::matrix ? "matrix unit" : "unpackers");
        case Wait::Kind::mutex: return fmt::format("mutex {}", wait.a);
        case Wait::Kind::semaphore:
            return fmt::format("semaphore {} to be {}", wait.a, wait.b ? "below its maximum" : "non-zero");
        case Wait::Kind::unit_busy: return fmt::format("{} to be free", name(plan::Pipe(wait.a)));
        case Wait::Kind::queue_full: return fmt::format("room in the queue of {}", name(plan::Pipe(wait.a)));
        case Wait::Kind::address_phase: return "the address phase of an UNPACR";
        case Wait::Kind::own_scalar: return "its own scalar instruction to end";
        case Wait::Kind::dst_block: return "Dst rows that were just written";
        case Wait::Kind::drain: return "all its instructions to be done";
        case Wait::Kind::expander: return "the MOP or replay expander";
        case Wait::Kind::own_stores: return "earlier stores of its core (Auto TTSync)";
        case Wait::Kind::own_instructions: return "its earlier instructions to pass the wait gate (Auto TTSync)";
        case Wait::Kind::delayed: return "nothing (delayed)";
        case Wait::Kind::finished: return "nothing: it has ended, or was never started";
        case Wait::Kind::tile:
        case Wait::Kind::condition:
        case Wait::Kind::memory:
        case Wait::Kind::count: break;
    }
    return {};
}

std::string endless_wait_text(const std::optional<Fault>& fault, unsigned thread) {
    if (!fault || fault->code != "sync.mutex-index" || fault->where.thread != static_cast<int>(thread)) return {};
    return fmt::format("mutex {} (which does not exist)", fault->values.front().value);
}

}  // namespace tessera::engine
