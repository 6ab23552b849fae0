// SPDX-License-Identifier: Apache-2.0
// What packers do to datums, one at a time: Packers, Format conversion; docs/internals/numerics.md 9; spec-notes E20 to E23.
#pragma once

#include <array>
#include <optional>

#include "reference/machine.hpp"

namespace tessera::reference {

/// The packers' generator of random bits (spec-notes E35): the vector unit's shift register, a step per datum rounded.
struct Random {
    std::uint32_t State = 0;
    /// Whether `Discarded`, the `Bits` bits that rounding drops, round up: random bits of the same number are not larger.
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

/// What a datum of L1 is when packer 0 reads it there, instead of the early conversion; its type, as a format code, goes to
/// `c.LateFromFormat`. Nothing where the page's table says No.
std::optional<Datum> FromL1(Conversions& c, std::uint32_t x);
/// Bytes of a datum in L1 or of the addresses of Dst (Packers, Input address generator).
unsigned BytesPerDatum(std::uint32_t In_data_format);

/// What the exponent histogram takes of a datum (Packers, Exponent histogram); nothing where it is unspecified.
std::optional<std::uint32_t> HistogramExponent(const Conversions& c, const Datum& d);

/// Packers, Exponent thresholding.
Datum ApplyExponentThresholding(std::uint32_t DataFormat, std::uint32_t Threshold, const Datum& d);

/// Whether compression may leave the datum out.
bool IsZero(const Datum& d);
Datum Zero(const Datum& like);

/// What an adder in front of L1 stores for `L1` and `x`, both of the output format (numerics 9); nothing for formats that no
/// source gives an addition.
std::optional<std::uint32_t> Accumulate(std::uint32_t Format, std::uint32_t L1, std::uint32_t x);

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
/// `random`: Packer_srnd_en.
BFPGroup AssembleBFP(const std::array<std::uint32_t, 16>& datums, unsigned bits, Random* random = nullptr);

}  // namespace tessera::reference
