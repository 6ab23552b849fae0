// SPDX-License-Identifier: Apache-2.0
// A plan: one instruction, resolved. It captures all inputs, so running it decides nothing, and gives the same result
// after configuration and counters have changed.
#pragma once

#include <array>
#include <optional>

#include "findings/catalogue.hpp"
#include "isa/instruction.hpp"
#include "plan/effects.hpp"
#include "plan/pipe.hpp"
#include "plan/work.hpp"

namespace tessera::plan {

/// A source bank that must have this owner before the instruction can go on.
struct BankNeed {
    state::Src src{};
    std::uint8_t bank = 0;
    state::Owner owner{};
    bool in_unit = false;  ///< waits in its unit; false: at the gate
    friend constexpr bool operator==(const BankNeed&, const BankNeed&) = default;
};

/// A read of L1. Its rate in bytes per cycle depends on concurrent reads of the other unpacker.
struct Transfer {
    static constexpr unsigned speeds = 4;

    std::uint32_t bytes = 0;
    std::uint16_t alone = 0;                        ///< rate while the other does not read
    std::array<std::uint16_t, speeds> beside_it{};  ///< rate while it reads, by its speed
    std::uint8_t speed = 0;                         ///< speed of this transfer
    friend constexpr bool operator==(const Transfer&, const Transfer&) = default;
};

/// Moves that may follow each other in a unit at once; what is not of the chain waits until their occupancy is over.
enum class Chain : std::uint8_t { none, into_src_a, into_src_b };

/// The stage at which an instruction enters its unit's pipeline (ConfigurationUnit on Blackhole, stages). It decides
/// which intervals hold the instruction back.
enum class Entry : std::uint8_t {
    none,   ///< no such pipeline: Cost::interval, if it has one itself
    main,   ///< Cost::interval
    early,  ///< a stage before: Cost::early_interval
    first,  ///< at the first stage: nothing holds it back
};

/// Cycles, from units/costs.
struct Cost {
    std::uint16_t address = 0;    ///< before it enters its unit: blocks its thread and every other UNPACR
    std::uint16_t hold = 0;       ///< from its start until its thread can issue again; 0: at once
    std::uint8_t interval = 0;    ///< from its start to the next start of an instruction with an interval
    std::uint8_t early_interval = 0;  ///< the same of one whose `entry` is early
    Entry entry{};
    std::uint16_t retry = 0;      ///< between attempts, if it waits in its unit (Plan::waits_in_unit)
    bool lands_at_end = false;    ///< memory request: its result is visible at the end only, and it blocks nothing
    bool half = false;            ///< occupancy is half a cycle more: every second one takes a cycle more
    bool fills_pause = false;     ///< may start in the last cycle of its predecessor's occupancy: SFPNOP
    Chain chain{};
    std::uint32_t occupancy = 1;  ///< from its start until its unit can start the next
    std::uint32_t latency = 1;    ///< from its start to its end
    Transfer transfer{};          ///< occupancy and latency assume its rate without a competing read
    friend constexpr bool operator==(const Cost&, const Cost&) = default;
};

struct Plan {
    static constexpr std::size_t max_effects = 96;
    static constexpr std::size_t max_findings = 6;

    isa::Instruction instruction;
    std::uint8_t thread = 0;

    std::optional<findings::Note> fault;  ///< no result exists; all else in the plan is then ignored
    InlineVector<findings::Note, max_findings> findings;

    std::int8_t sub_unit = -1;  ///< vector unit: sub-unit that a scheduled instruction may occupy
    PipeMask pipes = 0;         ///< pipes in which it executes; several only for Wormhole's packers
    InlineVector<BankNeed, 2> banks;
    std::int8_t mutex = -1;               ///< must be free or held by the thread
    bool latches_wait = false;            ///< its effects set the thread's latched wait
    bool waits_in_unit = false;           ///< once started it blocks unit and thread until its condition holds
    state::ConditionMask conditions = 0;  ///< waits in its unit while any of these holds
    DstBlocks dst_reads, dst_writes;
    DstDatums dst_datums;  ///< type of the work's datums in Dst
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
    /// A documented mode that is not implemented; `what` is its name.
    void not_implemented(std::string_view what) { fail(findings::id("not-implemented"), {}, what); }
};

/// Whether it is a request to memory, as the scalar unit's conditions count them.
inline bool is_scalar_request(const Plan& plan) { return plan.cost.lands_at_end && plan.pipes & bit(Pipe::scalar); }

/// The mutex that the instruction acquires or releases; -1: none.
inline int mutex_of(const Plan& plan) {
    if (plan.pipes != bit(Pipe::sync) || plan.effects.empty()) return -1;
    constexpr state::CellBlock mutexes = state::cells::mutex_block;
    const state::Cell cell = plan.effects[0].cell;
    return mutexes.contains(cell) ? static_cast<int>(state::index(cell) - mutexes.first) : -1;
}

/// Applies the effects of one moment.
void apply(const Plan& plan, When when, state::State& state);
/// A RISC-V core's store to a cell lands.
void store(state::State& state, state::Cell cell, CellOp op, std::uint32_t value);

/// Whether the work waits for a value in L1.
bool waits_for_l1(const Plan& plan);
/// Whether L1 satisfies the work. Banks and conditions are not tested.
bool work_is_ready(const Plan& plan, const state::State& state);
/// The value that the work waits for, and the present one; empty if it is ready.
std::string missing(const Plan& plan, const state::State& state);

/// Runs the plan's work.
void run_work(const Plan& plan, state::State& state);

/// Runs everything at once, as if nothing else were active: issue, start, work, end.
void run_whole(const Plan& plan, state::State& state);

/// All reads and writes from issue to end, without those of the resolve.
Footprint footprint(const Plan& plan);
/// Adds the reads and writes of the plan's work to `out`.
void footprint_of_work(const Plan& plan, Footprint& out);

}  // namespace tessera::plan
