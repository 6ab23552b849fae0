// SPDX-License-Identifier: Apache-2.0
// ELWMUL and ELWADD of every pair of 8-bit datums, as unpacked to SrcA and SrcB, in every fidelity phase and both
// widths of Dst: the units against the reference.
#include <fmt/format.h>

#include "reference/matrix.hpp"
#include "reference/numerics.hpp"
#include "support/reference_pair.hpp"
#include "tessera/assembly.hpp"

namespace tessera::test {
namespace {

using registers::field;
using state::Rwc;
using state::Storage;

enum class Bytes { e5m2, e4m3, int8, uint8 };

struct Kind {
    Arch arch{};
    Bytes bytes{};
    bool integers() const { return bytes == Bytes::int8 || bytes == Bytes::uint8; }
};

constexpr auto src_a_format = field("ALU_FORMAT_SPEC_REG0_SrcA");
constexpr auto src_b_format = field("ALU_FORMAT_SPEC_REG1_SrcB");
constexpr auto int8_math = field("ALU_ACC_CTRL_INT8_math_enabled");
constexpr auto fp32_enabled = field("ALU_ACC_CTRL_Fp32_enabled");
constexpr auto implied_a_off = field("DISABLE_IMPLIED_SRCA_FMT_Base");
constexpr auto implied_b_off = field("DISABLE_IMPLIED_SRCB_FMT_Base");

class EveryBytePair : public testing::TestWithParam<Kind> {
protected:
    static constexpr unsigned bytes = 256, columns = 16, rows = 8, b_rows = 64;
    static constexpr unsigned blocks = bytes / (rows * columns);
    static constexpr unsigned thread = 0;

    EveryBytePair() : pair_(GetParam().arch, 0) {
        const std::uint32_t format = GetParam().integers() ? reference::INT8 : reference::FP8;
        for (const auto& f : {src_a_format, src_b_format}) pair_.write(thread, f, format);
        for (const auto& f : {implied_a_off, implied_b_off}) pair_.write(thread, f, 1);
        pair_.write(thread, int8_math, GetParam().integers());
        for (state::Src src : {state::Src::a, state::Src::b})
            pair_.write(state::cells::bank_owner(src, 0), static_cast<std::uint32_t>(state::Owner::matrix));
        for (unsigned x = 0; x < bytes; ++x) pair_.write(Storage::src_a, x, stored(x));
    }

    std::uint32_t stored(unsigned byte) const {
        const std::uint32_t format = GetParam().integers() ? reference::INT8 : reference::FP8;
        reference::ConversionModes modes;
        modes.Int8MeansUnsigned = GetParam().bytes == Bytes::uint8;
        modes.LF8_4b_exp = GetParam().bytes == Bytes::e4m3;
        modes.blackhole = GetParam().arch == Arch::blackhole;
        return reference::FormatConversion(format, format, byte, 0, modes).value();
    }

    std::uint32_t word(const std::string& text) const {
        return assemble(text, GetParam().arch).value().threads[thread].front().value;
    }

    void clear_dst() {
        for (unsigned r = 0; r < rows; ++r) pair_.write(Storage::dst_valid, r, 0);
    }

    /// Calls f for each byte of SrcB with each block of bytes in SrcA; then SrcB's byte is broadcast to the block.
    template <class F>
    void for_each_block(F&& f) {
        for (unsigned b = 0; b < bytes && !pair_.hopeless(); ++b) {
            if (b % b_rows == 0)
                for (unsigned r = 0; r < b_rows; ++r) pair_.write(Storage::src_b, r * columns, stored(b + r));
            pair_.write(state::cells::rwc(thread, Rwc::src_b), b % b_rows);
            for (unsigned block = 0; block < blocks; ++block) {
                pair_.write(state::cells::rwc(thread, Rwc::src_a), block * rows);
                f();
            }
        }
    }

    void run(std::uint32_t word, ReferenceFunction function, unsigned phase) {
        pair_.write(state::cells::rwc(thread, Rwc::fidelity), phase);
        pair_.run(thread, word, function, false);
    }

