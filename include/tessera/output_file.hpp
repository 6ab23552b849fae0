// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/error.hpp"

namespace tessera {

/// A file that appears whole or not at all: its path changes in commit() alone. What the path leads to decides how:
/// - nothing, or a regular file: a temporary file beside it is renamed, and gets the permissions of the old file;
/// - a FIFO, a character device, or one of the process's descriptors (/dev/stdout, /dev/fd/3): it receives all bytes;
/// - a directory, a block device, a socket, or a symbolic link to a file or to nothing: an error, and nothing is touched.
/// All errors have the code that is given, and name the path.
class OutputFile {
public:
    /// Whether open() would succeed now; creates nothing.
    static Result<void> check(const std::string& path, std::string_view code);
    static Result<OutputFile> open(const std::string& path, std::string_view code);
    /// A file with these bytes, which only has to be committed.
    static Result<OutputFile> with(const std::string& path, std::string_view bytes, std::string_view code);

    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&& other) noexcept;
    /// Discards what was not committed.
    ~OutputFile();

    void write(std::string_view bytes);
    /// Whether all that was written has arrived, which a full disk prevents.
    Result<void> finish();
    Result<void> commit();

    /// Whether the path is something that receives bytes, and keeps its place.
    bool receives() const { return receives_; }

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    OutputFile() = default;
    void discard() noexcept;
    Result<void> send();
    tl::unexpected<Error> cannot(int error) const;

    std::string path_, temporary_, code_;  ///< no temporary: none is to be removed
    std::unique_ptr<std::FILE, Close> file_;
    bool receives_ = false;
    int error_ = 0;  ///< errno of the first write that failed
};

/// Commits all of them, or none if a device or FIFO refuses its bytes.
Result<void> commit(std::vector<OutputFile>& files);

/// Writes one file. Errors as OutputFile.
Result<void> write_file(const std::string& path, std::string_view bytes, std::string_view code);

/// Whether two paths lead to one file, by links or by other spellings. Files that do not exist are compared by their place.
bool same_file(const std::string& a, const std::string& b);

/// Refuses an output that is also an input or another output. Character devices may be several. Errors "output.input",
/// "output.twice".
Result<void> check_output(const std::string& path, std::span<const std::string> others,
                          std::span<const std::string> inputs);

}  // namespace tessera
