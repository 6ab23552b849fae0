// SPDX-License-Identifier: Apache-2.0
// The bytes of one tile, or of one matrix of layout `rows`.
#pragma once

#include "tensor/codecs.hpp"
#include "tensor/places.hpp"

namespace tessera::tensor {

/// Encodes a unit. `values` are in memory order: floats, or integers for an integer format. `bytes` must be zero and
/// have the unit's size.
template <class Value>
void encode_unit(const Unit& unit, const Codec& codec, DataFormat format, const TensorForm& form,
                 std::span<const Value> values, std::span<std::byte> bytes);

/// Decodes a unit. Values are in memory order and include omitted zeros; an integer format fills as many integers.
/// Error "tensor.data".
Result<void> decode_unit(const Unit& unit, const Codec& codec, std::span<const std::byte> bytes,
                         std::span<float> values, std::int64_t* integers);

/// Size without the space of omitted zeros. Error "tensor.data".
Result<std::size_t> used_bytes(const Unit& unit, std::span<const std::byte> bytes);

}  // namespace tessera::tensor
