// SPDX-License-Identifier: Apache-2.0
// The packers' conversions between Dst and L1 (Packers, Format conversion; numerics 9): an early one to an
// intermediate type, a late one to the output format, and for block floats the assembly of 16 datums with one
// exponent. Each is one loop, chosen once. A row of 16 passes through them in turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "tessera/data_format.hpp"

namespace tessera::formats {

/// The result of an early conversion, and the form of datums between the two conversions.
enum class PackType : std::uint8_t {
    fp32,       ///< FP32
    tf32,       ///< FP32, the low 13 bits zero
    wide_fp16,  ///< TF32 that a late conversion reads as FP16 (spec-notes E22)
    bf16,       ///< BF16; E8M6 with the lowest bit zero
    fp16,       ///< FP16
    e5m7,       ///< FP16, the low 3 bits zero; E5M6 with the low 4
    fp8,        ///< FP16, the low 8 bits zero
    int32,      ///< sign and magnitude
    int16,      ///< the 16 bits of Dst in stored order
    int8        ///< sign at bit 7 and magnitude, or eight bits of magnitude
};

/// Input in Dst's form: 16 bits, or high and low half. `shift` moves integers to the right.
using PackEarly = void (*)(const std::uint32_t* in, std::uint32_t* out, std::size_t n, unsigned shift);
/// The same, rounding with the bits of a generator instead of to nearest (spec-notes E35).
using PackRandomEarly = void (*)(const std::uint32_t* in, std::uint32_t* out, std::size_t n, unsigned shift,
                                 std::uint32_t& random);
/// To whole words: datums of the output format, or the 16-bit input of a PackBlock.
using PackLate = void (*)(const std::uint32_t* in, std::uint8_t* out, std::size_t n);
/// Sixteen datums (sign at bit 15, exponent, mantissa of 7 bits) to their data bytes; returns the shared exponent.
using PackBlock = std::uint8_t (*)(const std::uint16_t* in, std::uint8_t* out);
using PackRandomBlock = std::uint8_t (*)(const std::uint16_t* in, std::uint8_t* out, std::uint32_t& random);

/// The configuration that an early conversion depends on.
struct EarlyConversion {
    bool read_32b = false;      ///< PCK_DEST_RD_CTRL_Read_32b_data
    bool raw = false;           ///< PCK_DEST_RD_CTRL_Read_int8: no rounding, flushing or saturation
    bool is_unsigned = false;   ///< PCK_DEST_RD_CTRL_Read_unsigned
    bool round_10b = false;     ///< PCK_DEST_RD_CTRL_Round_10b_mant
    bool wide_to_fp16 = false;  ///< ArchDescription::packs_wide_to_fp16
    DataFormat intermediate = DataFormat::Float32;
    DataFormat late_from = DataFormat::Float32;  ///< In_data_format
    DataFormat late_to = DataFormat::Float32;    ///< Out_data_format

    /// Whether wider datums become FP16, for which `raw` has no effect (spec-notes E22).
    bool narrows_to_fp16() const { return wide_to_fp16 && round_10b && intermediate == DataFormat::Float16; }
};

/// Early conversions that also exist as vector code for whole rows (pack_lanes-inl.hpp).
enum class EarlyLanes : std::uint8_t {
    none,
    same_16,     ///< a datum of 16 bits as it is
    bf16_of_16,  ///< rounded, flushed and saturated
    bf16_of_32,
    high_half,  ///< of a datum of 32 bits
    fp16,       ///< flushed
    fp16_raw,
    same_32
};

/// The type that an early conversion reads Dst's datums as.
enum class DstNumbers : std::uint8_t { any, exponent_8, exponent_5, integer };

struct Early {
    PackType type;
    PackEarly convert;
    PackRandomEarly random;  ///< null where nothing is rounded
    EarlyLanes lanes = EarlyLanes::none;
    DstNumbers takes = DstNumbers::any;
    bool assumed = false;  ///< the page has no such conversion (spec-notes E66)
};

/// None if the page's table lacks the conversion, or In_data_format does not name its result.
std::optional<Early> pack_early(const EarlyConversion& how);

/// Replaces datums between the two conversions, in place.
using PackRelu = void (*)(std::uint32_t* datums, std::size_t n, std::uint32_t threshold);

struct Relu {
    PackRelu apply;
    std::uint32_t threshold;  ///< in the form of the datums
};

/// STACC_RELU: `mode` 1 to 3 of ApplyRelu. The threshold is a BF16, or an FP16 for types with 5-bit exponents. None
/// for thresholds of integers and for UINT8.
std::optional<Relu> pack_relu(PackType type, bool is_unsigned, unsigned mode, std::uint32_t threshold);

struct Late {
    PackLate convert;
    PackBlock block;          ///< null for formats other than block floats
    PackRandomBlock random;   ///< null likewise
    std::uint8_t word_bytes;  ///< size of `convert`'s words
    std::uint8_t datum_bits;  ///< in L1, without the shared exponent
    bool same = false;        ///< `convert` just stores the low bits of its datums
};

/// `e4m3` (THCON_SEC0_REG1_Pac_LF8_4b_exp) makes Lf8 an E4M3. None if the page's table says No.
std::optional<Late> pack_late(PackType from, DataFormat to, bool e4m3);

/// Whether a format has a shared exponent.
constexpr bool is_block_float(DataFormat format) {
    const unsigned code = static_cast<unsigned>(format) & 15;
    return (code & 2) && code != static_cast<unsigned>(DataFormat::Lf8) &&
           code != static_cast<unsigned>(DataFormat::Int8);
}

}  // namespace tessera::formats
