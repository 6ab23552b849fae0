// SPDX-License-Identifier: Apache-2.0
#include "formats/unpack_convert.hpp"

#include <cstring>

#include "formats/layouts.hpp"

namespace tessera::formats {

namespace {

template <class Word, auto Convert>
void loop(const std::uint8_t* in, std::uint32_t* out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        Word word;
        std::memcpy(&word, in + i * sizeof(Word), sizeof(Word));
        out[i] = Convert(word);
    }
}

constexpr std::uint32_t tf32_of_fp32(std::uint32_t x) { return src_from_tf32(x >> 13); }
constexpr std::uint32_t bf16_of_fp32(std::uint32_t x) { return src_from_bf16(bf16_from_fp32_truncated(x)); }
constexpr std::uint32_t fp16_of_fp32(std::uint32_t x) { return src_from_fp16(fp16_from_fp32(x)); }

}  // namespace

UnpackToSrc unpack_to_src(DataFormat in, DataFormat out) {
    if (in == DataFormat::Float16_b) return loop<std::uint16_t, src_from_bf16>;
    if (in == DataFormat::Float16) return loop<std::uint16_t, src_from_fp16>;
    if (in != DataFormat::Float32) return nullptr;
    switch (out) {
        case DataFormat::Float32:
        case DataFormat::Tf32: return loop<std::uint32_t, tf32_of_fp32>;
        case DataFormat::Float16_b: return loop<std::uint32_t, bf16_of_fp32>;
        case DataFormat::Float16: return loop<std::uint32_t, fp16_of_fp32>;
        default: return nullptr;
    }
}

unsigned datum_bytes(DataFormat format) {
    switch (format) {
        case DataFormat::Float32:
        case DataFormat::Tf32:
        case DataFormat::Int32: return 4;
        case DataFormat::Float16:
        case DataFormat::Float16_b:
        case DataFormat::UInt16: return 2;
        case DataFormat::Lf8:
        case DataFormat::Int8:
        case DataFormat::Bfp8:
        case DataFormat::Bfp8_b: return 1;
        default: return 0;
    }
}

}  // namespace tessera::formats
