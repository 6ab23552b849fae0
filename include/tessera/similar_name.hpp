// SPDX-License-Identifier: Apache-2.0
/// @file
/// The hint of an error about an unknown name.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tessera {

/// " (did you mean NAME?)" with the most similar candidate; empty if none is close.
///
/// Letter case is ignored, and a blank equals an underscore, which is how the text spells it.
std::string suggestion(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace tessera
