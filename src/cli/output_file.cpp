// SPDX-License-Identifier: Apache-2.0
#include "output_file.hpp"

#include <cerrno>
#include <cstring>

namespace tessera::cli {

Result<OutputFile> OutputFile::open(const std::string& path) {
    OutputFile output;
    output.path_ = path;
    output.file_.reset(std::fopen(path.c_str(), "w"));
    if (!output.file_) return tl::make_unexpected(Error{"cli.write", std::strerror(errno), path, 0, 0});
    return output;
}

Result<void> OutputFile::finish() {
    if (std::fflush(file_.get()) != 0 || std::ferror(file_.get()))
        return tl::make_unexpected(Error{"cli.write", "could not write the whole trace", path_, 0, 0});
    return {};
}

}  // namespace tessera::cli
