// SPDX-License-Identifier: Apache-2.0
// Finds outputs that would overwrite an input or each other, among many.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "tessera/error.hpp"

namespace tessera::util {

/// Device and inode of a file that exists; the canonical path of another.
using FileIdentity = std::variant<std::pair<dev_t, ino_t>, std::string>;

/// Equal for all paths that lead to one file, by links or other spellings. Empty if no file can have the path.
std::optional<FileIdentity> file_identity(const std::string& path);

/// Outputs that are checked one after the other.
class OutputPaths {
public:
    explicit OutputPaths(std::span<const std::string> inputs, std::span<const std::string> outputs = {});

    /// check_output() against the inputs and all outputs before; the path then is an output too.
    Result<void> add(const std::string& path);

private:
    using Paths = std::map<FileIdentity, std::string>;  ///< the first path of each file

    Paths inputs_, outputs_;
};

}  // namespace tessera::util
