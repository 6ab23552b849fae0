// SPDX-License-Identifier: Apache-2.0
#include "tessera/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "util/file_path.hpp"
#include "util/output_paths.hpp"

namespace tessera {

namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

tl::unexpected<Error> cannot_write(const std::string& path, std::string_view code, std::string_view why) {
    return fail(std::string(code), fmt::format("cannot write '{}': {}", path, why), path);
}

/// The descriptor of a path such as /dev/stdout. Opening the path would truncate a redirected file.
std::optional<int> descriptor(std::string_view path) {
    if (path == "/dev/stdout") return STDOUT_FILENO;
    if (path == "/dev/stderr") return STDERR_FILENO;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        if (!path.starts_with(folder)) continue;
        const char *first = path.data() + folder.size(), *last = path.data() + path.size();
        int number = -1;
        if (const auto [end, error] = std::from_chars(first, last, number); error == std::errc{} && end == last)
            return number;
    }
    return std::nullopt;
}

struct Target {
    bool receives = false;
    std::optional<mode_t> permissions;  ///< of an existing file
};

/// The reason why a file of that kind cannot be written; empty if it can.
std::string_view refusal(mode_t mode) {
    if (S_ISDIR(mode)) return "it is a directory";
    if (S_ISBLK(mode)) return "it is a block device";
    if (S_ISSOCK(mode)) return "it is a socket";
    return {};
}

bool receives_bytes(mode_t mode) { return S_ISCHR(mode) || S_ISFIFO(mode); }

Result<Target> target_of(const std::string& path, std::string_view code) {
    const auto cannot = [&](std::string_view why) { return cannot_write(path, code, why); };
    if (const auto why = util::path_refusal(path); !why.empty()) return cannot(why);
    Target target;
    if (const auto number = descriptor(path)) {
        if (fcntl(*number, F_GETFD) < 0) return cannot(reason(errno));
        target.receives = true;
        return target;
    }
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0) {
        if (errno != ENOENT) return cannot(reason(errno));
        return target;
    }
    if (S_ISLNK(status.st_mode)) {
        // The user may mean the link or its target, so neither is replaced.
        if (stat(path.c_str(), &status) != 0 || !receives_bytes(status.st_mode)) {
            std::error_code ignored;
            return cannot(fmt::format("it is a symbolic link to '{}', which is not replaced: name the file itself",
                                      fs::read_symlink(path, ignored).string()));
        }
    }
    if (const auto why = refusal(status.st_mode); !why.empty()) return cannot(why);
    if (access(path.c_str(), W_OK) != 0) return cannot(reason(errno));
    target.receives = receives_bytes(status.st_mode);
    target.permissions = status.st_mode & 07777;
    return target;
}

/// Calls `make` with temporary names beside the path, until it has made the file of one. Returns errno of the first failure that is
/// not a name that is taken; EEXIST: all are.
template <class Make>
int at_free_name(const std::string& path, Make&& make) {
    constexpr int attempts = 1000;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        errno = 0;
        if (make(fmt::format("{}.{}.part", path, attempt))) return 0;
        if (errno != EEXIST) return errno ? errno : EIO;
    }
    return EEXIST;
}

/// A file without a name in the path's folder: a process that is killed leaves nothing of it. Null where the file system has none.
std::FILE* open_without_name(const std::string& path) {
#ifdef O_TMPFILE
    const fs::path folder = fs::path(path).parent_path();
    const int number = ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (number < 0) return nullptr;
    // Only with /proc such a file gets a name later.
    if (access(fmt::format("/proc/self/fd/{}", number).c_str(), F_OK) == 0)
        if (std::FILE* const file = fdopen(number, "wb")) return file;
    close(number);
#endif
    return nullptr;
}

/// Gives a file without a name one that is free.
bool link_of(int number, const std::string& name) {
    return linkat(AT_FDCWD, fmt::format("/proc/self/fd/{}", number).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

bool write_all(int to, const char* bytes, std::size_t size) {
    while (size > 0) {
        const ssize_t written = ::write(to, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes += written;
        size -= static_cast<std::size_t>(written);
    }
    return true;
}

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number_ >= 0) close(number_);
    }
    int number() const { return number_; }

private:
    int number_;
};

}  // namespace

Result<void> OutputFile::check(const std::string& path, std::string_view code) {
    const auto target = target_of(path, code);
    if (!target) return tl::make_unexpected(target.error());
    if (target->receives) return {};
    const fs::path folder = fs::path(path).parent_path();
    if (access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) return cannot_write(path, code, reason(errno));
    return {};
}

