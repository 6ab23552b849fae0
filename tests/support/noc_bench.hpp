// SPDX-License-Identifier: Apache-2.0
// A chip whose Tensix tiles have memory, NIUs and their registers, and nothing else.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "chip/memory_node.hpp"
#include "chip/mesh.hpp"
#include "dram/channel.hpp"

namespace tessera::test {

class FlatMemory final : public noc::Endpoint {
public:
    explicit FlatMemory(std::size_t size) : bytes(size) {}
    noc::Refusal read(const noc::Access&, std::uint64_t address, std::span<std::uint8_t> to) override {
        if (address + to.size() > bytes.size()) return "a read beyond the memory";
        std::memcpy(to.data(), bytes.data() + address, to.size());
        return {};
    }
    noc::Refusal write(const noc::Access&, std::uint64_t address, std::span<const std::uint8_t> from) override {
        if (address + from.size() > bytes.size()) return "a write beyond the memory";
        std::memcpy(bytes.data() + address, from.data(), from.size());
        return {};
    }
    noc::Refusal load_register(const noc::Access&, std::uint32_t address, std::uint32_t& value) override {
        noc::Niu* const niu = niu_at(address);
        const auto loaded = niu ? niu->load(address & 0xFFFF) : std::nullopt;
        value = loaded.value_or(0);
        return loaded ? "" : "no register";
    }
    noc::Refusal store_register(const noc::Access& access, std::uint32_t address, std::uint32_t value) override {
        noc::Niu* const niu = niu_at(address);
        return niu && niu->store(address & 0xFFFF, value, {}, access.at).known ? "" : "no register";
    }

    std::vector<std::uint8_t> bytes;
    std::array<noc::Niu*, noc::nocs> nius{};

private:
    noc::Niu* niu_at(std::uint32_t address) const { return (address & ~0x1'FFFFu) == 0xFFB2'0000 ? nius[address >> 16 & 1] : nullptr; }
};

class NocBench {
public:
    explicit NocBench(Arch arch, Timing timing = Timing::silicon, unsigned threads = 1)
        : grid(*chip::Grid::make(arch, {})),
          layout(grid.layout()),
          costs(noc::costs(arch, timing)),
          distances(layout, costs),
          around{grid, costs, distances},
          mesh(around, [this](noc::Place place) { return make(place); }, threads) {}

    noc::Niu& niu(noc::Place place, unsigned noc) {
        const unsigned at = layout.index(place);
        if (!nodes[at]) mesh.add(make(place));
        return nodes[at]->niu(place, noc);
    }
    FlatMemory& l1(noc::Place place) {
        auto& memory = memories[layout.index(place)];
        if (!memory) memory = std::make_unique<FlatMemory>(layout.kind(place) == noc::TileKind::tensix ? layout.l1_bytes : layout.ethernet_l1_bytes);
        return *memory;
    }
    dram::Channel& dram(unsigned channel) {
        auto& one = channels[channel];
        if (!one) one = std::make_unique<dram::Channel>(layout, costs);
        return *one;
    }
    /// Until nothing is on its way. Returns the cycle of the last act.
    noc::Cycle run() {
        EXPECT_EQ(mesh.run(), chip::Mesh::End::done);
        for (const auto& node : mesh.nodes()) EXPECT_FALSE(node->failure());
        for (const auto& node : mesh.nodes()) now = std::max(now, node->now());
        return now;
    }

    const chip::Grid grid;
    const noc::Layout& layout;
    const noc::Costs& costs;
    const chip::Distances distances;
    const chip::Surroundings around;
    chip::Mesh mesh;
    std::map<unsigned, chip::MemoryNode*> nodes;
    std::map<unsigned, std::unique_ptr<FlatMemory>> memories;
    std::map<unsigned, std::unique_ptr<dram::Channel>> channels;
    noc::Cycle now = 0;

private:
    std::unique_ptr<chip::Node> make(noc::Place place) {
        std::vector<noc::Place> places{place};
        noc::Endpoint* memory = nullptr;
        if (const auto channel = layout.dram_channel(place)) {
            const auto tiles = layout.dram_tiles(*channel);
            places.assign(tiles.begin(), tiles.end());
            memory = &dram(*channel);
        } else {
            memory = &l1(place);
        }
        auto node = std::make_unique<chip::MemoryNode>(around, places, *memory);
        for (noc::Place one : places) nodes[layout.index(one)] = node.get();
        if (!layout.dram_channel(place))
            for (unsigned n = 0; n < noc::nocs; ++n) l1(place).nius[n] = &node->niu(place, n);
        return node;
    }
};

}  // namespace tessera::test
