// SPDX-License-Identifier: Apache-2.0
// A plan: one instruction, resolved. It holds everything the instruction will need, so that running it decides nothing
// and running it later, after configuration and counters have changed, does the same.
#pragma once

#include <array>
#include <optional>

#include "findings/catalogue.hpp"
#include "isa/instruction.hpp"
#include "plan/effects.hpp"
#include "plan/pipe.hpp"
#include "plan/work.hpp"

namespace tessera::plan {

/// A source bank that must belong to somebody before the instruction can go on.
struct BankNeed {
    state::Src src{};
    std::uint8_t bank = 0;
    state::Owner owner{};
    bool in_unit = false;  ///< waits inside the unit, not at the gate
    friend constexpr bool operator==(const BankNeed&, const BankNeed&) = default;
};

/// Reading of L1 at a rate that depends on what the unit's rival reads at the same time. Rates are bytes per cycle.
struct Transfer {
    static constexpr unsigned speeds = 4;

    std::uint32_t bytes = 0;
    std::uint16_t alone = 0;                        ///< rate while the rival does not read
    std::array<std::uint16_t, speeds> beside_it{};  ///< rate while it reads, by the speed that it wants
    std::uint8_t speed = 0;                         ///< what this one wants
    friend constexpr bool operator==(const Transfer&, const Transfer&) = default;
};

/// Cycles, from units/costs.
struct Cost {
    std::uint16_t address = 0;    ///< before it enters its unit: holds its thread, and every other UNPACR
    std::uint16_t hold = 0;       ///< from its start until its thread can issue the next; 0: at once
    std::uint16_t interval = 0;   ///< from its start to the next start of an instruction that has one, too
    std::uint16_t retry = 0;      ///< between attempts, if it waits in its unit (Plan::waits_in_unit)
    bool lands_at_end = false;    ///< a memory request: nobody sees it before, and it holds nothing back
    bool fills_pause = false;     ///< may start in the last cycle of its predecessor's occupancy: SFPNOP
    std::uint32_t occupancy = 1;  ///< from its start until its unit can start the next
    std::uint32_t latency = 1;    ///< from its start to its end
    Transfer transfer{};          ///< what occupancy and latency count on without a rival
    friend constexpr bool operator==(const Cost&, const Cost&) = default;
};

struct Plan {
    static constexpr std::size_t max_effects = 96;
    static constexpr std::size_t max_findings = 6;

    isa::Instruction instruction;
    std::uint8_t thread = 0;

    std::optional<findings::Note> fault;  ///< no result exists; nothing else in the plan counts then
    InlineVector<findings::Note, max_findings> findings;

    std::int8_t sub_unit = -1;  ///< of the vector unit, where a scheduled instruction may be in its way
    PipeMask pipes = 0;         ///< where it executes; more than one only for Wormhole's packers
    InlineVector<BankNeed, 2> banks;
    std::int8_t mutex = -1;               ///< must be free or the thread's own
    bool latches_wait = false;            ///< its effects set the thread's latched wait
    bool waits_in_unit = false;           ///< once started it holds unit and thread until what it needs is there
    state::ConditionMask conditions = 0;  ///< what must be over before it goes on; it waits in its unit
    DstBlocks dst_reads, dst_writes;
    DstDatums dst_datums;  ///< what the work leaves in Dst
    Cost cost;

    InlineVector<CellEffect, max_effects> effects;
    Work work;

    friend bool operator==(const Plan&, const Plan&) = default;

    void effect(state::Cell cell, std::uint32_t value, When when, CellOp op = CellOp::set) {
        effects.push_back({cell, op, when, value});
    }
    void note(findings::Id id, std::array<std::uint32_t, 4> values = {}, std::string_view detail = {}) {
        if (!findings.full()) findings.push_back({id, values, detail});
    }
    void fail(findings::Id id, std::array<std::uint32_t, 4> values = {}, std::string_view detail = {}) {
        if (!fault) fault = findings::Note{id, values, detail};
    }
    /// A documented mode that is not there yet; `what` is its name.
    void not_implemented(std::string_view what) { fail(findings::id("not-implemented"), {}, what); }
};

/// Applies the effects of one moment.
void apply(const Plan& plan, When when, state::State& state);

/// Whether the work waits for something in L1.
bool waits_for_l1(const Plan& plan);
/// Whether L1 is as the work needs it. Its banks and conditions are not asked about.
bool work_is_ready(const Plan& plan, const state::State& state);
/// What the work needs and what there is instead; empty if it is ready.
std::string missing(const Plan& plan, const state::State& state);

/// Does the bulk work.
void run_work(const Plan& plan, state::State& state);

/// All at once, as if nothing else went on: issue, start, work, end.
void run_whole(const Plan& plan, state::State& state);

/// What the plan will read and write from its issue to its end; not what it captured when it was resolved.
Footprint footprint(const Plan& plan);
/// The same of its work alone, added to `out`.
void footprint_of_work(const Plan& plan, Footprint& out);

}  // namespace tessera::plan
