// SPDX-License-Identifier: Apache-2.0
// Cases by file and by id, and lists of ids.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tessera/error.hpp"

namespace tessera::cli {

/// "blackhole/adc_000": the case file's folder and its name without extension.
std::string case_id(const std::string& path);

/// The case files of a path: the file itself, or all *.json below a folder but folders, in order. Error "cli.path".
Result<std::vector<std::string>> find_cases(const std::string& path);

/// Reads a list of case ids: one per line, '#' starts a comment. Error "cli.list".
Result<std::set<std::string>> read_case_list(const std::string& path);

/// The text of such a list.
std::string case_list_text(const std::set<std::string>& ids);

}  // namespace tessera::cli
