// SPDX-License-Identifier: Apache-2.0
// Checks at the issue of an instruction.
#include <algorithm>

#include "checks/checker.hpp"
#include "findings/about_data.hpp"
#include "units/costs/costs.hpp"

namespace tessera::checks {

namespace {

constexpr plan::PipeMask config_writers = bit(plan::Pipe::config) | bit(plan::Pipe::scalar);
constexpr plan::PipeMask output_generators = plan::unpackers | plan::packers;

// Findings beside hazards that are reported only if instructions take time.
constexpr findings::Id with_time[] = {
    findings::id("config.gpr-not-awaited"), findings::id("config.rdcfg-together"), findings::id("config.write-while-busy"),
    findings::id("l1.format"),              findings::id("matrix.bank-kept"),      findings::id("matrix.bank-unread"),
    findings::id("pack.dst-format"),        findings::id("pack.dst-width"),        findings::id("pack.output-gap"),
    findings::id("pack.output-overlap"),    findings::id("src.rows-gap"),          findings::id("src.rows-overlap"),
};

}  // namespace

bool Checker::asks_for_order(const Diagnostics& diagnostics) {
    for (std::size_t i = 0; i < std::size(findings::catalogue); ++i) {
        const findings::Id id{static_cast<std::uint8_t>(i)};
        const bool with_order = findings::catalogue[i].code.starts_with("hazard.") || findings::is_about_data(id) ||
                                std::find(std::begin(with_time), std::end(with_time), id) != std::end(with_time);
        if (with_order && !diagnostics.is_off(id)) return true;
    }
    return false;
}

Checker::Checker(Memory& memory, const state::State& state, const units::CostTable& costs, const Diagnostics& diagnostics,
                 std::uint64_t run, bool looks_for_unwritten)
    : memory_(memory),
      state_(state),
      costs_(costs),
      diagnostics_(diagnostics),
      run_(run),
      looks_for_unwritten_(looks_for_unwritten),
      ordered_(!costs.completes_at_issue && asks_for_order(diagnostics)) {
    if (!ordered_) memory_.order.turn_off();
}

void Checker::check_issue(const units::Resolved& resolved, const At& at) {
    const plan::Plan& plan = resolved.plan;
    if (!memory_.unread.empty()) review_unread(resolved);
    if (!plan.findings.empty()) note_findings(resolved, at);
    if (plan.pipes & config_writers) check_config_writes(resolved, at);
    if (!ordered_) return;
    check_at_gate(resolved, at);
    if (plan.pipes & output_generators) check_outputs(resolved, at);
    if (plan.pipes & bit(plan::Pipe::sync)) remember_sync(plan, at);
    if (plan.instruction.is(isa::mnemonic("RDCFG")) && plan.instruction.arch == Arch::wormhole) check_rdcfg(resolved, at);
}

// Brings the thread's vector clock up to date, and checks the captures.
void Checker::check_at_gate(const units::Resolved& resolved, const At& at) {
    if (!ordered_) return;
    hazards::Order& order = memory_.order;
    hazards::ConfigOrder& config = memory_.config_order;
    const plan::Plan& plan = resolved.plan;
    const unsigned t = plan.thread;
    order.reached(t, at.index);
    for (const auto& need : plan.banks)
        if (!need.in_unit) order.bank_seen(t, need.src, need.bank);
    const bool late = any_late_writes(t);
    const bool too_early = late || order.stores_may_matter(t, at.index);
    if (too_early || resolved.uses_config) {
        hazards::ConfigOrder::Use& use = config.use(t, use_key(resolved));
        if (late || (too_early && use.stores != order.stores().count())) check_captures(resolved, at, use);
        if (resolved.uses_config && plan.pipes) check_config_use(resolved, at, use);
    }
    if (late || resolved.writes_late) remember_late_writes(plan, at.index);
}

void Checker::check_config_at_gate(const units::Resolved& resolved, const At& at) {
    check_config_use(resolved, at, memory_.config_order.use(resolved.plan.thread, use_key(resolved)));
}

inline void Checker::check_config_use(const units::Resolved& resolved, const At& at, hazards::ConfigOrder::Use& use) {
    if (resolved.writes_config || use.captured.empty() || is_news(resolved, use))
        check_config_order(resolved, at, use);
    else
        use.who = use_of(resolved, at);
}

}  // namespace tessera::checks
