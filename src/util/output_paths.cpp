// SPDX-License-Identifier: Apache-2.0
#include "util/output_paths.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <system_error>

#include "util/file_path.hpp"

namespace tessera::util {

namespace fs = std::filesystem;

std::optional<FileIdentity> file_identity(const std::string& path) {
    if (!path_refusal(path).empty()) return std::nullopt;
    struct stat status {};
    if (stat(path.c_str(), &status) == 0) return std::pair(status.st_dev, status.st_ino);
    std::error_code no_folder, no_place;
    const auto place = fs::weakly_canonical(fs::absolute(path, no_folder), no_place);
    if (no_folder || no_place) return std::nullopt;
    return place.string();
}

OutputPaths::OutputPaths(std::span<const std::string> inputs, std::span<const std::string> outputs) {
    for (const auto& path : inputs)
        if (auto file = file_identity(path)) inputs_.emplace(std::move(*file), path);
    for (const auto& path : outputs)
        if (auto file = file_identity(path)) outputs_.emplace(std::move(*file), path);
}

Result<void> OutputPaths::add(const std::string& path) {
    std::error_code ignored;
    auto file = file_identity(path);
    if (!file || fs::is_character_file(path, ignored)) return {};
    if (const auto input = inputs_.find(*file); input != inputs_.end())
        return fail("output.input",
                    fmt::format("the output '{}' would overwrite {}", path,
                                input->second == path ? "an input" : fmt::format("the input '{}'", input->second)),
                    path);
    const auto [other, is_new] = outputs_.emplace(std::move(*file), path);
    if (is_new) return {};
    return fail("output.twice",
                other->second == path ? fmt::format("two outputs are written to '{}'", path)
                                      : fmt::format("two outputs are written to one file: '{}' and '{}'", other->second, path),
                path);
}

}  // namespace tessera::util
