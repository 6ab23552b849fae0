// SPDX-License-Identifier: Apache-2.0
// Loops between values and datums, on each set of vector instructions, against the conversion of single values and blocks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "formats/datum_size.hpp"
#include "formats/pack_convert.hpp"
#include "support/block_model.hpp"
#include "support/each_target.hpp"
#include "tensor/integer_formats.hpp"
#include "tensor/loops.hpp"
#include "tensor/scalar_formats.hpp"

namespace tessera::test {
namespace {

using F = DataFormat;
using U32 = std::uint32_t;
using tensor::BlockLoops;

std::size_t bytes_of(F format) { return formats::datum_bits(hardware_format(format)) / 8; }

U32 word_at(const std::vector<std::byte>& bytes, std::size_t i, std::size_t size) {
    U32 word = 0;
    for (std::size_t b = 0; b < size; ++b) word |= std::to_integer<U32>(bytes[i * size + b]) << 8 * b;
    return word;
}

/// Every pattern of 8 or 16 bits; of 32 every upper half with lower ones at which roundings change, and some others.
std::vector<U32> patterns(std::size_t bytes) {
    std::vector<U32> all;
    std::mt19937 random(7);
    constexpr U32 lower_halves[] = {0,      1,      0x0FFF, 0x1000, 0x1001, 0x2FFF,
                                    0x3000, 0x7FFF, 0x8000, 0x8001, 0xF000, 0xFFFF};
    for (U32 x = 0; x < 1u << std::min<std::size_t>(8 * bytes, 16); ++x) {
        if (bytes < 4) {
            all.push_back(x);
            continue;
        }
        for (const U32 low : lower_halves) all.push_back(x << 16 | low);
        for (unsigned n = 0; n < 4; ++n) all.push_back(x << 16 | (random() & 0xFFFF));
    }
    return all;
}

std::vector<std::byte> packed(const std::vector<U32>& words, std::size_t size) {
    std::vector<std::byte> bytes;
    for (const U32 word : words)
        for (std::size_t b = 0; b < size; ++b) bytes.push_back(static_cast<std::byte>(word >> 8 * b & 0xFF));
    return bytes;
}

std::vector<float> every_float() {
    std::vector<float> values;
    for (const U32 bits : patterns(4)) values.push_back(std::bit_cast<float>(bits));
    return values;
}

// --- datums that stand alone

struct FloatFormat {
    F format;
    U32 (*encode)(float);
    float (*decode)(U32);
};
constexpr FloatFormat float_formats[] = {
    {F::Float32, tensor::to_float32, tensor::from_float32},
    {F::Tf32, tensor::to_tf32, tensor::from_float32},
    {F::Float16, tensor::to_float16, tensor::from_float16},
    {F::Float16_b, tensor::to_float16_b, tensor::from_float16_b},
    {F::Lf8, tensor::to_small_float<5, 2>, tensor::from_small_float<5, 2>},
    {F::Fp8_e4m3, tensor::to_small_float<4, 3>, tensor::from_small_float<4, 3>},
};

struct IntegerFormat {
    F format;
    U32 (*encode)(std::int64_t);
    std::int64_t (*decode)(U32);
};
template <class Integer>
constexpr IntegerFormat plain(F format) {
    return {format, tensor::to_plain_integer<Integer>,
            [](U32 bits) { return std::int64_t{tensor::from_plain_integer<Integer>(bits)}; }};
}
constexpr IntegerFormat integer_formats[] = {
    {F::Int8, tensor::to_sign_magnitude, [](U32 bits) { return std::int64_t{tensor::from_sign_magnitude(bits)}; }},
    plain<std::uint8_t>(F::UInt8),
    plain<std::uint16_t>(F::UInt16),
    plain<std::int32_t>(F::Int32),
    plain<std::uint32_t>(F::UInt32),
};

// `one`: what a single value becomes.
template <class One>
void expect_datums(const std::vector<float>& values, F format, One&& one) {
    const std::size_t size = bytes_of(format);
    std::vector<std::byte> bytes(values.size() * size);
    tensor::scalar_loops(format, Rounding::host).encode(values.data(), values.size(), bytes.data());
    for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_EQ(word_at(bytes, i, size), one(values[i])) << fmt::format("{} {:a}", name(format), values[i]);
}

TEST(ScalarLoops, ValuesBecomeTheDatumsOfSingleOnes) {
    const auto values = every_float();
    on_each_target([&] {
        for (const FloatFormat& each : float_formats) expect_datums(values, each.format, each.encode);
    });
}

TEST(ScalarLoops, EveryDatumBecomesTheValueOfASingleOne) {
    on_each_target([&] {
        for (const auto& [format, encode, decode] : float_formats) {
            const std::size_t size = bytes_of(format);
            const auto words = patterns(size);
            std::vector<float> values(words.size());
            tensor::scalar_loops(format, Rounding::host)
                .decode(packed(words, size).data(), words.size(), values.data());
            for (std::size_t i = 0; i < words.size(); ++i)
                ASSERT_EQ(std::bit_cast<U32>(values[i]), std::bit_cast<U32>(decode(words[i])))
                    << fmt::format("{} {:08x}", name(format), words[i]);
        }
    });
}

TEST(ScalarLoops, EveryHalfOfOtherMachines) {
    const auto words = patterns(2);
    on_each_target([&] {
        std::vector<float> values(words.size());
        tensor::ieee_half_loop()(packed(words, 2).data(), words.size(), values.data());
        for (std::size_t i = 0; i < words.size(); ++i)
            ASSERT_EQ(std::bit_cast<U32>(values[i]),
                      std::bit_cast<U32>(tensor::from_ieee_half(static_cast<std::uint16_t>(words[i]))))
                << words[i];
    });
}

TEST(ScalarLoops, ValuesAreRoundedToIntegers) {
    auto values = every_float();
    // Every half of an integer as far as the ends of 16 bits, and beyond.
    for (int i = -0x40000; i <= 0x40000; ++i) values.push_back(static_cast<float>(i) / 2);
    on_each_target([&] {
        for (const IntegerFormat& each : integer_formats)
            expect_datums(values, each.format, [&](float value) { return each.encode(tensor::to_integer(value)); });
    });
}

TEST(ScalarLoops, IntegersGoToTheEndsOfTheirFormat) {
    std::vector<std::int64_t> integers;
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    for (unsigned bit = 0; bit < 64; ++bit)
        for (int near = -3; near <= 3; ++near) {
            const std::uint64_t x = (std::uint64_t{1} << bit) + static_cast<std::uint64_t>(near);
            integers.push_back(static_cast<std::int64_t>(x));
            integers.push_back(static_cast<std::int64_t>(0 - x));
        }
    integers.push_back(least);
    std::mt19937_64 random(3);
    for (unsigned n = 0; n < 10000; ++n) integers.push_back(static_cast<std::int64_t>(random()) >> random() % 64);
    on_each_target([&] {
        for (const auto& [format, encode, decode] : integer_formats) {
            const std::size_t size = bytes_of(format);
            std::vector<std::byte> bytes(integers.size() * size);
            tensor::scalar_loops(format, Rounding::host)
                .encode_integers(integers.data(), integers.size(), bytes.data());
            for (std::size_t i = 0; i < integers.size(); ++i)
                ASSERT_EQ(word_at(bytes, i, size), encode(integers[i])) << name(format) << " " << integers[i];
        }
    });
}

TEST(ScalarLoops, EveryDatumBecomesItsInteger) {
    on_each_target([&] {
        for (const auto& [format, encode, decode] : integer_formats) {
            const std::size_t size = bytes_of(format);
            const auto words = patterns(size);
            std::vector<float> values(words.size());
            std::vector<std::int64_t> integers(words.size());
            tensor::scalar_loops(format, Rounding::host)
                .decode_integers(packed(words, size).data(), words.size(), values.data(), integers.data());
            for (std::size_t i = 0; i < words.size(); ++i) {
                ASSERT_EQ(integers[i], decode(words[i])) << name(format) << " " << words[i];
                ASSERT_EQ(values[i], static_cast<float>(integers[i])) << name(format) << " " << words[i];
            }
        }
    });
}

TEST(ScalarLoops, ValuesBecomeWhatPackersMakeOfThem) {
    const auto values = every_float();
    std::vector<U32> fp32;
    for (const float value : values) fp32.push_back(std::bit_cast<U32>(value));
    on_each_target([&] {
        for (const F format : {F::Float32, F::Float16, F::Float16_b, F::Lf8}) {
            const std::size_t size = bytes_of(format);
            std::vector<std::byte> bytes(values.size() * size);
            tensor::scalar_loops(format, Rounding::device).encode(values.data(), values.size(), bytes.data());
            std::vector<std::uint8_t> late(bytes.size());
            formats::pack_late(formats::PackType::fp32, format, false)->convert(fp32.data(), late.data(), fp32.size());
            for (std::size_t i = 0; i < bytes.size(); ++i)
                ASSERT_EQ(std::to_integer<std::uint8_t>(bytes[i]), late[i])
                    << fmt::format("{} {:a}", name(format), values[i / size]);
            // One at a time: what is less than a vector.
            for (std::size_t i = 0; i < values.size(); i += 7) {
                std::byte one[4];
                tensor::scalar_loops(format, Rounding::device).encode(&values[i], 1, one);
                ASSERT_TRUE(std::equal(one, one + size, &bytes[i * size])) << fmt::format("{:a}", values[i]);
            }
        }
    });
}

// Arrays that end within a vector, and begin anywhere: what is theirs is written, and nothing else.
// An allocation of so many and no more: one that is read behind them is found by sanitizers.
std::vector<std::byte> first(const std::vector<std::byte>& bytes, std::size_t size) {
    return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)};
}

