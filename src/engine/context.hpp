// SPDX-License-Identifier: Apache-2.0
// The context of a run: shared by all parts, owned by none of them.
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

/// Fast paths that are allowed, because no result shows them.
struct Shortcuts {
    bool no_observers = false;        ///< no callback for ends, writes or waits
    bool no_issue_observers = false;  ///< nor for issues
    bool no_stops = false;            ///< no finding ends the run, so nobody sees what lies behind it done
    bool runs_ahead = false;          ///< the caller reads no state between two steps
};

/// A base of every part, beside its state and the parts that it calls.
struct Context {
    state::State& state_;
    units::Slots& slots_;
    const Program* const program_;  ///< null: the run has cores
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
