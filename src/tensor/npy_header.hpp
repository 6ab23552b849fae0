// SPDX-License-Identifier: Apache-2.0
// The header of a .npy file: a Python dictionary with three entries.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/error.hpp"

namespace tessera::tensor {

struct NpyHeader {
    std::string descr;
    bool fortran_order = false;
    std::vector<std::size_t> shape;
};

/// Errors "npy.format", "npy.dtype" (a dtype of several fields), "npy.shape" (sizes beyond 64 bits, too many).
Result<NpyHeader> parse_npy_header(std::string_view text);

}  // namespace tessera::tensor
