// SPDX-License-Identifier: Apache-2.0
// How SFPLOAD and SFPSTORE convert between Dst's datum and a lane, by mode (their pages, Data type conversions).
#pragma once

#include <cstdint>

#include "plan/work.hpp"
#include "tessera/arch.hpp"

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

plan::LoadLRegWork::Convert load_convert(Mode mode, Arch arch);
/// Mode::fp16 where the largest pattern means infinity (LaneConfig, ENABLE_FP16A_INF).
std::uint32_t load_fp16_with_infinity(std::uint32_t datum, std::uint32_t old);
plan::StoreLRegWork::Convert store_convert(Mode mode, Arch arch);

}  // namespace tessera::units::vector
