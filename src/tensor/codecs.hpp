// SPDX-License-Identifier: Apache-2.0
// Converts whole arrays between values and datums of a format.
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
    /// Nothing for a code without a format, and for device rounding to a format that packers cannot make from FP32.
    static std::optional<Codec> find(DataFormat format, Rounding rounding, std::optional<std::uint8_t> shared_exponent);

    unsigned bits() const { return bits_; }
    bool is_block() const { return blocks_.encode; }
    bool is_integer() const { return scalar_.encode_integers; }

    /// For each value, 1 if a compressed row may omit it, else 0. For integer formats, pass integers.
    std::vector<std::uint8_t> zeros(std::span<const float> values) const;
    std::vector<std::uint8_t> zeros(std::span<const std::int64_t> integers) const;

    /// Writes packed datums. Block formats take whole blocks, and write their exponents unless one exponent is shared
    /// by all.
    void encode(std::span<const float> values, std::byte* datums, std::byte* exponents) const;
    /// Same, for an integer format.
    void encode(std::span<const std::int64_t> integers, std::byte* datums, std::byte* exponents) const;

    /// The inverse of encode(). `integers` has the size of `values` for an integer format, and is ignored otherwise.
    void decode(const std::byte* datums, const std::byte* exponents, std::span<float> values,
                std::int64_t* integers) const;

private:
    Codec(DataFormat format, Rounding rounding, std::optional<std::uint8_t> shared_exponent);

    unsigned bits_;
    ScalarLoops scalar_;
    BlockLoops blocks_;
    std::optional<std::uint8_t> shared_exponent_;
};

}  // namespace tessera::tensor
