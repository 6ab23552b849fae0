// SPDX-License-Identifier: Apache-2.0
// GPRs of the issuing thread, whole and by halves, and L1 addresses made from them.
#pragma once

#include "units/state_view.hpp"

namespace tessera::units::scalar {

inline state::Cell gpr_cell(const StateView& view, std::uint32_t i) { return state::cells::gpr(view.thread, i); }
inline std::uint32_t gpr(const StateView& view, std::uint32_t i) { return view[gpr_cell(view, i)]; }

/// Half 2n is the low half of GPR n.
inline std::uint32_t half_gpr(const StateView& view, std::uint32_t half) {
    return gpr(view, half / 2) >> half % 2 * 16 & 0xFFFF;
}
/// The GPR of a half, with another value in that half.
inline std::uint32_t with_half(const StateView& view, std::uint32_t half, std::uint32_t value) {
    const unsigned shift = half % 2 * 16;
    return (gpr(view, half / 2) & ~(0xFFFFu << shift)) | (value & 0xFFFF) << shift;
}

/// Whether an address lies in L1; otherwise the plan fails.
inline bool in_l1(const StateView& view, plan::Plan& plan, std::uint32_t address) {
    if (address < view.arch().l1_bytes) return true;
    plan.fail(findings::id("scalar.l1-address"), {address, view.arch().l1_bytes});
    return false;
}

}  // namespace tessera::units::scalar
