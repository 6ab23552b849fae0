// SPDX-License-Identifier: Apache-2.0
// RISC-V cores with scripted turns, in place of a tile's.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"

namespace tessera::test {

/// The script of a core's turns.
using Script = std::function<engine::Turn(engine::Cycle now, engine::Port& port)>;

class Scripted : public engine::Cores {
public:
    std::array<Script, riscv_cores> scripts;
    bool is_done = false;

    unsigned running() const override {
        unsigned mask = 0;
        for (unsigned c = 0; c < riscv_cores; ++c) mask |= (scripts[c] ? 1u : 0u) << c;
        return mask & ~asleep;
    }
    unsigned asleep = 0;
    engine::Turn act(unsigned core, engine::Cycle now, engine::Port& port) override { return scripts[core](now, port); }
    engine::Cycle host_step_due(engine::Cycle) const override { return engine::never; }
    void act_host(engine::Cycle, engine::Port&) override {}
    void host_resets(const std::array<bool, riscv_cores>&, bool, engine::Cycle, engine::Port&) override {}
    HostAccess host_accesses(std::uint32_t, std::optional<std::uint32_t>, engine::Cycle, engine::Port&) override { return {}; }
    std::optional<Blocked> describe_host() const override { return {}; }
    void act_noc(engine::Cycle, engine::Port&) override {}
    engine::Cycle skip_repeats(unsigned, engine::Cycle) override { return 0; }
    void pass_polls(unsigned, std::uint64_t) override {}
    bool may_act_apart(unsigned, std::uint64_t) const override { return false; }
    Apart act_apart(unsigned, engine::Cycle, engine::Cycle) override { return {}; }
    void undo_apart(unsigned) override {}
    bool keep_apart(unsigned) override { return false; }
    engine::Cycle kept_until(unsigned) const override { return 0; }
    bool may_hold_code(std::uint32_t) const override { return true; }
    void hold_time(unsigned, std::optional<engine::Cycle>) override {}
    std::uint32_t program_counter(unsigned) const override { return 0; }
    std::vector<std::uint32_t> memory(unsigned) const override { return {}; }
    void found_time_loop(unsigned, engine::Cycle) override {}
    void forget_time_loops() override {}
    std::shared_ptr<const Memory> save() const override { return nullptr; }
    void restore(const Memory&) override {}
    bool done() const override { return is_done; }
    std::optional<Unmet> unmet() const override { return {}; }
    void tell_unfinished(engine::Port&) override {}
    std::string text_on_other_tile(std::uint16_t, unsigned, std::uint32_t) const override { return {}; }
    std::string describe(const engine::Wait& what, unsigned core) const override {
        return "thing " + std::to_string(what.a) + " of core " + std::to_string(core);
    }
    std::vector<Polled> describe(unsigned core, bool repeats, Blocked& blocked) const override {
        blocked.place = "line of core " + std::to_string(core);
        if (repeats && blocked.waits_for.empty()) blocked.waits_for = "poll of core " + std::to_string(core);
        return {};
    }
    std::vector<Frame> frames(unsigned core, std::uint32_t pc) const override {
        return {{"f", "core" + std::to_string(core) + ".cpp:" + std::to_string(pc / 4)}};
    }
    std::string instruction(unsigned, std::uint32_t) const override { return "nop"; }
    std::vector<NamedValue> registers(unsigned core) const override { return {{"ra", core}}; }
    std::string function(unsigned, std::uint32_t pc) const override { return "f+" + std::to_string(pc); }
};

}  // namespace tessera::test
