// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "tessera/data_format.hpp"

namespace tessera::program {

/// The format of that name, of that name elsewhere (bfloat16), or of the nearest spelling.
std::optional<DataFormat> format_meant(std::string_view text);

}  // namespace tessera::program
