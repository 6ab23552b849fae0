// SPDX-License-Identifier: Apache-2.0
// Files of the host: read whole, written whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "tessera/error.hpp"

namespace tessera::tensor {

/// The contents of a regular file. Error `code`.
Result<std::string> read_file(const std::string& path, std::string_view code);

/// A new file that stands beside its target until it is committed, and vanishes if it is not.
class StagedFile {
public:
    /// Error `code`; nothing is left behind then.
    static Result<StagedFile> write(const std::string& path, std::string_view bytes, std::string_view code);

    StagedFile(StagedFile&& other) noexcept;
    StagedFile& operator=(StagedFile&& other) noexcept;
    ~StagedFile();

    /// Puts the file in the target's place.
    Result<void> commit();

private:
    StagedFile() = default;
    void discard() noexcept;

    std::string path_, temporary_, code_;  ///< no temporary: nothing is staged
};

}  // namespace tessera::tensor
