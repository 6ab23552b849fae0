// SPDX-License-Identifier: Apache-2.0
#include "tessera/data_format.hpp"

namespace tessera {

namespace {

constexpr std::string_view names[] = {"Float32", "Float16", "Bfp8", "Bfp4", "Tf32", "Float16_b", "Bfp8_b", "Bfp4_b",
                                      "Int32",   "UInt16",  "Lf8",  "Bfp2", "12",   "13",        "Int8",   "Bfp2_b"};

constexpr bool is_format(unsigned code) { return code != 12 && code != 13; }

}  // namespace

std::string_view name(DataFormat format) { return names[static_cast<unsigned>(format) & 15]; }

std::optional<DataFormat> parse_data_format(std::string_view text) {
    for (unsigned code = 0; code < 16; ++code)
        if (is_format(code) && names[code] == text) return static_cast<DataFormat>(code);
    return std::nullopt;
}

}  // namespace tessera
