// SPDX-License-Identifier: Apache-2.0
/// @file
/// Files that are written whole or not at all.
#pragma once

#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/error.hpp"

namespace tessera {

/// A file that appears whole or not at all: only commit() changes its path.
///
/// The effect depends on the target of the path:
/// - nothing or a regular file: a temporary file takes its place, and gets the permissions of the old file. If the file
///   system can, the temporary file has no name before, and a process that is killed leaves nothing of it; otherwise it
///   is NAME.N.part;
/// - a FIFO, a character device, or a descriptor of the process (/dev/stdout, /dev/fd/3): it receives all bytes;
/// - a directory, a block device, a socket, or a symbolic link to a file or to nothing: an error; nothing is changed.
///
/// Callers give the code of all errors. Errors name the path.
class OutputFile {
public:
    /// Whether open() would succeed now. Creates nothing.
    static Result<void> check(const std::string& path, std::string_view code);
    /// A file to write to.
    static Result<OutputFile> open(const std::string& path, std::string_view code);
    /// A file that holds these bytes already; only commit() is left.
    static Result<OutputFile> with(const std::string& path, std::string_view bytes, std::string_view code);

    OutputFile(OutputFile&& other) noexcept;             ///< the source may only be assigned to or destroyed afterwards
    OutputFile& operator=(OutputFile&& other) noexcept;  ///< discards what this file had not committed
    /// Discards what was not committed.
    ~OutputFile();

    /// Appends bytes. A failure shows in finish() and commit(). Does nothing after commit().
    void write(std::string_view bytes);
    /// Whether all bytes have arrived. Fails if the disk is full.
    Result<void> finish();
    /// Puts the file in place, or sends the bytes. Once: a second call is an error.
    Result<void> commit();

    /// Whether the path is a FIFO, device or descriptor, which receives bytes and stays in place.
    bool receives() const { return receives_; }

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    OutputFile() = default;
    void discard() noexcept;
    Result<void> send();
    tl::unexpected<Error> cannot(int error) const;

    std::string path_, temporary_, code_;  ///< no temporary: there is none, or it has no name
    std::unique_ptr<std::FILE, Close> file_;
    bool receives_ = false;
    int error_ = 0;  ///< errno of the first write that failed
};

/// Commits all files. Commits none if a device or FIFO refuses its bytes.
Result<void> commit(std::vector<OutputFile>& files);

/// Writes one file. Errors: those of OutputFile.
Result<void> write_file(const std::string& path, std::string_view bytes, std::string_view code);

/// Whether two paths lead to one file, by links or other spellings. Files that do not exist are compared by folder and name.
bool same_file(const std::string& a, const std::string& b);

/// Refuses an output that is also an input ("output.input") or another output ("output.twice"). A character device may be several
/// outputs.
Result<void> check_output(const std::string& path, std::span<const std::string> others,
                          std::span<const std::string> inputs);

}  // namespace tessera
