// SPDX-License-Identifier: Apache-2.0
// A core as bytes: Core::image() and of_image().
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <span>

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

// Its sum is right, but what it says of tensors is not: four thousand million of them, or one that is not in L1 or of no format.
TEST(CoreImage, IsRefusedWhenItsTensorsAreNone) {
    const Core core(Arch::blackhole);
    const auto with_tail = [&](std::span<const std::uint32_t> words, std::uint8_t format) {
        auto image = core.image();
        image.resize(image.size() - sizeof(std::uint32_t) - sizeof(std::uint64_t));
        const auto add = [&](auto value) {
            const auto bytes = std::as_bytes(std::span(&value, 1));
            image.insert(image.end(), bytes.begin(), bytes.end());
        };
        for (const std::uint32_t word : words) add(word);
        if (words.size() > 1) {
            add(format);
            add(std::uint8_t{0});
        }
        std::uint64_t sum = 0xCBF29CE484222325;  // FNV-1a
        for (const std::byte byte : image) sum = (sum ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001B3;
        add(sum);
        return image;
    };
    const auto float32 = static_cast<std::uint8_t>(DataFormat::Float32);
    const std::array<std::uint32_t, 1> none = {0}, endless = {0xFFFF'FFFF};
    const std::array<std::uint32_t, 3> whole = {1, 16, 31}, backwards = {1, 31, 16}, outside = {1, 16, 0xFFFF'FFFF};
    EXPECT_TRUE(Core::of_image(with_tail(none, 0)));
    EXPECT_TRUE(Core::of_image(with_tail(whole, float32)));
    for (const auto& image : {with_tail(endless, 0), with_tail(backwards, float32), with_tail(outside, float32), with_tail(whole, 0xEE)}) {
        const auto made = Core::of_image(image);
        ASSERT_FALSE(made);
        EXPECT_EQ(made.error().code, "core.image");
    }
}

}  // namespace
}  // namespace tessera