TEST(ScalarLoops, AnyLengthAtAnyPlace) {
    constexpr std::size_t most = 50, around = 70;
    std::mt19937 random(5);
    std::vector<float> values(most);
    std::vector<std::int64_t> integers(most);
    for (std::size_t i = 0; i < most; ++i) {
        values[i] = static_cast<float>(random() % 200) / 4;
        integers[i] = static_cast<std::int64_t>(random() % 100);
    }
    constexpr std::byte untouched{0xA5};
    on_each_target([&] {
        for (std::size_t n = 0; n < most; ++n) {
            const auto written = [&](std::size_t size, auto&& encode) {
                std::vector<std::byte> bytes(most * size + around, untouched);
                encode(bytes.data() + 1);
                for (std::size_t i = 0; i < bytes.size(); ++i)
                    EXPECT_TRUE((i >= 1 && i < 1 + n * size) || bytes[i] == untouched) << n << " " << i;
                bytes.erase(bytes.begin());
                return bytes;
            };
            for (const auto& [format, encode, decode] : float_formats) {
                const std::size_t size = bytes_of(format);
                const auto loops = tensor::scalar_loops(format, Rounding::host);
                const auto bytes = written(size, [&](std::byte* to) { loops.encode(values.data(), n, to); });
                std::vector<float> back(most + around, -1.0f);
                loops.decode(first(bytes, n * size).data(), n, back.data());
                for (std::size_t i = 0; i < n; ++i) {
                    ASSERT_EQ(word_at(bytes, i, size), encode(values[i])) << name(format);
                    ASSERT_EQ(back[i], decode(encode(values[i]))) << name(format);
                }
                for (std::size_t i = n; i < back.size(); ++i) ASSERT_EQ(back[i], -1.0f) << name(format);
            }
            for (const auto& [format, encode, decode] : integer_formats) {
                const std::size_t size = bytes_of(format);
                const auto loops = tensor::scalar_loops(format, Rounding::host);
                const auto rounded = written(size, [&](std::byte* to) { loops.encode(values.data(), n, to); });
                const auto bytes = written(size, [&](std::byte* to) { loops.encode_integers(integers.data(), n, to); });
                std::vector<float> back(most + around, -1.0f);
                std::vector<std::int64_t> exact(most + around, -1);
                loops.decode_integers(first(bytes, n * size).data(), n, back.data(), exact.data());
                for (std::size_t i = 0; i < n; ++i) {
                    ASSERT_EQ(word_at(rounded, i, size), encode(tensor::to_integer(values[i]))) << name(format);
                    ASSERT_EQ(exact[i], integers[i]) << name(format);
                    ASSERT_EQ(back[i], static_cast<float>(integers[i])) << name(format);
                }
                for (std::size_t i = n; i < back.size(); ++i) {
                    ASSERT_EQ(back[i], -1.0f) << name(format);
                    ASSERT_EQ(exact[i], -1) << name(format);
                }
            }
        }
    });
}

