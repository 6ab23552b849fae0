// SPDX-License-Identifier: Apache-2.0
// Seed unpack-data-path, 3.5: each row of the table of format conversions, by UNPACR to SrcA, to SrcB and to Dst. The
// registers' bits are written down by hand from the layouts of UNPACR_Regular (WriteSrcTF32, WriteDstFP32, …).
#include <optional>

#include "formats/datum_size.hpp"
#include "support/unpacker_test.hpp"

namespace tessera {
namespace {

using test::F;

/// Bits of SrcA and SrcB: sign, ten bits of mantissa, exponent of eight or five bits.
constexpr std::uint32_t src(std::uint32_t sign, std::uint32_t m10, std::uint32_t exponent) {
    return sign << 18 | m10 << 8 | exponent;
}
/// Dst in 16 bits.
constexpr std::uint32_t dst_bf16(std::uint32_t sign, std::uint32_t m7, std::uint32_t e8) {
    return sign << 15 | m7 << 8 | e8;
}
constexpr std::uint32_t dst_fp16(std::uint32_t sign, std::uint32_t m10, std::uint32_t e5) {
    return sign << 15 | m10 << 5 | e5;
}

constexpr std::uint32_t third_fp32 = 0x3FAAAAAA;  // 4/3: exponent 127, mantissa 0x2AAAAA
constexpr unsigned m7 = 0x2A, m10 = 0x155;        // its upper bits

struct Row {
    std::string_view name;
    F in, out;
    std::uint32_t datum;
    std::uint8_t exponent;             ///< of the block, where there is one
    std::optional<std::uint32_t> src;  ///< none: not possible
    std::uint32_t dst;
    bool wide = false;  ///< Dst in 32 bits
    std::string_view also = {};
};

constexpr Row rows[] = {
    {"Float32ToTf32", F::Float32, F::Tf32, third_fp32, 0, src(0, m10, 127), 0x2A7FAAAA, true},
    {"Float32ToFloat16_b", F::Float32, F::Float16_b, third_fp32, 0, src(0, m7 << 3, 127), dst_bf16(0, m7, 127)},
    {"Float32ToFloat16", F::Float32, F::Float16, third_fp32, 0, src(0, m10, 15), dst_fp16(0, m10, 15)},
    {"Tf32", F::Tf32, F::Tf32, third_fp32, 0, src(0, m10, 127), 0x2A7FAAAA, true},
    {"Float16_b", F::Float16_b, F::Float16_b, 0x3FAA, 0, src(0, m7 << 3, 127), dst_bf16(0, m7, 127)},
    {"Bfp8_b", F::Bfp8_b, F::Bfp8_b, 0x55, 127, src(0, 0x150, 127), dst_bf16(0, 0x2A, 127)},
    {"Bfp4_b", F::Bfp4_b, F::Bfp4_b, 0x5, 127, src(0, 0x100, 127), dst_bf16(0, 0x20, 127)},
    {"Bfp2_b", F::Bfp2_b, F::Bfp2_b, 0x3, 127, src(1, 0, 127), dst_bf16(1, 0, 127)},
    {"Bfp8", F::Bfp8, F::Bfp8, 0x55, 15, src(0, 0x150, 15), dst_fp16(0, 0x150, 15)},
    {"Bfp4", F::Bfp4, F::Bfp4, 0x5, 15, src(0, 0x100, 15), dst_fp16(0, 0x100, 15)},
    {"Bfp2", F::Bfp2, F::Bfp2, 0x3, 15, src(1, 0, 15), dst_fp16(1, 0, 15)},
    {"Float16", F::Float16, F::Float16, 0x3D55, 0, src(0, m10, 15), dst_fp16(0, m10, 15)},
    {"Fp8_e5m2", F::Lf8, F::Lf8, 0x3D, 0, src(0, 0x100, 15), dst_fp16(0, 0x100, 15)},
    {"Fp8_e4m3", F::Lf8, F::Lf8, 0x3B, 0, src(0, 0x180, 15), dst_fp16(0, 0x180, 15), false, "e4m3"},
    {"Int8AsBfp8_bWithForcedExponent", F::Bfp8_b, F::Bfp8_b, 0xD5, 127, src(1, 0x150, 127), dst_bf16(1, 0x2A, 127),
     false, "forced"},
    {"Int8", F::Int8, F::Int8, 0xD5, 0, src(1, 0x55, 16), dst_fp16(1, 0x55, 16)},
    {"UInt8", F::Int8, F::Int8, 0xD5, 0, src(0, 0xD5, 16), dst_fp16(0, 0xD5, 16), false, "unsigned"},
    {"Int16", F::UInt16, F::UInt16, 0x1234, 0, 0x12 << 11 | 0x34, 0x1234},
    {"Int32", F::Int32, F::Int32, 0x81234567, 0, std::nullopt, 0xA3024567, true},
};

class ConversionRow : public testing::TestWithParam<std::tuple<Arch, Row>> {
protected:
    static constexpr unsigned datums = 16, exponent_section = 16;

