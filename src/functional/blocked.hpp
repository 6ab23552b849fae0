// SPDX-License-Identifier: Apache-2.0
// Blocked front ends and instructions at the end of a run without time, and the holders that block them.
#pragma once

#include <string>
#include <vector>

#include "diagnostics/places.hpp"
#include "engine/outcome.hpp"
#include "engine/rest_of_program.hpp"
#include "functional/effects.hpp"
#include "functional/thread.hpp"
#include "functional/units.hpp"
#include "tessera/run.hpp"

namespace tessera::functional {

class BlockedParties {
public:
    BlockedParties(const state::State& state, const diagnostics::Places& places, const Threads& threads,
                   const Units& units, const Effects& effects, const engine::Outcome& outcome)
        : state_(state), places_(places), threads_(threads), units_(units), effects_(effects), outcome_(outcome) {}

    std::string wait_text(const engine::Wait& wait, unsigned thread) const;
    /// Fills in the holder of the awaited resource and the last change to it.
    void name_holder(const engine::Wait& wait, unsigned thread, Blocked& blocked) const;
    /// The same for a semaphore, by what is left of the program.
    void name_holder(const engine::RestOfProgram& rest, const engine::Wait& wait, unsigned thread,
                     Blocked& blocked) const {
        if (blocked.holder.empty()) blocked.holder = rest.holder_of_semaphore(wait, thread, state_, places_);
    }
    engine::RestOfProgram rest_of(const Program& program, const engine::NextOps& cores) const;
    /// `rest`: of a program; null: of kernels.
    Blocked front_end(unsigned thread, const engine::RestOfProgram* rest) const;
    /// Adds the instructions that wait in units or in front of them.
    void list_units(std::vector<Blocked>& list) const;

private:
    Blocked in_unit(const Units::Waiting& waiting, unsigned pipe, bool first) const;

    const state::State& state_;
    const diagnostics::Places& places_;
    const Threads& threads_;
    const Units& units_;
    const Effects& effects_;
    const engine::Outcome& outcome_;
};

}  // namespace tessera::functional
