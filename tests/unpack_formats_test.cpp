// SPDX-License-Identifier: Apache-2.0
// L1 to source registers and to Dst, against the reference and against numbers by hand. Every pattern of 8 and 16 bits,
// every exponent with every datum of a block, special and random 32-bit patterns.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>

#include "reference/numerics.hpp"
#include "support/each_target.hpp"
#include "support/unpack_patterns.hpp"

namespace tessera {
namespace {

using F = DataFormat;
using test::patterns16;
using test::patterns32;
using test::unpack_to_dst;
using test::unpack_to_src;

std::uint32_t by_reference(const formats::UnpackConversion& conversion, std::uint32_t pattern,
                           std::uint32_t exponent = 0, bool to_dst = false) {
    const auto expected = reference::FormatConversion(
        static_cast<std::uint32_t>(conversion.in), static_cast<std::uint32_t>(conversion.out), pattern, exponent,
        {conversion.int8_unsigned, conversion.fp8_e4m3, conversion.fp8_saturated, to_dst});
    if (!expected) throw std::runtime_error("the reference has no such conversion");
    return *expected;
}

void expect_unpack_as_reference(const formats::UnpackConversion& conversion,
                                const std::vector<std::uint32_t>& patterns) {
    const auto result = unpack_to_src(conversion, patterns), in_dst = unpack_to_dst(conversion, patterns);
    for (std::size_t i = 0; i < patterns.size(); ++i) {
        const auto what = fmt::format("{} {:08x} to {}", name(conversion.in), patterns[i], name(conversion.out));
        ASSERT_EQ(result[i], by_reference(conversion, patterns[i])) << what;
        ASSERT_EQ(in_dst[i], by_reference(conversion, patterns[i], 0, true)) << what;
    }
}

std::vector<std::uint32_t> first_patterns(unsigned bits) {
    std::vector<std::uint32_t> all(std::size_t{1} << bits);
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    return all;
}

TEST(UnpackFormats, EveryPatternOf16BitsAsReference) {
    test::on_each_target([] {
        for (F format : {F::Float16, F::Float16_b, F::UInt16})
            expect_unpack_as_reference({.in = format, .out = format}, patterns16());
    });
}

TEST(UnpackFormats, EveryPatternOf8BitsAsReference) {
    test::on_each_target([] {
        for (const bool e4m3 : {false, true})
            for (const bool saturated : {false, true})
                expect_unpack_as_reference({.in = F::Lf8, .out = F::Lf8, .fp8_e4m3 = e4m3, .fp8_saturated = saturated},
                                           first_patterns(8));
        for (const bool is_unsigned : {false, true})
            expect_unpack_as_reference({.in = F::Int8, .out = F::Int8, .int8_unsigned = is_unsigned},
                                       first_patterns(8));
    });
}

// Numbers that both implementations could have wrong in the same way (spec-notes A45, A50, A51).
TEST(UnpackFormats, BytesByHand) {
    const auto fp16 = [](const formats::UnpackConversion& conversion, std::uint32_t pattern) {
        const std::uint32_t x = formats::src_from_stored(unpack_to_src(conversion, {pattern})[0]);
        return (x >> 16 & 0x8000) | (x >> 13 & 0x7FFF);
    };
    const formats::UnpackConversion e5m2 = {.in = F::Lf8, .out = F::Lf8};
    formats::UnpackConversion saturated = e5m2, e4m3 = e5m2;
    saturated.fp8_saturated = true;
    e4m3.fp8_e4m3 = true;
    EXPECT_EQ(fp16(e5m2, 0x3C), 0x3C00u);
    EXPECT_EQ(fp16(e5m2, 0x7F), 0x7F00u);
    EXPECT_EQ(fp16(saturated, 0x7F), 0x7FFFu);
    EXPECT_EQ(fp16(saturated, 0xFF), 0xFFFFu);
    EXPECT_EQ(fp16(saturated, 0x7E), 0x7E00u);
    EXPECT_EQ(fp16(e4m3, 0x38), 0x3C00u);  // 1.0
    EXPECT_EQ(fp16(e4m3, 0xB9), 0xBC80u);  // -1.125
    EXPECT_EQ(fp16(e4m3, 0x7E), 0x5F00u);  // 448
    EXPECT_EQ(fp16(e4m3, 0x7F), 0x5FFFu);
    EXPECT_EQ(fp16(e4m3, 0x01), 0x0080u);
    const formats::UnpackConversion int8 = {.in = F::Int8, .out = F::Int8};
    formats::UnpackConversion uint8 = int8;
    uint8.int8_unsigned = true;
    EXPECT_EQ(fp16(int8, 0x85), 0xC005u);
    EXPECT_EQ(fp16(int8, 0x80), 0x8000u);
    EXPECT_EQ(fp16(int8, 0x00), 0x0000u);
    EXPECT_EQ(fp16(uint8, 0x85), 0x4085u);
    EXPECT_EQ(unpack_to_src(F::UInt16, F::UInt16, {0xABCD})[0], 0x558CDu);
}

constexpr F block_formats[] = {F::Bfp8, F::Bfp4, F::Bfp2, F::Bfp8_b, F::Bfp4_b, F::Bfp2_b};

TEST(UnpackFormats, EveryExponentAndDatumOfBlocksAsReference) {
    test::on_each_target([] {
        for (F format : block_formats) {
            const auto datums = first_patterns(8);  // the low bits of each are a datum of the format
            const std::uint32_t mask = (1u << formats::datum_bits(format)) - 1;
            formats::UnpackConversion conversion = {.in = format, .out = format};
            for (std::uint32_t exponent = 0; exponent < 256; ++exponent) {
                const auto byte = static_cast<std::uint8_t>(exponent);
                conversion.forced_exponent = false;
                const auto result = unpack_to_src(conversion, datums, std::vector<std::uint8_t>(16, byte));
                conversion.forced_exponent = true;
                const auto forced = unpack_to_src(conversion, datums, {}, byte);
                const auto in_dst = unpack_to_dst(conversion, datums, {}, byte);
                for (std::size_t i = 0; i < datums.size(); ++i) {
                    ASSERT_EQ(result[i], by_reference(conversion, datums[i] & mask, exponent))
                        << fmt::format("{} {:02x} exponent {}", name(format), datums[i] & mask, exponent);
                    ASSERT_EQ(forced[i], result[i]);
                    ASSERT_EQ(in_dst[i], by_reference(conversion, datums[i] & mask, exponent, true));
                }
            }
        }
    });
}

// As above, but nowhere a sign alone, which is no number: such blocks take a shorter way.
TEST(UnpackFormats, EveryExponentAndNumberOfBlocksAsReference) {
    test::on_each_target([] {
        for (F format : block_formats) {
            const std::uint32_t lone_sign = 1u << (formats::datum_bits(format) - 1);
            auto datums = first_patterns(formats::datum_bits(format));
            datums[lone_sign] = 0;
            while (datums.size() < 4 * 256) datums.insert(datums.end(), datums.begin(), datums.end());
            std::vector<std::uint8_t> exponents(datums.size() / 16);
            for (std::uint32_t first = 0; first < 256; ++first) {
                // Of one exponent, and of neighbouring ones: by turns in all of a tile, and in half of it.
                for (std::size_t i = 0; i < exponents.size(); ++i)
                    exponents[i] = static_cast<std::uint8_t>(first + (first % 2 ? i % 2 : i < 32 ? 0 : i));
                const formats::UnpackConversion conversion = {.in = format, .out = format};
                const auto result = unpack_to_src(conversion, datums, exponents);
                const auto in_dst = unpack_to_dst(conversion, datums, exponents);
                for (std::size_t i = 0; i < datums.size(); ++i) {
                    ASSERT_EQ(result[i], by_reference(conversion, datums[i], exponents[i / 16]))
                        << fmt::format("{} {:02x} exponent {}", name(format), datums[i], exponents[i / 16]);
                    ASSERT_EQ(in_dst[i], by_reference(conversion, datums[i], exponents[i / 16], true));
                }
            }
        }
    });
}

// Tiles, faces and what remains are done at a time, and all of it in the longer way if one block needs that.
TEST(UnpackFormats, OneBlockOfManyIsDifferentAsReference) {
    constexpr std::size_t blocks = 64 + 16 + 5;
    test::on_each_target([] {
        std::mt19937 random(6);
        for (F format : block_formats) {
            const std::uint32_t lone_sign = 1u << (formats::datum_bits(format) - 1);
            std::vector<std::uint32_t> usual(blocks * 16);
            for (auto& datum : usual) datum = static_cast<std::uint32_t>(random()) % lone_sign;
            for (std::size_t different = 0; different < blocks; ++different) {
                auto datums = usual;
                std::vector<std::uint8_t> exponents(blocks);
                for (auto& exponent : exponents) exponent = static_cast<std::uint8_t>(7 + random() % 25);
                switch (different % 3) {
                    case 0: datums[different * 16 + random() % 16] = lone_sign; break;
                    case 1: exponents[different] = 6; break;
                    case 2: exponents[different] = 255; break;
                }
                const formats::UnpackConversion conversion = {.in = format, .out = format};
                const auto result = unpack_to_src(conversion, datums, exponents);
                for (std::size_t i = 0; i < datums.size(); ++i)
                    ASSERT_EQ(result[i], by_reference(conversion, datums[i], exponents[i / 16]))
                        << fmt::format("{} {:02x} exponent {}", name(format), datums[i], exponents[i / 16]);
            }
        }
    });
}

TEST(UnpackFormats, BlocksBeginAndEndAnywhere) {
    test::on_each_target([] {
        std::mt19937 random(5);
        for (F format : block_formats)
            for (std::size_t at = 0; at < 40; ++at)
                for (std::size_t n = 0; n < 40; ++n) {
                    const std::uint32_t mask = (1u << formats::datum_bits(format)) - 1;
                    std::vector<std::uint32_t> datums(at + n);
                    for (auto& datum : datums) datum = static_cast<std::uint32_t>(random()) & mask;
                    std::vector<std::uint8_t> exponents(6);
                    for (auto& exponent : exponents) exponent = static_cast<std::uint8_t>(random());
                    const formats::UnpackConversion conversion = {.in = format, .out = format};
                    const auto result = unpack_to_src(conversion, datums, exponents, 0, at);
                    for (std::size_t i = at; i < datums.size(); ++i)
                        ASSERT_EQ(result[i - at], by_reference(conversion, datums[i], exponents[i / 16]))
                            << fmt::format("{} datum {} of {} from {}", name(format), i, n, at);
                }
    });
}

/// Bytes whose end is that of a page; the next page cannot be accessed.
class Fenced {
public:
    explicit Fenced(std::size_t bytes)
        : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))), size_((bytes + page_ - 1) / page_ * page_) {
        void* const got = mmap(nullptr, size_ + page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (got == MAP_FAILED || mprotect(static_cast<std::uint8_t*>(got) + size_, page_, PROT_NONE))
            throw std::runtime_error("no fence");
        begin_ = static_cast<std::uint8_t*>(got);
    }
    ~Fenced() { munmap(begin_, size_ + page_); }
    Fenced(const Fenced&) = delete;
    Fenced& operator=(const Fenced&) = delete;
    std::uint8_t* last(std::size_t bytes) { return begin_ + size_ - bytes; }

private:
    std::size_t page_, size_;
    std::uint8_t* begin_ = nullptr;
};

