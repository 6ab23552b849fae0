// SPDX-License-Identifier: Apache-2.0
#include "units/costs/unpack_cost.hpp"

#include <algorithm>

namespace tessera::units {

namespace {

using enum Speed;

constexpr SpeedRule rules[] = {
    {[](const SpeedCase& c) { return c.tilize; }, x4, false, "tilize mode is always x4"},
    {[](const SpeedCase& c) { return c.compressed; }, x1, false, "a compressed tile is read at x1"},
    {[](const SpeedCase& c) { return c.gap >= 3; }, x1, false, "three positions or more behind each datum: x1"},
    {[](const SpeedCase& c) { return c.datum_bits == 2; }, x1, false, "datums of 2 bits are always read at x1"},
    {[](const SpeedCase& c) { return c.gap == 1; }, x2, true, "a position behind each datum: at most x2"},
    {[](const SpeedCase& c) { return c.to_dst && c.datum_bits == 4; }, x2, true, "datums of 4 bits to Dst: at most x2"},
};

// UNPACR_Regular, Performance: rows by the speed of unpacker 1, columns by the speed of unpacker 0.
constexpr unsigned shared_speeds = 3;
constexpr Shared both_transfer[shared_speeds][shared_speeds] = {
    {{x1, x1}, {x2, x1}, {x4, x1}},
    {{x1, x2}, {x1, x1}, {x2, x1}},
    {{x1, x4}, {x1, x2}, {x2, x2}},
};

}  // namespace

std::span<const SpeedRule> speed_rules() { return rules; }

// The table ends at x4, and x8 counts as x4. A doubled speed reads twice as much, so each step down halves the
// unpacker's full rate. On Blackhole that is more than the table's 64 bytes (spec-notes F3).
std::uint16_t UnpackCost::rate_beside(unsigned which, Speed wanted, Speed other, unsigned datum_bits) const {
    if (independent) return rate(wanted, datum_bits);
    const auto of = [&](unsigned u) { return std::min(u == which ? wanted : other, x4); };
    const Shared& shared = both_transfer[static_cast<unsigned>(of(1))][static_cast<unsigned>(of(0))];
    const Speed got = which ? shared.unpacker1 : shared.unpacker0;
    const unsigned steps = static_cast<unsigned>(of(which)) - static_cast<unsigned>(got);
    return static_cast<std::uint16_t>(rate(wanted, datum_bits) >> steps);
}

}  // namespace tessera::units
