// SPDX-License-Identifier: Apache-2.0
#include "tensor/host_file.hpp"

#include <fmt/format.h>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

namespace tessera::tensor {

namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, CloseFile>;

}  // namespace

Result<std::string> read_file(const std::string& path, std::string_view code) {
    std::error_code status;
    auto cannot = [&](std::string_view why) {
        return fail(std::string(code), fmt::format("cannot read '{}': {}", path, why), path);
    };
    if (!fs::exists(path, status)) return cannot(status ? status.message() : reason(ENOENT));
    if (!fs::is_regular_file(path, status)) return cannot("it is no regular file");
    const auto size = fs::file_size(path, status);
    if (status) return cannot(status.message());
    errno = 0;
    const OpenFile file(std::fopen(path.c_str(), "rb"));
    if (!file) return cannot(reason(errno));
    std::string bytes;
    // A sparse file may claim any size.
    try {
        bytes.resize(size);
    } catch (const std::exception&) {
        return cannot("it does not fit into memory");
    }
    // A file that has shrunk since is what it is now.
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
    if (std::ferror(file.get())) return cannot(reason(errno));
    return bytes;
}

Result<StagedFile> StagedFile::write(const std::string& path, std::string_view bytes, std::string_view code) {
    auto cannot = [&](std::string_view why) {
        return fail(std::string(code), fmt::format("cannot write '{}': {}", path, why), path);
    };
    std::error_code status;
    if (fs::is_directory(path, status)) return cannot("it is a directory");

    StagedFile staged;
    staged.path_ = path;
    staged.code_ = code;
    OpenFile file;
    constexpr int attempts = 1000;
    for (int attempt = 0; !file && attempt < attempts; ++attempt) {
        const auto temporary = fmt::format("{}.{}.part", path, attempt);
        errno = 0;
        file.reset(std::fopen(temporary.c_str(), "wbx"));
        if (file) staged.temporary_ = temporary;
        if (!file && errno != EEXIST) return cannot(reason(errno));
    }
    if (!file) return cannot("its temporary names are all taken");
    errno = 0;
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
    const bool closed = std::fclose(file.release()) == 0;
    if (!written || !closed) return cannot(reason(errno));
    return staged;
}

Result<void> StagedFile::commit() {
    std::error_code status;
    fs::rename(temporary_, path_, status);
    if (status) return fail(code_, fmt::format("cannot write '{}': {}", path_, status.message()), path_);
    temporary_.clear();
    return {};
}

void StagedFile::discard() noexcept {
    if (!temporary_.empty()) std::remove(temporary_.c_str());
    temporary_.clear();
}

StagedFile::StagedFile(StagedFile&& other) noexcept
    : path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, {})), code_(std::move(other.code_)) {}

StagedFile& StagedFile::operator=(StagedFile&& other) noexcept {
    if (this == &other) return *this;
    discard();
    path_ = std::move(other.path_);
    temporary_ = std::exchange(other.temporary_, {});
    code_ = std::move(other.code_);
    return *this;
}

StagedFile::~StagedFile() { discard(); }

}  // namespace tessera::tensor
