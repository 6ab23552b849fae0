// SPDX-License-Identifier: Apache-2.0
#include "viewer/paths.hpp"

#include <algorithm>

namespace tessera::viewer {

Paths::Paths(const Job& job) {
    const auto add = [&](const std::string& path) {
        const std::size_t slash = path.rfind('/');
        if (slash != std::string::npos) names_.emplace_back(path, path.substr(slash + 1));
    };
    for (const auto& file : job.program.files) add(file);
    if (job.kernels)
        for (const auto& image : job.kernels->images) {
            if (!image) continue;
            add(image->file);
            for (const auto& file : image->files) add(file);
        }
    std::sort(names_.begin(), names_.end(),
              [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
}

std::string Paths::shorten(std::string text) const {
    for (const auto& [path, name] : names_)
        for (std::size_t at; (at = text.find(path)) != std::string::npos;) text.replace(at, path.size(), name);
    return text;
}

}  // namespace tessera::viewer
