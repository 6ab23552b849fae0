// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
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

/// One instruction's life, told when it has ended.
struct Event {
    int thread = 0;
    std::int64_t index = 0;  ///< op in the thread's program; of a kernel, pushes and stores of the thread before it
    std::uint32_t word = 0;
    std::string instruction;                                ///< disassembly
    std::string unit;                                       ///< where it executed
    std::uint64_t issue = 0, start = 0, land = 0, end = 0;  ///< cycles; `land`: its effects became visible
    /// Of what the op's MOP or REPLAY expanded to, the instruction is this one, counted from 0; -1: no expansion.
    std::int64_t position = -1;
    int core = -1;         ///< of a kernel: the RiscvCore that pushed it; -1: of a program
    std::uint32_t pc = 0;  ///< of that core's instruction
    /// Which of all that the run has issued, counted from 0 in the order of issue: its name in Write and Wait.
    std::int64_t number = 0;
    bool command = false;  ///< a core's command to the mover: no thread's instruction, `word` says nothing
    /// Cycles: its op entered the thread's FIFO; it came to the wait gate; nothing but its unit kept it from its start.
    std::uint64_t pushed = 0, gate = 0, ready = 0;
    /// Cycles from its start until its unit can start another one, and until its end, by the table of costs: what delays
    /// and rivals for L1 add is not in them.
    std::uint64_t occupancy = 0, latency = 0;
    /// What it reads and writes from its issue to its end. What it was resolved with (configuration, counters, GPRs) is not
    /// in `reads`.
    std::vector<ElementRange> reads, writes;
    bool exact = true;  ///< false: `reads` and `writes` are a bound
};

/// An element of a Section, and what it holds.
struct StateElement {
    std::uint32_t section = 0;  ///< Section::id
    std::uint32_t element = 0;
    std::uint64_t value = 0;

    friend bool operator==(const StateElement&, const StateElement&) = default;
};

/// Who did something that others could see: an instruction, or a RISC-V core.
struct Doer {
    std::int64_t number = -1;  ///< Event::number; -1: no instruction
    int thread = -1;           ///< of the instruction, or of the op of a thread's core; -1: neither
    std::int64_t index = -1;   ///< as Event::index
    int core = -1;             ///< as Event::core
    std::uint32_t pc = 0;      ///< as Event::pc

    friend bool operator==(const Doer&, const Doer&) = default;
};

/// A time in which somebody could not go on for one reason, told when it is over, or when the run is.
struct Wait {
    enum class Who : std::uint8_t { core, front_end, unit };
    Who who{};
    /// Of the front end; of a program's core, or of the kernel's core that feeds it; of the instruction in a unit. -1:
    /// RISC-V B or NC.
    int thread = 0;
    int core = -1;                     ///< of kernels, when a core waits: which RiscvCore
    std::uint32_t pc = 0;              ///< of that core's instruction
    std::string unit;                  ///< when an instruction waits in its unit, or in front of it: which
    std::string_view kind;             ///< one of wait_kinds()
    std::string reason;                ///< in words
    std::uint64_t begin = 0, end = 0;  ///< cycles; it could go on in `end`
    bool over = true;                  ///< false: it still waited when the run ended

    std::int64_t number = -1;  ///< Event::number of the instruction that waits in a unit; else -1
    // The instruction at the gate or in the unit, or the op of a program's core; index -1: there was none.
    std::int64_t index = -1;
    std::int64_t position = -1;
    std::uint32_t word = 0;
    Doer ended_by;  ///< who did what it waited for; of time that has to pass, who began it. Default: nobody
};

/// What can be waited for, as Wait::kind says it. Kinds are added, never renamed.
std::span<const std::string_view> wait_kinds();

/// What an instruction, or a store of a RISC-V core, has just written.
struct Write {
    int thread = 0;              ///< -1: a store of RISC-V B or NC
    std::int64_t index = 0;      ///< as Event::index; of a kernel's store to memory, that of the thread's next op
    std::int64_t position = -1;  ///< as Event::position
    bool by_core = false;        ///< a store: there is no instruction
    std::uint32_t word = 0;      ///< of the instruction
    std::uint64_t cycle = 0;
    std::int64_t number = -1;  ///< Event::number; -1: a store
    bool at_issue = false;     ///< a thread has just issued it
    int core = -1;             ///< as Event::core
    std::uint32_t pc = 0;      ///< as Event::pc
    bool by_host = false;      ///< a store of the host (HostStep, Execution::write_l1): neither a thread's nor a core's
    /// What was written, with the values that it now has, by section and element. Where no more than a bound of it is known
    /// beforehand (compressed streams), only what has changed.
    std::span<const StateElement> elements;
};

