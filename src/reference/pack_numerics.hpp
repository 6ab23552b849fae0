// SPDX-License-Identifier: Apache-2.0
// What packers do to datums, one at a time: Packers, Format conversion; docs/numerics.md 9; spec-notes E20 to E23.
#pragma once

#include <array>
#include <optional>

#include "reference/machine.hpp"

namespace tessera::reference {

/// The page's variables ("Configuring the conversions").
struct Conversions {
    bool Read_32b_data = false, Round_10b_mant = false, Read_raw = false, Read_unsigned = false;
    std::uint32_t IntermediateFormat = FP32, LateFromFormat = FP32, LateToFormat = FP32;
    std::uint32_t ShiftAmount = 0;
    bool Pac_LF8_4b_exp = false;
    std::uint32_t ApplyRelu = 0, ReluThreshold = 0;
    bool Blackhole = false;
};

/// A datum between the two conversions: a number with an exponent and a mantissa of so many bits, or an integer.
struct Datum {
    unsigned ExpBits = 0, ManBits = 0;  ///< both 0: an integer
    std::uint32_t Sign = 0, Exp = 0, Man = 0;
    std::uint32_t Integer = 0;
    bool IsFP16 = false;  ///< wider than FP16, and the late conversion takes it for one (spec-notes E22)
};

/// From Dst's stored form; nothing where the page's table says No, or where LateFromFormat names another type than the
/// one it makes.
std::optional<Datum> EarlyFormatConversion(const Conversions& c, std::uint32_t stored);

/// Packers, ReLU; nothing for modes that the page does not have for integers.
std::optional<Datum> ReLUStage(const Conversions& c, const Datum& d);

/// To L1's bits. For block floats: sign at bit 15, exponent from bit 7, mantissa of 7 bits.
std::optional<std::uint32_t> LateFormatConversion(const Conversions& c, const Datum& d);

/// Bits of a datum in L1.
unsigned DatumBits(std::uint32_t format);
bool IsBFP(std::uint32_t format);

/// Sixteen datums that share an exponent.
struct BFPGroup {
    std::uint32_t Exponent = 0;
    std::array<std::uint32_t, 16> Datums{};
};
BFPGroup AssembleBFP(const std::array<std::uint32_t, 16>& datums, unsigned bits);

}  // namespace tessera::reference
