// SPDX-License-Identifier: Apache-2.0
// From an instruction and the state to a plan. Adding an instruction to a unit: write a function that fills a Plan, and
// a line in the unit's `behaviours` table; everything else follows from its declaration (isa/) and its plan.
#pragma once

#include "plan/plan.hpp"
#include "units/look.hpp"
#include "units/slots.hpp"

namespace tessera::units {

/// Fills in what an instruction will do. Called with instruction, thread, pipe and cost already in the plan.
using Resolve = void (*)(const Look&, plan::Plan&);

struct Behaviour {
    isa::Mnemonic mnemonic;
    Resolve resolve;
};

/// Resolves one instruction. An opcode that does not exist, or that no unit has, gives a plan with a fault.
void resolve(const Look& look, plan::Plan& plan);

/// Makes of a kept plan the one of now, which differs only by what Look::place() was asked for; `before`: the values of Captures::places
/// that it was made for. False: it has not changed, and is to be resolved again.
bool move(const Look& look, std::span<const std::uint32_t> before, Resolved& kept);

/// Whether some unit executes the instruction.
bool has_behaviour(isa::Mnemonic mnemonic);

namespace sync {
extern const std::span<const Behaviour> behaviours;
}
namespace config {
extern const std::span<const Behaviour> behaviours;
}
namespace misc {
extern const std::span<const Behaviour> behaviours;
}
namespace scalar {
extern const std::span<const Behaviour> behaviours;
}
namespace mover {
extern const std::span<const Behaviour> behaviours;
}
namespace unpacker {
extern const std::span<const Behaviour> behaviours;
}
namespace matrix {
extern const std::span<const Behaviour> behaviours;
}
namespace vector {
extern const std::span<const Behaviour> behaviours;
}
namespace packer {
extern const std::span<const Behaviour> behaviours;
}

}  // namespace tessera::units
