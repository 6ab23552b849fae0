// SPDX-License-Identifier: Apache-2.0
// A chip of the reference of NIUs and NoCs, and registers of an NIU as the pages' tests store them.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "reference/noc/noc_model.hpp"

namespace tessera::test {

using ChipAndNoc = std::tuple<Arch, unsigned>;

/// Tests go by one NoC of one chip.
class NocPages : public testing::TestWithParam<ChipAndNoc> {
public:
    NocPages() : model(arch()) {
        for (const Place at : {a, b, c})
            std::iota(l1(at).begin(), l1(at).begin() + 0x4'0000, static_cast<std::uint8_t>(at.x * 16));
    }

protected:
    using Bytes = std::vector<std::uint8_t>;
    using Counters = std::map<unsigned, std::uint32_t>;
    struct Place {
        unsigned x, y;
    };

    static constexpr std::uint32_t read = 0, atomic = 1, write = 2, byte_enables = 1 << 2, inlined = 1 << 3,
                                   marked = 1 << 4, broadcast = 1 << 5, linked = 1 << 6, static_vc = 1 << 7,
                                   y_major = 1 << 16, source_too = 1 << 17;
    static constexpr std::uint32_t header_store = 1 << 9;
    static constexpr std::uint32_t niu_cfg_0 = 0x100, translation = 1 << 14;

    static Arch arch() { return std::get<0>(GetParam()); }
    static bool blackhole() { return arch() == Arch::blackhole; }
    static unsigned noc() { return std::get<1>(GetParam()); }
    static unsigned width() { return blackhole() ? 17 : 10; }
    static std::uint32_t flit() { return blackhole() ? 64 : 32; }
    static std::uint32_t packet() { return flit() * 256; }
    static std::uint32_t initiator(unsigned i) { return i * (blackhole() ? 0x800 : 0x400); }
    static std::uint32_t at_data() { return blackhole() ? 0x28 : 0x24; }
    static std::uint32_t cmd_ctrl() { return blackhole() ? 0x40 : 0x28; }
    static std::uint32_t id_logical() { return blackhole() ? 0x148 : 0x138; }

    Bytes& l1(Place at) { return model.l1(at.x, at.y); }
    Bytes l1(Place at, std::size_t from, std::size_t size) {
        const auto first = l1(at).begin() + static_cast<std::ptrdiff_t>(from);
        return {first, first + static_cast<std::ptrdiff_t>(size)};
    }
    std::uint32_t word(Place at, std::size_t from) {
        std::uint32_t value = 0;
        for (unsigned i = 0; i < 4; ++i) value |= std::uint32_t{l1(at)[from + i]} << 8 * i;
        return value;
    }
    void set_word(Place at, std::size_t from, std::uint32_t value) {
        for (unsigned i = 0; i < 4; ++i) l1(at)[from + i] = static_cast<std::uint8_t>(value >> 8 * i);
    }

    void store(Place at, std::uint32_t offset, std::uint32_t value) {
        ASSERT_EQ(model.store(at.x, at.y, noc(), offset, value), "");
    }
    std::uint32_t load(Place at, std::uint32_t offset) { return model.load(at.x, at.y, noc(), offset); }

    /// A Tensix tile's coordinates as software of the default translation writes them: those of NoC 0 on Blackhole.
    static Place raw(Place at) { return noc() && !blackhole() ? mirrored(at) : at; }
    static Place mirrored(Place at) { return {width() - 1 - at.x, 11 - at.y}; }
    void address(Place from, std::uint32_t lo, std::uint64_t memory, std::uint32_t place, unsigned i = 0) {
        store(from, initiator(i) + lo, static_cast<std::uint32_t>(memory));
        const auto high = static_cast<std::uint32_t>(memory >> 32);
        store(from, initiator(i) + lo + 4, blackhole() ? high : high | place << 4);
        if (blackhole()) store(from, initiator(i) + lo + 8, place);
    }
    void targ(Place from, std::uint64_t memory, Place to) { address(from, 0x00, memory, raw(to).x | raw(to).y << 6); }
    void ret(Place from, std::uint64_t memory, Place to) { address(from, 0x0C, memory, raw(to).x | raw(to).y << 6); }
    /// A rectangle of Tensix tiles from one corner to another, both on NoC 0.
    static std::uint32_t rectangle(Place start, Place end) {
        if (noc()) std::swap(start, end);
        return raw(end).x | raw(end).y << 6 | raw(start).x << 12 | raw(start).y << 18;
    }
    std::string go(Place from, std::uint32_t ctrl, std::uint64_t length, std::uint32_t data = 0, unsigned id = 3,
                   std::uint32_t flags = 0) {
        store(from, 0x18, id << 10 | flags);
        store(from, 0x1C, ctrl);
        store(from, 0x20, static_cast<std::uint32_t>(length));
        if (blackhole()) store(from, 0x24, static_cast<std::uint32_t>(length >> 32));
        store(from, at_data(), data);
        return again(from);
    }
    std::string again(Place from) { return model.store(from.x, from.y, noc(), cmd_ctrl(), 1); }

    Counters counters(Place at) {
        Counters all;
        for (unsigned i = 0; i < 64; ++i)
            if (const std::uint32_t value = load(at, 0x200 + 4 * i)) all[i] = value;
        return all;
    }
    /// All words of an NIU, and L1.
    std::pair<std::vector<std::uint32_t>, Bytes> everything(Place at) {
        std::vector<std::uint32_t> words;
        for (std::uint32_t offset = 0; offset < 0x2000; offset += 4)
            if (offset != 0x378) words.push_back(load(at, offset));
        return {words, l1(at)};
    }
    /// Expects a refusal that changes nothing.
    void expect_refused(Place from, std::uint32_t ctrl, std::uint64_t length, const std::string& part,
                        std::uint32_t data = 0, std::uint32_t flags = 0) {
        EXPECT_EQ(go(from, 3, length, data, 3, flags), "request type 3 is reserved");
        store(from, 0x1C, ctrl);
        const auto before_a = everything(a), before_b = everything(b);
        const std::string why = again(from);
        EXPECT_NE(why.find(part), std::string::npos) << why;
        EXPECT_TRUE(everything(a) == before_a);
        EXPECT_TRUE(everything(b) == before_b);
    }

    const Place a{1, 2}, b{3, 4}, c{6, 7};  // Tensix tiles of both chips
    const Place dram{0, 1}, same_dram{0, 11}, other_dram{0, 5};
    reference::NocModel model;
};

inline const auto chips_and_nocs = testing::Combine(testing::ValuesIn(all_archs), testing::Values(0u, 1u));
inline std::string chip_and_noc(const testing::TestParamInfo<ChipAndNoc>& info) {
    return std::string(name(std::get<0>(info.param))) + std::to_string(std::get<1>(info.param));
}

}  // namespace tessera::test
