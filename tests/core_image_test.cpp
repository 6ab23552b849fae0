// SPDX-License-Identifier: Apache-2.0
// A core as bytes: Core::image() and of_image().
#include <gtest/gtest.h>

#include <random>

#include "tessera/assembly.hpp"
#include "tessera/core.hpp"

namespace tessera {
namespace {

/// Every element of every section that differs.
std::vector<std::string> differing(const Core& a, const Core& b) {
    std::vector<std::string> names;
    for (const Section& section : a.sections())
        for (std::size_t i = 0; i < section.size; ++i)
            if (a.read(section, i) != b.read(section, i)) names.push_back(section.describe(i));
    return names;
}

Core random_core(Arch arch, Reset reset) {
    Core core(arch, reset);
    std::mt19937_64 random(5);
    for (const Section& section : core.sections()) {
        if (section.name == "l1") continue;
        for (std::size_t i = 0; i < section.size; ++i) core.write(section, i, random() & ((std::uint64_t{1} << section.bits) - 1));
    }
    const std::vector<std::byte> bytes(5000, std::byte{0x5A});
    for (const std::uint64_t at : {std::uint64_t{0}, std::uint64_t{0x12345}, core.l1_size() - bytes.size()})
        EXPECT_TRUE(core.write_l1(at, bytes));
    return core;
}

TEST(CoreImage, HasEveryElementOfEverySection) {
    for (const Arch arch : all_archs)
        for (const Reset reset : {Reset::silicon, Reset::vendor_sim}) {
            const Core core = random_core(arch, reset);
            const auto again = Core::of_image(core.image());
            ASSERT_TRUE(again) << again.error().describe();
            EXPECT_EQ(again->arch(), arch);
            EXPECT_TRUE(differing(core, *again).empty());
            EXPECT_EQ(again->image(), core.image());
        }
}

TEST(CoreImage, KeepsWhatCountsAsWrittenAndTheReset) {
    const auto program = assemble(".thread math\nMOVA2D instr_mod=2\n", Arch::blackhole).value();
    const auto findings = [&](Reset reset, bool written) {
        Core core(Arch::blackhole, reset);
        core.write(*core.find_section("bank_owner").value(), 0, 1);
        if (written) core.mark_written(*core.find_section("src_a").value(), 0, 8 * 16);
        Core again = Core::of_image(core.image()).value();
        return again.run(program).value().findings.size();
    };
    EXPECT_EQ(findings(Reset::silicon, false), 1u);
    EXPECT_EQ(findings(Reset::silicon, true), 0u);
    EXPECT_EQ(findings(Reset::vendor_sim, false), 0u);
}

TEST(CoreImage, IsRefusedWhenABitIsWrong) {
    const auto image = random_core(Arch::wormhole, Reset::silicon).image();
    const auto refused = [](std::span<const std::byte> bytes) {
        const auto core = Core::of_image(bytes);
        return !core && core.error().code == "core.image";
    };
    for (const std::size_t size : {std::size_t{0}, std::size_t{15}, std::size_t{24}, image.size() / 2, image.size() - 1})
        EXPECT_TRUE(refused(std::span(image).first(size))) << size;
    std::mt19937 random(1);
    for (int i = 0; i < 200; ++i) {
        auto wrong = image;
        wrong[random() % wrong.size()] ^= static_cast<std::byte>(1u << random() % 8);
        EXPECT_TRUE(refused(wrong));
    }
}

}  // namespace
}  // namespace tessera
