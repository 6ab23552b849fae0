// SPDX-License-Identifier: Apache-2.0
// What matrix and vector unit share about RWCs: which row of Dst an instruction means, and address modifiers, by which
// it leaves the counters behind (seed rwc-and-addressing, 2.2 and 3).
#pragma once

#include "plan/plan.hpp"
#include "units/state_view.hpp"

namespace tessera::units {

/// An address modifier: what it does with the counters.
struct AddrMod {
    /// With a counter and its checkpoint. Clear goes before the rest.
    struct Advance {
        bool clear = false, to_checkpoint = false, from_checkpoint = false;
        std::uint16_t increment = 0, mask = 0;
    };
    Advance src_a, src_b, dst;
    bool fidelity_clear = false;
    std::uint8_t fidelity_increment = 0;
    bool bias_clear = false, bias_flips = false;
};

/// Advances the thread's RWCs by modifier `addr_mod` when the instruction is issued. The vector unit leaves the fidelity
/// phase alone.
void apply_addr_mod(const StateView& view, plan::Plan& plan, unsigned addr_mod, bool update_fidelity = true);

/// Dst row that an instruction with row field `field` means: field + MATH_Offset + RWC + DEST_REGW_BASE.
unsigned dst_row(const StateView& view, unsigned field);

}  // namespace tessera::units
