// SPDX-License-Identifier: Apache-2.0
// The places of register files, and their stored order, which the pages use (docs/internals/layout.md). A second statement of what
// formats/layouts.hpp has, so that a mistake there is none here.
#pragma once

#include <cstdint>

#include "state/state.hpp"

namespace tessera::reference {

/// Sign, mantissa of 10 bits, exponent of 8 bits; kept as the upper 19 bits of an FP32.
inline std::uint32_t read_src(const state::State& state, state::Src which, unsigned Bank, unsigned Row, unsigned Column) {
    const std::uint32_t kept = state.bank(which, Bank).datums[Row * 16 + Column];
    const std::uint32_t sign = kept / 0x8000'0000u, exponent = kept / 0x80'0000u % 256, mantissa = kept % 0x80'0000u / 0x2000u;
    return sign * 0x40000u + mantissa * 0x100u + exponent;
}
inline void write_src(state::State& state, state::Src which, unsigned Bank, unsigned Row, unsigned Column, std::uint32_t stored) {
    const std::uint32_t sign = stored / 0x40000u % 2, mantissa = stored / 0x100u % 1024, exponent = stored % 256;
    auto& bank = state.bank(which, Bank);
    bank.datums[Row * 16 + Column] = sign * 0x8000'0000u + exponent * 0x80'0000u + mantissa * 0x2000u;
    bank.written |= std::uint64_t{1} << Row;
}

/// Sign, mantissa of 7 bits, exponent of 8 bits; kept as a BF16.
inline std::uint32_t read_dst(const state::Dst& dst, unsigned Row, unsigned Column) {
    const std::uint32_t kept = dst.datums[Row * 16 + Column];
    return kept / 0x8000u * 0x8000u + kept % 128 * 0x100u + kept / 128 % 256;
}
inline void write_dst(state::Dst& dst, unsigned Row, unsigned Column, std::uint32_t stored) {
    const std::uint32_t sign = stored / 0x8000u % 2, mantissa = stored / 0x100u % 128, exponent = stored % 256;
    dst.datums[Row * 16 + Column] = static_cast<std::uint16_t>(sign * 0x8000u + exponent * 128 + mantissa);
    dst.written[Row] = true;
}

}  // namespace tessera::reference
