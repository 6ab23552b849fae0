// SPDX-License-Identifier: Apache-2.0
// The bytes of one tile, or of one matrix of layout `rows`.
#pragma once

#include "tensor/codecs.hpp"
#include "tensor/places.hpp"

namespace tessera::tensor {

/// `bytes` are zeros, as many as the unit has.
void encode_unit(const Unit& unit, const Codec& codec, DataFormat format, const TensorForm& form, const Values& values,
                 std::span<std::byte> bytes);

/// Values in the order of memory, left-out zeros included; integers for integer formats. Error "tensor.data".
Result<void> decode_unit(const Unit& unit, const Codec& codec, std::span<const std::byte> bytes,
                         std::vector<float>& values, std::vector<std::int64_t>& integers);

/// Bytes that are not the room of zeros left out. Error "tensor.data".
Result<std::size_t> used_bytes(const Unit& unit, std::span<const std::byte> bytes);

}  // namespace tessera::tensor
