// SPDX-License-Identifier: Apache-2.0
// The parts of a Chip.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "chip/grid.hpp"
#include "chip/image.hpp"
#include "chip/mesh.hpp"
#include "chip/plain_memory.hpp"
#include "dram/channel.hpp"
#include "tessera/chip.hpp"

namespace tessera {

struct Chip::Impl {
    Impl(Arch which, const ChipOptions& how, chip::Grid where) : arch(which), options(how), grid(std::move(where)) {
        tiles.resize(std::size_t{grid.columns()} * grid.rows());
        for (unsigned i = 0; i < grid.layout().dram_channels; ++i)
            channels.push_back(std::make_unique<dram::Channel>(grid.layout(), noc::costs(arch, Timing::instant)));
    }

    Impl(const Impl& other) : arch(other.arch), options(other.options), grid(other.grid), ethernet(other.ethernet) {
        tiles.resize(other.tiles.size());
        for (std::size_t i = 0; i < tiles.size(); ++i) {
            if (other.tiles[i].core) tiles[i].core = std::make_unique<Core>(*other.tiles[i].core);
            if (other.tiles[i].kernels) tiles[i].kernels = std::make_unique<Kernels>(*other.tiles[i].kernels);
        }
        for (const auto& channel : other.channels) channels.push_back(std::make_unique<dram::Channel>(*channel));
    }
    Impl& operator=(const Impl&) = delete;
    /// Gets the state of an earlier copy of this chip. Kernels stay, and Core objects stay where they are.
    void go_back_to(const Impl& copy);

    struct Tile {
        std::unique_ptr<Core> core;
        std::unique_ptr<Kernels> kernels;
    };
    Result<unsigned> number(unsigned column, unsigned row) const;
    Core& core(unsigned number);
    Core::Impl& inside(unsigned number);
    std::unique_ptr<Core> make_core(unsigned number) const;
    /// The tile is at that place of the chip from now on, with its NIUs as firmware leaves them.
    void put(unsigned number, Core::Impl& core) const;
    /// The same if Core::reset() or an assignment has taken the tile out of the chip.
    void put_back(unsigned number);
    chip::ImageHeader header() const {
        return {arch, columns(), rows(), grid.harvested(), options.translation, options.reset};
    }
    unsigned columns() const { return grid.columns(); }
    unsigned rows() const { return grid.rows(); }
    Result<void> check_range(unsigned channel, std::uint64_t address, std::uint64_t length) const;
    NocPlace place(unsigned number) const {
        const noc::Place at = grid.place(number);
        return {at.x, at.y};
    }
    class Running;
    /// The fault of a tile, with the tile's name in its message.
    Fault of_tile(unsigned number, Fault fault) const;

    Arch arch;
    ChipOptions options;
    chip::Grid grid;
    std::vector<Tile> tiles;
    std::vector<std::unique_ptr<dram::Channel>> channels;
    std::map<unsigned, chip::PlainMemory> ethernet;  ///< by number of the tile
};

}  // namespace tessera
