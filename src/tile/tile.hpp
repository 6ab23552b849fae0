// SPDX-License-Identifier: Apache-2.0
// The RISC-V cores of a tile during a run. The engine gives them turns; they access devices and the coprocessor.
#pragma once

#include <memory>
#include <optional>

#include "engine/cores.hpp"
#include "riscv/apart.hpp"
#include "tile/bus.hpp"
#include "tile/code_names.hpp"
#include "tile/core_reports.hpp"
#include "tile/core_watch.hpp"
#include "tile/device.hpp"
#include "tile/done_words.hpp"
#include "tile/harts.hpp"
#include "tile/host.hpp"

namespace tessera::tile {

class Tile final : public engine::Cores {
public:
    /// Runs the cores that state::Riscv marks as running (Core::load() has placed the kernels). `tells_stores`:
    /// RunOptions::on_write receives each core's stores to L1.
    Tile(state::State& state, const Kernels& kernels, Timing timing, bool tells_stores);

    // A tile of a chip.

    /// Joins the tile to others. Before the run.
    void join(noc::Fabric& fabric);
    /// A packet reaches its NIU.
    void arrive(noc::Arrival arrival);
    /// See engine::Cores::horizon().
    void set_horizon(engine::Cycle horizon) { horizon_ = horizon; }
    /// A core's turn ends behind a store to these bytes of L1, so that a debugger sees each. Only if the tile tells stores.
    void look_at_stores(const AwaitedRange& bytes) { buses_.looked_at = bytes; }
    /// As done(), and the NIUs have nothing left to do. Without Kernels::done that is all: whether every core has ended is the engine's to say.
    bool all_done() const;
    /// A host drives the chip. See engine::Cores::goes_on_after_faults(). Before the run, and after join().
    void obey_host();
    /// Goes on in that cycle from a tile of the same state that stood still, with all its cores in reset: its NIUs have
    /// requests, and debug registers can be kept. Before the run.
    void go_on_from(const Tile& before, Cycle now);
    /// Sets the source of lines for code that a host has written. It outlives the tile; null: there is none.
    void name_code_by(image::CodeFiles* files) { code_.name_by(files); }
    /// As of CodeNames. Before the run.
    void name_others_by(CodeNames::OtherTiles names) { code_.name_others_by(std::move(names)); }
    /// By SOFT_RESET_0.
    bool all_in_reset() const { return tile::all_in_reset(devices_); }
    bool has_done_words() const { return !done_words_.empty(); }
    /// The origin of the request that has stopped the run here; empty: none has, or one of this tile's own cores.
    const std::optional<noc::Origin>& stopped_by() const { return stopped_by_; }

    unsigned running() const override;
    engine::Turn act(unsigned, Cycle, engine::Port& port) override;
    bool may_act_apart(unsigned core, std::uint64_t changes) const override {
        return !is_asked(core) && !devices_.shown_pc[core] && harts_[core].may_act_apart(changes);
    }
    Apart act_apart(unsigned core, Cycle now, Cycle until) override;
    void undo_apart(unsigned core) override { harts_[core].undo(apart_[core]); }
    bool keep_apart(unsigned cores) override;
    Cycle kept_until(unsigned core) const override { return harts_[core].begins_next(); }
    bool may_hold_code(std::uint32_t address) const override { return harts_.may_hold_code(address); }
    void hold_time(unsigned core, std::optional<Cycle> at) override { harts_[core].hold_time(at); }
    std::uint32_t program_counter(unsigned core) const override { return state_.riscv[core].pc; }
    std::vector<std::uint32_t> memory(unsigned core) const override;
    void found_time_loop(unsigned core, Cycle until) override { reports_.found_time_loop(core, until); }
    void forget_time_loops() override { reports_.forget_time_loops(); }
    std::shared_ptr<const Memory> save() const override;
    void restore(const Memory& memory) override;
    bool done() const override;
    void act_host(Cycle now, engine::Port& port) override;
    void act_noc(Cycle now, engine::Port& port) override;
    engine::Cycle skip_repeats(unsigned core, engine::Cycle until) override { return harts_[core].skip_repeats(until); }
    void pass_polls(unsigned core, std::uint64_t rounds) override { harts_[core].pass_polls(rounds); }
    void host_resets(const std::array<bool, riscv_cores>& cores, bool start, Cycle now, engine::Port& port) override;
    HostAccess host_accesses(std::uint32_t address, std::optional<std::uint32_t> stored, Cycle now, engine::Port& port) override;
    std::optional<Blocked> describe_host() const override { return host_.describe(); }
    std::optional<Unmet> unmet() const override { return done_words_.first_unmet(); }

