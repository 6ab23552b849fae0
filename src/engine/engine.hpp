// SPDX-License-Identifier: Apache-2.0
// One run: three cores feed three front ends, which issue instructions into units. The engine always lets the actor with
// the smallest time act (ties: lowest number), after everything that happens until then, so a run is deterministic.
//
//   engine.cpp      the loop, signals, stopping
//   feeder.cpp      what a thread's RISC-V core does in a program: pushes, stores, semaphores
//   turns.cpp       RISC-V cores that execute kernels instead: their turns
//   port.cpp        what such a core can do and learn
//   expansion.cpp   FIFO, MOP and replay expanders: the next instruction for the wait gate
//   front_end.cpp   wait gate, issue
//   config_writes.cpp  what is to be said of writes to configuration
//   captures.cpp    what an instruction captures too early
//   execution.cpp   starting, landing, ending; queues in front of units
//   waiting.cpp     instructions that wait inside their unit
//   by_reference.cpp  RunOptions::reference
//   writes.cpp      RunOptions::on_write
//   schedule.cpp    instructions that SFPLOADMACRO has scheduled
//   vector_order.cpp  what the vector unit's instructions must keep apart
//   transfers.cpp   two unpackers that read L1 at the same time
//   report.cpp      waits by reason, who is blocked, explanations
//   window.cpp      where the cycles of a part of the run went
#pragma once

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <random>

#include "engine/cores.hpp"
#include "engine/findings_log.hpp"
#include "engine/gate_word.hpp"
#include "engine/order.hpp"
#include "engine/port.hpp"
#include "engine/vector_state.hpp"
#include "frontend/wait_gate.hpp"
#include "tessera/core.hpp"
#include "units/resolve.hpp"

namespace tessera::engine {

/// Whether an effect gives a source bank to its other owner, which happens when the instruction ends.
inline bool is_hand_over(const plan::CellEffect& effect) {
    return effect.when == plan::When::end && state::cells::bank_owner_block.contains(effect.cell);
}

/// The word of configuration that a cell is, without its bank.
inline std::uint32_t addr32_of(state::Cell cell) { return state::index(cell) % state::cells::max_config_words; }

class Engine {
public:
    Engine(state::State& state, units::Slots& slots, const Program& program, const RunOptions& options, Reset reset);
    /// RISC-V cores in place of a program.
    Engine(state::State& state, units::Slots& slots, Cores& cores, const RunOptions& options, Reset reset);
    Run run();

private:
    friend class Port;
    Engine(state::State& state, units::Slots& slots, const Program* program, Cores* cores, const RunOptions& options,
           Reset reset);

    // Cores of T0 to T2 are actors 0 to 2, front ends 3 to 5; RISC-V B and NC, which a program does not have, 6 and 7.
    static constexpr unsigned actors = 8, core_b = 6, core_nc = 7;
    static constexpr unsigned no_thread = state::threads;  ///< what B and NC do is no thread's

