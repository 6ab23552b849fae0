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
    bool no_observers = false;        ///< nobody is told of ends, of writes or of waits
    bool no_issue_observers = false;  ///< nor of issues
    bool runs_ahead = false;          ///< nobody looks between two acts
};

/// Every part has one as a base, beside its state and the parts that it calls.
struct Context {
    state::State& state_;
    units::Slots& slots_;
    const Program* const program_;  ///< or cores
    Cores* const cores_;
    const RunOptions& options_;
    const units::CostTable& costs_;
    const diagnostics::Places& places_;
    const diagnostics::Diagnostics& diagnostics_;
    checks::Checker& checker_;
    hazards::Order& order_;
    Outcome& outcome_;
    const Shortcuts& shortcuts_;
    RunRecorder* const& recorder_;  ///< null: the run is not recorded
};

}  // namespace tessera::engine
