// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace tessera::util {

/// The candidate that suggestion() names; empty if none is close.
std::string_view most_similar(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace tessera::util
