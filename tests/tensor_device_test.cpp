// SPDX-License-Identifier: Apache-2.0
// Device rounding against the reference and PACR; shared exponents against UNPACR; headers against the packers' counts.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "formats/datum_size.hpp"
#include "reference/numerics.hpp"
#include "reference/pack_numerics.hpp"
#include "support/tile_machine.hpp"

namespace tessera::test {
namespace {

using F = DataFormat;

constexpr F block_formats[] = {F::Bfp8, F::Bfp4, F::Bfp2, F::Bfp8_b, F::Bfp4_b, F::Bfp2_b};
/// Formats that packers make from FP32.
constexpr F made_of_fp32[] = {F::Float32, F::Float16, F::Float16_b, F::Lf8,    F::Bfp8,
                              F::Bfp4,    F::Bfp2,    F::Bfp8_b,    F::Bfp4_b, F::Bfp2_b};

bool is_narrow(F format) { return format == F::Bfp8 || format == F::Bfp4 || format == F::Bfp2; }

std::vector<unsigned> numbers(const std::vector<std::byte>& bytes, std::size_t first, std::size_t count) {
    std::vector<unsigned> result;
    for (std::size_t i = first; i < first + count; ++i) result.push_back(std::to_integer<unsigned>(bytes.at(i)));
    return result;
}

// --- as packers round

TEST(DeviceRounding, IsTheReferencesLateConversion) {
    std::mt19937 random(3);
    TensorForm form(Layout::rows);
    form.rounding = Rounding::device;
    for (const F format : made_of_fp32)
        for (unsigned n = 0; n < 5000; ++n) {
            Matrix matrix{1, 16, std::vector<float>(16)};
            const std::uint32_t top = random() % 2 ? 90 + random() % 80 : random() % 256, spread = 1 + random() % 12;
            for (float& value : matrix.values) {
                const std::uint32_t exponent = top - std::min<std::uint32_t>(top, random() % spread);
                value = std::bit_cast<float>(static_cast<std::uint32_t>(random() & 0x807FFFFF) | exponent << 23);
            }
            const auto bytes = to_bytes(matrix, format, form).value();
            reference::Conversions how;
            how.Read_32b_data = true;
            how.IntermediateFormat = how.LateFromFormat = static_cast<std::uint32_t>(F::Float32);
            how.LateToFormat = static_cast<std::uint32_t>(format);
            const unsigned bits = formats::datum_bits(format);
            std::array<std::uint32_t, 16> datums{};
            for (std::size_t i = 0; i < 16; ++i) {
                const std::uint32_t dst = reference::WriteDstFP32(std::bit_cast<std::uint32_t>(matrix.values[i]));
                datums[i] =
                    reference::LateFormatConversion(how, reference::EarlyFormatConversion(how, dst).value()).value();
            }
            std::size_t data = 0;
            if (formats::is_block_format(format)) {
                const auto group = reference::AssembleBFP(datums, bits);
                ASSERT_EQ(std::to_integer<std::uint32_t>(bytes[0]), group.Exponent) << name(format);
                datums = group.Datums;
                data = 16;
            }
            for (std::size_t i = 0; i < 16; ++i) {
                std::uint32_t datum = 0;
                for (unsigned b = 0; b < bits; b += 8)
                    datum |= std::to_integer<std::uint32_t>(bytes[data + i * bits / 8 + b / 8]) << b;
                if (bits < 8) datum = datum >> i * bits % 8 & ((1u << bits) - 1);
                ASSERT_EQ(datum, datums[i]) << fmt::format("{} {:a}", name(format), matrix.values[i]);
            }
        }
}

// The halves of the last bit: the host goes to even, the device away from zero, and cuts to fewer bits behind that.
TEST(DeviceRounding, ByHand) {
    TensorForm form(Layout::rows);
    form.rounding = Rounding::device;
    const Matrix matrix{1, 16, {1, 0x1p-7f, -0x1p-7f, 0x1.8p-6f, 0x1.4p-5f, 0.49f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}};
    EXPECT_EQ(numbers(to_bytes(matrix, F::Bfp8_b, Layout::rows).value(), 16, 6),
              (std::vector<unsigned>{0x40, 0, 0, 2, 2, 0x1F}));
    EXPECT_EQ(numbers(to_bytes(matrix, F::Bfp8_b, form).value(), 16, 6),
              (std::vector<unsigned>{0x40, 1, 0x81, 2, 3, 0x1F}));
    EXPECT_EQ(numbers(to_bytes(matrix, F::Bfp4_b, Layout::rows).value(), 16, 3),
              (std::vector<unsigned>{0x04, 0, 0x20}));
    EXPECT_EQ(numbers(to_bytes(matrix, F::Bfp4_b, form).value(), 16, 3), (std::vector<unsigned>{0x04, 0, 0x10}));
}

// --- the machine's own

class MachineForms : public testing::TestWithParam<Arch> {
protected:
    Matrix random_values() {
        Matrix matrix{32, 32, std::vector<float>(1024)};
        for (float& value : matrix.values)
            value = random_() % 3 ? std::ldexp(static_cast<float>(random_() % 0x1000000) - 0x800000,
                                               static_cast<int>(random_() % 12) - 28)
                                  : 0;
        return matrix;
    }
    static constexpr std::size_t input = 0x10000, output = 0x40000;
    std::mt19937 random_{11};
    TileMachine machine_{GetParam()};
};

// tensor/ with device rounding writes the same as PACR from the same FP32.
TEST_P(MachineForms, DeviceRoundingIsPacrs) {
    for (const bool compress : {false, true})
        for (const F format : made_of_fp32) {
            if (compress && formats::datum_bits(format) == 2) continue;
            const Matrix matrix = random_values();
            TensorForm form;
            form.compressed = compress;
            form.rounding = Rounding::device;
            machine_.write(input, to_bytes(matrix, F::Float32, Layout::tiles).value());
            machine_.unpack(input, F::Float32, Layout::tiles, F::Float32, Way::dst);
            const auto expected = to_bytes(matrix, format, form).value();
            machine_.write(output, std::vector<std::byte>(expected.size()));
            machine_.pack(output, format, form, {F::Float32, true});
            ASSERT_EQ(machine_.read(output, expected.size()), expected) << name(format) << compress;
        }
}

TEST_P(MachineForms, UnpackersTakeTheSharedExponent) {
    for (const F format : block_formats)
        for (const unsigned exponent : {14u, 20u, 31u}) {
            const bool narrow = is_narrow(format);
            TensorForm form;
            form.shared_exponent = static_cast<std::uint8_t>(narrow ? exponent : exponent + 112);
            const auto bytes = to_bytes(random_values(), format, form).value();
            machine_.write(input, bytes);
            machine_.unpack(input, format, form, format, Way::dst);
            const F wide = narrow ? F::Float16 : F::Float16_b;
            machine_.pack(output, wide, Layout::tiles, {wide, false, true});
            const auto packed = machine_.read(output, 2048);
            EXPECT_EQ(from_bytes(packed, 32, 32, wide, Layout::tiles)->values,
                      from_bytes(bytes, 32, 32, format, form)->values)
                << name(format) << exponent;
        }
}

// SETDMAREG_Special, TileHeader: from what the packer has counted.
TEST_P(MachineForms, HeadersAreThePackers) {
    for (const bool compress : {false, true})
        for (const F format : {F::Float32, F::Float16_b, F::Lf8, F::Bfp8_b}) {
            Matrix matrix = random_values();
            for (std::size_t i = 0; i < 1024; ++i)
                if (i / 128 % 2) matrix.values[i] = 0;
            TensorForm form;
            form.digest_size = std::uint8_t{0};
            form.compressed = compress;
            form.rounding = Rounding::device;
            machine_.write(input, to_bytes(matrix, F::Float32, Layout::tiles).value());
            machine_.unpack(input, F::Float32, Layout::tiles, F::Float32, Way::dst);
            machine_.pack(output, format, form, {F::Float32, true});
            const auto bytes = to_bytes(matrix, format, form).value();
            const auto header = [&](unsigned first, unsigned count) {
                std::uint32_t value = 0;
                for (unsigned b = 0; b < count; ++b) value |= std::to_integer<std::uint32_t>(bytes[first + b]) << 8 * b;
                return value;
            };
            const auto packer = [&](state::Packer item) { return machine_.step.state[state::cells::packer(0, item)]; };
            EXPECT_EQ(header(0, 2), packer(state::Packer::last_tile_size) + 1) << name(format) << compress;
            EXPECT_TRUE(!compress || header(8, 4) == packer(state::Packer::all_zero_flags)) << name(format);
            EXPECT_EQ(header(6, 1), static_cast<unsigned>(format) | (compress ? 0u : 0x10u));
        }
}

INSTANTIATE_TEST_SUITE_P(Archs, MachineForms, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
