// SPDX-License-Identifier: Apache-2.0
#include "abi/trace_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace tessera::abi {

namespace {

tl::unexpected<Error> cannot_be_written(const std::string& path, int why) {
    return fail("trace.file", fmt::format("TESSERA_TRACE={}: the file cannot be written: {}", path, std::strerror(why)));
}

}  // namespace

Result<std::unique_ptr<TraceFile>> TraceFile::begin(Arch arch, HostedChipOptions& options, const std::string& path) {
    std::FILE* const file = std::fopen(path.c_str(), "we");
    if (!file) return cannot_be_written(path, errno);
    std::unique_ptr<TraceFile> made(new TraceFile(file, path));
    const TraceSink sink = [to = made.get()](std::string_view text) { to->write(text); };
    ChipTraceForms forms;
    (made->is_timeline() ? forms.perfetto : forms.lines) = sink;
    auto trace = HostedTrace::begin(arch, options, forms);
    if (!trace) return tl::make_unexpected(trace.error());
    made->trace_.emplace(std::move(*trace));
    return made;
}

// Texts come in large pieces. What a buffer held would be written twice after a fork.
TraceFile::TraceFile(std::FILE* file, std::string path) : file_(file), path_(std::move(path)), process_(getpid()) {
    std::setvbuf(file_, nullptr, _IONBF, 0);
}

TraceFile::~TraceFile() {
    if (trace_ && !finished_ && is_own()) {
        trace_->give();
        if (is_timeline()) trace_->finish({});
    }
    std::fclose(file_);
}

Result<void> TraceFile::passed(std::uint64_t cycles) {
    constexpr std::uint64_t between = 4096;
    cycles_ += cycles;
    if (cycles_ < between || !is_own()) return {};
    cycles_ = 0;
    trace_->give();
    return failure();
}

Result<void> TraceFile::finish(HostedChip& chip) {
    if (std::exchange(finished_, true) || !is_own()) return {};
    trace_->finish(chip.so_far(true));
    return failure();
}

// A disk that is full has room again later, but the trace would have a hole.
void TraceFile::write(std::string_view text) {
    if (!failure_ && is_own() && std::fwrite(text.data(), 1, text.size(), file_) != text.size()) failure_ = errno;
}

Result<void> TraceFile::failure() {
    if (!failure_ || std::exchange(told_, true)) return {};
    return cannot_be_written(path_, failure_);
}

}  // namespace tessera::abi
