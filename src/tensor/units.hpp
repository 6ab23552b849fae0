// SPDX-License-Identifier: Apache-2.0
// The bytes of one tile, or of one matrix of layout `rows`.
#pragma once

#include "tensor/codecs.hpp"
#include "tensor/places.hpp"

namespace tessera::tensor {

/// `values` are in the order of memory: floats, or integers of an integer format; `bytes` zeros, as many as the unit has.
template <class Value>
void encode_unit(const Unit& unit, const Codec& codec, DataFormat format, const TensorForm& form,
                 std::span<const Value> values, std::span<std::byte> bytes);

/// Values in the order of memory, left-out zeros included; as many integers for an integer format. Error "tensor.data".
Result<void> decode_unit(const Unit& unit, const Codec& codec, std::span<const std::byte> bytes,
                         std::span<float> values, std::int64_t* integers);

/// Bytes that are not the room of zeros left out. Error "tensor.data".
Result<std::size_t> used_bytes(const Unit& unit, std::span<const std::byte> bytes);

}  // namespace tessera::tensor