    struct Actor {
        Cycle time = 0;
        bool parked = false;
        bool finished = false;
        Signals wakes = 0;
        Wait wait;
        Cycle since = 0;
        /// Engine::changes_ when it was found to do nothing but repeat itself; never: it was not.
        std::uint64_t repeats_since = never;
    };
    /// Words of configuration or GPRs that an instruction of the thread writes only when it ends.
    struct LateWrite {
        unsigned first = 0, count = 1;  ///< cells
        std::int64_t index = 0;
        plan::Pipe pipe{};
        Cycle after = 0;         ///< for so many more instructions they may still be the old ones; 0: until waited for
        bool overtaken = false;  ///< an instruction behind it may write them before
        friend bool operator==(const LateWrite&, const LateWrite&) = default;
    };
    /// A started instruction that holds its unit until what it needs is there.
    struct Held {
        std::uint32_t record = 0;
        Cycle tried = 0;  ///< the last attempt
        bool scheduled = false;
    };
    struct Thread {
        std::deque<FifoEntry> fifo;
        std::optional<GateWord> gate;
        Cycle mop_free = 0, replay_free = 0;  ///< when the expanders can take their next step
        bool after_mop = false;               ///< the last thing that the MOP expander did was a MOP
        std::int64_t expanding = -1;          ///< op whose MOP or REPLAY is being expanded
        std::uint32_t expanding_word = 0;
        std::int64_t position = 0;  ///< of the next instruction within it
        std::int64_t recording = -1;
        std::uint32_t recording_word = 0;
        std::int64_t last_mop = -1;  ///< op that pushed the last MOP
        std::uint32_t last_mop_word = 0;
        std::size_t next_op = 0;
        std::uint64_t kernel_ops = 0;  ///< of RISC-V cores: pushes and stores so far
        Cycle hold_until = 0;          ///< address phase of its own UNPACR, or its own scalar instruction
        Wait::Kind held_by = Wait::Kind::none;
        Cycle latched_at = 0;
        bool latch_check_scheduled = false;
        bool latch_released = false;
        bool scalar_not_awaited = false;  ///< a scalar instruction since the last STALLWAIT for THCON
        std::uint32_t in_flight = 0;
        std::uint64_t issued = 0;
        std::vector<LateWrite> late_writes;
        Cycle gpr_written_at = 0;  ///< when the last of RDCFG's results is in its GPR
        std::map<Wait, Cycle> waited;
        std::array<Cycle, plan::pipes> issuing{};  ///< cycles that went to issuing, by pipe
        plan::Pipe issued_to{};                    ///< the last instruction
        Cycle issue_done = 0, delayed_until = 0;   ///< its cycles, and a delay behind them, are counted in advance
    };
    /// What has been counted until a cycle.
    struct Tally {
        Cycle at = 0;
        std::array<std::map<Wait, Cycle>, state::threads> waited;
        std::array<std::array<Cycle, plan::pipes>, state::threads> issuing{};
        std::array<Cycle, plan::pipes> busy{};
        std::array<std::uint64_t, plan::pipes> instructions{};
    };
    /// An instruction between issue and end.
    struct Record {
        plan::Plan plan;
        std::int64_t index = 0, position = -1;
        Cycle issue = 0, ready = 0, start = 0, land = 0, end = 0;
        std::uint64_t end_event = 0;
        Ticket ticket;
        std::int64_t explanation = -1;  ///< of Run::explanations, when it wants elements
        bool by_plan =
            false;  ///< also in a run by the second implementation, whose models know it only as a thread issues it
        bool by_core = false;  ///< a command of a core: no thread's instruction
        bool used = false;
    };
    /// What a unit reads from L1; over once `ends` has come.
    struct RunningTransfer {
        std::uint32_t record = 0;
        std::uint32_t rate = 0;  ///< bytes per cycle
        std::uint32_t left = 0;  ///< bytes at `since`
        Cycle since = 0, ends = 0;
    };
    struct PipeState {
        Cycle free_at = 0;
        Cycle last_land = 0, last_request = 0;  ///< requests arrive in order among themselves
        Cycle interval_over_at = 0;
        std::deque<std::uint32_t> queue;  ///< records; Wormhole's packers share the first packer's
        Cycle try_at = never;             ///< when the queue's head is tried next
        std::uint32_t executing = 0;
        Cycle busy_since = 0, busy = 0;
        std::uint64_t instructions = 0;
    };
    struct Store {
        state::Cell cell{};
        plan::CellOp op{};
        std::uint32_t value = 0;
        unsigned thread = 0;  ///< or no_thread
        std::int64_t index = 0;
        bool counts = false;  ///< TRISC_CFG waits for it
        int core = -1;        ///< RISC-V core, whose stores are counted; -1: of a program
    };
    /// Who last changed something that others wait for.
    struct Touch {
        bool by_core = false;
        int thread = -1;
        std::int64_t index = 0;
        Cycle cycle = 0;
    };

    // engine.cpp
    bool step();
    void handle(const Event& event);
    void raise(Signals signals, Cycle now);
    void mutex_released(unsigned thread, unsigned mutex, Cycle now);
    void park(unsigned actor, const Wait& wait, Signals wakes);
    void wait_until(unsigned actor, const Wait& wait, Cycle time);
    void acted(unsigned actor, Cycle next);
    void account_wait(unsigned actor, Cycle now);
    void stop(const findings::Note& note, Where where);
    bool everything_finished() const;
    Signals signals_of(state::Cell cell) const;
    Signals write_effects(const plan::Plan& plan, plan::When when, const Touch& touch);
    void touch(state::Cell cell, const Touch& touch);

