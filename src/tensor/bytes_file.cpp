// SPDX-License-Identifier: Apache-2.0
// Reads and writes raw bytes of L1 as files.
#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <span>

#include "tensor/host_file.hpp"
#include "tessera/output_file.hpp"
#include "tessera/tensor.hpp"
#include "util/file_path.hpp"

namespace tessera {

Result<std::vector<std::byte>> read_bytes(const std::string& path, std::size_t size) {
    const auto other_size = [&](std::uint64_t there) {
        return fail("tensor.shape", fmt::format("the file has {} bytes, not {}", there, size), path);
    };
    // A file that is too large is not read.
    std::error_code status;
    if (util::path_refusal(path).empty() && std::filesystem::is_regular_file(path, status)) {
        const auto there = std::filesystem::file_size(path, status);
        if (!status && there > size) return other_size(there);
    }
    const auto text = tensor::read_file(path, "tensor.open");
    if (!text) return tl::make_unexpected(text.error());
    if (text->size() != size) return other_size(text->size());
    std::vector<std::byte> bytes(size);
    std::ranges::copy(std::as_bytes(std::span(*text)), bytes.begin());
    return bytes;
}

Result<void> write_bytes(const std::string& path, std::span<const std::byte> bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return write_file(path, text, "tensor.open");
}

}  // namespace tessera
