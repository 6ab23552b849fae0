// SPDX-License-Identifier: Apache-2.0
/// @file
/// Options, observers and reports of a run.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/explanation.hpp"
#include "tessera/finding.hpp"
#include "tessera/host.hpp"
#include "tessera/ordering.hpp"
#include "tessera/section.hpp"
#include "tessera/timing.hpp"

namespace tessera {

/// An instruction that has ended, with the cycles of its life.
struct Event {
    int thread = 0;  ///< 0 to 2
    std::int64_t index =
        0;  ///< the op in the thread's program, from 0; of a kernel, the pushes and stores of the thread before it
    std::uint32_t word = 0;   ///< the instruction word
    std::string instruction;  ///< disassembly
    std::string unit;         ///< the unit that executed it
    std::uint64_t issue = 0;  ///< cycle in which it left the wait gate
    std::uint64_t start = 0;  ///< cycle in which its unit started it
    std::uint64_t land = 0;   ///< cycle in which its effects became visible
    std::uint64_t end = 0;    ///< cycle in which it ended
    /// Number of the instruction within the expansion of the op's MOP or REPLAY, from 0. -1: no expansion.
    std::int64_t position = -1;
    int core = -1;         ///< of a kernel: the RiscvCore that pushed it; -1: a program, or a command by a request over the NoC
    std::uint32_t pc = 0;  ///< address of that core's instruction
    std::int64_t number =
        0;  ///< position among all instructions of the run in the order of issue, from 0; Write and Wait refer to it
    bool command = false;      ///< a core's command to the mover: no thread's instruction; `word` has no meaning
    std::uint64_t pushed = 0;  ///< cycle in which its op entered the thread's FIFO
    std::uint64_t gate = 0;    ///< cycle in which it came to the wait gate
    std::uint64_t ready = 0;   ///< cycle from which only its unit kept it from starting
    std::uint64_t occupancy =
        0;  ///< cycles until its unit can start another one, by the table of costs, without delays and rivals for L1
    std::uint64_t latency = 0;  ///< cycles from start to end, by the table of costs, without delays and rivals for L1
    CostBasis basis = CostBasis::document;  ///< what `occupancy` rests on
    /// The elements that it reads from its issue to its end. The configuration, counters and GPRs that resolved it are
    /// not included.
    std::vector<ElementRange> reads;
    std::vector<ElementRange> writes;  ///< what it writes from its issue to its end
    bool exact = true;                 ///< false: `reads` and `writes` are a bound
};

/// An element of a Section with its value.
struct StateElement {
    std::uint32_t section = 0;  ///< Section::id
    std::uint32_t element = 0;  ///< its position in the section
    std::uint64_t value = 0;    ///< what it holds

    friend bool operator==(const StateElement&, const StateElement&) = default;  ///< equal in every member
};

/// The cause of an act that others can see: an instruction or a RISC-V core.
struct Initiator {
    std::int64_t number = -1;  ///< Event::number; -1: no instruction
    int thread = -1;           ///< of the instruction, or of the op of a thread's core; -1: neither
    std::int64_t index = -1;   ///< as Event::index
    int core = -1;             ///< as Event::core
    std::uint32_t pc = 0;      ///< as Event::pc

    friend bool operator==(const Initiator&, const Initiator&) = default;  ///< equal in every member
};

/// A time in which an actor could not go on for one reason. Reported when it is over, or at the end of the run.
struct Wait {
    /// The kind of actor.
    enum class Who : std::uint8_t { core, front_end, unit };
    Who who{};  ///< the kind of actor
    /// The thread of the front end, of the core that feeds it, or of the instruction in a unit. -1: RISC-V B or NC.
    int thread = 0;
    int core = -1;            ///< the RiscvCore that waits, in a run of kernels; else -1
    std::uint32_t pc = 0;     ///< address of that core's instruction
    std::string unit;         ///< the unit in which, or in front of which, an instruction waits
    std::string_view kind;    ///< one of wait_kinds()
    std::string reason;       ///< for people
    std::uint64_t begin = 0;  ///< cycle
    std::uint64_t end = 0;    ///< cycle in which it could go on
    bool over = true;         ///< false: it still waited when the run ended

