// SPDX-License-Identifier: Apache-2.0
// The packers' arithmetic, one datum at a time: Packers, Format conversion; docs/internals/numerics.md 9; spec-notes
// E20 to E23.
#pragma once

#include <array>
#include <optional>

#include "reference/machine.hpp"

namespace tessera::reference {

/// The packers' generator of random bits (spec-notes E35): the vector unit's shift register, one step per rounded
/// datum.
struct Random {
    std::uint32_t State = 0;
    /// Whether the `Bits` dropped bits in `Discarded` round up: they do if that many random bits are not larger.
    bool rounds_up(std::uint32_t Discarded, unsigned Bits);
};

/// The page's variables ("Configuring the conversions").
struct Conversions {
    bool Read_32b_data = false, Round_10b_mant = false, Read_raw = false, Read_unsigned = false;
    std::uint32_t IntermediateFormat = FP32, LateFromFormat = FP32, LateToFormat = FP32;
    std::uint32_t ShiftAmount = 0;
    bool Pac_LF8_4b_exp = false;
    std::uint32_t ApplyRelu = 0, ReluThreshold = 0;
    bool Blackhole = false;
    Random* EarlyRandom = nullptr;  ///< Gasket_srnd_en
};

/// A datum between the two conversions: a number with these widths of exponent and mantissa, or an integer.
struct Datum {
    unsigned ExpBits = 0, ManBits = 0;  ///< both 0: an integer
    std::uint32_t Sign = 0, Exp = 0, Man = 0;
    std::uint32_t Integer = 0;
    bool IsFP16 = false;  ///< wider than FP16, but the late conversion reads it as FP16 (spec-notes E22)
};

/// A number in its lowest bits: sign, exponent and mantissa.
Datum number(std::uint32_t x, unsigned ExpBits, unsigned ManBits);

/// From Dst's stored form; none if the page's table says No, or LateFromFormat does not name the resulting type.
std::optional<Datum> EarlyFormatConversion(const Conversions& c, std::uint32_t stored);

/// For packer 0 with L1 as its source, instead of the early conversion. The datum's type, as a format code, goes to
/// `c.LateFromFormat`. None if the page's table says No.
std::optional<Datum> FromL1(Conversions& c, std::uint32_t x);
/// Bytes of a datum in L1 or of the addresses of Dst (Packers, Input address generator).
unsigned BytesPerDatum(std::uint32_t In_data_format);

/// The datum's exponent for the histogram (Packers, Exponent histogram); none if it is unspecified.
std::optional<std::uint32_t> HistogramExponent(const Conversions& c, const Datum& d);

/// Packers, Exponent thresholding.
Datum ApplyExponentThresholding(std::uint32_t DataFormat, std::uint32_t Threshold, const Datum& d);

/// Whether compression may leave the datum out.
bool IsZero(const Datum& d);
Datum Zero(const Datum& like);

/// The sum that the adder in front of L1 stores for `L1` and `x`, both of the output format (numerics 9); none for
/// formats without a documented addition.
std::optional<std::uint32_t> Accumulate(std::uint32_t Format, std::uint32_t L1, std::uint32_t x);

/// Packers, ReLU; none for modes that the page lacks for integers.
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
/// `random`: Packer_srnd_en.
BFPGroup AssembleBFP(const std::array<std::uint32_t, 16>& datums, unsigned bits, Random* random = nullptr);

}  // namespace tessera::reference
