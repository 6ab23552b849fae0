// SPDX-License-Identifier: Apache-2.0
// The source files of an image, each once, by index in KernelImage::files.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "image/elf_file.hpp"
#include "tessera/kernels.hpp"

namespace tessera::image {

class SourceFiles {
public:
    explicit SourceFiles(KernelImage& image) : image_(image) {}

    /// Null means a file without a name.
    std::uint32_t number(const char* path) {
        const auto [entry, added] =
            numbers_.try_emplace(path ? path : "", static_cast<std::uint32_t>(image_.files.size()));
        if (added) image_.files.push_back(printable(entry->first));
        return entry->second;
    }

private:
    KernelImage& image_;
    std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

/// False for functions that the linker removed: their debugging information has addresses from 0 on.
inline bool is_loaded(const KernelImage& image, std::uint32_t address) {
    for (const auto& segment : image.segments)
        if (address >= segment.runs_at && address - segment.runs_at < segment.bytes.size()) return true;
    return false;
}

}  // namespace tessera::image