    std::int64_t number = -1;    ///< Event::number of the instruction that waits in a unit; else -1
    std::int64_t index = -1;     ///< op of the waiting instruction, or of a program's core, as Event::index; -1: none
    std::int64_t position = -1;  ///< as Event::position
    std::uint32_t word = 0;      ///< the waiting instruction
    Initiator ended_by;  ///< the cause of its end; for a time that has to pass, the cause of its begin; default: none
};

/// All values of Wait::kind. Later versions add kinds and rename none.
std::span<const std::string_view> wait_kinds();

/// The elements that an instruction, a RISC-V core, the host or a packet has just written.
struct Write {
    int thread = 0;              ///< 0 to 2; -1: a store of RISC-V B or NC, the host or a packet
    std::int64_t index = 0;      ///< as Event::index; of a kernel's store to memory, that of the thread's next op; -1: host or packet
    std::int64_t position = -1;  ///< as Event::position
    bool by_core = false;        ///< a store of a core, the host or a packet; there is no instruction
    std::uint32_t word = 0;      ///< the instruction word
    std::uint64_t cycle = 0;     ///< of the write
    std::int64_t number = -1;    ///< Event::number; -1: a store
    bool at_issue = false;       ///< a thread has just issued the instruction
    int core = -1;               ///< as Event::core
    std::uint32_t pc = 0;        ///< as Event::pc
    bool by_host = false;        ///< a write of the host (HostStep, Execution::write_l1)
    bool by_packet = false;      ///< brought over the NoC; no core of this tile asked for it
    /// The written elements with their new values, by section and element. If only a bound is known beforehand (compressed streams),
    /// only those that changed.
    std::span<const StateElement> elements;
};

/// The settings of a run.
///
/// A run calls its functions while it works. They may read its core or chip. They must not run, change, assign or destroy what calls
/// them, nor change its program. An exception that leaves one ends the run and reaches its caller.
struct RunOptions {
    Timing timing = default_timing;  ///< the time that instructions take
    /// The run ends with a fault if it takes longer. Under Timing::functional the limit counts the cycles of RISC-V cores, one core
    /// after the other, or the instructions of a program.
    std::uint64_t max_cycles = 1'000'000'000;
    /// Executes instructions by the second implementation (src/reference), where it has them, under Timing::instant. It is slow and
    /// literal. Waits, findings and all other instructions stay the same.
    bool reference = false;
    /// Delays actors, and lets effects land at any time that no interlock forbids. The same seed gives the same run. Under
    /// Timing::silicon an odd seed takes the slower of a chip's two speeds (Timing::silicon_slow). Empty: no delays.
    std::optional<std::uint64_t> seed{};
    /// Levels by code, in place of the defaults of docs/reference/findings.md. Unknown codes, and those of faults that
    /// have no level, are ignored here; jobs and the command line refuse them.
    std::map<std::string, Level> levels{};
    /// Orderings that the hazard checker ignores. Extra findings show what the program relied on. State and cycles stay the same.
    std::vector<Disregarded> disregard{};
    /// Allows an earlier run of the same program to answer this one, if only data differs (L1, SrcA, SrcB, Dst, LRegs). Only the work
    /// on data is then done. State and Run are the same.
    ///
    /// The earlier run is one of this core, of a copy, or of a core with the same Recordings. Disabled under a seed, under
    /// `reference`, and for any observer.
    bool recorded = true;
    /// The run ends with fault "interrupted" once this is true. Another thread or a signal handler may set it. The run reads it every
    /// few hundred steps. A shorter run may end as without it, even if it is true from the begin. A run that is answered by an
    /// earlier one reads it only at its begin; such a run takes some tens of milliseconds at most.
    const std::atomic<bool>* stop = nullptr;
    /// The run ends with fault "interrupted" if this returns true. It is called every few hundred acts, which is every few milliseconds, by
    /// the thread of the run. Tiles of a chip call it from several threads at once if ChipRunOptions::threads is more than 1. An empty
    /// function costs nothing.
    std::function<bool()> interrupt{};
    /// The run ends with fault "limit.time" once this time has passed, some milliseconds later at most. Empty: no limit.
    std::optional<std::chrono::steady_clock::time_point> deadline{};
    /// The run ends with fault "limit.memory" once the process has more bytes in memory. It looks every 10 ms, so some
    /// MB may be added. 0: no limit. Linux only; elsewhere there is no limit.
    std::uint64_t max_memory = 0;
    /// Called for each instruction that has ended, in the order of ends. An empty function costs nothing.
    std::function<void(const Event&)> on_event{};
    /// Called for each write: of an instruction at its issue (even without a write), when its effects land, and at its end; of a
    /// core's store when it lands. An empty function costs nothing.
    ///
    /// Stores of cores to their own memories and to devices of the tile are not reported.
    std::function<void(const Write&)> on_write{};
    /// Called for each wait when it ends; waits that never end come last. A wait in a unit is reported when all of its parts are
    /// over. A delay (RunOptions::seed) is reported when it begins, and may reach beyond the end of a run that was stopped. Waits
    /// of a front end do not overlap, and apart from such a delay their sum is that of Run::waits. An empty function costs nothing.
    std::function<void(const Wait&)> on_wait{};
    /// Name of an instruction; fills Run::window. Error "run.window" of Core::run() if the architecture lacks it.
    std::string window{};
    /// Called at each issue with thread, Event::index and instruction word. If it returns true, the instruction gets an Explanation in
    /// Run::explanations.
    std::function<bool(unsigned, std::int64_t, std::uint32_t)> explain{};
    /// Receives each Explanation at its issue, without elements, and a number. Run::explanations then stays empty. The reference
    /// is valid during the call. Loops give the same explanations again and again: within a run, those with the same number
    /// have the same lines. Numbers count from 1; 0: not numbered.
    std::function<void(const Explanation&, std::uint64_t)> on_explanation{};
    /// Limits explanations to matrix instructions that compute one of these, with Explanation::elements. Empty: no limit.
    std::vector<DstElement> elements{};
};

/// An actor, or an instruction in the queue of a unit, that could not act when the run ended.
struct Blocked {
    std::string who;           ///< "T0 core", "T0 front end", "unpacker 0"
    bool finished = false;     ///< it had nothing left to do
    std::string waits_for;     ///< in words
    /// The owner of what it waits for; of a semaphore, who still comes to its post or get. Empty if there is none.
    std::string holder;
    std::uint64_t since = 0;   ///< cycle; no_cycle in a run without time, and of a RISC-V core that runs or polls
    std::string last_touched;  ///< the last one to change what it waits for; empty if there is none
    std::string instruction;   ///< the waiting instruction; of a RISC-V core that has finished, its last one
    std::string place;         ///< of that instruction
    bool in_reset = false;     ///< a RISC-V core that never ran, or was put into reset

