// SPDX-License-Identifier: Apache-2.0
#include "tessera/format_name.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "formats/other_names.hpp"
#include "tessera/similar_name.hpp"

namespace tessera {

Result<DataFormat> read_data_format(std::string_view text) {
    if (const auto format = parse_data_format(text)) return *format;
    std::vector<std::string_view> names;
    for (const DataFormat format : all_data_formats) names.push_back(name(format));
    const auto meant = formats::format_called_elsewhere(text);
    const std::string hint = meant ? fmt::format(" (did you mean {}?)", name(*meant)) : suggestion(text, names);
    return fail("format.name", fmt::format("'{}' is not a data format{}: {}", text, hint, fmt::join(names, ", ")));
}

}  // namespace tessera
