// SPDX-License-Identifier: Apache-2.0
// How values become datums of a format and back, whole arrays at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "formats/datum_size.hpp"
#include "tensor/loops.hpp"
#include "tessera/tensor.hpp"

namespace tessera::tensor {

class Codec {
public:
    /// Nothing for a code that names no format, and for formats that packers do not make from FP32 when they shall round.
    static std::optional<Codec> find(DataFormat format, Rounding rounding, std::optional<std::uint8_t> shared_exponent);

    unsigned bits() const { return bits_; }
    bool is_block() const { return blocks_.encode; }
    bool is_integer() const { return scalar_.encode_integers; }

    /// 1 for what may be left out of a compressed row, else 0. Integers are those of integer formats.
    std::vector<std::uint8_t> zeros(std::span<const float> values) const;
    std::vector<std::uint8_t> zeros(std::span<const std::int64_t> integers) const;

    /// Packed datums of values; of a block format whole blocks, whose exponents, if they are not one for all, are written, too.
    void encode(std::span<const float> values, std::byte* datums, std::byte* exponents) const;
    /// The same for an integer format.
    void encode(std::span<const std::int64_t> integers, std::byte* datums, std::byte* exponents) const;

    /// The inverse; `integers` are as many as the values for an integer format, and not looked at for others.
    void decode(const std::byte* datums, const std::byte* exponents, std::span<float> values,
                std::int64_t* integers) const;

private:
    unsigned bits_ = 0;
    ScalarLoops scalar_;
    BlockLoops blocks_;
    std::optional<std::uint8_t> shared_exponent_;
};

}  // namespace tessera::tensor
