// SPDX-License-Identifier: Apache-2.0
#include "units/vector/dst_modes.hpp"

#include "formats/layouts.hpp"

namespace tessera::units::vector {

namespace {

using formats::dst_from_stored, formats::dst_to_stored;

constexpr std::uint32_t sign_bit = 0x80000000;

constexpr std::uint32_t twos_complement(std::uint32_t x) { return x & sign_bit ? 0 - (x & ~sign_bit) : x; }
constexpr std::uint32_t sign_magnitude(std::uint32_t x) {
    return (x & sign_bit) | ((x & sign_bit ? 0 - x : x) & ~sign_bit);
}
// Integer "8" of Dst is an FP16 whose mantissa is the magnitude.
constexpr std::uint32_t from_int8(std::uint32_t x, std::uint32_t mask) {
    return (x & 0x8000) << 16 | (formats::fp16_from_dst(x) & mask);
}
constexpr std::uint32_t to_int8(std::uint32_t x) {
    return formats::dst_from_fp16((x & sign_bit) >> 16 | 16 << 10 | (x & 0x3FF));
}
constexpr std::uint32_t without_denormal(std::uint32_t x) { return x & 0x7F800000 ? x : x & sign_bit; }
constexpr std::uint32_t to_fp16(std::uint32_t x) {
    const int exponent = static_cast<int>(x >> 23 & 0xFF) - 112;
    return exponent <= 0 ? (x & sign_bit) >> 16 : formats::fp16_from_fp32(x);
}

// Dst's datum and the lane's old value to the new one; integers of 16 bits are raw, in stored order
std::uint32_t load_fp16(std::uint32_t x, std::uint32_t) { return formats::fp32_from_fp16(formats::fp16_from_dst(x)); }
std::uint32_t load_bf16(std::uint32_t x, std::uint32_t) { return x << 16; }
std::uint32_t load_32(std::uint32_t x, std::uint32_t) { return x; }
std::uint32_t load_32_comp(std::uint32_t x, std::uint32_t) { return twos_complement(x); }
std::uint32_t load_int7(std::uint32_t x, std::uint32_t) { return from_int8(x, 0x7F); }
std::uint32_t load_int8(std::uint32_t x, std::uint32_t) { return from_int8(x, 0xFF); }
std::uint32_t load_int10(std::uint32_t x, std::uint32_t) { return from_int8(x, 0x3FF); }
std::uint32_t load_int10_comp(std::uint32_t x, std::uint32_t) { return twos_complement(from_int8(x, 0x3FF)); }
std::uint32_t load_int16(std::uint32_t x, std::uint32_t) { return (x & 0x8000) << 16 | (dst_to_stored(x) & 0x7FFF); }
std::uint32_t load_u16(std::uint32_t x, std::uint32_t) { return dst_to_stored(x); }
std::uint32_t load_hi16(std::uint32_t x, std::uint32_t) { return dst_to_stored(x) << 16; }
std::uint32_t load_lo16_only(std::uint32_t x, std::uint32_t old) { return (old & 0xFFFF0000) | dst_to_stored(x); }
std::uint32_t load_hi16_only(std::uint32_t x, std::uint32_t old) { return dst_to_stored(x) << 16 | (old & 0xFFFF); }
std::uint32_t load_zero(std::uint32_t, std::uint32_t) { return 0; }

// a lane's value to Dst's datum
std::uint32_t store_fp16(std::uint32_t x) { return formats::dst_from_fp16(to_fp16(x)); }
std::uint32_t store_bf16(std::uint32_t x) { return without_denormal(x) >> 16; }
std::uint32_t store_fp32(std::uint32_t x) { return without_denormal(x); }
std::uint32_t store_32(std::uint32_t x) { return x; }
std::uint32_t store_32_comp(std::uint32_t x) { return sign_magnitude(x); }
std::uint32_t store_int8(std::uint32_t x) { return to_int8(x); }
std::uint32_t store_int8_comp(std::uint32_t x) { return to_int8(sign_magnitude(x)); }
std::uint32_t store_low(std::uint32_t x) { return dst_from_stored(x & 0xFFFF); }
std::uint32_t store_high(std::uint32_t x) { return dst_from_stored(x >> 16); }
std::uint32_t store_int16(std::uint32_t x) { return dst_from_stored((x & sign_bit) >> 16 | (x & 0x7FFF)); }
std::uint32_t store_rotated(std::uint32_t x) { return store_low(x) << 16 | x >> 16; }
std::uint32_t store_as_is(std::uint32_t x) { return store_high(x) << 16 | (x & 0xFFFF); }
std::uint32_t store_zero(std::uint32_t) { return 0; }

bool is_32_bit(Mode mode) {
    return mode == Mode::fp32 || mode == Mode::int32 || mode == Mode::int32_all || mode == Mode::int32_sm;
}

}  // namespace

std::uint32_t load_fp16_with_infinity(std::uint32_t x, std::uint32_t old) {
    const std::uint32_t fp16 = formats::fp16_from_dst(x);
    return (fp16 & 0x7FFF) == 0x7FFF ? fp16 >> 15 << 31 | 0x7F800000 : load_fp16(x, old);
}

bool load_is_wide(Mode mode) { return is_32_bit(mode); }
bool store_is_wide(Mode mode) { return is_32_bit(mode) || mode == Mode::lo16 || mode == Mode::hi16; }

plan::LoadLRegWork::Convert load_convert(Mode mode, Arch arch) {
    const bool wormhole = arch == Arch::wormhole;
    switch (mode) {
        case Mode::fp16: return load_fp16;
        case Mode::bf16: return load_bf16;
        case Mode::fp32:
        case Mode::int32:
        case Mode::int32_all: return load_32;
        case Mode::int32_sm: return wormhole ? load_32_comp : load_32;
        case Mode::int8: return wormhole ? load_int7 : load_int8;
        case Mode::int8_comp: return wormhole ? load_int10_comp : load_int10;
        case Mode::int16: return load_int16;
        case Mode::uint16:
        case Mode::lo16: return load_u16;
        case Mode::hi16: return load_hi16;
        case Mode::lo16_only: return load_lo16_only;
        case Mode::hi16_only: return load_hi16_only;
        default: return load_zero;
    }
}

plan::StoreLRegWork::Convert store_convert(Mode mode, Arch arch) {
    const bool wormhole = arch == Arch::wormhole;
    switch (mode) {
        case Mode::fp16: return store_fp16;
        case Mode::bf16: return store_bf16;
        case Mode::fp32: return store_fp32;
        case Mode::int32:
        case Mode::int32_all: return store_32;
        case Mode::int32_sm: return wormhole ? store_32_comp : store_32;
        case Mode::int8: return store_int8;
        case Mode::int8_comp: return wormhole ? store_int8_comp : store_int8;
        case Mode::int16: return store_int16;
        case Mode::uint16:
        case Mode::lo16_only: return store_low;
        case Mode::hi16_only: return store_high;
        case Mode::lo16: return store_rotated;
        case Mode::hi16: return store_as_is;
        default: return store_zero;
    }
}

}  // namespace tessera::units::vector
