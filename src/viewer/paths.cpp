// SPDX-License-Identifier: Apache-2.0
#include "viewer/paths.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace tessera::viewer {

namespace {

std::string normal(std::string_view path) { return std::filesystem::path(path).lexically_normal().string(); }

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Whether the last parts of a path are these.
bool ends_in(std::string_view path, std::string_view parts) {
    if (!path.ends_with(parts)) return false;
    return path.size() == parts.size() || path[path.size() - parts.size() - 1] == '/';
}

/// The shortest end of a path, in whole parts, that none of the others has.
std::string end_of_its_own(std::string_view path, const std::set<std::string>& others) {
    std::string_view end = last_part(path);
    const auto is_shared = [&](const std::string& other) { return other != path && ends_in(other, end); };
    while (end.size() < path.size() && std::any_of(others.begin(), others.end(), is_shared)) {
        const auto begin = static_cast<std::size_t>(end.data() - path.data());
        const std::size_t slash = begin < 2 ? std::string_view::npos : path.rfind('/', begin - 2);
        end = path.substr(slash == std::string_view::npos ? 0 : slash + 1);
    }
    return std::string(end);
}

}  // namespace

Paths::Paths(const Job& job) {
    std::set<std::string> paths(job.program.files.begin(), job.program.files.end());
    if (job.kernels)
        for (const auto& image : job.kernels->images) {
            if (!image) continue;
            paths.insert(image->file);
            paths.insert(image->files.begin(), image->files.end());
        }
    std::map<std::string, std::set<std::string>, std::less<>> by_last_part;
    for (const std::string& path : paths) by_last_part[std::string(last_part(path))].insert(normal(path));
    for (const std::string& path : paths)
        names_.emplace_back(path, end_of_its_own(normal(path), by_last_part.find(last_part(path))->second));
    std::stable_sort(names_.begin(), names_.end(),
                     [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
}

std::string Paths::shorten(std::string text) const {
    for (const auto& [path, name] : names_) {
        if (path.find('/') == std::string::npos) continue;
        for (std::size_t at = 0; (at = text.find(path, at)) != std::string::npos; at += name.size())
            text.replace(at, path.size(), name);
    }
    return text;
}

std::string Paths::name(std::string_view path) const {
    const auto known = std::find_if(names_.begin(), names_.end(), [&](const auto& one) { return one.first == path; });
    return known == names_.end() ? std::string(last_part(path)) : known->second;
}

}  // namespace tessera::viewer
