// SPDX-License-Identifier: Apache-2.0
#include "tensor/host_file.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <system_error>

#include "util/file_path.hpp"

namespace tessera::tensor {

namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, CloseFile>;

constexpr std::uint64_t least_room = 65536;  ///< for a file that is longer than its size says

}  // namespace

Result<std::string> read_file(const std::string& path, std::string_view code, std::uint64_t most) {
    std::error_code status;
    auto cannot = [&](std::string_view why) {
        return fail(std::string(code), fmt::format("cannot be read: {}", why), path);
    };
    if (const auto why = util::path_refusal(path); !why.empty()) return cannot(why);
    if (!fs::exists(path, status)) return cannot(status ? status.message() : reason(ENOENT));
    if (!fs::is_regular_file(path, status)) return cannot("it is not a regular file");
    const auto size = fs::file_size(path, status);
    if (status) return cannot(status.message());
    if (size > most) return cannot(fmt::format("it has {} bytes, and at most {} are read", size, most));
    const OpenFile file(std::fopen(path.c_str(), "rb"));
    if (!file) return cannot(reason(errno));
    std::string bytes;
    std::size_t filled = 0;
    // Files of /proc have the size 0, and others may change meanwhile: only a read of fewer bytes than asked for shows the end. A sparse
    // file may claim any size, so the allocation may fail.
    try {
        for (std::uint64_t room = size + 1; filled == bytes.size() && filled <= most; room = std::max(2 * room, least_room)) {
            bytes.resize(std::min(room, most + 1));
            filled += std::fread(bytes.data() + filled, 1, bytes.size() - filled, file.get());
        }
    } catch (const std::exception&) {
        return cannot("it does not fit into memory");
    }
    if (std::ferror(file.get())) return cannot(reason(errno));
    if (filled > most) return cannot(fmt::format("it has more than {} bytes, and at most {} are read", most, most));
    bytes.resize(filled);
    return bytes;
}

}  // namespace tessera::tensor
