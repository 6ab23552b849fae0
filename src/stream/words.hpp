// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tessera::stream {

/// Little-endian 32-bit words; an incomplete last word is ignored.
inline std::vector<std::uint32_t> little_endian_words(std::string_view bytes) {
    std::vector<std::uint32_t> words;
    words.reserve(bytes.size() / 4);
    auto byte = [&](std::size_t at) { return std::uint32_t{static_cast<unsigned char>(bytes[at])}; };
    for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4)
        words.push_back(byte(at) | byte(at + 1) << 8 | byte(at + 2) << 16 | byte(at + 3) << 24);
    return words;
}

}  // namespace tessera::stream
