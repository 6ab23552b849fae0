// SPDX-License-Identifier: Apache-2.0
// The modes of SFPLOAD and SFPSTORE (their pages).
#pragma once

#include <cstdint>

#include "isa/values/vector.hpp"

namespace tessera::units::vector {

/// Mod0 of SFPLOAD and SFPSTORE, as their pages number it.
enum class Mode : std::uint8_t {
    srcb = isa::value(isa::values::dst_modes, "srcb"),
    fp16 = isa::value(isa::values::dst_modes, "fp16"),
    bf16 = isa::value(isa::values::dst_modes, "bf16"),
    fp32 = isa::value(isa::values::dst_modes, "fp32"),
    int32 = isa::value(isa::values::dst_modes, "int32"),
    int8 = isa::value(isa::values::dst_modes, "int8"),
    uint16 = isa::value(isa::values::dst_modes, "uint16"),
    hi16 = isa::value(isa::values::dst_modes, "hi16"),
    int16 = isa::value(isa::values::dst_modes, "int16"),
    lo16 = isa::value(isa::values::dst_modes, "lo16"),
    int32_all = isa::value(isa::values::dst_modes, "int32_all"),
    zero = isa::value(isa::values::dst_modes, "zero"),
    int32_sm = isa::value(isa::values::dst_modes, "int32_sm"),
    int8_comp = isa::value(isa::values::dst_modes, "int8_comp"),
    lo16_only = isa::value(isa::values::dst_modes, "lo16_only"),
    hi16_only = isa::value(isa::values::dst_modes, "hi16_only"),
};

/// Whether a mode works on Dst's 32-bit view; loads and stores differ. Mode::srcb must have been replaced.
constexpr bool load_is_wide(Mode mode) {
    return mode == Mode::fp32 || mode == Mode::int32 || mode == Mode::int32_all || mode == Mode::int32_sm;
}
constexpr bool store_is_wide(Mode mode) { return load_is_wide(mode) || mode == Mode::lo16 || mode == Mode::hi16; }

}  // namespace tessera::units::vector
