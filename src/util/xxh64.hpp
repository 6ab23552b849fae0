// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera::util {

/// The hash XXH64 of xxHash: the same on every machine, and not meant to resist attacks. Pass an earlier hash as the seed to chain
/// pieces.
std::uint64_t xxh64(std::span<const std::byte> bytes, std::uint64_t seed);

}  // namespace tessera::util