TEST(Loops, EachFormatHasOneKind) {
    for (const F format : all_data_formats) {
        const bool block = formats::is_block_format(format);
        const bool late =
            formats::pack_late(formats::PackType::fp32, hardware_format(format), format == F::Fp8_e4m3).has_value();
        EXPECT_EQ(tensor::block_loops(format, Rounding::device).encode != nullptr, block && late) << name(format);
        EXPECT_EQ(tensor::scalar_loops(format, Rounding::device).encode != nullptr, !block && late) << name(format);
        EXPECT_EQ(tensor::block_loops(format, Rounding::host).encode != nullptr, block) << name(format);
        EXPECT_EQ(tensor::scalar_loops(format, Rounding::host).encode != nullptr, !block) << name(format);
    }
    for (unsigned code = 0; code < 256; ++code) {
        const auto format = static_cast<F>(code);
        if (parse_data_format(name(format)) == format) continue;
        EXPECT_FALSE(tensor::block_loops(format, Rounding::host).encode ||
                     tensor::scalar_loops(format, Rounding::host).encode)
            << code;
    }
}

// --- blocks

constexpr F block_formats[] = {F::Bfp8, F::Bfp4, F::Bfp2, F::Bfp8_b, F::Bfp4_b, F::Bfp2_b};
bool is_narrow(F format) { return format == F::Bfp8 || format == F::Bfp4 || format == F::Bfp2; }

