// SPDX-License-Identifier: Apache-2.0
// Configurations of a packer's two conversions, in the forms of units and reference, and the units' loops for them.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>

#include "formats/layouts.hpp"
#include "formats/pack_convert.hpp"
#include "reference/pack_numerics.hpp"

namespace tessera::test {

/// One configuration, as the units and the reference spell it.
struct PackCase {
    formats::EarlyConversion early;
    bool e4m3 = false;

    reference::Conversions reference() const {
        reference::Conversions c;
        c.Read_32b_data = early.read_32b;
        c.Round_10b_mant = early.round_10b;
        c.Read_raw = early.raw;
        c.Read_unsigned = early.is_unsigned;
        c.IntermediateFormat = static_cast<std::uint32_t>(early.intermediate);
        c.LateFromFormat = static_cast<std::uint32_t>(early.late_from);
        c.LateToFormat = static_cast<std::uint32_t>(early.late_to);
        c.Pac_LF8_4b_exp = e4m3;
        c.Blackhole = early.wide_to_fp16;
        return c;
    }
    std::string describe() const {
        return fmt::format("{} bits{}{}{}{}, intermediate {}, from {} to {}{}", early.read_32b ? 32 : 16,
                           early.raw ? " raw" : "", early.is_unsigned ? " unsigned" : "",
                           early.round_10b ? " round_10b" : "", early.wide_to_fp16 ? " Blackhole" : "",
                           name(early.intermediate), name(early.late_from), name(early.late_to), e4m3 ? " E4M3" : "");
    }
};

struct PackLoops {
    formats::Early early;
    formats::Late late;
};
inline std::optional<PackLoops> pack_loops(const PackCase& c) {
    const auto early = formats::pack_early(c.early);
    if (!early) return std::nullopt;
    const auto late = formats::pack_late(early->type, c.early.late_to, c.e4m3);
    if (!late) return std::nullopt;
    return PackLoops{*early, *late};
}

/// A word of L1.
inline std::uint32_t from_bytes(const std::uint8_t* bytes, unsigned n) {
    std::uint32_t result = 0;
    for (unsigned b = 0; b < n; ++b) result |= std::uint32_t{bytes[b]} << 8 * b;
    return result;
}

/// A datum of Dst as the units take it, of its stored form.
inline std::uint32_t plain_datum(std::uint32_t stored, bool wide) {
    return wide ? formats::dst_join(formats::dst_from_stored(stored >> 16), formats::dst_low(stored))
                : formats::dst_from_stored(stored);
}

/// The datums read from Dst, and their form.
struct DstRead {
    bool wide = false, raw = false, is_unsigned = false, round_10b = false, blackhole = false;
};
constexpr PackCase pack_case(DstRead from, DataFormat through, DataFormat to) {
    return {{from.wide, from.raw, from.is_unsigned, from.round_10b, from.blackhole, through, through, to}, false};
}

/// Every intermediate type that the configuration can make, to a format that keeps it.
inline constexpr PackCase relu_cases[] = {
    pack_case({.wide = true, .raw = true}, DataFormat::Float32, DataFormat::Float32),
    pack_case({.wide = true}, DataFormat::Tf32, DataFormat::Tf32),
    pack_case({.wide = true, .round_10b = true, .blackhole = true}, DataFormat::Float16, DataFormat::Float16),
    pack_case({.raw = true}, DataFormat::Float16_b, DataFormat::Float16_b),
    pack_case({}, DataFormat::Bfp8_b, DataFormat::Float16_b),
    pack_case({.raw = true}, DataFormat::Float16, DataFormat::Float16),
    pack_case({.raw = true}, DataFormat::Bfp8, DataFormat::Float16),
    pack_case({}, DataFormat::Bfp8, DataFormat::Float16),
    pack_case({.raw = true}, DataFormat::Lf8, DataFormat::Float16),
    pack_case({.wide = true}, DataFormat::Int32, DataFormat::Int32),
    pack_case({}, DataFormat::UInt16, DataFormat::UInt16),
    pack_case({.wide = true}, DataFormat::Int8, DataFormat::Int8),
    pack_case({.wide = true, .is_unsigned = true}, DataFormat::Int8, DataFormat::Int8),
};

}  // namespace tessera::test
