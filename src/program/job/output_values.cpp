// SPDX-License-Identifier: Apache-2.0
#include "program/job/output_values.hpp"

#include <fmt/format.h>

#include "tensor/npy.hpp"

namespace tessera::program {

Result<OutputValue> output_value(const Job::Output& output, std::vector<std::byte> bytes) {
    if (output.size) return OutputValue(std::move(bytes));
    return from_bytes(bytes, output.rows, output.cols, output.format, output.form)
        .map([](Matrix matrix) { return OutputValue(std::move(matrix)); })
        .map_error([&](Error error) {
            error.message = fmt::format("the bytes from 0x{:X} are no array for '{}': {}", output.address, output.path, error.message);
            return error;
        });
}

Result<std::string> file_text(const OutputValue& value) {
    if (const auto* matrix = std::get_if<Matrix>(&value)) return tensor::format_npy(*matrix);
    const auto& bytes = std::get<std::vector<std::byte>>(value);
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace tessera::program
