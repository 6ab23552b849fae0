// SPDX-License-Identifier: Apache-2.0
#include "tensor/host_file.hpp"

#include <fmt/format.h>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <system_error>

namespace tessera::tensor {

namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, CloseFile>;

}  // namespace

Result<std::string> read_file(const std::string& path, std::string_view code, std::uint64_t most) {
    std::error_code status;
    auto cannot = [&](std::string_view why) {
        return fail(std::string(code), fmt::format("cannot be read: {}", why), path);
    };
    if (!fs::exists(path, status)) return cannot(status ? status.message() : reason(ENOENT));
    if (!fs::is_regular_file(path, status)) return cannot("it is not a regular file");
    const auto size = fs::file_size(path, status);
    if (status) return cannot(status.message());
    if (size > most) return cannot(fmt::format("it has {} bytes, and at most {} are read", size, most));
    errno = 0;
    const OpenFile file(std::fopen(path.c_str(), "rb"));
    if (!file) return cannot(reason(errno));
    std::string bytes;
    // A sparse file may claim any size, so the allocation may fail.
    try {
        bytes.resize(size);
    } catch (const std::exception&) {
        return cannot("it does not fit into memory");
    }
    // The file may have shrunk since its size was read.
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
    if (std::ferror(file.get())) return cannot(reason(errno));
    return bytes;
}

}  // namespace tessera::tensor
