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
bool load_is_wide(Mode mode);
bool store_is_wide(Mode mode);

}  // namespace tessera::units::vector
