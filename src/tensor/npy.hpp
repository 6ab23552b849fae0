// SPDX-License-Identifier: Apache-2.0
// NumPy's file format, apart from files.
#pragma once

#include <string>
#include <string_view>

#include "tessera/tensor.hpp"

namespace tessera::tensor {

/// As read_npy, from a file's contents; errors carry no file.
Result<Matrix> parse_npy(std::string_view bytes);

/// The contents of a file of int64 or float32, as write_npy. Error "npy.shape" when the matrix contradicts itself.
Result<std::string> format_npy(const Matrix& matrix);

}  // namespace tessera::tensor
