// SPDX-License-Identifier: Apache-2.0
// Images of kernels that a test has as words.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tessera/kernels.hpp"

namespace tessera::test {

/// One segment at `entry`, without source lines.
inline KernelImage image_of(std::string file, std::span<const std::uint32_t> code, std::uint32_t entry) {
    std::vector<std::byte> bytes(code.size_bytes());
    std::memcpy(bytes.data(), code.data(), bytes.size());
    KernelImage image;
    image.file = std::move(file);
    image.entry = entry;
    image.segments = {{entry, std::move(bytes), entry}};
    return image;
}

/// The same for a core, whose name it has; word n comes from line n + 1 of kernel.cpp.
inline KernelImage image_of(RiscvCore core, std::span<const std::uint32_t> code, std::uint32_t entry) {
    KernelImage image = image_of(std::string(name(core)) + ".elf", code, entry);
    image.files = {"kernel.cpp"};
    for (std::size_t n = 0; n < code.size(); ++n)
        image.lines.push_back({entry + static_cast<std::uint32_t>(4 * n), 0, static_cast<std::int32_t>(n + 1)});
    return image;
}

}  // namespace tessera::test
