// SPDX-License-Identifier: Apache-2.0
// All that an engine remembers between two steps, beside the State that it works on: a copy of both is a snapshot of a run under
// way.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "checks/memory.hpp"
#include "engine/clock.hpp"
#include "engine/delays.hpp"
#include "engine/pipes.hpp"
#include "engine/touches.hpp"
#include "engine/transfers.hpp"
#include "engine/vector_state.hpp"
#include "engine/wait.hpp"
#include "engine/wait_times.hpp"
#include "engine/window.hpp"
#include "engine/workload.hpp"
#include "frontend/expanders.hpp"
#include "frontend/pushed_uses.hpp"
#include "frontend/wait_gate.hpp"
#include "plan/plan.hpp"
#include "tessera/kernels.hpp"
#include "tessera/run.hpp"
#include "units/kept_plans.hpp"
#include "util/paged.hpp"
#include "util/ring.hpp"

namespace tessera::engine {

using frontend::FifoEntry, frontend::GateWord, frontend::Source;

class Progress {
public:
    /// What has done something: an instruction, or a store of a core.
    struct Doer {
        unsigned thread = 0;  ///< or no_thread
        std::int64_t index = 0, position = -1;
        std::uint32_t word = 0;  ///< of an instruction
        bool store = false;
        Cycle cycle = 0;
    };

    /// How many instructions have been issued, and the last one.
    std::uint64_t issued() const { return issued_; }
    const Doer& last_issued() const { return last_issued_; }
    /// Who has written what on_write was called for last.
    const Doer& last_writer() const { return last_writer_; }
    /// The cycle of what happened last.
    Cycle now() const { return now_; }

protected:
    Progress(const RunOptions& options, const units::CostTable& costs)
        : delays_(options.seed), pipes_(costs), log_(options.levels) {
        const units::ThreadCost& cost = costs.thread;
        for (unsigned t = 0; t < state::threads; ++t)
            threads_[t].front = {t, {cost.mop_exit_cycles, cost.replay_fifo_words, cost.gate_fifo_words}};
    }

    // Cores of T0 to T2 are actors 0 to 2, front ends 3 to 5; RISC-V B and NC, which a program does not have, 6 and 7.
    static constexpr unsigned actors = 8, core_b = 6, core_nc = 7;
    static constexpr unsigned no_thread = state::threads;  ///< what B and NC do is no thread's
    static constexpr unsigned host = actors;               ///< in turn_of_: it is no actor

    /// What a wait of an actor is told with.
    struct Waiting {
        std::int64_t index = -1, position = -1;
        std::uint32_t word = 0, pc = 0;
        Touch ended_by;
    };
    struct Actor {
        bool parked = false;
        bool finished = false;
        Signals wakes = 0;               ///< while it is parked
        std::uint8_t room_of = no_fifo;  ///< Turn::room_of
        Cycle not_before = 0;  ///< when it may act at the earliest, once it is woken
        Wait wait;
        plan::PipeMask behind = 0;  ///< waits until these units are free, in a known cycle; 0: for something else
        Cycle since = 0;
        /// Engine::changes_ when it was found to do nothing but repeat itself; never: it was not.
        std::uint64_t repeats_since = never;
    };
    /// Why an instruction does not go on in its unit.
    struct UnitWait {
        Wait::Kind kind{};
        std::string reason;
    };
    /// What Auto TTSync keeps in order: a store of the thread's core on its way.
    struct Tracked {
        std::int64_t index = 0;
        state::Uses uses;
    };
    /// A started instruction that holds its unit until what it needs is there.
    struct Held {
        std::uint32_t record = 0;
        Cycle tried = 0;  ///< the last attempt
        bool scheduled = false;
    };
    struct Thread {
        frontend::Expanders front;
        std::int64_t last_mop = -1;  ///< op that pushed the last MOP
        std::uint32_t last_mop_word = 0;
        std::size_t next_op = 0;
        std::size_t plain_end = 0;     ///< beyond next_op: only words are pushed until there
        std::uint64_t kernel_ops = 0;  ///< of RISC-V cores: pushes and stores so far
        Cycle hold_until = 0;          ///< address phase of its own UNPACR, or its own scalar instruction
        Wait::Kind held_by = Wait::Kind::none;
        Touch holder;
        Cycle latched_at = 0;
        Origin latched_from;  ///< of the instruction that did, and its word
        std::uint32_t latched_word = 0;
        bool latch_met = false;  ///< for RunOptions::on_wait, as all that tells who ended a wait
        Touch latch_met_by;
        bool latch_check_scheduled = false;
        bool latch_released = false;
        std::uint64_t issued = 0;
        frontend::PushedUses pushed_uses;
        std::vector<Tracked> tracked_stores;
        Cycle gpr_written_at = 0;             ///< when the last of RDCFG's results is in its GPR
        WaitTimes waited;
        std::array<Cycle, plan::pipes> issuing{};  ///< cycles that went to issuing, by pipe
        plan::Pipe issued_to{};                    ///< the last instruction
        Cycle issue_done = 0, delayed_until = 0;   ///< its cycles, and a delay behind them, are counted in advance
    };
    /// An instruction between issue and end.
    struct Record {
        units::PlanRef resolved;
        const plan::Plan& plan() const { return resolved->plan; }

