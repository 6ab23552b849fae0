// SPDX-License-Identifier: Apache-2.0
/// @file
/// Names of formats that users write.
#pragma once

#include <string_view>

#include "tessera/data_format.hpp"
#include "tessera/error.hpp"

namespace tessera {

/// parse_data_format() of user input. Error "format.name" lists all formats and suggests the nearest spelling.
Result<DataFormat> read_data_format(std::string_view text);

}  // namespace tessera