// A tile may end where L1 does. Blocks of usual exponents take the shorter way, those of exponent 0 the longer one.
TEST(UnpackFormats, NothingBehindTheDatumsIsTouched) {
    constexpr std::size_t most = 1024 + 256 + 240 + 15;
    Fenced datums(4 * most), exponents(most), results(4 * most);
    std::vector<std::size_t> counts;
    for (std::size_t n = 0; n <= 96; ++n) counts.push_back(n);
    for (const std::size_t n : {240, 255, 256, 272, 1023, 1024, 1040, 1264, 1535}) counts.push_back(n);
    test::on_each_target([&] {
        for (const F format : {F::Float32, F::Float16, F::Float16_b, F::UInt16, F::Lf8, F::Int8, F::Bfp8, F::Bfp4,
                               F::Bfp2, F::Bfp8_b, F::Bfp4_b, F::Bfp2_b})
            for (const bool to_dst : {false, true})
                for (const std::uint8_t exponent : {100, 20, 0})
                    for (const std::size_t n : counts) {
                        const formats::UnpackConversion conversion = {.in = format, .out = format};
                        const auto loop =
                            to_dst ? formats::unpack_to_dst(conversion) : formats::unpack_to_src(conversion);
                        const std::size_t bytes = (n * formats::datum_bits(format) + 7) / 8;
                        const std::size_t blocks = (n + 15) / 16;
                        std::uint8_t *const in = datums.last(bytes), *const shared = exponents.last(blocks);
                        std::memset(in, 0x11, bytes);
                        std::memset(shared, exponent, blocks);
                        auto* const out = reinterpret_cast<std::uint32_t*>(results.last(4 * n));
                        loop({in, shared, 0}, 0, out, n);
                        std::vector<std::uint8_t> wide(bytes + 256, 0x11), any(blocks + 256, exponent);
                        std::vector<std::uint32_t> expected(n + 256);
                        loop({wide.data(), any.data(), 0}, 0, expected.data(), n);
                        for (std::size_t i = 0; i < n; ++i)
                            ASSERT_EQ(out[i], expected[i]) << fmt::format("{}, datum {} of {}", name(format), i, n);
                    }
    });
}

