// SPDX-License-Identifier: Apache-2.0
// Compares layouts of a source bank (docs/internals/layout.md): the cost of UNPACR to write a BF16 tile, and of the
// matrix unit to make operands of a 16x16 block.
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "cases.hpp"
#include "util/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/layout.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera::bench::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

namespace {

constexpr std::size_t datums = 1024, block = 256;

using D = hn::CappedTag<std::uint32_t, 16>;
using V = hn::Vec<D>;
using H = hn::Rebind<std::uint16_t, D>;

HWY_INLINE V set(std::uint32_t x) { return hn::Set(D(), x); }
HWY_INLINE V halves(const std::uint16_t* p) { return hn::PromoteTo(D(), hn::LoadU(H(), p)); }

// Fields of a datum in the multipliers' form.
struct Fields {
    V sign, exponent, mantissa;
};

// The operand form for products: exponent, five bits of mantissa, sign.
HWY_INLINE void put_operand(const Fields& f, std::uint32_t* out) {
    const V all = hn::And(hn::ShiftRight<6>(hn::Or(f.mantissa, set(1024))), set(31));
    hn::StoreU(hn::Or(hn::Or(hn::ShiftLeft<16>(f.exponent), all), hn::ShiftLeft<31>(f.sign)), D(), out);
}

// --- 32-bit words in plain order: the upper 19 bits of an FP32

void write_plain(const std::uint16_t* in, std::uint32_t* out, std::uint16_t*, std::uint8_t*) {
    for (std::size_t i = 0; i < datums; i += hn::Lanes(D()))
        hn::StoreU(hn::ShiftLeft<16>(halves(in + i)), D(), out + i);
}
void read_plain(const std::uint32_t* in, const std::uint16_t*, const std::uint8_t*, std::uint32_t* out) {
    for (std::size_t i = 0; i < block; i += hn::Lanes(D())) {
        const V x = hn::LoadU(D(), in + i);
        put_operand({hn::ShiftRight<31>(x), hn::And(hn::ShiftRight<23>(x), set(255)),
                     hn::And(hn::ShiftRight<13>(x), set(1023))},
                    out + i);
    }
}

// --- 32-bit words in stored order: sign, mantissa, exponent, as hardware has them

void write_stored(const std::uint16_t* in, std::uint32_t* out, std::uint16_t*, std::uint8_t*) {
    for (std::size_t i = 0; i < datums; i += hn::Lanes(D())) {
        const V x = halves(in + i);
        const V sign = hn::ShiftLeft<3>(hn::And(x, set(0x8000)));
        const V mantissa = hn::ShiftLeft<11>(hn::And(x, set(0x7F)));
        const V exponent = hn::And(hn::ShiftRight<7>(x), set(0xFF));
        hn::StoreU(hn::Or(hn::Or(sign, mantissa), exponent), D(), out + i);
    }
}
void read_stored(const std::uint32_t* in, const std::uint16_t*, const std::uint8_t*, std::uint32_t* out) {
    for (std::size_t i = 0; i < block; i += hn::Lanes(D())) {
        const V x = hn::LoadU(D(), in + i);
        put_operand({hn::ShiftRight<18>(x), hn::And(x, set(255)), hn::And(hn::ShiftRight<8>(x), set(1023))}, out + i);
    }
}

// --- 16-bit words where the format allows it, here BF16; TF32 and FP16 would need a second form

void write_native(const std::uint16_t* in, std::uint32_t*, std::uint16_t* out, std::uint8_t*) {
    std::memcpy(out, in, datums * sizeof(*out));
}
void read_native(const std::uint32_t*, const std::uint16_t* in, const std::uint8_t*, std::uint32_t* out) {
    for (std::size_t i = 0; i < block; i += hn::Lanes(D())) {
        const V x = halves(in + i);
        put_operand(
            {hn::ShiftRight<15>(x), hn::And(hn::ShiftRight<7>(x), set(255)), hn::ShiftLeft<3>(hn::And(x, set(0x7F)))},
            out + i);
    }
}

// --- split: exponents as bytes, signs and mantissas as 16-bit words

void write_split(const std::uint16_t* in, std::uint32_t*, std::uint16_t* words, std::uint8_t* exponents) {
    const hn::Rebind<std::uint8_t, D> bytes;
    for (std::size_t i = 0; i < datums; i += hn::Lanes(D())) {
        const V x = halves(in + i);
        const V word = hn::Or(hn::And(x, set(0x8000)), hn::ShiftLeft<3>(hn::And(x, set(0x7F))));
        const V exponent = hn::And(hn::ShiftRight<7>(x), set(0xFF));
        const hn::RebindToSigned<D> integers;
        hn::StoreU(hn::DemoteTo(H(), hn::BitCast(integers, word)), H(), words + i);
        hn::StoreU(hn::DemoteTo(bytes, hn::BitCast(integers, exponent)), bytes, exponents + i);
    }
}
void read_split(const std::uint32_t*, const std::uint16_t* words, const std::uint8_t* exponents, std::uint32_t* out) {
    const hn::Rebind<std::uint8_t, D> bytes;
    for (std::size_t i = 0; i < block; i += hn::Lanes(D())) {
        const V x = halves(words + i);
        put_operand({hn::ShiftRight<15>(x), hn::PromoteTo(D(), hn::LoadU(bytes, exponents + i)), hn::And(x, set(1023))},
                    out + i);
    }
}

}  // namespace

}  // namespace tessera::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::bench {

