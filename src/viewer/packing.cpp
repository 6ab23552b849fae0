// SPDX-License-Identifier: Apache-2.0
#include "viewer/packing.hpp"

#include <zlib.h>

#include <new>

namespace tessera::viewer {

namespace {

// Most of what stronger levels save, in a fraction of their time.
constexpr int level = 4;

std::string compressed(std::string_view bytes) {
    uLongf size = compressBound(bytes.size());
    std::string result(size, '\0');
    const auto* from = reinterpret_cast<const Bytef*>(bytes.data());
    const int status = compress2(reinterpret_cast<Bytef*>(result.data()), &size, from, bytes.size(), level);
    if (status != Z_OK) throw std::bad_alloc();  // with room enough nothing else can be missing
    result.resize(size);
    return result;
}

}  // namespace

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto byte = [&](std::size_t k) {
            return i + k < bytes.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i + k])) : 0u;
        };
        const std::uint32_t group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for (unsigned k = 0; k < 4; ++k) text += i + k > bytes.size() ? '=' : digits[group >> (18 - 6 * k) & 63];
    }
    return text;
}

Json packed(std::string_view type, std::string_view bytes) {
    return {{"type", type}, {"data", base64(compressed(bytes))}};
}

}  // namespace tessera::viewer
