// SPDX-License-Identifier: Apache-2.0
// The files that tessera trace writes to while a job runs.
#pragma once

#include <string>
#include <vector>

#include "tessera/output_file.hpp"
#include "tessera/trace.hpp"

namespace tessera::cli {

class TraceFiles {
public:
    /// Makes `sink` write to the file. No path: does nothing. Error "cli.write".
    Result<void> open(const std::string& path, TraceSink& sink) {
        if (path.empty()) return {};
        Result<OutputFile> file = OutputFile::open(path, "cli.write");
        if (!file) return tl::make_unexpected(file.error());
        files_.push_back(std::move(*file));
        sink = [this, number = files_.size() - 1](std::string_view text) { files_[number].write(text); };
        return {};
    }
    /// Puts all files in place, or none.
    Result<void> commit() { return tessera::commit(files_); }

private:
    std::vector<OutputFile> files_;
};

}  // namespace tessera::cli
