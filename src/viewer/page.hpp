// SPDX-License-Identifier: Apache-2.0
// The page: its parts, embedded by the build, and how they become one file.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tessera::viewer {

/// A file of src/viewer/page.
struct PagePart {
    std::string_view name, text;
};
std::span<const PagePart> page_parts();

/// A part of HTML with every style and script that it names in its place, and with the data, which are JSON and blocks of base64.
std::string join_page(std::string_view html, std::string_view data, std::span<const std::string> blocks);

}  // namespace tessera::viewer