struct RunOptions {
    Timing timing = Timing::documented;
    /// Under Timing::functional the clock of the RISC-V cores is meant, one after the other, or a program's instructions.
    std::uint64_t max_cycles = 1'000'000'000;
    /// Executes each instruction that has one by its functional model of the second implementation (src/reference), slow and
    /// literal, as under Timing::instant, whatever `timing` says. Waiting, findings and all other instructions are the
    /// same.
    bool reference = false;
    /// Delays actors and lets effects land anywhere that no interlock forbids; the same seed gives the same run.
    std::optional<std::uint64_t> seed{};
    /// Levels by code, over the defaults of docs/reference/findings.md. Unknown codes are ignored here; jobs and the CLI refuse
    /// them before a run.
    std::map<std::string, Level> levels{};
    /// What hazards are looked for without: a finding more is what a program has left to these orderings. State and cycles stay.
    std::vector<Disregarded> disregard{};
    /// May be answered by an earlier run of the same program, of this core or of one with the same Recordings, as copies of it
    /// have: where nothing but data differs (L1, SrcA, SrcB, Dst, LRegs, and what instructions count of it), only the work on the
    /// data is done again. State and Run are the same. Not so under a seed, by reference, or for whoever is told of the run while it goes on. False: never.
    bool recorded = true;
    /// Ends the run with fault "interrupted" when it becomes true. May be set from another thread or a signal handler. A
    /// run that is answered by an earlier one takes some tens of ms at most; it looks at it when it begins, and asks `interrupt` nothing.
    const std::atomic<bool>* stop = nullptr;
    /// The same when this says true: called every few hundred acts, in the thread of the run: some ms apart, seldom more. Empty: costs nothing.
    std::function<bool()> interrupt{};
    /// Called for each instruction that has ended, in the order of their ends. Empty: costs nothing.
    std::function<void(const Event&)> on_event{};
    /// Called when something has been written: for an instruction at its issue, even when nothing is written then, when
    /// its effects land, and at its end; for a store of a core when it lands. What cores store to their own memories, and
    /// to the tile's devices, is not told. Empty: costs nothing.
    std::function<void(const Write&)> on_write{};
    /// Called when somebody has waited, in the order in which waits end; for those that do not, at the end of the run. A
    /// front end's waits do not overlap, and add up to Run::waits. Empty: costs nothing.
    std::function<void(const Wait&)> on_wait{};
    /// Name of an instruction: asks for Run::window. Core::run() refuses one that the architecture lacks.
    std::string window{};
    /// Called with (thread, Event::index, instruction word) at each issue; true asks for an Explanation in
    /// Run::explanations.
    std::function<bool(unsigned, std::int64_t, std::uint32_t)> explain{};
    /// Takes what `explain` has asked for when the instruction is issued, without elements, in place of Run::explanations.
    std::function<void(Explanation&&)> on_explanation{};
    /// Only instructions of the matrix unit that compute one of these are explained, with Explanation::elements. Empty: no
    /// such limit.
    std::vector<DstElement> elements{};
};

/// An actor, or an instruction queued in a unit, that could not act when the run ended.
struct Blocked {
    std::string who;           ///< "T0 core", "T0 front end", "unpacker 0", …
    bool finished = false;     ///< it had nothing left to do
    std::string waits_for;     ///< the thing, in words
    std::string holder;        ///< who holds it, empty when nobody does
    std::uint64_t since = 0;   ///< cycle; no_cycle without a clock
    std::string last_touched;  ///< who last changed the thing, empty when nobody has
    std::string instruction;   ///< that waits; of a RISC-V core that has finished: that it stopped at
    std::string place;         ///< of that instruction
    bool in_reset = false;     ///< a RISC-V core that has finished: it never ran, or was put into reset
};

struct UnitUse {
    std::string unit;
    std::uint64_t instructions = 0;
    std::uint64_t busy = 0;  ///< cycles with at least one instruction in it
};

struct WaitUse {
    int thread = 0;
    std::string reason;
    std::uint64_t cycles = 0;
};

/// What a thread's front end did with some of its cycles.
struct ThreadUse {
    int thread = 0;
    bool waiting = false;  ///< else it issued an instruction
    std::string what;      ///< the unit that it issued to, or the reason of the wait
    std::uint64_t cycles = 0;
};

/// The part of a run from the first to the last issue of one instruction (RunOptions::window), both included.
struct Window {
    std::string instruction;
    std::uint64_t count = 0;  ///< how often it was issued
    std::uint64_t first = 0;  ///< cycle of its first issue
    std::uint64_t cycles = 0;
    std::vector<UnitUse> units;      ///< units that started or had something in that time
    std::vector<ThreadUse> threads;  ///< per thread, longest first; a thread's sum to `cycles`
};

/// What a run was.
struct Run {
    std::uint64_t cycles = 0;
    /// False under Timing::functional: `cycles`, `units`, `waits` and `overlapped` say nothing.
    bool has_clock = true;
    std::array<std::uint64_t, 3> instructions{};  ///< issued, per thread
    std::uint64_t by_reference = 0;               ///< of them, executed by a functional model (RunOptions::reference)
    std::optional<Fault> fault;
    std::vector<Finding> findings;  ///< each once, with its count, in the order in which they were met
    std::vector<Blocked> blocked;   ///< after a deadlock, no-progress or interrupt: the six actors, then the units
    std::vector<UnitUse> units;     ///< units that did something
    std::vector<WaitUse> waits;     ///< cycles that front ends waited, by reason, longest first
    std::optional<Window> window;   ///< when RunOptions::window asked for it and the instruction was issued
    std::uint64_t overlapped = 0;   ///< cycles in which at least two of unpackers, math and packers were busy
    std::vector<Explanation> explanations;
    std::vector<HostRead> host_reads;  ///< in the order in which they came

    /// No fault and no finding at level error.
    bool good() const;
    /// The blocked actors as a table, or an empty text.
    std::string describe_blocked() const;
};

}  // namespace tessera