// spec-notes A38 to A40: the magnitude has its leading one at bit 6 (8 bits), 2 (4 bits), 0 (2 bits).
TEST(UnpackFormats, BlocksByHand) {
    struct Line {
        F format;
        std::uint8_t datum, exponent;
        std::uint32_t value;  ///< the upper bits of an FP32; with a narrow exponent 5 bits at its low end
    };
    constexpr Line lines[] = {
        {F::Bfp8_b, 0x40, 127, 0x3F800000}, {F::Bfp8_b, 0xE0, 127, 0xBFC00000}, {F::Bfp8_b, 0x01, 127, 0x3C800000},
        {F::Bfp8_b, 0x80, 127, 0xFF800000}, {F::Bfp8_b, 0x00, 255, 0x00000000}, {F::Bfp8_b, 0x01, 2, 0x7E000000},
        {F::Bfp4_b, 0x04, 128, 0x40000000}, {F::Bfp4_b, 0x0F, 127, 0xBFE00000}, {F::Bfp2_b, 0x01, 130, 0x41000000},
        {F::Bfp2_b, 0x03, 127, 0xBF800000}, {F::Bfp8, 0x40, 15, 0x07800000},    {F::Bfp8, 0x7F, 15, 0x07FE0000},
        {F::Bfp8, 0x80, 15, 0x8F800000},    {F::Bfp4, 0x02, 15, 0x07000000},    {F::Bfp2, 0x01, 31, 0x0F800000},
        {F::Bfp8, 0x40, 0xE1, 0x00800000},
    };
    for (const Line& line : lines)
        EXPECT_EQ(formats::src_from_stored(
                      unpack_to_src({.in = line.format, .out = line.format}, {line.datum}, {line.exponent})[0]),
                  line.value)
            << fmt::format("{} {:02x} exponent {}", name(line.format), line.datum, line.exponent);
}