    std::string describe(const engine::Wait& wait, unsigned core) const override;
    void tell_unfinished(engine::Port& port) override;
    std::vector<Polled> describe(unsigned core, bool repeats, Blocked& blocked) const override {
        return reports_.describe(core, repeats, blocked);
    }
    std::string instruction(unsigned, std::uint32_t pc) const override { return code_.instruction(pc); }
    std::vector<NamedValue> registers(unsigned core) const override;
    std::vector<Frame> frames(unsigned core, std::uint32_t pc) const override { return code_.frames(core, pc); }
    std::string function(unsigned core, std::uint32_t pc) const override { return code_.function(core, pc); }
    std::string text_on_other_tile(std::uint16_t tile, unsigned core, std::uint32_t pc) const override {
        return code_.on_other_tile(noc::Place::of_number(tile), core, pc);
    }
    /// As of CodeNames.
    std::string place_text(unsigned core, std::uint32_t pc) const { return code_.place(core, pc); }

    using Polled = CoreReports::Polled;
    std::vector<Polled> polled(unsigned core, bool repeats) const { return reports_.polled(core, repeats); }

    // A debugger outside of what is simulated, between two steps.

    /// From now on cores execute an instruction per turn and ask before each; null: they do not. Then no core is ahead of the others in
    /// its own memory either, once all have come to the time of the one that is furthest (furthest()).
    void set_watch(CoreWatch* watch) { watch_ = watch; }
    /// As of Harts.
    std::uint64_t executed(unsigned core) const { return harts_.executed(core); }
    Cycle furthest() const { return harts_.furthest(); }
    /// Forgets what the core knows of its next rounds. Call after a change of its registers or its memory, and when it is held no more.
    void forget_rounds(unsigned core);
    /// The wait that the core is parked for; empty: it is not parked.
    std::string waits_for(unsigned core) const;
    /// How many words the .ttinsn at `pc` would push at once; 1 for all other instructions.
    unsigned fused_words(unsigned core, std::uint32_t pc) const { return harts_[core].fused_words(pc); }

private:
    struct Saved;

    Cycle host_step_due(Cycle now) const override { return host_.due(now); }

    /// Sets the port for devices.
    void use(engine::Port& port) { devices_.use(port); }
    /// A turn of one instruction of a core that has a debugger.
    engine::Turn act_watched(engine::Port& port);
    /// The signals that end the core's poll, or the time that its rounds take; 0: it does not poll.
    engine::Signals poll_ends(unsigned core, std::uint64_t changes) const {
        const engine::Signals ends = buses_.poll_ends[core];
        if (!ends || !harts_[core].polls(changes - l1_changes_) || is_asked(core)) return {};
        return ends | engine::Signal::predictor | engine::Signal::debugger;
    }
    bool is_asked(unsigned core) const { return watch_ || devices_.debugger.watches(core); }
    engine::Turn what_ended(unsigned core, const riscv::Stop& stop, engine::Port& port);
    engine::Turn turn_of(unsigned core, const riscv::Stop& stop, engine::Port& port);
    /// At the end of the core's turn. A core that polls the snapshot of its pc sees another one from now on: that is a
    /// change.
    void leaves_shown_pc(unsigned core, std::uint64_t& changes) {
        auto& shown = devices_.shown_pc[core];
        if (!shown || *shown == state_.riscv[core].pc) return;
        shown.reset();
        ++changes;
    }
    engine::Turn ended(unsigned core, Cycle at);
    /// Tells the core whether configuration switches its branch predictor off. At the begin of its turn, when the polls of its sleep are
    /// counted.
    void follow_predictor(unsigned core) {
        if (configured_ != state_.configured) {
            configured_ = state_.configured;
            predictors_off_ = predictors_off(state_);
        }
        harts_[core].let_predict(!(predictors_off_ >> core & 1));
    }

    state::State& state_;
    Harts harts_;
    Devices devices_;
    Bus::Shared buses_;
    DoneWords done_words_;
    Host host_;
    CodeNames code_;
    CoreReports reports_;
    std::vector<riscv::Apart> apart_;  ///< by core, once one has acted apart
    std::uint64_t l1_changes_ = 0;  ///< how many of Port::changes() were cores' stores to L1
    std::uint64_t configured_ = ~std::uint64_t{0};  ///< State::configured at the last follow_predictor()
    std::uint32_t predictors_off_ = 0;              ///< as configuration had it then
    CoreWatch* watch_ = nullptr;
    std::optional<noc::Origin> stopped_by_;
};

}  // namespace tessera::tile