    template <class F>
    void in_both_widths(F&& f) {
        for (unsigned wide : {0u, 1u}) {
            SCOPED_TRACE(fmt::format("{}-bit Dst", wide ? 32 : 16));
            pair_.write(thread, fp32_enabled, wide);
            f();
        }
        EXPECT_EQ(pair_.executed, pair_.cases);
        EXPECT_EQ(pair_.differences, 0u);
    }

    ReferencePair pair_;
};

TEST_P(EveryBytePair, ElwmulInEachPhase) {
    const std::uint32_t elwmul = word("ELWMUL instr_mod19=3");
    in_both_widths([&] {
        for (unsigned phase = 0; phase < 4; ++phase)
            for_each_block([&] {
                clear_dst();
                run(elwmul, reference::elwmul, phase);
            });
    });
    EXPECT_EQ(pair_.cases * rows * columns, 2 * 4 * bytes * bytes);
}

TEST_P(EveryBytePair, ElwmulPhaseAfterPhase) {
    const std::uint32_t elwmul = word("ELWMUL instr_mod19=3");
    in_both_widths([&] {
        for_each_block([&] {
            clear_dst();
            for (unsigned phase = 0; phase < 4; ++phase) run(elwmul, reference::elwmul, phase);
        });
    });
    EXPECT_EQ(pair_.cases * rows * columns, 2 * 4 * bytes * bytes);
}

TEST_P(EveryBytePair, ElwaddInEachPhase) {
    const std::uint32_t elwadd = word("ELWADD instr_mod19=3");
    in_both_widths([&] {
        for (unsigned phase = 0; phase < 4; ++phase) for_each_block([&] { run(elwadd, reference::elwadd, phase); });
    });
    EXPECT_EQ(pair_.cases * rows * columns, 2 * 4 * bytes * bytes);
}

// All four phases of two integers add up to their product.
class EveryIntegerPair : public EveryBytePair {};

TEST_P(EveryIntegerPair, FourPhasesAreTheProduct) {
    const std::uint32_t elwmul = word("ELWMUL instr_mod19=3");
    const auto value = [&](unsigned byte) -> int {
        if (GetParam().bytes == Bytes::uint8) return static_cast<int>(byte);
        return byte & 0x80 ? -static_cast<int>(byte & 0x7F) : static_cast<int>(byte);
    };
    pair_.write(thread, fp32_enabled, 1);
    for_each_block([&] {
        clear_dst();
        for (unsigned phase = 0; phase < 4; ++phase) run(elwmul, reference::elwmul, phase);
        const unsigned b = (pair_.cases - 1) / (4 * blocks),
                       first = pair_[state::cells::rwc(thread, Rwc::src_a)] * columns;
        for (unsigned i = 0; i < rows * columns; ++i) {
            const auto half = [&](unsigned row) {
                return static_cast<std::uint32_t>(
                    state::read(pair_.state(), Storage::dst, row * columns + i % columns));
            };
            const std::uint32_t datum = half(i / columns) << 16 | half(i / columns + 8);
            ASSERT_EQ(reference::ReadDstInt32(datum), value(first + i) * value(b)) << first + i << " * " << b;
        }
    });
}

std::vector<Kind> kinds(std::initializer_list<Bytes> of) {
    std::vector<Kind> all;
    for (Arch arch : all_archs)
        for (Bytes bytes : of) all.push_back({arch, bytes});
    return all;
}

std::string kind_name(const testing::TestParamInfo<Kind>& kind) {
    constexpr std::string_view names[] = {"e5m2", "e4m3", "int8", "uint8"};
    return fmt::format("{}_{}", name(kind.param.arch), names[static_cast<unsigned>(kind.param.bytes)]);
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryBytePair,
                         testing::ValuesIn(kinds({Bytes::e5m2, Bytes::e4m3, Bytes::int8, Bytes::uint8})), kind_name);
INSTANTIATE_TEST_SUITE_P(Kinds, EveryIntegerPair, testing::ValuesIn(kinds({Bytes::int8, Bytes::uint8})), kind_name);

}  // namespace
}  // namespace tessera::test
