// SPDX-License-Identifier: Apache-2.0
#include "abi/trace_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace tessera::abi {

namespace {

tl::unexpected<Error> cannot_be_written(const std::string& path, int why) {
    return fail("trace.file", fmt::format("TESSERA_TRACE={}: the file cannot be written: {}", path, std::strerror(why)));
}

/// Opens the file for this device alone: a host may load the library several times.
Result<std::FILE*> open_alone(const std::string& path) {
    const int descriptor = open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor < 0) return cannot_be_written(path, errno);
    struct stat about{};
    const bool is_file = fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
    // A file system without locks is written without one.
    if (is_file && flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(descriptor);
        return fail("trace.file", fmt::format("TESSERA_TRACE={}: another device of this computer writes it; this one has no trace", path));
    }
    // Not before the lock: the other one's trace stays whole.
    std::FILE* const file = !is_file || ftruncate(descriptor, 0) == 0 ? fdopen(descriptor, "w") : nullptr;
    if (file) return file;
    const int why = errno;
    close(descriptor);
    return cannot_be_written(path, why);
}

}  // namespace

Result<std::unique_ptr<TraceFile>> TraceFile::begin(Arch arch, HostedChipOptions& options, const std::string& path) {
    const auto file = open_alone(path);
    if (!file) return tl::make_unexpected(file.error());
    std::unique_ptr<TraceFile> made(new TraceFile(*file, path));
    const TraceSink sink = [to = made.get()](std::string_view text) { to->write(text); };
    ChipTraceForms forms;
    (made->is_timeline() ? forms.perfetto : forms.lines) = sink;
    auto trace = HostedTrace::begin(arch, options, forms);
    if (!trace) return tl::make_unexpected(trace.error());
    made->trace_.emplace(std::move(*trace));
    return made;
}

// Texts come in large pieces. A buffer's contents would be written twice after a fork.
TraceFile::TraceFile(std::FILE* file, std::string path) : file_(file), path_(std::move(path)), process_(getpid()) {
    std::setvbuf(file_, nullptr, _IONBF, 0);
}

TraceFile::~TraceFile() {
    if (trace_ && !finished_ && is_own()) {
        trace_->give();
        if (is_timeline()) trace_->finish({});
    }
    // A child process that lives on would keep the lock.
    if (is_own()) flock(fileno(file_), LOCK_UN);
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
