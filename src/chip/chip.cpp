// SPDX-License-Identifier: Apache-2.0
#include "tessera/chip.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "chip/impl.hpp"
#include "chip/places.hpp"
#include "chip/running.hpp"
#include "core/impl.hpp"
#include "noc/coordinates.hpp"
#include "util/range_text.hpp"

namespace tessera {

namespace {

using chip::Grid;
using chip::public_place;
using noc::Place;

}  // namespace

Result<unsigned> Chip::Impl::number(unsigned column, unsigned row) const {
    if (column < grid.columns() && row < grid.rows()) return row * grid.columns() + column;
    return fail("chip.tile", fmt::format("there is no tile in column {}, row {}: the grid has {} × {} tiles", column, row,
                                         grid.columns(), grid.rows()));
}

Core& Chip::Impl::core(unsigned number) {
    auto& tile = tiles[number];
    if (!tile.core) tile.core = make_core(number);
    return *tile.core;
}

Core::Impl& Chip::Impl::inside(unsigned number) { return *core(number).impl_; }

std::unique_ptr<Core> Chip::Impl::make_core(unsigned number) const {
    auto core = std::make_unique<Core>(arch, options.reset);
    put(number, *core->impl_);
    return core;
}

void Chip::Impl::put(unsigned number, Core::Impl& core) const {
    core.chip_tile = number;
    state::Tile& state = core.state.tile;
    const auto& layout = grid.layout();
    const Place at = grid.place(number);
    state.put({at.x, at.y, layout.width, layout.height});
    for (unsigned noc = 0; noc < noc::nocs; ++noc) {
        const auto configuration =
            std::span(state.words).subspan(state::tile_words::niu_configuration_register(noc, 0), noc::configuration_words);
        // As firmware leaves them: only Tensix tiles receive broadcasts.
        configuration[2] = configuration[4] = 0;
        for (unsigned i = 0; i < layout.tiles(); ++i) {
            const Place other = layout.place(i), seen = layout.seen_by(noc, other);
            if (other.y == at.y && layout.kind({other.x, 2}) != noc::TileKind::tensix) configuration[2] |= 1u << seen.x;
            if (other.x == at.x && layout.kind({1, other.y}) != noc::TileKind::tensix) configuration[4] |= 1u << seen.y;
        }
        if (options.translation) noc::enable_translation(layout, noc, at, grid.harvested(), configuration);
    }
}

void Chip::Impl::put_back(unsigned number) {
    if (inside(number).chip_tile != number) put(number, inside(number));
}

Result<void> Chip::Impl::check_range(unsigned channel, std::uint64_t address, std::uint64_t length) const {
    const std::uint64_t size = grid.layout().dram_bytes;
    if (channel >= channels.size())
        return fail("chip.dram", fmt::format("there is no channel {} of DRAM: a {} has 0 to {}", channel, name(arch), channels.size() - 1));
    if (address > size || length > size - address)
        return fail("dram.range", fmt::format("{} is not in a channel of DRAM, which has 0x{:X} bytes", util::byte_range_text(address, length), size));
    return {};
}

void Chip::Impl::go_back_to(const Impl& copy) {
    for (unsigned i = 0; i < tiles.size(); ++i) {
        if (!tiles[i].core) continue;
        if (copy.tiles[i].core)
            *tiles[i].core = *copy.tiles[i].core;
        else
            *tiles[i].core = *make_core(i);
    }
    for (std::size_t i = 0; i < channels.size(); ++i) channels[i]->memory() = copy.channels[i]->memory();
    for (auto& [number, memory] : ethernet) {
        const auto before = copy.ethernet.find(number);
        memory.memory() = before == copy.ethernet.end() ? chip::PlainMemory().memory() : before->second.memory();
    }
}

Chip::Chip(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Chip::Chip(const Chip& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
Chip& Chip::operator=(const Chip& other) {
    if (this != &other) impl_ = std::make_unique<Impl>(*other.impl_);
    return *this;
}
Chip::Chip(Chip&&) noexcept = default;
Chip& Chip::operator=(Chip&&) noexcept = default;
Chip::~Chip() = default;

Result<Chip> Chip::make(Arch arch, const ChipOptions& options) {
    auto grid = Grid::make(arch, options);
    if (!grid) return tl::make_unexpected(grid.error());
    return Chip(std::make_unique<Impl>(arch, options, std::move(*grid)));
}

Arch Chip::arch() const { return impl_->arch; }
unsigned Chip::columns() const { return impl_->grid.columns(); }
unsigned Chip::rows() const { return impl_->grid.rows(); }

Result<NocPlace> Chip::place(unsigned column, unsigned row) const {
    return impl_->number(column, row).map([&](unsigned number) { return impl_->place(number); });
}

Result<NocPlace> Chip::coordinates(unsigned column, unsigned row) const {
    const auto at = place(column, row);
    if (!at || !impl_->options.translation) return at;
    std::array<std::uint32_t, noc::configuration_words> configuration{};
    const Place own = chip::inner_place(*at);
    noc::enable_translation(impl_->grid.layout(), 0, own, impl_->grid.harvested(), configuration);
    const std::uint32_t id = configuration[(noc::register_map(impl_->arch).id_logical - noc::offset::configuration) / 4];
    return NocPlace{id & 63, id >> 6 & 63};
}

Result<Core*> Chip::tile(unsigned column, unsigned row) {
    return impl_->number(column, row).map([&](unsigned number) { return &impl_->core(number); });
}

const Core* Chip::used_tile(unsigned column, unsigned row) const {
    const auto number = impl_->number(column, row);
    return number ? impl_->tiles[*number].core.get() : nullptr;
}

const ChipOptions& Chip::options() const { return impl_->options; }

unsigned Chip::dram_channels() const { return static_cast<unsigned>(impl_->channels.size()); }
std::uint64_t Chip::dram_bytes() const { return impl_->grid.layout().dram_bytes; }

Result<NocPlace> Chip::dram_place(unsigned channel) const {
    if (auto known = impl_->check_range(channel, 0, 0); !known) return tl::make_unexpected(known.error());
    return public_place(impl_->grid.layout().dram_tiles(channel)[0]);
}

Result<void> Chip::write_dram(unsigned channel, std::uint64_t address, std::span<const std::byte> bytes) {
    if (auto known = impl_->check_range(channel, address, bytes.size()); !known) return known;
    impl_->channels[channel]->memory().write(address, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    return {};
}

Result<std::vector<std::byte>> Chip::read_dram(unsigned channel, std::uint64_t address, std::uint64_t length) const {
    if (auto known = impl_->check_range(channel, address, length); !known) return tl::make_unexpected(known.error());
    std::vector<std::byte> bytes(length);
    impl_->channels[channel]->memory().read(address, {reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()});
    return bytes;
}

Result<std::vector<std::uint64_t>> Chip::dram_blocks(unsigned channel) const {
    static_assert(dram_block_bytes == dram::Memory::page_bytes);
    if (auto known = impl_->check_range(channel, 0, 0); !known) return tl::make_unexpected(known.error());
    std::vector<std::uint64_t> addresses;
    impl_->channels[channel]->memory().each_page(
        [&](std::uint64_t number, std::span<const std::uint8_t>) { addresses.push_back(number * dram_block_bytes); });
    return addresses;
}

Result<void> Chip::load(unsigned column, unsigned row, const Kernels& kernels) {
    const auto number = impl_->number(column, row);
    if (!number) return tl::make_unexpected(number.error());
    if (auto good = check_kernels(kernels); !good) return good;
    if (auto loaded = impl_->core(*number).load(kernels); !loaded) return loaded;
    impl_->tiles[*number].kernels = std::make_unique<Kernels>(kernels);
    return {};
}

std::vector<std::byte> Chip::image() const {
    Impl& chip = *impl_;
    chip::ImageWriter writer(chip.header());
    for (unsigned i = 0; i < chip.tiles.size(); ++i) {
        if (!chip.tiles[i].core) continue;
        chip.put_back(i);
        writer.core(i, *chip.tiles[i].core);
    }
    for (const auto& channel : chip.channels) writer.channel(channel->memory());
    for (const auto& [number, memory] : chip.ethernet) writer.ethernet(number, memory.memory());
    return writer.take();
}

Result<void> Chip::restore(std::span<const std::byte> image) {
    Impl& chip = *impl_;
    auto read = chip::read_image(image, chip.header());
    if (!read) return tl::make_unexpected(read.error());
    if (read->channels.size() != chip.channels.size()) return fail("chip.image", "the chip's image is damaged");
    for (unsigned i = 0; i < chip.tiles.size(); ++i) {
        const auto saved = std::find_if(read->cores.begin(), read->cores.end(), [&](const auto& one) { return one.first == i; });
        if (saved == read->cores.end() && !chip.tiles[i].core) continue;
        Core& core = chip.core(i);
        const auto place = core.impl_->state.tile.place;
        core = saved == read->cores.end() ? *chip.make_core(i) : saved->second;
        // A core by itself does not know where it is.
        core.impl_->state.tile.place = place;
        core.impl_->chip_tile = i;
    }
    for (std::size_t i = 0; i < chip.channels.size(); ++i) chip.channels[i]->memory() = std::move(read->channels[i]);
    chip.ethernet.clear();
    for (auto& [number, memory] : read->ethernet) chip.ethernet[number].memory() = std::move(memory);
    return {};
}

Result<ChipRun> Chip::run(const ChipRunOptions& options) {
    auto running = Impl::Running::begin(*impl_, options, {});
    if (!running) return tl::make_unexpected(running.error());
    const auto end = (*running)->mesh().run();
    return (*running)->finish(end);
}

bool ChipRun::good() const {
    return !fault && std::all_of(tiles.begin(), tiles.end(), [](const TileRun& tile) { return tile.run.good(); });
}

}  // namespace tessera
