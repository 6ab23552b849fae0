// SPDX-License-Identifier: Apache-2.0
// A text file that is written while a run goes on.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "tessera/error.hpp"

namespace tessera::cli {

class OutputFile {
public:
    /// Error "cli.write".
    static Result<OutputFile> open(const std::string& path);

    void write(std::string_view text) { std::fwrite(text.data(), 1, text.size(), file_.get()); }
    /// Error "cli.write" when not all of it is there.
    Result<void> finish();

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    std::string path_;
    std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace tessera::cli
