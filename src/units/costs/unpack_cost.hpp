// SPDX-License-Identifier: Apache-2.0
// How fast unpackers read L1: speeds, what chooses among them, and what two unpackers leave each other.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "plan/plan.hpp"
#include "units/costs/source.hpp"

namespace tessera::units {

/// The speeds of UNPACR_Regular, Performance, and Blackhole's fourth.
enum class Speed : std::uint8_t { x1, x2, x4, x8 };
inline constexpr unsigned speeds = plan::Transfer::speeds;
constexpr std::string_view name(Speed speed) {
    constexpr std::string_view names[] = {"x1", "x2", "x4", "x8"};
    return names[static_cast<unsigned>(speed)];
}

/// What an UNPACR is like, as far as its speed depends on it.
struct SpeedCase {
    bool compressed = false;
    bool tilize = false;
    bool to_dst = false;
    std::uint8_t gap = 0;  ///< output positions behind each datum
    std::uint8_t datum_bits = 0;
};

/// A mode that takes the choice of speed away from Throttle_mode, or a part of it. Of several that apply the last counts.
struct SpeedRule {
    bool (*applies)(const SpeedCase&);
    Speed speed;
    bool or_slower;  ///< what is asked for may be slower
    std::string_view why;
};
/// UNPACR_Regular, Performance, in its order but for 2-bit datums, which are behind tilize mode.
std::span<const SpeedRule> speed_rules();

/// What the unpackers get while both are transferring.
struct Shared {
    Speed unpacker0, unpacker1;
};

struct UnpackCost {
    std::uint8_t address_cycles;
    std::uint8_t pipeline;  ///< cycles from the last byte fetched to the end
    /// Bytes of datums per cycle by speed, for datums of at most 8 bits and of more.
    std::array<std::array<std::uint16_t, 2>, speeds> bytes_per_cycle;
    std::array<Speed, 4> throttle_modes;
    /// Without ovrd_default_throttle_mode, for datums of 8 bits and others; the same where there is no such bit.
    std::array<Speed, 2> default_speeds;
    Source rates, latency;
    std::uint8_t row_start_cycles;  ///< of address calculation, for each row start of a compressed tile
    Source row_starts;
    Source sharing;

    /// Bytes per cycle.
    std::uint16_t rate(Speed speed, unsigned datum_bits) const {
        return bytes_per_cycle[static_cast<unsigned>(speed)][datum_bits > 8];
    }
    /// The same for unpacker `which` while the other one transfers and wants `other`.
    std::uint16_t rate_beside(unsigned which, Speed wanted, Speed other, unsigned datum_bits) const;
};

}  // namespace tessera::units
