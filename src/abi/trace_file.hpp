// SPDX-License-Identifier: Apache-2.0
// A trace of the session in a file: JSON lines, or a timeline if the name ends in ".json".
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tessera/hosted_trace.hpp"

namespace tessera::abi {

class TraceFile {
public:
    /// Adds the trace to the options of a chip that is then made. Errors: those of HostedTrace::begin(), "trace.file".
    static Result<std::unique_ptr<TraceFile>> begin(Arch arch, HostedChipOptions& options, const std::string& path);
    /// Of a session that has not ended: writes what has come, and closes the timeline.
    ~TraceFile();
    TraceFile(const TraceFile&) = delete;
    TraceFile& operator=(const TraceFile&) = delete;

    /// So much time has passed. Writes what has come, every few thousand cycles. Error "trace.file", once: the file cannot be written any more.
    Result<void> passed(std::uint64_t cycles);
    /// Ends the trace before its chip ends. Errors as of passed().
    Result<void> finish(HostedChip& chip);

private:
    TraceFile(std::FILE* file, std::string path);
    bool is_timeline() const { return path_.ends_with(".json"); }
    /// A child process has a copy, and leaves the file to its parent.
    bool is_own() const { return process_ == getpid(); }
    void write(std::string_view text);
    /// Error "trace.file" at the first call behind a failure.
    Result<void> failure();

    std::FILE* const file_;
    const std::string path_;
    const pid_t process_;
    std::optional<HostedTrace> trace_;
    std::uint64_t cycles_ = 0;  ///< since it was written
    int failure_ = 0;           ///< errno of the first write that failed
    bool finished_ = false, told_ = false;
};

}  // namespace tessera::abi
