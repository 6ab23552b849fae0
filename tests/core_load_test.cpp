// SPDX-License-Identifier: Apache-2.0
// Loading of kernels into a core's memories: placement and errors.
#include <gtest/gtest.h>

#include "core/place_kernels.hpp"

namespace tessera {
namespace {

constexpr std::uint32_t local = state::Riscv::local_base;

std::vector<std::byte> bytes(std::size_t size, unsigned value) { return {size, static_cast<std::byte>(value)}; }

KernelImage image(std::uint32_t entry, std::vector<KernelImage::Segment> segments) {
    KernelImage image;
    image.file = "kernel.elf";
    image.entry = entry;
    image.segments = std::move(segments);
    return image;
}

std::optional<KernelImage>& of(Kernels& kernels, RiscvCore core) {
    return kernels.images.at(static_cast<std::size_t>(core));
}

class CoreLoad : public testing::TestWithParam<Arch> {
protected:
    std::string error_of(const Kernels& kernels) {
        const state::L1 before = state_.l1;
        const auto done = core::place_kernels(state_, kernels);
        if (done) return "none";
        EXPECT_TRUE(state_.l1.bytes == before.bytes);
        for (const auto& core : state_.riscv) EXPECT_FALSE(core.running);
        return done.error().code;
    }
    static Kernels none() {
        Kernels kernels;
        kernels.arch = GetParam();
        return kernels;
    }
    state::Riscv& riscv(RiscvCore core) { return state_.riscv.at(static_cast<std::size_t>(core)); }

    state::State state_{GetParam()};
};

TEST_P(CoreLoad, PutsBytesIntoTheirMemories) {
    Kernels kernels = none();
    of(kernels, RiscvCore::t1) = image(0x6000, {{0x6000, bytes(20, 1), 0x6000}, {local + 4, bytes(8, 2), local + 4}});
    riscv(RiscvCore::t1).x[5] = 7;
    riscv(RiscvCore::t1).local[100] = 9;
    riscv(RiscvCore::t0).x[5] = 7;
    ASSERT_TRUE(core::place_kernels(state_, kernels));
    EXPECT_EQ(state_.l1.bytes[0x5FFF], 0);
    EXPECT_EQ(state_.l1.bytes[0x6000], 1);
    EXPECT_EQ(state_.l1.bytes[0x6013], 1);
    EXPECT_EQ(state_.l1.bytes[0x6014], 0);
    EXPECT_TRUE(state_.l1.all_written(0x6000, 20));
    EXPECT_FALSE(state_.l1.all_written(0x6020, 1));
    const auto& loaded = riscv(RiscvCore::t1);
    EXPECT_EQ(loaded.local[3], 0);
    EXPECT_EQ(loaded.local[4], 2);
    EXPECT_EQ(loaded.local[12], 0);
    EXPECT_EQ(loaded.local[100], 9);  // not cleared
    EXPECT_EQ(loaded.pc, 0x6000u);
    EXPECT_EQ(loaded.x[5], 0u);
    EXPECT_TRUE(loaded.running);
    EXPECT_FALSE(riscv(RiscvCore::t0).running);
    EXPECT_EQ(riscv(RiscvCore::t0).x[5], 7u);
}

TEST_P(CoreLoad, LocalMemoryHasTheSizeOfItsCore) {
    // BabyRISCV, "Local data RAM": twice as much for B and NC; twice as much on Blackhole.
    const std::uint32_t feeding = GetParam() == Arch::blackhole ? 4096 : 2048;
    for (std::size_t i = 0; i < riscv_cores; ++i) {
        const auto core = static_cast<RiscvCore>(i);
        const std::uint32_t size = core == RiscvCore::b || core == RiscvCore::nc ? 2 * feeding : feeding;
        Kernels kernels = none();
        of(kernels, core) = image(0x6000, {{local + size - 4, bytes(5, 1), local + size - 4}});
        EXPECT_EQ(error_of(kernels), "kernels.range");
        of(kernels, core) = image(0x6000, {{local + size - 4, bytes(4, 1), local + size - 4}});
        state::State fresh(GetParam());
        EXPECT_TRUE(core::place_kernels(fresh, kernels)) << name(core);
    }
}

TEST_P(CoreLoad, RefusesOtherAddresses) {
    const auto size = static_cast<std::uint32_t>(state_.l1.bytes.size());
    for (const std::uint32_t address : {size - 3, size, local - 4, 0xFFC0'3FFDu, 0xFFFF'FFFCu, 0x8000'0000u}) {
        Kernels kernels = none();
        of(kernels, RiscvCore::b) = image(0x6000, {{0x6000, bytes(4, 1), 0x6000}});
        of(kernels, RiscvCore::nc) = image(0x7000, {{0x7000, bytes(4, 1), 0x7000}, {address, bytes(4, 1), address}});
        EXPECT_EQ(error_of(kernels), "kernels.range") << address;
    }
}

TEST_P(CoreLoad, RefusesImagesThatDisagree) {
    Kernels kernels = none();
    of(kernels, RiscvCore::t0) = image(0x6000, {{0x6000, bytes(64, 1), 0x6000}, {local, bytes(4, 1), local}});
    of(kernels, RiscvCore::t1) = image(0x6020, {{0x6020, bytes(64, 1), 0x6020}, {local, bytes(4, 2), local}});
    ASSERT_EQ(error_of(kernels), "none");  // shared code, and memories of their own
    state_ = state::State(GetParam());
    of(kernels, RiscvCore::t1)->segments[0].bytes[31] = std::byte{2};
    EXPECT_EQ(error_of(kernels), "kernels.overlap");
    EXPECT_NE(core::place_kernels(state_, kernels).error().message.find("0x603F"), std::string::npos);
    of(kernels, RiscvCore::t1)->segments[0].bytes[31] = std::byte{1};
    of(kernels, RiscvCore::t1)->segments[0].bytes[32] = std::byte{2};  // beyond the other one
    EXPECT_EQ(error_of(kernels), "none");
}

TEST_P(CoreLoad, WhatOneImageHasTwiceIsTakenInItsOrder) {
    Kernels kernels = none();
    of(kernels, RiscvCore::b) = image(0x6000, {{0x6000, bytes(8, 1), 0x6000}, {0x6004, bytes(4, 2), 0x6004}});
    ASSERT_TRUE(core::place_kernels(state_, kernels));
    EXPECT_EQ(state_.l1.bytes[0x6003], 1);
    EXPECT_EQ(state_.l1.bytes[0x6004], 2);
}

INSTANTIATE_TEST_SUITE_P(OfArchitectures, CoreLoad, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& row) { return std::string(name(row.param)); });

}  // namespace
}  // namespace tessera
