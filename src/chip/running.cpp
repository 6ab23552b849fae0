// SPDX-License-Identifier: Apache-2.0
#include "chip/running.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "checks/noc_conflicts.hpp"
#include "chip/deadlock.hpp"
#include "chip/memory_node.hpp"
#include "chip/places.hpp"
#include "core/impl.hpp"
#include "core/place_kernels.hpp"
#include "diagnostics/related.hpp"
#include "engine/timing_in_use.hpp"
#include "util/golden_ratio.hpp"

namespace tessera {

using noc::Place;

Fault Chip::Impl::of_tile(unsigned number, Fault fault) const {
    const NocPlace at = place(number);
    const auto [column, row] = grid.at(number);
    fault.message = fmt::format("tile ({}, {}) at ({}, {}) of the NoC: {}", column, row, at.x, at.y, fault.message);
    return fault;
}

Result<std::unique_ptr<Chip::Impl::Running>> Chip::Impl::Running::begin(Impl& chip, const ChipRunOptions& options,
                                                                        const How& how) {
    if (const Timing timing = engine::timing_in_use(options.tile); timing == Timing::functional || timing == Timing::instant)
        return fail("chip.timing", fmt::format("packets need time to travel, and {} timing has none; use {} timing", name(timing),
                                               name(default_timing)));
    std::unique_ptr<Running> running(new Running(chip, options, how));
    std::vector<std::pair<unsigned, RunOptions>> prepared;
    for (unsigned i = 0; i < chip.tiles.size(); ++i) {
        if (!chip.tiles[i].kernels) continue;
        const RunOptions& own = prepared.emplace_back(i, running->options_of(i)).second;
        if (auto ready = running->prepare(i, own); !ready) return tl::make_unexpected(ready.error());
    }
    if (!how.in_steps)
        if (auto ready = running->check_not_ended(); !ready) return tl::make_unexpected(ready.error());
    for (auto& [number, own] : prepared) running->mesh_->add(running->make_tile(number, std::move(own)));
    return running;
}

Chip::Impl::Running::Running(Impl& chip, const ChipRunOptions& options, const How& how)
    : chip_(chip),
      options_(options),
      how_(how),
      costs_(noc::costs(chip.arch, options.tile.timing)),
      distances_(chip.grid.layout(), costs_),
      around_{chip.grid, costs_, distances_},
      tiles_(chip.tiles.size()) {
    none_.arch = chip.arch;
    for (auto& channel : chip.channels) {
        auto timed = std::make_unique<dram::Channel>(chip.grid.layout(), costs_);
        timed->memory() = std::move(channel->memory());
        channel = std::move(timed);
    }
    const auto threads = std::min<std::size_t>(options.threads, tiles_.size());
    mesh_.emplace(around_, [this](Place place) { return make_node(place); }, static_cast<unsigned>(threads));
    if (options.on_packet) mesh_->watch(options.on_packet);
}

// An odd seed stays odd: all tiles of a chip have the same one of its two speeds.
std::optional<std::uint64_t> Chip::Impl::Running::seed_of(unsigned number) const {
    if (!options_.tile.seed) return {};
    return *options_.tile.seed + 2 * util::golden_ratio * number;
}

RunOptions Chip::Impl::Running::options_of(unsigned number) const {
    RunOptions own = options_.tile;
    own.seed = seed_of(number);
    const auto [column, row] = chip_.grid.at(number);
    if (options_.for_tile) options_.for_tile(column, row, own);
    return own;
}

Result<void> Chip::Impl::Running::prepare(unsigned number, const RunOptions& own) {
    const chip::Grid::At at = chip_.grid.at(number);
    if (engine::timing_in_use(own) != engine::timing_in_use(options_.tile))
        return fail(
            "chip.timing",
            fmt::format("tile ({}, {}) has {} timing, and its chip {} timing; all tiles of a chip have the same one",
                        at.column, at.row, name(engine::timing_in_use(own)),
                        name(engine::timing_in_use(options_.tile))));
    if (auto ready = chip_.inside(number).prepare(kernels_of(number), own); !ready) return ready;
    return core::check_loaded(chip_.inside(number).state, kernels_of(number)).map_error([&](Error error) {
        error.message = fmt::format("tile ({}, {}): {}", at.column, at.row, error.message);
        return error;
    });
}

// A tile that has ended may only pass on what others do.
Result<void> Chip::Impl::Running::check_not_ended() const {
    Result<void> ended;
    for (unsigned i = 0; i < chip_.tiles.size(); ++i) {
        if (!chip_.tiles[i].kernels) continue;
        ended = core::check_not_ended(chip_.inside(i).state, kernels_of(i));
        if (ended) return {};
    }
    return ended;
}

std::unique_ptr<chip::TensixNode> Chip::Impl::Running::make_tile(unsigned number, RunOptions own) {
    own.timing = options_.tile.timing;  // of a tile that begins later, nobody can be told
    Core::Impl& inside = chip_.inside(number);
    chip_.put_back(number);
    auto node = std::make_unique<chip::TensixNode>(
        around_, chip::CoreParts{inside.state, *inside.slots, inside.reset, inside.l1_formats}, kernels_of(number),
        std::move(own), how_.in_steps);
    if (const auto seed = seed_of(number)) node->delay_packets(*seed);
    // A host and its reports know tiles by their places, and may change what cores execute while others ask.
    if (how_.hosted)
        node->obey_host();
    else
        node->name_others_by([this](Place tile, unsigned core, std::uint32_t pc) { return text_on(tile, core, pc); });
    node->name_code_by(how_.code_files);
    tiles_[number] = node.get();
    if (tell_tile_) tell_tile_(number, *node, kernels_of(number));
    return node;
}

std::string Chip::Impl::Running::text_on(Place tile, unsigned core, std::uint32_t pc) const {
    const unsigned number = *chip_.grid.number(tile);
    const auto [column, row] = chip_.grid.at(number);
    const std::string place = describe_frames(diagnostics::place_in(kernels_of(number), core, pc).frames);
    return fmt::format("0x{:X} of {} on tile ({}, {}){}", pc, name(RiscvCore(core)), column, row,
                       place.empty() ? "" : " (" + place + ")");
}

void Chip::Impl::Running::tell_tiles(NewTile tell) {
    tell_tile_ = std::move(tell);
    for (unsigned i = 0; tell_tile_ && i < tiles_.size(); ++i)
        if (tiles_[i]) tell_tile_(i, *tiles_[i], kernels_of(i));
}

chip::TensixNode& Chip::Impl::Running::make(unsigned number) {
    if (!tiles_[number]) mesh_->node_at(chip_.grid.place(number));
    return *tiles_[number];
}

void Chip::Impl::Running::begin_anew(unsigned number, chip::Cycle now) {
    const chip::TensixNode& before = *tiles_[number];
    auto node = make_tile(number, options_of(number));
    node->go_on_from(before, now);
    mesh_->replace(chip_.grid.place(number), std::move(node));
}

std::unique_ptr<chip::Node> Chip::Impl::Running::make_memory(Place place) {
    if (const auto channel = chip_.grid.layout().dram_channel(place)) {
        const auto places = chip_.grid.layout().dram_tiles(*channel);
        return std::make_unique<chip::MemoryNode>(around_, std::vector<Place>(places.begin(), places.end()), *chip_.channels[*channel]);
    }
    if (chip_.grid.layout().kind(place) == noc::TileKind::pcie)
        return std::make_unique<chip::MemoryNode>(around_, place, *how_.host_memory);
    return std::make_unique<chip::MemoryNode>(around_, std::vector<Place>{place}, chip_.ethernet[chip_.grid.layout().index(place)]);
}

std::unique_ptr<chip::Node> Chip::Impl::Running::make_node(Place place) {
    if (const auto number = chip_.grid.number(place)) return make_tile(*number, options_of(*number));
    auto node = make_memory(place);
    const auto behind_tiles = static_cast<unsigned>(tiles_.size()) + chip_.grid.layout().index(node->places().front());
    if (const auto seed = seed_of(behind_tiles)) node->delay_packets(*seed);
    return node;
}

ChipRun Chip::Impl::Running::counts() const {
    ChipRun result;
    result.packets = mesh_->packets();
    for (const auto& node : mesh_->nodes()) result.cycles = std::max(result.cycles, node->now());
    return result;
}

TileRun Chip::Impl::Running::tile_run(unsigned number, Run run) const {
    const auto [column, row] = chip_.grid.at(number);
    return {column, row, chip_.place(number), std::move(run)};
}

Fault Chip::Impl::Running::fault_of(unsigned number, Fault fault) const {
    if (const auto& by = tiles_[number]->stopped_by(); by && !by->by_host) {
        number = *chip_.grid.number(by->tile);
        Where where = diagnostics::place_in(kernels_of(number), by->core, by->pc);
        where.instruction = tiles_[number]->cores().instruction(by->core, by->pc);
        where.cycle = fault.where.cycle;
        fault.where = std::move(where);
    }
    return chip_.of_tile(number, std::move(fault));
}

void Chip::Impl::Running::add_memory_findings(ChipRun& result) const {
    std::map<std::uint16_t, diagnostics::FindingsLog> logs;
    for (const auto& node : mesh_->nodes()) {
        if (!node->order()) continue;
        const bool is_dram = chip_.grid.layout().dram_channel(node->places()[0]).has_value();
        for (const auto& met : node->order()->conflicts()) {
            const hazards::NocOrigin& by = met.now.by;
            const auto asking = chip_.grid.number(Place::of_number(by.request.tile));
            if (!asking || !tiles_[*asking]) continue;
            const auto where = [&] {
                const Kernels* kernels = chip_.tiles[*asking].kernels.get();
                return kernels ? diagnostics::place_in(*kernels, by.core, by.pc) : Where{};
            };
            auto& log = logs.try_emplace(by.request.tile, tiles_[*asking]->options().levels).first->second;
            checks::report_in_memory(log, met, is_dram ? "DRAM" : "L1 of an Ethernet tile,", where,
                                     [&](const hazards::NocOrigin& other) {
                                         return text_on(Place::of_number(other.request.tile), other.core, other.pc);
                                     });
        }
    }
    for (TileRun& tile : result.tiles)
        if (const auto log = logs.find(chip::inner_place(tile.place).number()); log != logs.end())
            for (Finding& finding : log->second.take()) tile.run.findings.push_back(std::move(finding));
}

ChipRun Chip::Impl::Running::so_far(bool tell_waits) const {
    ChipRun result = counts();
    for (unsigned i = 0; i < tiles_.size(); ++i)
        if (tiles_[i]) result.tiles.push_back(tile_run(i, tiles_[i]->so_far(tell_waits)));
    add_memory_findings(result);
    return result;
}

ChipRun Chip::Impl::Running::finish(chip::Mesh::End end) {
    ChipRun result = counts();
    if (end == chip::Mesh::End::done) result.cycles = mesh_->ended_at();
    const bool is_stuck = end == chip::Mesh::End::stuck;
    const bool at_limit = std::any_of(tiles_.begin(), tiles_.end(), [](const auto* tile) { return tile && tile->at_limit(); });
    if (is_stuck || at_limit) result.waits = chip::find_waits(chip_.grid, tiles_);
    for (unsigned i = 0; i < tiles_.size(); ++i) {
        if (!tiles_[i]) continue;
        const bool passed = at_limit && tiles_[i]->options().max_cycles <= result.cycles;
        const bool ended_by_others = (is_stuck || passed) && !tiles_[i]->stopped() && !tiles_[i]->done();
        if (ended_by_others) is_stuck ? tiles_[i]->end_stuck() : tiles_[i]->end_at_limit();
        Run run = tiles_[i]->finish();
        if (run.fault && !ended_by_others && !result.fault) result.fault = fault_of(i, *run.fault);
        result.tiles.push_back(tile_run(i, std::move(run)));
    }
    // Memories have no limit of their own, and may have acted behind it.
    if (at_limit) {
        noc::Cycle furthest = 0;
        for (const TileRun& tile : result.tiles) furthest = std::max(furthest, noc::Cycle{tile.run.cycles});
        result.cycles = std::min(result.cycles, furthest);
    }
    add_memory_findings(result);
    if (end == chip::Mesh::End::stop && !result.fault) {
        for (const auto& node : mesh_->nodes())
            if (auto fault = node->failure()) result.fault = std::move(fault);
    }
    if (is_stuck) result.fault = fault_of_stuck(result);
    return result;
}

Fault Chip::Impl::Running::fault_of_stuck(const ChipRun& result) const {
    std::string undone, ended;
    bool any_waits = false;
    const TileRun* first_ended = nullptr;
    for (const TileRun& tile : result.tiles) {
        if (tile.run.blocked.empty()) continue;
        undone += fmt::format("{}({}, {})", undone.empty() ? "" : ", ", tile.column, tile.row);
        if (!tile.run.fault || tile.run.fault->code != "kernel.not-done") {
            any_waits = true;
            continue;
        }
        ended += fmt::format("; tile ({}, {}): {}", tile.column, tile.row, tile.run.fault->message);
        if (!first_ended) first_ended = &tile;
    }
    if (first_ended && !any_waits)
        return fault_of(*chip_.number(first_ended->column, first_ended->row), *first_ended->run.fault);
    Fault fault;
    fault.code = "deadlock";
    fault.message = fmt::format("no tile can go on, and nothing is on its way between them; these are not done: {}", undone);
    if (const std::string chain = chip::chain_of(result.waits); !chain.empty()) fault.message += "; " + chain;
    fault.message += ended;
    return fault;
}

}  // namespace tessera
