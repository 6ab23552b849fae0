// SPDX-License-Identifier: Apache-2.0
// What a run is about: all that its parts see and none of them owns.
#pragma once

#include "engine/cores.hpp"
#include "engine/outcome.hpp"
#include "state/state.hpp"
#include "tessera/program.hpp"
#include "tessera/run.hpp"
#include "units/costs/costs.hpp"

namespace tessera::units {
struct Slots;
}
namespace tessera::checks {
class Checker;
}
namespace tessera::hazards {
class Order;
}

namespace tessera::engine {

class RunRecorder;

/// What may be left out, because nobody could notice.
struct Shortcuts {
    bool unwatched = false;   ///< nobody is told of ends, of writes or of waits
    bool unobserved = false;  ///< nor of issues
    bool goes_ahead = false;  ///< nobody looks between two acts
};

struct Context {
    state::State& state;
    units::Slots& slots;
    const Program* program;  ///< or cores
    Cores* cores;
    const RunOptions& options;
    const units::CostTable& costs;
    const diagnostics::Places& places;
    const diagnostics::Diagnostics& diagnostics;
    checks::Checker& checker;
    hazards::Order& order;
    Outcome& outcome;
    const Shortcuts& shortcuts;
    RunRecorder* const& recorder;  ///< null: the run is not recorded
};

/// A part of an engine: it has state of its own, and references to the parts below it.
class Part {
protected:
    explicit Part(const Context& of)
        : state_(of.state),
          slots_(of.slots),
          program_(of.program),
          cores_(of.cores),
          options_(of.options),
          costs_(of.costs),
          places_(of.places),
          diagnostics_(of.diagnostics),
          checker_(of.checker),
          order_(of.order),
          outcome_(of.outcome),
          shortcuts_(of.shortcuts),
          recorder_(of.recorder) {}

    state::State& state_;
    units::Slots& slots_;
    const Program* const program_;
    Cores* const cores_;
    const RunOptions& options_;
    const units::CostTable& costs_;
    const diagnostics::Places& places_;
    const diagnostics::Diagnostics& diagnostics_;
    checks::Checker& checker_;
    hazards::Order& order_;
    Outcome& outcome_;
    const Shortcuts& shortcuts_;
    RunRecorder* const& recorder_;
};

}  // namespace tessera::engine
