// SPDX-License-Identifier: Apache-2.0
// A trace of the session in a file: JSON lines, or a timeline if the name ends in ".json".
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "tessera/hosted_trace.hpp"

namespace tessera::abi {

class TraceFile {
public:
    /// Adds the trace to the options of a chip that is then made. Errors: those of HostedTrace::begin(), "trace.file".
    static Result<std::unique_ptr<TraceFile>> begin(Arch arch, HostedChipOptions& options, const std::string& path);
    ~TraceFile();
    TraceFile(const TraceFile&) = delete;
    TraceFile& operator=(const TraceFile&) = delete;

    /// Ends the trace before its chip ends.
    void finish(HostedChip& chip) { trace_->finish(chip.so_far()); }

private:
    explicit TraceFile(std::FILE* file) : file_(file) {}

    std::FILE* const file_;
    std::optional<HostedTrace> trace_;
};

}  // namespace tessera::abi
