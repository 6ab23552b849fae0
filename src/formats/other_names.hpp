// SPDX-License-Identifier: Apache-2.0
// Names of data formats elsewhere.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

#include "tessera/data_format.hpp"

namespace tessera::formats {

/// The format that PyTorch, numpy or a paper calls by this name, in any case: bfloat16, fp32. Not the project's own names.
constexpr std::optional<DataFormat> format_called_elsewhere(std::string_view text) {
    constexpr struct {
        std::string_view name;
        DataFormat format;
    } others[] = {{"bf16", DataFormat::Float16_b}, {"bfloat16", DataFormat::Float16_b}, {"brainfloat16", DataFormat::Float16_b},
                  {"fp16", DataFormat::Float16},   {"half", DataFormat::Float16},       {"fp32", DataFormat::Float32}};
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    for (const auto& other : others)
        if (std::ranges::equal(text, other.name, {}, lower)) return other.format;
    return std::nullopt;
}

}  // namespace tessera::formats
