// SPDX-License-Identifier: Apache-2.0
// The RISC-V cores of a tile during a run. The engine gives them turns; they access devices and the coprocessor.
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "engine/cores.hpp"
#include "image/code_files.hpp"
#include "riscv/hart.hpp"
#include "tile/core_watch.hpp"
#include "tile/device.hpp"

namespace tessera::tile {

class Bus;

class Tile final : public engine::Cores {
public:
    /// Runs the cores that state::Riscv marks as running (Core::load() has placed the kernels). `tells_stores`:
    /// RunOptions::on_write receives each core's stores to L1.
    Tile(state::State& state, const Kernels& kernels, Timing timing, bool tells_stores);
    ~Tile() override;

    // A tile of a chip.

    /// Joins the tile to others. Before the run.
    void join(noc::Fabric& fabric);
    /// A packet reaches its NIU.
    void arrive(noc::Arrival arrival);
    /// See engine::Cores::horizon().
    void set_horizon(engine::Cycle horizon) { horizon_ = horizon; }
    /// As done(), and the NIUs have nothing left to do. Without Kernels::done that is all: whether every core has ended is the engine's to say.
    bool all_done() const;
    /// A host drives the chip. See engine::Cores::goes_on_after_faults(). Before the run, and after join().
    void obey_host();
    /// Where lines of code come from that a host has written. It outlives the tile; null: there are none.
    void name_code_by(image::CodeFiles* files) { code_files_ = files; }
    /// By SOFT_RESET_0.
    bool all_in_reset() const;
    bool has_done_words() const { return !kernels_.done.empty(); }

    unsigned running() const override;
    engine::Turn act(unsigned, Cycle, engine::Port& port) override;
    engine::Turn step(unsigned core, Cycle now, engine::Port& port) override;
    void hold_time(unsigned core, std::optional<Cycle> at) override;
    std::uint32_t program_counter(unsigned core) const override { return state_.riscv[core].pc; }
    std::vector<std::uint32_t> memory(unsigned core) const override;
    void found_time_loop(unsigned core, Cycle until) override;
    std::shared_ptr<const Memory> save() const override;
    void restore(const Memory& memory) override;
    bool done() const override;
    engine::Cycle host_due(Cycle now) const override;
    void act_host(Cycle now, engine::Port& port) override;
    void act_noc(Cycle now, engine::Port& port) override;
    engine::Cycle skip_repeats(unsigned core, engine::Cycle until) override;
    void pass_polls(unsigned core, std::uint64_t rounds) override { hart(core).pass_polls(rounds); }
    void host_resets(const std::array<bool, riscv_cores>& cores, bool start, Cycle now, engine::Port& port) override;
    HostAccess host_accesses(std::uint32_t address, std::optional<std::uint32_t> stored, Cycle now, engine::Port& port) override;
    std::optional<Blocked> describe_host() const override;
    std::optional<Unmet> unmet() const override;

    std::string describe(const engine::Wait& wait, unsigned core) const override;
    void describe(unsigned core, Blocked& blocked) const override;
    std::string instruction(unsigned core, std::uint32_t pc) const override;
    std::vector<NamedValue> registers(unsigned core) const override;
    std::vector<Frame> frames(unsigned core, std::uint32_t pc) const override;
    std::string function(unsigned core, std::uint32_t pc) const override;

    /// Lines and function of a core's instruction: "kernel.cpp:7, main+0x12"; empty if unknown.
    std::string place_text(unsigned core, std::uint32_t pc) const;

    /// What a core polls.
    struct Polled {
        unsigned core = 0;
        std::uint32_t pc = 0;
        std::string text;         ///< the location
        std::uint32_t value = 0;  ///< what it reads there
        const NocWriters::Writer* writer = nullptr;  ///< who wrote it last over the NoC; null: nobody
    };
    std::optional<Polled> polled(unsigned core) const;

    // A debugger outside of what is simulated, between two steps.

    /// From now on cores execute an instruction per turn and ask before each; null: they do not. Then no core is ahead of the others in
    /// its own memory either, once all have come to the time of the one that is furthest (furthest()).
    void set_watch(CoreWatch* watch) { watch_ = watch; }
    /// How many instructions the core has executed; grows over resets, too. Fused .ttinsn count as one.
    std::uint64_t executed(unsigned core) const { return (std::uint64_t{resets_[core]} << 48) + harts_[core]->executed(); }
    /// When the core that is furthest begins its next instruction.
    Cycle furthest() const;
    /// Forgets what the core knows of its next rounds. Call after a change of its registers or its memory, and when it is held no more.
    void forget_rounds(unsigned core);
    /// What the core is parked for; empty: it is not.
    std::string waits_for(unsigned core) const;
    /// How many words the .ttinsn at `pc` would push at once; 1 for all other instructions.
    unsigned fused_words(unsigned core, std::uint32_t pc) const { return harts_[core]->fused_words(pc); }

private:
    class PortMachine;
    struct Saved;
    friend class Bus;

    Machine& machine();
    /// Sets the port for devices.
    void use(engine::Port& port);
    riscv::Hart& hart(std::size_t core) { return *harts_[core]; }
    void reset(RiscvCore core);
    engine::Turn act(engine::Port& port, std::uint32_t most_instructions);
    /// A turn of one instruction of a core that has a debugger.
    engine::Turn act_watched(engine::Port& port);
    /// What ends the core's poll; 0: it does not poll.
    engine::Signals poll_ends(unsigned core, std::uint64_t changes) const {
        return harts_[core]->polls(changes - l1_changes_) && !is_asked(core) ? poll_ends_[core] : engine::Signals{0};
    }
    bool is_asked(unsigned core) const { return watch_ || devices_->debugger.watches(core); }
    engine::Turn what_ended(unsigned core, const riscv::Stop& stop, engine::Port& port);
    engine::Turn ended(unsigned core, Cycle at);
    /// The file that an instruction comes from. The image is null: unknown.
    image::CodeFiles::Code code(unsigned core, std::uint32_t pc) const;
    bool holds(const Kernels::Word& word) const;
    bool holds_all() const;
    std::optional<riscv::Poll> poll_of(unsigned core) const;

    state::State& state_;
    const Kernels& kernels_;
    const bool tells_stores_;
    const riscv::Costs& costs_;
    std::uint32_t watched_first_ = 0, watched_end_ = 0;  ///< range of the words that the run or its host waits for
    mutable const Kernels::Word* missing_ = nullptr;     ///< the word of Kernels::done to check first; null: none
    std::uint64_t l1_changes_ = 0;                       ///< how many of Port::changes() were cores' stores to L1
    riscv::DecodeCache decoded_;
    riscv::L1Ports l1_ports_;
    std::array<std::optional<riscv::Hart>, riscv_cores> harts_;
    std::unique_ptr<PortMachine> machine_;
    std::unique_ptr<Devices> devices_;
    std::array<engine::Signals, riscv_cores> poll_ends_{};  ///< of the device that a core loaded from last; 0: not known
    std::deque<std::string> texts_;  ///< referenced by notes
    /// Progress of the host.
    struct Host {
        std::size_t next = 0;  ///< of Kernels::host
        Cycle since = 0;       ///< when its wait for that step began
    };
    Host host_;
    struct TimeLoop {
        Cycle until = 0;
        std::optional<riscv::Poll> poll;
    };
    std::array<std::optional<TimeLoop>, riscv_cores> time_loops_;  ///< for describe()
    image::CodeFiles* code_files_ = nullptr;
    CoreWatch* watch_ = nullptr;
    std::array<std::uint16_t, riscv_cores> resets_{};
};

}  // namespace tessera::tile
