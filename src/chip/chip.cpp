// SPDX-License-Identifier: Apache-2.0
#include "tessera/chip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "chip/deadlock.hpp"
#include "chip/image.hpp"
#include "chip/memory_node.hpp"
#include "chip/mesh.hpp"
#include "chip/plain_memory.hpp"
#include "chip/tensix_node.hpp"
#include "checks/noc_conflicts.hpp"
#include "core/impl.hpp"
#include "diagnostics/related.hpp"
#include "dram/channel.hpp"
#include "noc/coordinates.hpp"

namespace tessera {

namespace {

using chip::Grid;
using noc::Place;

NocPlace public_place(Place place) { return {place.x, place.y}; }

}  // namespace

struct Chip::Impl {
    Impl(Arch arch, const ChipOptions& options, Grid where) : arch(arch), options(options), grid(std::move(where)) {
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

    struct Tile {
        std::unique_ptr<Core> core;
        std::unique_ptr<Kernels> kernels;
    };
    Result<unsigned> number(unsigned column, unsigned row) const;
    Core& core(unsigned number);
    std::unique_ptr<Core> make_core(unsigned number) const;
    chip::ImageHeader header() const {
        return {arch, columns(), rows(), grid.harvested(), options.translation, options.reset};
    }
    unsigned columns() const { return grid.columns(); }
    unsigned rows() const { return grid.rows(); }
    Result<void> check_range(unsigned channel, std::uint64_t address, std::uint64_t length) const;
    NocPlace place(unsigned number) const { return public_place(grid.place(number % grid.columns(), number / grid.columns())); }
    /// Requests that met in DRAM belong to the tiles that made the later ones.
    void add_memory_findings(const chip::Mesh& mesh, const RunOptions& options, ChipRun& result) const;
    /// What is wrong with a tile, named with it.
    Fault of_tile(unsigned number, Fault fault) const;

    Arch arch;
    ChipOptions options;
    Grid grid;
    std::vector<Tile> tiles;
    std::vector<std::unique_ptr<dram::Channel>> channels;
    std::map<unsigned, chip::PlainMemory> ethernet;  ///< by number of the tile
};

Result<unsigned> Chip::Impl::number(unsigned column, unsigned row) const {
    if (column < grid.columns() && row < grid.rows()) return row * grid.columns() + column;
    return fail("chip.tile", fmt::format("there is no tile in column {}, row {}: the grid has {} columns and {} rows", column, row,
                                         grid.columns(), grid.rows()));
}

Core& Chip::Impl::core(unsigned number) {
    auto& tile = tiles[number];
    if (!tile.core) tile.core = make_core(number);
    return *tile.core;
}

std::unique_ptr<Core> Chip::Impl::make_core(unsigned number) const {
    auto core = std::make_unique<Core>(arch, options.reset);
    const auto& layout = grid.layout();
    const Place at = grid.place(number % grid.columns(), number / grid.columns());
    state::Tile& state = core->impl_->state.tile;
    state.put({at.x, at.y, layout.width, layout.height});
    for (unsigned noc = 0; noc < noc::nocs; ++noc) {
        const auto configuration =
            std::span(state.words).subspan(state::tile_words::niu_configuration_register(noc, 0), noc::configuration_words);
        // As firmware leaves them: only Tensix tiles receive broadcasts.
        for (unsigned i = 0; i < layout.tiles(); ++i) {
            const Place other = layout.place(i), seen = layout.seen_by(noc, other);
            if (other.y == at.y && layout.kind({other.x, 2}) != noc::TileKind::tensix) configuration[2] |= 1u << seen.x;
            if (other.x == at.x && layout.kind({1, other.y}) != noc::TileKind::tensix) configuration[4] |= 1u << seen.y;
        }
        if (options.translation) noc::enable_translation(layout, noc, at, grid.harvested(), configuration);
    }
    return core;
}

Result<void> Chip::Impl::check_range(unsigned channel, std::uint64_t address, std::uint64_t length) const {
    const std::uint64_t size = grid.layout().dram_bytes;
    if (channel >= channels.size())
        return fail("chip.dram", fmt::format("there is no channel {} of DRAM: a {} has 0 to {}", channel, name(arch), channels.size() - 1));
    if (address > size || length > size - address)
        return fail("dram.range", fmt::format("0x{:X} to 0x{:X} is not in a channel of DRAM, which has 0x{:X} bytes", address, address + length, size));
    return {};
}

Fault Chip::Impl::of_tile(unsigned number, Fault fault) const {
    const NocPlace at = place(number);
    fault.message = fmt::format("tile ({}, {}) at ({}, {}) of the NoC: {}", number % grid.columns(), number / grid.columns(), at.x, at.y,
                                fault.message);
    return fault;
}

void Chip::Impl::add_memory_findings(const chip::Mesh& mesh, const RunOptions& options, ChipRun& result) const {
    std::map<std::uint16_t, diagnostics::FindingsLog> logs;
    for (const auto& node : mesh.nodes()) {
        if (!node->order()) continue;
        const bool is_dram = grid.layout().dram_channel(node->places()[0]).has_value();
        for (const auto& met : node->order()->conflicts()) {
            const hazards::NocOrigin& by = met.now.by;
            const auto where = [&] {
                const Place at{static_cast<std::uint8_t>(by.request.tile), static_cast<std::uint8_t>(by.request.tile >> 8)};
                const Kernels* kernels = tiles[*grid.number(at)].kernels.get();
                return kernels ? diagnostics::place_in(*kernels, by.core, by.pc) : Where{};
            };
            auto& log = logs.try_emplace(by.request.tile, options.levels).first->second;
            checks::report_in_memory(log, met, is_dram ? "DRAM" : "L1 of an Ethernet tile,", where);
        }
    }
    for (TileRun& tile : result.tiles)
        if (const auto log = logs.find(static_cast<std::uint16_t>(tile.place.x | tile.place.y << 8)); log != logs.end())
            for (Finding& finding : log->second.take()) tile.run.findings.push_back(std::move(finding));
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
    const Place own{static_cast<std::uint8_t>(at->x), static_cast<std::uint8_t>(at->y)};
    noc::enable_translation(impl_->grid.layout(), 0, own, impl_->grid.harvested(), configuration);
    const std::uint32_t id = configuration[(noc::register_map(impl_->arch).id_logical - noc::offset::configuration) / 4];
    return NocPlace{id & 63, id >> 6 & 63};
}

Result<Core*> Chip::tile(unsigned column, unsigned row) {
    return impl_->number(column, row).map([&](unsigned number) { return &impl_->core(number); });
}

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

Result<void> Chip::load(unsigned column, unsigned row, const Kernels& kernels) {
    const auto number = impl_->number(column, row);
    if (!number) return tl::make_unexpected(number.error());
    if (auto good = check_kernels(kernels); !good) return good;
    if (auto loaded = impl_->core(*number).load(kernels); !loaded) return loaded;
    impl_->tiles[*number].kernels = std::make_unique<Kernels>(kernels);
    return {};
}

std::vector<std::byte> Chip::image() const {
    const Impl& chip = *impl_;
    chip::ImageWriter writer(chip.header());
    for (unsigned i = 0; i < chip.tiles.size(); ++i)
        if (chip.tiles[i].core) writer.core(i, *chip.tiles[i].core);
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
        core.impl_->state.tile.place = place;  // a core by itself does not know where it is
    }
    for (std::size_t i = 0; i < chip.channels.size(); ++i) chip.channels[i]->memory() = std::move(read->channels[i]);
    chip.ethernet.clear();
    for (auto& [number, memory] : read->ethernet) chip.ethernet[number].memory() = std::move(memory);
    return {};
}

Result<ChipRun> Chip::run(const ChipRunOptions& options) {
    Impl& chip = *impl_;
    if (options.tile.timing == Timing::functional || options.tile.timing == Timing::instant)
        return fail("chip.timing", fmt::format("packets need time to travel, and {} timing has none; use {} timing", name(options.tile.timing),
                                               name(default_timing)));
    const noc::Costs& costs = noc::costs(chip.arch, options.tile.timing);
    const chip::Distances distances(chip.grid.layout(), costs);
    const chip::Surroundings around{chip.grid, costs, distances};
    Kernels none;
    none.arch = chip.arch;

    std::vector<chip::TensixNode*> tiles(chip.tiles.size());
    const auto make_tile = [&](unsigned number) {
        Core& core = chip.core(number);
        RunOptions own = options.tile;
        if (options.for_tile) options.for_tile(number % columns(), number / columns(), own);
        own.timing = options.tile.timing;
        const Kernels* kernels = chip.tiles[number].kernels.get();
        Core::Impl& inside = *core.impl_;
        auto node = std::make_unique<chip::TensixNode>(around, chip::CoreParts{inside.state, *inside.slots, inside.reset, inside.l1_tensors}, kernels ? *kernels : none, std::move(own));
        tiles[number] = node.get();
        return node;
    };
    const auto make_node = [&](Place place) -> std::unique_ptr<chip::Node> {
        if (const auto number = chip.grid.number(place)) return make_tile(*number);
        if (const auto channel = chip.grid.layout().dram_channel(place)) {
            const auto places = chip.grid.layout().dram_tiles(*channel);
            return std::make_unique<chip::MemoryNode>(around, std::vector<Place>(places.begin(), places.end()), *chip.channels[*channel]);
        }
        return std::make_unique<chip::MemoryNode>(around, std::vector<Place>{place}, chip.ethernet[chip.grid.layout().index(place)]);
    };
    for (auto& channel : chip.channels) {
        auto timed = std::make_unique<dram::Channel>(chip.grid.layout(), costs);
        timed->memory() = std::move(channel->memory());
        channel = std::move(timed);
    }
    chip::Mesh mesh(around, make_node, std::max(1u, options.threads));
    if (options.on_packet) mesh.watch(options.on_packet);
    for (unsigned i = 0; i < chip.tiles.size(); ++i)
        if (const auto& kernels = chip.tiles[i].kernels) {
            if (auto ready = chip.core(i).impl_->prepare(*kernels, options.tile); !ready) return tl::make_unexpected(ready.error());
            mesh.add(make_tile(i));
        }
    const chip::Mesh::End end = mesh.run();

    ChipRun result;
    if (end == chip::Mesh::End::stuck) result.waits = chip::find_waits(chip.grid, tiles);
    result.packets = mesh.packets();
    for (const auto& node : mesh.nodes()) result.cycles = std::max(result.cycles, node->now());
    for (unsigned i = 0; i < tiles.size(); ++i) {
        if (!tiles[i]) continue;
        std::vector<Blocked> blocked;
        if (end == chip::Mesh::End::stuck && !tiles[i]->done()) blocked = tiles[i]->blocked();
        Run run = tiles[i]->finish();
        if (!blocked.empty()) run.blocked = std::move(blocked);
        if (run.fault && !result.fault) result.fault = chip.of_tile(i, *run.fault);
        result.tiles.push_back({i % columns(), i / columns(), chip.place(i), std::move(run)});
    }
    chip.add_memory_findings(mesh, options.tile, result);
    if (end == chip::Mesh::End::stop && !result.fault) {
        for (const auto& node : mesh.nodes())
            if (const std::string why = node->failure(); !why.empty()) {
                Fault fault;
                fault.code = "tile.noc-request";
                fault.message = why;
                result.fault = fault;
            }
    }
    if (end == chip::Mesh::End::stuck) {
        Fault fault;
        fault.code = "deadlock";
        std::string who;
        for (const TileRun& tile : result.tiles)
            if (!tile.run.blocked.empty()) who += fmt::format("{}({}, {})", who.empty() ? "" : ", ", tile.column, tile.row);
        fault.message = fmt::format("no tile can go on, and nothing is on its way between them; these are not done: {}", who);
        if (const std::string chain = chip::chain_of(result.waits); !chain.empty()) fault.message += "; " + chain;
        result.fault = fault;
    }
    return result;
}

bool ChipRun::good() const {
    return !fault && std::all_of(tiles.begin(), tiles.end(), [](const TileRun& tile) { return tile.run.good(); });
}

}  // namespace tessera
