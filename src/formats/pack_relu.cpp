// SPDX-License-Identifier: Apache-2.0
// The ReLU between the packers' two conversions (Packers, ReLU; numerics 9; spec-notes E16, E29). Magnitudes are
// compared as bit patterns, so NaN exceeds everything.
#include "formats/pack_convert.hpp"

namespace tessera::formats {

namespace {

using U32 = std::uint32_t;

enum class Mode : std::uint8_t { zero = 1, minimum, maximum };

// The `Drop` low bits are ignored in the comparison with a maximum.
template <U32 Sign, Mode M, unsigned Drop>
void loop(U32* datums, std::size_t n, U32 threshold) {
    for (std::size_t i = 0; i < n; ++i) {
        U32 x = datums[i] & Sign ? 0 : datums[i];
        if constexpr (M == Mode::minimum) x = x <= threshold ? 0 : x;
        if constexpr (M == Mode::maximum) x = x >> Drop > threshold >> Drop ? threshold : x;
        datums[i] = x;
    }
}

template <U32 Sign, unsigned Drop = 0>
PackRelu choose(unsigned mode) {
    switch (Mode(mode)) {
        case Mode::zero: return loop<Sign, Mode::zero, Drop>;
        case Mode::minimum: return loop<Sign, Mode::minimum, Drop>;
        default: return loop<Sign, Mode::maximum, Drop>;
    }
}

constexpr U32 sign32 = 0x80000000, sign16 = 0x8000, sign8 = 0x80;

}  // namespace

std::optional<Relu> pack_relu(PackType type, bool is_unsigned, unsigned mode, std::uint32_t threshold) {
    switch (type) {
        case PackType::fp32:
        case PackType::tf32:
        case PackType::wide_fp16: return Relu{choose<sign32, 13>(mode), threshold << 16};
        case PackType::bf16:
        case PackType::fp16: return Relu{choose<sign16>(mode), threshold};
        case PackType::e5m7: return Relu{choose<sign16>(mode), threshold & 0xFFF8};
        case PackType::fp8: return Relu{choose<sign16>(mode), threshold & 0xFF00};
        default: break;
    }
    if (Mode(mode) != Mode::zero || (type == PackType::int8 && is_unsigned)) return std::nullopt;
    switch (type) {
        case PackType::int32: return Relu{choose<sign32>(mode), {}};
        case PackType::int16: return Relu{choose<sign16>(mode), {}};
        default: return Relu{choose<sign8>(mode), {}};
    }
}

}  // namespace tessera::formats
