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
#include <vector>

#include "tessera/explanation.hpp"
#include "tessera/finding.hpp"
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
};

/// An element of a Section, and what it holds.
struct StateElement {
    std::uint32_t section = 0;  ///< Section::id
    std::uint32_t element = 0;
    std::uint64_t value = 0;

    friend bool operator==(const StateElement&, const StateElement&) = default;
};

/// What an instruction, or a store of a RISC-V core, has just written.
struct Write {
    int thread = 0;              ///< -1: a store of RISC-V B or NC
    std::int64_t index = 0;      ///< as Event::index
    std::int64_t position = -1;  ///< as Event::position
    bool by_core = false;        ///< a store: there is no instruction
    std::uint32_t word = 0;      ///< of the instruction
    std::uint64_t cycle = 0;
    /// What was written, with the values that it now has, by section and element. Where no more than a bound of it is known
    /// beforehand (compressed streams), only what has changed.
    std::span<const StateElement> elements;
};

struct RunOptions {
    Timing timing = Timing::documented;
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
    /// Ends the run with fault "interrupted" when it becomes true. May be set from another thread or a signal handler.
    const std::atomic<bool>* stop = nullptr;
    /// Called for each instruction that has ended, in the order of their ends. Empty: costs nothing.
    std::function<void(const Event&)> on_event{};
    /// Called when something has been written: for an instruction at its issue, even when nothing is written then, when
    /// its effects land, and at its end; for a store of a core when it lands. Empty: costs nothing.
    std::function<void(const Write&)> on_write{};
    /// Name of an instruction: asks for Run::window. Core::run() refuses one that the architecture lacks.
    std::string window{};
    /// Called with (thread, Event::index, instruction word) at each issue; true asks for an Explanation in
    /// Run::explanations.
    std::function<bool(unsigned, std::int64_t, std::uint32_t)> explain{};
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
    std::uint64_t since = 0;   ///< cycle
    std::string last_touched;  ///< who last changed the thing, empty when nobody has
    std::string instruction;   ///< that waits
    std::string place;         ///< of that instruction
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

    /// No fault and no finding at level error.
    bool good() const;
    /// The blocked actors as a table, or an empty text.
    std::string describe_blocked() const;
};

}  // namespace tessera
