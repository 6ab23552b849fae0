// SPDX-License-Identifier: Apache-2.0
// Finds the pages of docs/ on this computer.
#pragma once

#include <string>
#include <string_view>

namespace tessera::cli {

/// The file:// URI of a page, such as "reference/findings/hazards.md": installed with this program, or in the source tree of
/// its build. Empty if it is in neither.
std::string page_uri(std::string_view page);

/// A file's path as a URI: absolute paths with the scheme file, others as relative references.
std::string uri_of(std::string_view path);

}  // namespace tessera::cli
