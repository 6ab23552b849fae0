// SPDX-License-Identifier: Apache-2.0
// NumPy's file format, without file access.
#pragma once

#include <string>
#include <string_view>

#include "tessera/tensor.hpp"

namespace tessera::tensor {

/// Like read_npy, for a file's contents; errors carry no file name. `for_integers`: float64 gives Matrix::integers, too.
Result<Matrix> parse_npy(std::string_view bytes, bool for_integers = false);

/// Contents of an int64 or float32 file, as write_npy writes it. Error "npy.shape" if the matrix is inconsistent.
Result<std::string> format_npy(const Matrix& matrix);

}  // namespace tessera::tensor