        std::int64_t index = 0, position = -1;
        std::int64_t number = 0;  ///< tessera::Event::number
        Cycle pushed = 0, gate = 0, issue = 0, ready = 0;
        Times times;
        Cycle blocked_since = never;  ///< by more than instructions before it
        Wait blocked_by;
        std::uint64_t end_event = 0;
        hazards::KnowingTicket ticket;
        std::int64_t explanation = -1;  ///< of Run::explanations, when it wants elements
        bool by_plan =
            false;  ///< also in a run by the second implementation, whose models know it only as a thread issues it
        bool by_core = false;  ///< a command of a core: no thread's instruction
        bool used = false;
    };
    /// Instructions that wait in front of their unit.
    struct Queue {
        Ring<std::uint32_t> waiting;  ///< records; Wormhole's packers share the first packer's
        Cycle try_at = never;         ///< when the first is tried next
        Touch last;                   ///< who has started in the unit last
        Touch bank_passed_by;
    };
    struct Store {
        state::Cell cell{};
        plan::CellOp op{};
        std::uint32_t value = 0;
        unsigned thread = 0;  ///< or no_thread
        std::int64_t index = 0;
        bool counts = false;             ///< TRISC_CFG waits for it
        int core = -1;                   ///< RISC-V core, whose stores are counted; -1: of a program
        state::Resources resources = 0;  ///< as Auto TTSync takes it
    };

    Delays delays_;

    std::array<Actor, actors> actors_{};
    std::array<Cycle, actors> due_{};  ///< when each acts next; never: it is parked or has finished
    Signals awaited_ = 0;              ///< by parked actors, and maybe more
    std::array<Thread, state::threads> threads_{};
    std::array<Queue, plan::pipes> queues_{};
    Pipes pipes_;
    Workload work_;
    Clock clock_;
    Paged<Record> records_;
    unsigned waiting_in_units_ = 0;  ///< instructions that are, or will be
    std::vector<std::uint32_t> free_records_;
    std::deque<Store> stores_;
    std::vector<std::uint32_t> free_stores_;
    Touch address_phase_holder_;
    Transfers transfers_;  ///< of the unpackers
    std::optional<std::uint64_t> sharing_event_;
    std::optional<Held> held_;  ///< only the scalar unit's instructions wait in it
    UnitWait held_wait_;
    Touch held_by_;
    Schedule schedule_;
    std::optional<VectorPast> last_vector_;  ///< that a thread issued
    std::array<Touch, plan::DstBlocks::count> dst_writer_{};
    checks::Memory checked_;
    diagnostics::FindingsLog log_;
    Touches touches_;
    std::array<std::uint32_t, 4> bank_words_{};  ///< of the instructions that did
    std::array<std::uint8_t, 4> hand_overs_{};  ///< per bank, instructions that pass it on when they end

    Touch cause_;  ///< whose doing is going on
    std::array<Waiting, actors> waiting_{};
    std::int64_t next_number_ = 0;

    WindowCount window_;

    /// A second core has been started, or the coprocessor has been given something to do. What one core did alone before, everybody
    /// knows by what it started them with.
    bool l1_shared_ = false;
    unsigned turn_of_ = 0;             ///< the core whose turn it is
    std::uint64_t changes_ = 0;        ///< counts whatever a core could notice
    bool awaits_idle_ = false;         ///< the cores are done: the run ends when the coprocessor is
    std::uint64_t quiet_changes_ = 0;  ///< so many at quiet_since_
    Cycle quiet_since_ = 0, look_ahead_at_ = 0;             ///< Engine::look_ahead
    std::array<std::uint32_t, riscv_cores> core_stores_{};  ///< by RISC-V core, on their way

    unsigned actor_ = actors;  ///< who acts, or acted in the last step; actors: it was an event
    unsigned acted_ = 0;       ///< the last by its number of all that have acted
    Cycle acted_at_ = 0;       ///< in this cycle

    std::uint64_t issued_ = 0;
    Doer last_issued_, last_writer_;
    Cycle now_ = 0, last_event_ = 0;
    std::uint64_t steps_ = 0;
    bool stopped_ = false;
    Run run_;
};

}  // namespace tessera::engine