namespace {

TESSERA_VERSIONS(write_plain);
TESSERA_VERSIONS(write_stored);
TESSERA_VERSIONS(write_native);
TESSERA_VERSIONS(write_split);
TESSERA_VERSIONS(read_plain);
TESSERA_VERSIONS(read_stored);
TESSERA_VERSIONS(read_native);
TESSERA_VERSIONS(read_split);

struct Bank {
    HWY_ALIGN std::array<std::uint32_t, 1024> words{};
    HWY_ALIGN std::array<std::uint16_t, 1024> halves{};
    HWY_ALIGN std::array<std::uint8_t, 1024> bytes{};
};

using Write = void (*)(const std::uint16_t*, std::uint32_t*, std::uint16_t*, std::uint8_t*);
using Read = void (*)(const std::uint32_t*, const std::uint16_t*, const std::uint8_t*, std::uint32_t*);

constexpr std::size_t tiles = 64;

void add(Cases& cases, const std::string& form, Write write, Read read, double bytes) {
    cases.add("layout: write a BF16 tile, " + form, [=](benchmark::State& run) {
        std::vector<std::uint16_t> in(tiles * 1024);
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint16_t>(0x3F00 + i * 2654435761u % 512);
        const auto bank = std::make_unique<Bank>();
        std::size_t i = 0;
        for (auto _ : run) {
            write(&in[i++ % tiles * 1024], bank->words.data(), bank->halves.data(), bank->bytes.data());
            benchmark::ClobberMemory();
        }
        describe(run, bytes);
    });
    cases.add("layout: operands of 16x16, " + form, [=](benchmark::State& run) {
        const auto banks = std::make_unique<std::array<Bank, tiles>>();
        HWY_ALIGN std::uint32_t out[256];
        std::size_t i = 0;
        for (auto _ : run) {
            const Bank& bank = (*banks)[i++ % tiles];
            read(bank.words.data(), bank.halves.data(), bank.bytes.data(), out);
            benchmark::DoNotOptimize(out);
            benchmark::ClobberMemory();
        }
        describe(run, 0);
    });
}

}  // namespace

void add_layout(Cases& cases) {
    add(cases, "plain 32-bit words", TESSERA_BEST_VERSION(write_plain), TESSERA_BEST_VERSION(read_plain), 4096);
    add(cases, "stored 32-bit words", TESSERA_BEST_VERSION(write_stored), TESSERA_BEST_VERSION(read_stored), 4096);
    add(cases, "native 16-bit words", TESSERA_BEST_VERSION(write_native), TESSERA_BEST_VERSION(read_native), 2048);
    add(cases, "split", TESSERA_BEST_VERSION(write_split), TESSERA_BEST_VERSION(read_split), 3072);
}

}  // namespace tessera::bench

#endif  // HWY_ONCE