    ConversionRow() {
        for (unsigned u = 0; u < 2; ++u) {
            set(u, "REG0_TileDescriptor_IsUncompressed", 1);
            set(u, "REG0_TileDescriptor_XDim", 256);
            set(u, "REG0_TileDescriptor_YDim", 1);
            set(u, "REG3_Base_address", test::tile / 16 - 1);
            set(u, "REG0_TileDescriptor_InDataFormat", static_cast<std::uint32_t>(row().in));
            set(u, "REG2_Out_data_format", static_cast<std::uint32_t>(row().out));
            if (row().also == "e4m3") set(u, "REG1_Unp_LF8_4b_exp", 1);
            if (row().also == "forced") {
                set(u, "REG2_Force_shared_exp", 1);
                test::set_field(state(), fmt::format("UNP{}_FORCED_SHARED_EXP_shared_exp", u), row().exponent);
            }
            if (row().also == "unsigned")
                test::set_field(state(), fmt::format("ALU_FORMAT_SPEC_REG0_Src{}Unsigned", u ? 'B' : 'A'), 1);
        }
        test::set_field(state(), "UNP0_ADDR_BASE_REG_1_Base", 4 * 16 * output_bytes());
        const bool section = row().exponent && row().also != "forced";
        auto* at = &state().l1.open()[test::tile];
        if (section) std::fill(at, at + exponent_section, row().exponent);
        const unsigned bits = formats::datum_bits(row().in);
        for (unsigned bit = 0; bit < datums * bits; ++bit)
            if (row().datum >> bit % bits & 1)
                at[(section ? exponent_section : 0) + bit / 8] |= static_cast<std::uint8_t>(1u << bit % 8);
        for (auto unit : {state::AdcUnit::unpacker0, state::AdcUnit::unpacker1})
            state().write(state::cells::adc(0, unit, 1, state::Adc::x), datums - 1);
    }

    const Row& row() const { return std::get<Row>(GetParam()); }
    state::State& state() { return step_.state; }
    void set(unsigned u, std::string_view name, std::uint32_t value) {
        test::set_field(state(), fmt::format("THCON_SEC{}_{}", u, name), value);
    }
    // UNPACR_Regular, scaling of output addresses.
    unsigned output_bytes() const {
        if (row().wide) return 4;
        return row().out == F::Float16 || row().out == F::Float16_b || row().out == F::UInt16 ? 2 : 1;
    }
    std::uint32_t stored(state::Storage storage, unsigned element) {
        return static_cast<std::uint32_t>(state::read(state(), storage, element));
    }

    test::Stepper step_{std::get<Arch>(GetParam())};
};

TEST_P(ConversionRow, ReachesTheRegisters) {
    for (unsigned u = 0; u < 2; ++u) {
        step_.execute(test::unpacr::regular | u << 23);
        ASSERT_EQ(step_.fault, "");
        if (!row().src) {
            EXPECT_THAT(step_.findings, testing::Contains("unpack.int32-to-src"));
            continue;
        }
        for (unsigned i = 0; i < datums; ++i)
            EXPECT_EQ(stored(u ? state::Storage::src_b : state::Storage::src_a, i), *row().src) << "unpacker " << u;
    }
    set(0, "REG2_Unpack_If_Sel", 1);
    step_.execute(test::unpacr::regular);
    ASSERT_EQ(step_.fault, "");
    for (unsigned i = 0; i < datums; ++i) {
        EXPECT_EQ(stored(state::Storage::dst, i), row().wide ? row().dst >> 16 : row().dst);
        if (!row().wide) continue;
        EXPECT_EQ(stored(state::Storage::dst, 8 * 16 + i), row().dst & 0xFFFF);
    }
}

// Wormhole's FP8 is E5M2 alone.
std::vector<std::tuple<Arch, Row>> all_rows() {
    std::vector<std::tuple<Arch, Row>> all;
    for (const Arch arch : all_archs)
        for (const Row& row : rows)
            if (arch == Arch::blackhole || row.also != "e4m3") all.emplace_back(arch, row);
    return all;
}

INSTANTIATE_TEST_SUITE_P(, ConversionRow, testing::ValuesIn(all_rows()), [](const auto& instance) {
    return fmt::format("{}_{}", std::get<Row>(instance.param).name, name(std::get<Arch>(instance.param)));
});

}  // namespace
}  // namespace tessera
