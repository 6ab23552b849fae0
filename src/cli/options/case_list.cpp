// SPDX-License-Identifier: Apache-2.0
#include "options/case_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace tessera::cli {

namespace fs = std::filesystem;

std::string case_id(const std::string& path) {
    const fs::path whole = fs::absolute(path).lexically_normal();
    return whole.parent_path().filename().string() + "/" + whole.stem().string();
}

Result<std::vector<std::string>> find_cases(const std::string& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) return fail("cli.path", "no such file or folder", path);
    if (!fs::is_directory(status)) return std::vector<std::string>{path};

    std::vector<std::string> files;
    fs::recursive_directory_iterator at(path, error), end;
    while (!error && at != end) {
        // A link that leads nowhere, or a pipe, is no case, and its reader says so.
        std::error_code ignored;
        if (at->path().extension() == ".json" && at->symlink_status(ignored).type() != fs::file_type::directory)
            files.push_back(at->path().string());
        at.increment(error);
    }
    if (error) return fail("cli.path", error.message(), path);
    if (files.empty()) return fail("cli.path", "no *.json in this folder", path);
    std::sort(files.begin(), files.end());
    return files;
}

Result<std::set<std::string>> read_case_list(const std::string& path) {
    std::ifstream file(path);
    if (!file) return fail("cli.list", "cannot be read", path);
    std::set<std::string> ids;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        line.erase(std::min(line.find('#'), line.size()));
        line.erase(line.find_last_not_of(" \t\r") + 1);
        line.erase(0, line.find_first_not_of(" \t"));
        if (line.empty()) continue;
        if (line.find('/') == std::string::npos || line.find_first_of(" \t") != std::string::npos)
            return fail("cli.list", fmt::format("'{}' is not folder/name", line), path, number);
        ids.insert(line);
    }
    if (file.bad()) return fail("cli.list", "cannot be read", path);
    return ids;
}

std::string case_list_text(const std::set<std::string>& ids) {
    std::string text =
        "# Golden cases that need an instruction or a mode which is not implemented yet, one folder/name a line.\n"
        "# Written by: tessera check --write-not-yet FILE FOLDER\n";
    for (const std::string& id : ids) text += id + '\n';
    return text;
}

}  // namespace tessera::cli