Result<OutputFile> OutputFile::open(const std::string& path, std::string_view code) {
    const auto target = target_of(path, code);
    if (!target) return tl::make_unexpected(target.error());
    OutputFile output;
    output.path_ = path;
    output.code_ = code;
    output.receives_ = target->receives;
    errno = 0;
    if (target->receives) {
        output.file_.reset(std::tmpfile());
        if (!output.file_) return output.cannot(errno);
        return output;
    }
    output.file_.reset(open_without_name(path));
    if (!output.file_) {
        const int error = at_free_name(path, [&](const std::string& temporary) {
            output.file_.reset(std::fopen(temporary.c_str(), "wbx"));
            if (output.file_) output.temporary_ = temporary;
            return output.file_ != nullptr;
        });
        if (error) return cannot_write(path, code, error == EEXIST ? "its temporary names are all taken" : reason(error));
    }
    if (target->permissions) fchmod(fileno(output.file_.get()), *target->permissions);
    return output;
}

Result<OutputFile> OutputFile::with(const std::string& path, std::string_view bytes, std::string_view code) {
    auto file = open(path, code);
    if (!file) return file;
    file->write(bytes);
    if (auto done = file->finish(); !done) return tl::make_unexpected(std::move(done.error()));
    return file;
}

void OutputFile::write(std::string_view bytes) {
    if (!file_) return;
    errno = 0;
    if (!error_ && std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) error_ = errno ? errno : EIO;
}

Result<void> OutputFile::finish() {
    errno = 0;
    if (!error_ && file_ && std::fflush(file_.get()) != 0) error_ = errno ? errno : EIO;
    if (error_) return cannot(error_);
    return {};
}

Result<void> OutputFile::commit() {
    if (!file_) return cannot_write(path_, code_, "it has been committed before");
    if (auto done = finish(); !done) return done;
    if (receives_) return send();
    if (temporary_.empty() && !receives_) {
        // The name of nothing is free for the file itself. A file that exists is replaced by rename(), at once.
        const int number = fileno(file_.get());
        if (link_of(number, path_)) {
            file_.reset();
            return {};
        }
        const int error = at_free_name(path_, [&](const std::string& name) {
            if (!link_of(number, name)) return false;
            temporary_ = name;
            return true;
        });
        if (error) return cannot(error);
    }
    errno = 0;
    if (std::fclose(file_.release()) != 0) return cannot(errno);
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) return cannot(errno);
    temporary_.clear();
    return {};
}

Result<void> OutputFile::send() {
    const auto named = descriptor(path_);
    const Descriptor to(named ? dup(*named) : ::open(path_.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
    if (to.number() < 0) return cannot(errno);
    std::rewind(file_.get());
    std::array<char, 65536> block;
    for (std::size_t size = 0; (size = std::fread(block.data(), 1, block.size(), file_.get())) > 0;)
        if (!write_all(to.number(), block.data(), size)) return cannot(errno);
    if (std::ferror(file_.get())) return cannot(EIO);
    file_.reset();
    return {};
}

tl::unexpected<Error> OutputFile::cannot(int error) const { return cannot_write(path_, code_, reason(error)); }

void OutputFile::discard() noexcept {
    file_.reset();
    if (!temporary_.empty()) std::remove(temporary_.c_str());
    temporary_.clear();
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      code_(std::move(other.code_)),
      file_(std::move(other.file_)),
      receives_(other.receives_),
      error_(other.error_) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
    if (this == &other) return *this;
    discard();
    path_ = std::move(other.path_);
    temporary_ = std::exchange(other.temporary_, {});
    code_ = std::move(other.code_);
    file_ = std::move(other.file_);
    receives_ = other.receives_;
    error_ = other.error_;
    return *this;
}

OutputFile::~OutputFile() { discard(); }

Result<void> commit(std::vector<OutputFile>& files) {
    for (OutputFile& file : files)
        if (auto done = file.finish(); !done) return done;
    // Devices go first: a device may refuse, while a rename hardly fails.
    for (const bool receives : {true, false})
        for (OutputFile& file : files) {
            if (file.receives() != receives) continue;
            if (auto done = file.commit(); !done) return done;
        }
    return {};
}

Result<void> write_file(const std::string& path, std::string_view bytes, std::string_view code) {
    return OutputFile::with(path, bytes, code).and_then([](OutputFile file) { return file.commit(); });
}

bool same_file(const std::string& a, const std::string& b) {
    const auto of_a = util::file_identity(a), of_b = util::file_identity(b);
    return of_a && of_a == of_b;
}

Result<void> check_output(const std::string& path, std::span<const std::string> others,
                          std::span<const std::string> inputs) {
    return util::OutputPaths(inputs, others).add(path);
}

}  // namespace tessera
