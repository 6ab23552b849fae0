// SPDX-License-Identifier: Apache-2.0
// A Tensix tile with its engine.
#pragma once

#include "checks/l1_formats.hpp"
#include "chip/node.hpp"
#include "engine/engine.hpp"
#include "tile/tile.hpp"
#include "units/slots.hpp"

namespace tessera::chip {

/// Of a Core.
struct CoreParts {
    state::State& state;
    units::Slots& slots;
    Reset reset;
    checks::L1Formats& l1_formats;
};

class TensixNode final : public Node {
public:
    /// Runs the tile's kernels, which Core::load() has placed.
    /// `tells_stores`: options().on_write may be set later.
    TensixNode(const Surroundings& around, const CoreParts& core, const Kernels& kernels, RunOptions options, bool tells_stores = false);

    std::span<const Place> places() const override { return {&place_, 1}; }
    Cycle next_time() const override { return stopped_ ? never : engine_.asleep() ? tile_.noc_due() : engine_.next_time(); }
    void arrive(Place, noc::Arrival arrival) override { tile_.arrive(std::move(arrival)); }
    void run_until(Cycle horizon) override;
    void begin_until(Cycle horizon) override;
    bool advance() override;
    bool stopped() const override { return stopped_; }
    bool done() const override {
        if (!tile_.all_done()) return false;
        return tile_.has_done_words() ? engine_.asleep() || engine_.is_idle() : engine_.everything_finished();
    }
    Cycle now() const override { return engine_.now(); }

    /// The wait of every actor.
    std::vector<Blocked> blocked() const { return engine_.blocked(); }
    /// Its run has reached RunOptions::max_cycles.
    bool at_limit() const;
    /// No core of it goes on before a packet comes.
    bool sleeps() const { return engine_.asleep() || engine_.next_time() == never; }
    /// As of Engine.
    void end_stuck() { engine_.end_stuck(); }
    void end_at_limit() { engine_.end_at_limit(); }
    /// The poll of each core that has not ended; while the tile does not sleep, of those that are known to poll.
    std::vector<tile::Tile::Polled> polled() const;
    /// As of Tile.
    std::string place_text(unsigned core, std::uint32_t pc) const { return tile_.place_text(core, pc); }
    /// As of Tile. Before the run.
    void name_others_by(tile::CodeNames::OtherTiles names) { tile_.name_others_by(std::move(names)); }
    /// As of Tile.
    const std::optional<noc::Origin>& stopped_by() const { return tile_.stopped_by(); }
    /// The report until now.
    Run so_far(bool tell_waits) { return engine_.so_far(tell_waits); }
    Run finish();

    // For a host that drives the chip. Nothing is left to do before the cycle `at`, unless the tile sleeps. Call Mesh::touched() afterwards,
    // of a load only if it slept.

    /// Faults of its cores stop them alone, and it sleeps early. Before the run.
    void obey_host() { tile_.obey_host(); }
    /// As of Tile. Before the run.
    void name_code_by(image::CodeFiles* files) { tile_.name_code_by(files); }
    /// As of Tile, and packets leave behind those of that node. Before the run.
    void go_on_from(const TensixNode& before, Cycle now) {
        tile_.go_on_from(before.tile_, now);
        delay_packets_as(before);
    }
    void host_writes(Cycle at, std::uint32_t address, std::span<const std::byte> bytes);
    bool all_in_reset() const { return tile_.all_in_reset(); }
    engine::Cores::HostAccess host_loads(Cycle at, std::uint32_t address);
    engine::Cores::HostAccess host_stores(Cycle at, std::uint32_t address, std::uint32_t value);

    // For one who advances it in steps.
    engine::Engine& engine() { return engine_; }
    /// The engine's. Observers may change between two steps.
    RunOptions& options() { return options_; }
    tile::Tile& cores() { return tile_; }
    /// Does all that comes before that cycle, if it sleeps, too. Call Mesh::touched() afterwards.
    void catch_up(Cycle at);
    /// Between two acts of a run whose nodes have all come to that cycle: a debugger is about to change something.
    void debugger_acts(Cycle at) { come_to(at); }
    /// Its cores do not sleep in their loops before that cycle.
    void keep_awake(Cycle until);

private:
    /// After catch_up(): the present cycle.
    void come_to(Cycle at);
    void limit(Cycle horizon) override { tile_.set_horizon(std::min(tile_.horizon(), horizon)); }

    const Place place_;
    const CoreParts core_;
    RunOptions options_;
    tile::Tile tile_;
    engine::Engine engine_;
    bool stopped_ = false;
};

}  // namespace tessera::chip