    // feeder.cpp
    void act_core(unsigned thread);
    void store_mop(unsigned thread, unsigned item, std::uint32_t value, std::int64_t index, Cycle now);
    bool push(unsigned thread, std::span<const std::uint32_t> words, std::int64_t index, bool expanded, Cycle now);
    bool thread_idle(unsigned thread) const;
    void drained(unsigned thread);
    void store(unsigned thread, const Store& what, Cycle now, Cycle latency);
    void land_store(std::uint32_t id, Cycle now);

    // turns.cpp
    static unsigned actor_of(RiscvCore core);
    static unsigned core_of(unsigned actor);
    void act_kernel(unsigned actor);
    Cycle turn_limit() const;
    bool all_cores_finished(unsigned thread) const;
    bool only_repeats() const;
    bool coprocessor_idle() const;
    void start_command(const plan::Plan& plan, std::int64_t index);

    // expansion.cpp
    void begin_expansions();
    void end_expansions();
    bool expanders_idle(unsigned thread) const;
    bool fill_gate(unsigned thread);
    bool no_instruction(unsigned thread);
    bool await(unsigned thread, Wait::Kind why, Cycle time);
    bool for_mop_expander(const FifoEntry& entry) const;
    void take_entry(unsigned thread, Cycle taken);
    void begin_mop(unsigned thread, const FifoEntry& entry, const isa::Instruction& mop);
    void begin_replay(unsigned thread, const GateWord& replay);
    void leave_source(unsigned thread, bool from_mop);
    void leave_gate(unsigned thread, Cycle now);

    // front_end.cpp
    void act_front_end(unsigned thread);
    bool at_the_gate(unsigned actor, const plan::Plan& plan, Cycle now);
    void issue(unsigned thread, plan::Plan& plan, Cycle now);
    void check_latch(unsigned thread, Cycle now);
    void release_latch(unsigned thread, Cycle now);
    void note_findings(const plan::Plan& plan, const GateWord& at);
    void conditions_seen(unsigned thread, state::ConditionMask conditions);

    // captures.cpp
    void check_captures(const plan::Plan& plan, const GateWord& at);
    void remember_late_writes(const plan::Plan& plan, std::int64_t index);
    void remember(unsigned thread, const LateWrite& write);
    void forget_late_writes(unsigned thread, plan::Pipe pipe);

    // config_writes.cpp
    void check_config_store(unsigned thread, state::Cell cell, std::uint32_t value, std::int64_t index);
    void check_config_writes(const plan::Plan& plan, const GateWord& at);

    // execution.cpp
    std::uint32_t new_record();
    unsigned queue_of(plan::PipeMask pipes) const;
    std::uint8_t queue_depth(plan::PipeMask pipes) const;
    bool bank_ready(const plan::BankNeed& need) const;
    bool banks_ready(const plan::Plan& plan, bool in_unit) const;
    Cycle pipes_free_at(plan::PipeMask pipes) const;
    void try_queue(unsigned pipe, Cycle time);
    void start_queued(unsigned pipe, Cycle now);
    void start(std::uint32_t id, Cycle now);
    void land(std::uint32_t id, Cycle now);
    void end(std::uint32_t id, Cycle now);
    void check_accesses(Record& record);
    void busy_changes(plan::PipeMask pipes, int by, Cycle now);

    // waiting.cpp
    bool goes_on(const plan::Plan& plan) const;
    void attempt(std::uint32_t id, Cycle now);
    void try_held();
    Blocked held() const;

    // by_reference.cpp
    bool land_by_reference(Record& record);

    // writes.cpp
    void wrote(state::Storage storage, std::uint32_t element);
    void wrote_effects(const plan::Plan& plan, plan::When when);
    void watch_work(const plan::Plan& plan);
    void wrote_work();
    void tell_written(const Record& record);
    void tell_store(unsigned thread, std::int64_t index, state::Cell cell);
    // schedule.cpp
    void schedule_changed(Cycle now);
    void schedule_cycle(Cycle now);
    void take_due(Cycle now);
    void execute_due(Cycle now);
    void execute_scheduled(const plan::Plan& plan, const Origin& origin, Cycle now);
    void count_down();
    /// False: the instruction is discarded.
    bool vector_issue(plan::Plan& plan, const GateWord& at);
    void remember_scheduled(const Record& record);
    void hold_threads(Cycle now);
    void tell_unfinished_schedule();

