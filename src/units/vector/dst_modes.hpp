// SPDX-License-Identifier: Apache-2.0
// The modes of SFPLOAD and SFPSTORE (their pages).
#pragma once

#include <cstdint>

namespace tessera::units::vector {

/// Mod0 of SFPLOAD and SFPSTORE, as their pages number it.
enum class Mode : std::uint8_t {
    srcb,
    fp16,
    bf16,
    fp32,
    int32,
    int8,
    uint16,
    hi16,
    int16,
    lo16,
    int32_all,
    zero,
    int32_sm,
    int8_comp,
    lo16_only,
    hi16_only
};

/// Whether a mode works on Dst's 32-bit view; the two directions differ. Mode::srcb must have been replaced.
constexpr bool load_is_wide(Mode mode) {
    return mode == Mode::fp32 || mode == Mode::int32 || mode == Mode::int32_all || mode == Mode::int32_sm;
}
constexpr bool store_is_wide(Mode mode) { return load_is_wide(mode) || mode == Mode::lo16 || mode == Mode::hi16; }

}  // namespace tessera::units::vector
