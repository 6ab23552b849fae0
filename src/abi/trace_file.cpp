// SPDX-License-Identifier: Apache-2.0
#include "abi/trace_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tessera::abi {

Result<std::unique_ptr<TraceFile>> TraceFile::begin(Arch arch, HostedChipOptions& options, const std::string& path) {
    std::FILE* const file = std::fopen(path.c_str(), "we");
    if (!file) return fail("trace.file", fmt::format("TESSERA_TRACE={}: the file cannot be written: {}", path, std::strerror(errno)));
    std::unique_ptr<TraceFile> made(new TraceFile(file));
    const TraceSink sink = [file](std::string_view text) { std::fwrite(text.data(), 1, text.size(), file); };
    ChipTraceForms forms;
    (path.ends_with(".json") ? forms.perfetto : forms.lines) = sink;
    auto trace = HostedTrace::begin(arch, options, forms);
    if (!trace) return tl::make_unexpected(trace.error());
    made->trace_.emplace(std::move(*trace));
    return made;
}

TraceFile::~TraceFile() { std::fclose(file_); }

}  // namespace tessera::abi
