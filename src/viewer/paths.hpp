// SPDX-License-Identifier: Apache-2.0
// Keeps directories of the computer out of a page: of each file that a job names, texts get the name alone.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tessera/job.hpp"

namespace tessera::viewer {

class Paths {
public:
    explicit Paths(const Job& job);
    /// The text with each known path replaced by its name.
    std::string shorten(std::string text) const;
    /// A path's last part. Of several files that share it, as much of the end of the path as tells them apart.
    std::string name(std::string_view path) const;

private:
    std::vector<std::pair<std::string, std::string>> names_;  ///< path, and its name; the longest path first
};

}  // namespace tessera::viewer