std::size_t block_bytes(F format) { return formats::block_datums * formats::datum_bits(format) / 8; }

U32 block_datum(const std::vector<std::byte>& bytes, std::size_t i, F format) {
    const unsigned bits = formats::datum_bits(format);
    return std::to_integer<U32>(bytes[i * bits / 8]) >> i * bits % 8 & ((1u << bits) - 1);
}

/// Blocks whose largest exponent is each there is, with smaller ones close to it and far away, ties among the magnitudes.
std::vector<float> random_blocks() {
    std::mt19937 random(9);
    std::vector<float> values;
    for (unsigned top = 0; top < 256; ++top)
        for (unsigned n = 0; n < 40; ++n) {
            const unsigned spread = 1 + static_cast<unsigned>(random()) % (n % 2 ? 40 : 6);
            for (std::size_t i = 0; i < formats::block_datums; ++i) {
                const unsigned exponent = top - std::min(top, static_cast<unsigned>(random()) % spread);
                const unsigned kind = static_cast<unsigned>(random()) % 8;
                const U32 mantissa = kind == 0 ? 0 : kind == 1 ? 0x7F'FFFF : kind < 5 ? 0x7F'0000 : 0x7F'FFFF;
                const U32 bits = static_cast<U32>(random()) & (0x8000'0000 | mantissa);
                values.push_back(std::bit_cast<float>((kind == 1 ? bits | mantissa : bits) | exponent << 23));
            }
        }
    return values;
}

void expect_blocks(const std::vector<float>& values, F format, BlockLoops::Shared shared) {
    const std::size_t blocks = values.size() / formats::block_datums;
    std::vector<std::byte> datums(blocks * block_bytes(format)), exponents(shared ? 0 : blocks);
    tensor::block_loops(format, Rounding::host).encode(values.data(), blocks, shared, datums.data(), exponents.data());
    for (std::size_t b = 0; b < blocks; ++b) {
        std::array<float, formats::block_datums> block;
        std::copy_n(&values[b * block.size()], block.size(), block.begin());
        const Block model = to_block(block, format, shared);
        ASSERT_TRUE(shared || exponents[b] == std::byte{model.exponent}) << name(format) << " " << b;
        for (std::size_t i = 0; i < block.size(); ++i)
            ASSERT_EQ(block_datum(datums, b * block.size() + i, format), model.datums[i])
                << fmt::format("{} {:a} below {}", name(format), block[i], model.exponent);
    }
}

TEST(BlockLoops, ValuesBecomeTheBlocksOfTheModel) {
    const auto values = random_blocks();
    on_each_target([&] {
        for (const F format : block_formats) ASSERT_NO_FATAL_FAILURE(expect_blocks(values, format, {}));
    });
}

TEST(BlockLoops, ValuesTakeAnExponentThatIsGiven) {
    const auto values = random_blocks();
    on_each_target([&] {
        for (const F format : block_formats)
            for (const unsigned shared : {0, 1, 2, 15, 16, 30, 31, 120, 127, 128, 254, 255}) {
                if (shared > 31 && is_narrow(format)) continue;
                ASSERT_NO_FATAL_FAILURE(expect_blocks(values, format, static_cast<std::uint8_t>(shared)));
            }
    });
}

TEST(BlockLoops, ValuesBecomeTheBlocksOfPackers) {
    const auto values = random_blocks();
    const std::size_t blocks = values.size() / formats::block_datums;
    on_each_target([&] {
        for (const F format : block_formats) {
            std::vector<std::byte> datums(blocks * block_bytes(format)), exponents(blocks);
            tensor::block_loops(format, Rounding::device)
                .encode(values.data(), blocks, {}, datums.data(), exponents.data());
            const auto late = formats::pack_late(formats::PackType::fp32, format, false).value();
            for (std::size_t b = 0; b < blocks; ++b) {
                std::array<U32, formats::block_datums> fp32;
                std::memcpy(fp32.data(), &values[b * fp32.size()], sizeof fp32);
                std::array<std::uint16_t, formats::block_datums> words;
                std::array<std::uint8_t, formats::block_datums> packed;
                late.convert(fp32.data(), reinterpret_cast<std::uint8_t*>(words.data()), fp32.size());
                ASSERT_EQ(std::to_integer<unsigned>(exponents[b]), late.block(words.data(), packed.data()));
                for (std::size_t i = 0; i < block_bytes(format); ++i)
                    ASSERT_EQ(std::to_integer<unsigned>(datums[b * block_bytes(format) + i]), packed[i])
                        << fmt::format("{} block {} byte {}", name(format), b, i);
            }
        }
    });
}

// Magnitudes of every value below every one, which is each place of a float's bits in a magnitude.
TEST(BlockLoops, EveryDistanceOfEveryUpperHalf) {
    std::vector<float> values;
    for (unsigned distance = 0; distance < 40; ++distance)
        for (U32 mantissa = 0; mantissa < 0x80'0000; mantissa += 0x101F) {
            if (values.size() % formats::block_datums == 0) values.push_back(std::bit_cast<float>(140u << 23));
            values.push_back(std::bit_cast<float>((140u - distance) << 23 | mantissa));
        }
    while (values.size() % formats::block_datums) values.push_back(0);
    on_each_target([&] {
        for (const F format : block_formats) ASSERT_NO_FATAL_FAILURE(expect_blocks(values, format, {}));
    });
}

TEST(BlockLoops, EveryDatumWithEveryExponent) {
    constexpr std::size_t blocks = 256 * 16;  // each byte in a place of 16, below each exponent
    std::vector<std::byte> exponents(blocks);
    for (std::size_t b = 0; b < blocks; ++b) exponents[b] = static_cast<std::byte>(b / 16);
    on_each_target([&] {
        for (const F format : block_formats) {
            std::vector<std::byte> datums(blocks * block_bytes(format));
            for (std::size_t i = 0; i < datums.size(); ++i) datums[i] = static_cast<std::byte>(i % 256 + i / 256 % 3);
            const auto loops = tensor::block_loops(format, Rounding::host);
            std::vector<float> values(blocks * formats::block_datums);
            const auto expect_values = [&](BlockLoops::Shared shared) {
                loops.decode(datums.data(), exponents.data(), blocks, shared, values.data());
                for (std::size_t i = 0; i < values.size(); ++i) {
                    const auto datum = static_cast<std::uint8_t>(block_datum(datums, i, format));
                    const auto exponent = shared.value_or(std::to_integer<std::uint8_t>(exponents[i / 16]));
                    ASSERT_EQ(std::bit_cast<U32>(values[i]), std::bit_cast<U32>(from_block(datum, exponent, format)))
                        << fmt::format("{} {:02x} below {}", name(format), datum, exponent);
                }
            };
            ASSERT_NO_FATAL_FAILURE(expect_values({}));
            for (const unsigned shared : {0, 1, 6, 7, 31, 255})
                ASSERT_NO_FATAL_FAILURE(expect_values(static_cast<std::uint8_t>(shared)));
        }
    });
}

// As many blocks as there are, which need not fill what is worked on together.
TEST(BlockLoops, AnyNumberOfBlocks) {
    const auto all = random_blocks();
    constexpr std::byte untouched{0xA5};
    on_each_target([&] {
        for (const F format : block_formats)
            for (std::size_t n = 0; n < 35; ++n) {
                const std::size_t size = n * block_bytes(format);
                std::vector<std::byte> datums(size + 64, untouched), exponents(n + 64, untouched);
                const auto loops = tensor::block_loops(format, Rounding::host);
                loops.encode(&all[4000 * 16], n, {}, datums.data(), exponents.data());
                for (std::size_t i = size; i < datums.size(); ++i) ASSERT_EQ(datums[i], untouched) << name(format);
                for (std::size_t i = n; i < exponents.size(); ++i) ASSERT_EQ(exponents[i], untouched) << name(format);
                std::vector<float> values(n * 16 + 64, -1.0f);
                loops.decode(first(datums, size).data(), first(exponents, n).data(), n, {}, values.data());
                for (std::size_t i = 0; i < n * 16; ++i) {
                    const auto datum = static_cast<std::uint8_t>(block_datum(datums, i, format));
                    ASSERT_EQ(values[i], from_block(datum, std::to_integer<std::uint8_t>(exponents[i / 16]), format));
                }
                for (std::size_t i = n * 16; i < values.size(); ++i) ASSERT_EQ(values[i], -1.0f) << name(format);
            }
    });
}

}  // namespace
}  // namespace tessera::test
