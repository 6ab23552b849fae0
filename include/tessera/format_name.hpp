// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "tessera/data_format.hpp"
#include "tessera/error.hpp"

namespace tessera {

/// parse_data_format() for what a user wrote: the error names all formats, and the one that is spelled most like it. Error
/// "format.name".
Result<DataFormat> read_data_format(std::string_view text);

}  // namespace tessera
