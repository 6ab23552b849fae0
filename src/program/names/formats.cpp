// SPDX-License-Identifier: Apache-2.0
#include "program/names/formats.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "formats/other_names.hpp"
#include "tessera/format_name.hpp"
#include "util/most_similar.hpp"

namespace tessera {

namespace {

std::vector<std::string_view> format_names() {
    std::vector<std::string_view> names;
    for (const DataFormat format : all_data_formats) names.push_back(name(format));
    return names;
}

}  // namespace

std::optional<DataFormat> program::format_meant(std::string_view text) {
    if (const auto format = parse_data_format(text)) return format;
    if (const auto format = formats::format_called_elsewhere(text)) return format;
    return parse_data_format(util::most_similar(text, format_names()));
}

Result<DataFormat> read_data_format(std::string_view text) {
    if (const auto format = parse_data_format(text)) return *format;
    const auto meant = program::format_meant(text);
    return fail("format.name", fmt::format("'{}' is not a data format{}: {}", text,
                                           meant ? fmt::format(" (did you mean {}?)", name(*meant)) : "",
                                           fmt::join(format_names(), ", ")));
}

}  // namespace tessera
