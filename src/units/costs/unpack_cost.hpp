// SPDX-License-Identifier: Apache-2.0
// The speed of unpackers' reads of L1: the speeds, the modes that choose them, and the rates of two competing
// unpackers.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "plan/plan.hpp"
#include "units/costs/source.hpp"

namespace tessera::units {

/// The speeds of UNPACR_Regular, Performance, and the fourth one of Blackhole.
enum class Speed : std::uint8_t { x1, x2, x4, x8 };
inline constexpr unsigned speeds = plan::Transfer::speeds;
constexpr std::string_view name(Speed speed) {
    constexpr std::string_view names[] = {"x1", "x2", "x4", "x8"};
    return names[static_cast<unsigned>(speed)];
}

/// The properties of an UNPACR that its speed depends on.
struct SpeedCase {
    bool compressed = false;
    bool tilize = false;
    bool to_dst = false;
    std::uint8_t gap = 0;  ///< output positions after each datum
    std::uint8_t datum_bits = 0;
};

/// A mode that overrides Throttle_mode, or a part of it. If several apply, the last one counts.
struct SpeedRule {
    bool (*applies)(const SpeedCase&);
    Speed speed;
    bool or_slower;  ///< Throttle_mode may ask for less
    std::string_view why;
};
/// In the order of UNPACR_Regular, Performance, except that 2-bit datums follow tilize mode.
std::span<const SpeedRule> speed_rules();

/// The rates while both unpackers transfer.
struct Shared {
    Speed unpacker0, unpacker1;
};

struct UnpackCost {
    std::uint8_t address_cycles;
    std::uint8_t pipeline;  ///< cycles from the last fetched byte to the end
    /// Bytes of datums per cycle by speed, for datums of at most 8 bits and of more.
    std::array<std::array<std::uint16_t, 2>, speeds> bytes_per_cycle;
    std::array<Speed, 4> throttle_modes;
    /// Without ovrd_default_throttle_mode: for datums of 8 bits, and for others. Equal if the architecture has no
    /// such bit.
    std::array<Speed, 2> default_speeds;
    Source rates, latency;
    std::uint8_t row_start_cycles;  ///< of address calculation per row start of a compressed tile
    Source row_starts;
    Source sharing;
    bool independent = false;  ///< both unpackers transfer at their own rates
    std::uint8_t drain = 0;    ///< cycles from the last fetched byte until an unpacker can start its next UNPACR

    /// In bytes per cycle.
    std::uint16_t rate(Speed speed, unsigned datum_bits) const {
        return bytes_per_cycle[static_cast<unsigned>(speed)][datum_bits > 8];
    }
    /// The rate of unpacker `which` while the other one transfers at speed `other`.
    std::uint16_t rate_beside(unsigned which, Speed wanted, Speed other, unsigned datum_bits) const;
};

}  // namespace tessera::units