    // vector_order.cpp
    bool vector_held_back(unsigned actor, const plan::Plan& plan, Cycle now);
    void check_vector(const plan::Plan& plan, const GateWord& at, Cycle now);
    void check_due(const Due& due, Cycle now);

    // transfers.cpp
    void begin_transfer(std::uint32_t id, Cycle now, Cycle delay);
    void share_l1(Cycle now);
    void end_transfer_at(unsigned side, Cycle time);

    // report.cpp
    Where where_of(unsigned core, std::uint32_t pc) const;
    Where where(unsigned thread, std::int64_t index, std::uint32_t word, Cycle now, std::int64_t position = -1) const;
    void note(const findings::Note& note, unsigned thread, std::int64_t index, std::uint32_t word,
              std::int64_t position = -1);
    std::string describe(const Wait& wait, unsigned actor) const;
    std::string holder(const Wait& wait, unsigned thread) const;
    std::string last_touch(const Wait& wait, unsigned thread) const;
    std::string describe(const Touch& touch) const;
    std::string place_of(unsigned thread, std::int64_t index) const;
    std::string op_text(std::uint32_t value) const;
    /// What users know an index as.
    std::int64_t op_number(std::int64_t index) const;
    std::vector<Blocked> blocked() const;
    Explanation::Line rival_now(const plan::Plan& plan, Cycle now) const;
    /// Whether it was explained.
    bool explain_if_asked(const plan::Plan& plan, std::int64_t index, Cycle now);
    Explanation explain(const plan::Plan& plan, std::int64_t index, Cycle now) const;
    void trace_elements(const Record& record);
    std::string reason(const Wait& wait, unsigned thread) const;
    void publish();
    Run report();

    // window.cpp
    Tally tally(Cycle at) const;
    Window window() const;

    Cycle random_delay(Cycle most);

    state::State& state_;
    units::Slots& slots_;
    const Program* program_;  ///< or cores_
    Cores* cores_;
    const RunOptions& options_;
    const Reset reset_;
    const units::CostTable& costs_;
    std::mt19937_64 random_;

    std::array<Actor, actors> actors_{};
    std::array<Thread, state::threads> threads_{};
    std::array<PipeState, plan::pipes> pipes_{};
    frontend::Activity activity_;
    Clock clock_;
    std::deque<Record> records_;
    std::vector<std::uint32_t> free_records_;
    std::deque<Store> stores_;
    std::vector<std::uint32_t> free_stores_;
    Cycle unpack_front_free_at_ = 0;
    std::array<RunningTransfer, 2> transfers_{};  ///< of the unpackers
    std::optional<std::uint64_t> sharing_event_;
    std::optional<Held> held_;  ///< only the scalar unit's instructions wait in it
    Schedule schedule_;
    std::optional<VectorPast> last_vector_;  ///< that a thread issued
    std::array<LateLReg, state::LRegs::registers> late_lregs_{};
    Cycle scheduled_swap_at_ = never;
    std::array<Cycle, plan::DstBlocks::count> dst_ready_{};
    Order order_;
    FindingsLog log_;
    std::array<Touch, 8> semaphore_touch_{};
    std::array<Touch, state::cells::max_mutexes> mutex_touch_{};
    std::array<Touch, 4> bank_touch_{};
    std::array<std::uint8_t, 4> hand_overs_{};  ///< per bank, instructions that pass it on when they end
    unsigned busy_groups_ = 0;
    std::array<std::uint32_t, 3> group_executing_{};
    Cycle overlap_since_ = 0, overlapped_ = 0;

    std::vector<StateElement> written_;  ///< since something was told
    std::vector<plan::Access> watched_;  ///< what the work that is about to be done will write
    bool watched_exact_ = true;
    std::vector<std::uint64_t> watched_values_;

    const isa::InstructionSpec* window_instruction_ = nullptr;
    std::uint64_t window_count_ = 0;
    Tally window_begin_, window_end_;

    unsigned turn_of_ = 0;       ///< the core whose turn it is
    bool disturbed_ = false;     ///< it has changed something that others must look at before it goes on
    std::uint64_t changes_ = 0;  ///< counts whatever a core could notice
    std::array<std::uint32_t, riscv_cores> core_stores_{};  ///< by RISC-V core, on their way

    Cycle now_ = 0, last_event_ = 0;
    std::uint64_t steps_ = 0;
    bool stopped_ = false;
    Run run_;
};

}  // namespace tessera::engine
