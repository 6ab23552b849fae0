// SPDX-License-Identifier: Apache-2.0
// One NIU without a chip. All places can be reached, unless a test says otherwise; packets that leave are kept.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "noc/niu.hpp"

namespace tessera::test {

class LoneNiu : private noc::Endpoint, private noc::Fabric {
public:
    static constexpr noc::Place own{1, 2};  ///< a Tensix tile of both chips

    explicit LoneNiu(Arch arch, unsigned noc = 0, Timing timing = Timing::silicon)
        : layout(noc::layout(arch)),
          map(noc::register_map(arch)),
          niu(layout, noc, own, {initiator_, configuration_, counter_}, *this, noc::costs(arch, timing)),
          noc_(noc) {
        niu.connect(*this);
    }

    void store(std::uint32_t offset, std::uint32_t value) { EXPECT_TRUE(niu.store(offset, value, {}, 0).known) << std::hex << offset; }
    /// Coordinates of both corners of a rectangle, or of one place, as the NIU's NoC has them.
    std::uint32_t coordinates(noc::Place place) const {
        const noc::Place seen = layout.seen_by(noc_, place);
        return seen.x | seen.y << 6;
    }
    std::uint32_t rectangle(noc::Place first, noc::Place last) const { return coordinates(first) << 12 | coordinates(last); }
    /// One of the two ends: `lo` is its first register.
    void end(std::uint32_t lo, std::uint32_t coordinates, std::uint64_t address) {
        const auto high = static_cast<std::uint32_t>(address >> 32);
        const bool blackhole = layout.arch == Arch::blackhole;
        store(lo, static_cast<std::uint32_t>(address));
        store(lo + 4, blackhole ? high : high | coordinates << 4);
        if (blackhole) store(lo + 8, coordinates);
    }
    void target(noc::Place place, std::uint64_t address) { end(noc::offset::targ_addr_lo, coordinates(place), address); }
    void answer(noc::Place place, std::uint64_t address) { end(noc::offset::ret_addr_lo, coordinates(place), address); }

    /// A command to the first initiator.
    noc::Refusal command(std::uint32_t control, std::uint32_t length, std::uint32_t data = 0, std::uint32_t tag = 0, noc::Origin by = {}) {
        store(noc::offset::packet_tag, tag);
        store(noc::offset::ctrl, control);
        store(noc::offset::at_len_be, length);
        store(map.at_data, data);
        return niu.store(map.cmd_ctrl, 1, by, 0).wrong;
    }
    /// The same after all earlier requests are forgotten. Empty: the request is taken.
    std::string why(std::uint32_t control, std::uint32_t length, std::uint32_t data = 0, std::uint32_t tag = 0) {
        niu.restore({});
        last_ = command(control, length, data, tag);
        return last_.why;
    }
    /// Of the last refusal.
    bool is_of_simulator() const { return last_.of_simulator; }
    /// Does all that is due.
    void act() {
        while (niu.due() != noc::never) EXPECT_FALSE(niu.act());
    }

    const noc::Layout& layout;
    const noc::RegisterMap& map;
    noc::Niu niu;
    std::vector<noc::Place> unreachable_places, off;
    /// A request that the tile was told of.
    struct Told {
        noc::Packet first;
        std::uint64_t own = 0;
        std::uint32_t length = 0, packets = 0, answers = 0;
        std::uint64_t way = 0;
    };
    std::vector<Told> told;
    std::vector<std::pair<std::uint64_t, std::size_t>> reads, writes;
    unsigned changes = 0;  ///< how often the tile was told that something has changed
    noc::Refusal refusal;  ///< what accesses of the tile end with
    std::vector<std::pair<noc::Packet, noc::Cycle>> left;  ///< packets, and when they reach their router

private:
    noc::Refusal unreachable(noc::Place place) const override {
        return std::ranges::count(unreachable_places, place) ? noc::Refusal("nothing leads to " + describe(place)) : noc::Refusal();
    }
    bool is_off(noc::Place place) const override { return std::ranges::count(off, place) != 0; }
    void send(noc::Packet packet, noc::Cycle at) override { left.emplace_back(std::move(packet), at); }
    noc::Refusal read(const noc::Access&, std::uint64_t address, std::span<std::uint8_t> bytes) override {
        reads.emplace_back(address, bytes.size());
        return refusal;
    }
    noc::Refusal write(const noc::Access&, std::uint64_t address, std::span<const std::uint8_t> bytes) override {
        writes.emplace_back(address, bytes.size());
        return refusal;
    }
    noc::Refusal load_register(const noc::Access&, std::uint32_t, std::uint32_t&) override { return refusal; }
    noc::Refusal store_register(const noc::Access&, std::uint32_t, std::uint32_t) override { return refusal; }
    void changed() override { ++changes; }
    std::shared_ptr<const void> asked(const noc::Asked& what) override {
        told.push_back({what.first, what.own, what.length, what.packets, what.answers, what.way});
        return {};
    }

    std::array<std::uint32_t, noc::initiators * noc::initiator_words> initiator_{};
    std::array<std::uint32_t, noc::configuration_words> configuration_{};
    std::array<std::uint32_t, noc::counters> counter_{};
    unsigned noc_;
    noc::Refusal last_;
};

/// Tests go by one NoC of one chip.
class LoneNiuTest : public testing::TestWithParam<std::tuple<Arch, unsigned>> {
public:
    static std::string text_of(const testing::TestParamInfo<ParamType>& one) {
        return std::string(name(std::get<0>(one.param))) + std::to_string(std::get<1>(one.param));
    }
    static auto all() { return testing::Combine(testing::ValuesIn(all_archs), testing::Values(0u, 1u)); }

protected:
    static constexpr noc::Place own = LoneNiu::own, other{3, 4}, dram{0, 1};
    static constexpr std::uint32_t configuration = 0xFFB2'0104;  ///< a register of any NIU that software may use
    static constexpr std::uint32_t increment = 1u << 12 | 31u << 2;  ///< operands of an atomic

    static Arch arch() { return std::get<0>(GetParam()); }
    static unsigned noc() { return std::get<1>(GetParam()); }
    static bool blackhole() { return arch() == Arch::blackhole; }
    static std::uint32_t flit() { return blackhole() ? 64 : 32; }
    static std::uint32_t packet_bytes() { return 256 * flit(); }

    LoneNiu niu{arch(), noc()};
};

}  // namespace tessera::test
