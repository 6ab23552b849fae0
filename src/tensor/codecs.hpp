// SPDX-License-Identifier: Apache-2.0
// How datums of a format become bits and back, up to sixteen at a time: those that share an exponent in a block format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "formats/datum_size.hpp"
#include "formats/pack_convert.hpp"
#include "tessera/tensor.hpp"

namespace tessera::tensor {

/// Values in the order of memory. `integers` may be empty, as in a Matrix.
struct Values {
    std::span<const float> values;
    std::span<const std::int64_t> integers;
};

/// Single datums: values of floating-point formats, integers of the others. Block formats have the size alone.
struct ScalarCodec {
    DataFormat format;
    std::uint32_t (*encode)(float) = nullptr;
    float (*decode)(std::uint32_t) = nullptr;
    std::uint32_t (*encode_integer)(std::int64_t) = nullptr;
    std::int64_t (*decode_integer)(std::uint32_t) = nullptr;
};

class Codec {
public:
    /// Nothing for a code that names no format, and for formats that packers do not make from FP32 when they shall round.
    static std::optional<Codec> find(DataFormat format, Rounding rounding, std::optional<std::uint8_t> shared_exponent);

    unsigned bits() const { return bits_; }
    bool is_block() const { return !scalar_; }
    bool is_integer() const { return scalar_ && scalar_->decode_integer; }

    /// True for what may be left out of a compressed row.
    bool is_zero(const Values& values, std::size_t i) const;

    /// At most 16 values, given by index, as packed datums, those of less than a byte in whole bytes; returns the
    /// exponent.
    std::uint8_t encode(const Values& values, std::span<const std::size_t> which, std::byte* datums) const;

    /// Datum `index` of packed ones that begin at a byte.
    std::uint32_t datum(const std::byte* datums, std::size_t index) const;

    float decode(std::uint32_t datum, std::uint8_t exponent) const;
    std::int64_t decode_integer(std::uint32_t datum) const { return scalar_->decode_integer(datum); }

private:
    std::int64_t integer(const Values& values, std::size_t i) const;
    std::uint8_t encode_block(const Values& values, std::span<const std::size_t> which, std::byte* datums) const;

    DataFormat format_ = DataFormat::Float32;
    unsigned bits_ = 0;
    const ScalarCodec* scalar_ = nullptr;  ///< null: a block format
    std::optional<formats::Late> late_;    ///< device rounding
    std::optional<std::uint8_t> shared_exponent_;
};

}  // namespace tessera::tensor