// UNPACR_Regular, WriteDstBF16, WriteDstFP16, WriteDstFP32: the mantissa, or its upper seven bits, before the exponent.
TEST(UnpackFormats, DstByHand) {
    struct Line {
        F in, out;
        std::uint32_t datum, value;
        std::uint8_t exponent = 0;
    };
    constexpr Line lines[] = {
        {F::Float32, F::Float32, 0x40490FDB, 0x49800FDB},
        {F::Float32, F::Tf32, 0x40490FDB, 0x49800FDB},
        {F::Tf32, F::Tf32, 0x3F800001, 0x007F0001},
        {F::Float32, F::Float16_b, 0x40490FDB, 0x4980},
        {F::Float32, F::Float16, 0x40490FDB, 0x4910},
        {F::Float32, F::Float16_b, 0x80400000, 0x8000},
        {F::Int32, F::Int32, 0x81234567, 0xA3024567},
        {F::Float16_b, F::Float16_b, 0xC049, 0xC980},
        {F::Float16_b, F::Float16_b, 0x0001, 0x0100},
        {F::Float16, F::Float16, 0x7BFF, 0x7FFE},
        {F::Float16, F::Float16, 0x8001, 0x8020},
        {F::UInt16, F::UInt16, 0x1234, 0x1234},
        {F::Int8, F::Int8, 0x81, 0x8030},
        {F::Int8, F::Int8, 0x80, 0x8000},
        {F::Lf8, F::Lf8, 0x3C, 0x000F},
        {F::Bfp8_b, F::Bfp8_b, 0x60, 0x407F, 127},
        {F::Bfp4, F::Bfp4, 0x0C, 0x800F, 15},
        // The output format has the last word on nothing but the view (spec-notes A68).
        {F::Float16_b, F::Float32, 0x3F80, 0x0000007F},
        {F::Int32, F::Float16_b, 0x00011234, 0x01001234},
    };
    for (const Line& line : lines)
        EXPECT_EQ(unpack_to_dst({.in = line.in, .out = line.out}, {line.datum}, {line.exponent})[0], line.value)
            << fmt::format("{} {:08x} to {}", name(line.in), line.datum, name(line.out));
}

TEST(UnpackFormats, Float32AsReference) {
    const auto patterns = patterns32();
    test::on_each_target([&] {
        for (F out : {F::Float32, F::Tf32, F::Float16_b, F::Float16})
            expect_unpack_as_reference({.in = F::Float32, .out = out}, patterns);
        for (F in : {F::Tf32, F::Int32}) expect_unpack_as_reference({.in = in, .out = in}, patterns);
    });
}

TEST(UnpackFormats, Float32BecomesNothingElse) {
    for (unsigned code = 0; code < 16; ++code) {
        const bool known = code == 0 || code == 1 || code == 4 || code == 5;
        EXPECT_EQ(formats::unpack_to_src({.in = F::Float32, .out = F(code)}) != nullptr, known) << code;
        EXPECT_EQ(formats::unpack_to_dst({.in = F::Float32, .out = F(code)}) != nullptr, known) << code;
        EXPECT_EQ(reference::FormatConversion(0, code, 0, 0, {}).has_value(), known) << code;
    }
}

}  // namespace
}  // namespace tessera