    /// `waits_for` of one that waits for nothing: it was at work when the run ended.
    static constexpr std::string_view nothing = "nothing";
    /// Whether it was at work when the run ended.
    bool runs() const { return waits_for == nothing; }
};

/// The use of a unit.
struct UnitUse {
    std::string unit;                ///< "unpacker 0"
    std::uint64_t instructions = 0;  ///< that it executed
    std::uint64_t busy = 0;          ///< cycles with at least one instruction in it
};

/// The cycles that a front end waited for one reason.
struct WaitUse {
    int thread = 0;            ///< 0 to 2
    std::string reason;        ///< in words
    std::uint64_t cycles = 0;  ///< their sum
};

/// Some cycles of a thread's front end.
struct ThreadUse {
    int thread = 0;            ///< 0 to 2
    bool waiting = false;      ///< false: it issued instructions
    std::string what;          ///< the unit that it issued to, or the reason of the wait
    std::uint64_t cycles = 0;  ///< their sum
};

/// The part of a run from the first to the last issue of one instruction (RunOptions::window), both included.
struct Window {
    std::string instruction;         ///< its name
    std::uint64_t count = 0;         ///< how often it was issued
    std::uint64_t first = 0;         ///< cycle of its first issue
    std::uint64_t cycles = 0;        ///< the length of the window
    std::vector<UnitUse> units;      ///< units that were in use in that time
    std::vector<ThreadUse> threads;  ///< per thread, longest first; the sum of a thread is `cycles`
};

/// The report of a run.
struct Run {
    std::uint64_t cycles = 0;  ///< from the first act to the last
    bool has_clock = true;     ///< false under Timing::functional: cycles, units, waits and overlapped are void
    std::array<std::uint64_t, 3> instructions{};  ///< issued, by thread
    std::uint64_t by_reference = 0;  ///< of these, executed by the second implementation (RunOptions::reference)
    std::optional<Fault> fault;      ///< why there is no result; empty: the run ended well
    std::vector<Finding> findings;   ///< each once, with its count, in the order of their first times
    /// After a fault that leaves actors where they were ("deadlock", "no-progress", "kernel.not-done", "sync.mutex-index", a signal or a
    /// limit): the actors, then the units. Actors are cores and front ends, six of a program and eight of kernels, and a host with steps left.
    std::vector<Blocked> blocked;
    std::vector<UnitUse> units;      ///< units that were in use
    std::vector<WaitUse> waits;      ///< cycles that front ends waited, by reason, longest first
    std::optional<Window> window;    ///< if RunOptions::window names an instruction that was issued
    std::uint64_t overlapped = 0;    ///< cycles in which at least two of unpackers, matrix unit and packers were busy
    std::vector<Explanation> explanations;  ///< those that RunOptions::explain asked for
    std::vector<HostRead> host_reads;       ///< in the order of the reads
    std::vector<Event> at_work;  ///< with RunOptions::on_event: instructions in their units when the run ended; Event::end is its end
    /// With RunOptions::on_event: instructions at a gate or in the queue of their unit when the run ended. Times that had not come
    /// are its end; Event::number is -1 at a gate.
    std::vector<Event> in_front;

    /// Whether there is no fault and no finding at level error.
    bool good() const;
    /// Diagnosis::cut_short() of its fault: nothing is known of its end.
    bool cut_short() const { return fault && fault->cut_short(); }
    /// The blocked actors as a table; empty if there are none.
    std::string describe_blocked() const;
};

}  // namespace tessera
