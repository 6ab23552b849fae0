// SPDX-License-Identifier: Apache-2.0
// RWCs, shared by matrix and vector unit: the row of Dst of an instruction, and address modifiers, which change the
// counters (seed rwc-and-addressing, 2.2 and 3).
#pragma once

#include "plan/plan.hpp"
#include "units/state_view.hpp"

namespace tessera::units {

/// An address modifier: its changes of the counters.
struct AddrMod {
    /// The change of a counter and its checkpoint. Clear takes precedence.
    struct Advance {
        bool clear = false, to_checkpoint = false, from_checkpoint = false;
        std::uint16_t increment = 0, mask = 0;

        bool only_adds() const { return !clear && !to_checkpoint && !from_checkpoint; }
    };
    Advance src_a, src_b, dst;
    bool fidelity_clear = false;
    std::uint8_t fidelity_increment = 0;
    bool bias_clear = false, bias_flips = false;
};

enum class DstCounter : std::uint8_t {
    decides,  ///< about more than its own new value
    moves,    ///< StateView::count(): move_dst_counter() adapts the plan to another value
};
/// Advances the thread's RWCs by modifier `addr_mod` at issue. The vector unit leaves the fidelity phase alone.
void apply_addr_mod(const StateView& view, plan::Plan& plan, unsigned addr_mod, bool update_fidelity = true,
                    DstCounter dst = DstCounter::decides);
/// Dst's counter has another value. The plan is of apply_addr_mod() with DstCounter::moves, without fidelity.
void move_dst_counter(const StateView& view, plan::Plan& plan, unsigned addr_mod);

/// The row of Dst for row field `field`: field + MATH_Offset + RWC + DEST_REGW_BASE.
unsigned dst_row(const StateView& view, unsigned field);

}  // namespace tessera::units
