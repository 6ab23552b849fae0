// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tessera/core.hpp"

namespace tessera {

/// What Execution::run_until() stops at; whatever comes first. Empty: only the end.
struct Breakpoints {
    /// Instructions, when one has been issued to which all that is given applies.
    struct Instruction {
        std::optional<unsigned> thread;     ///< 0 to 2
        std::optional<std::int64_t> index;  ///< Event::index
        std::string place;                  ///< "file:line", or the end of it: "math.tts:22", ":22"
        std::string name;                   ///< of the instruction: "MVMUL"
    };
    /// Elements of a Section, when an instruction or a store has written one of them.
    struct Elements {
        std::size_t section = 0;  ///< Section::id
        std::size_t first = 0, count = 1;
    };
    std::optional<std::uint64_t> cycle;  ///< before anything happens in this cycle or a later one
    std::vector<Instruction> instructions;
    std::vector<Elements> written;
    std::optional<WordCondition> word;   ///< when it holds, at once if it does already
    std::optional<std::string> finding;  ///< code of a finding; empty: any above level info
};

/// Why, and behind what, an Execution stands still.
struct Pause {
    enum class Why : std::uint8_t {
        end,          ///< nothing is left to do, or a fault: Execution::run() tells
        instruction,  ///< `where` has been issued
        cycle,        ///< what happens next happens in this cycle or later
        written,      ///< `where`, or a store of a core, wrote some of Breakpoints::written
        finding,      ///< `finding` was met for the first time
        word,         ///< Breakpoints::word holds
    };
    Why why = Why::end;
    std::uint64_t cycle = 0;            ///< in which the last thing happened
    Where where;                        ///< of instruction and written
    std::vector<StateElement> written;  ///< of written: those asked for, with the values that they have now
    std::optional<Finding> finding;
};

/// "end", "instruction", "cycle", "written", "finding", "word".
std::string_view name(Pause::Why why);

/// A run that can stand still between two of its steps, be looked at, go back, and go on elsewhere. What it does in sum is
/// what Core::run() does, state and cycles included. Steps are what the engine does at once: an instruction is issued, its
/// effects land, it ends, a core stores. RISC-V cores may be ahead of Pause::cycle in what nobody else sees: registers,
/// local memory.
class Execution {
public:
    /// A run as it stood between two steps, with the core's whole state. A value: copies share what never changes.
    class Snapshot {
    public:
        Snapshot(const Snapshot&);
        Snapshot& operator=(const Snapshot&);
        Snapshot(Snapshot&&) noexcept;
        Snapshot& operator=(Snapshot&&) noexcept;
        ~Snapshot();

        std::uint64_t cycle() const;         ///< as Execution::cycle() then
        std::uint64_t instructions() const;  ///< as Execution::instructions() then

    private:
        friend class Execution;
        struct Impl;
        explicit Snapshot(std::shared_ptr<const Impl> impl);
        std::shared_ptr<const Impl> impl_;
    };

    /// Begins a run on `core`, which must stay where it is, and be neither run, assigned to, reset nor prepared, for as long as the
    /// Execution is used. Errors as Core::run().
    static Result<Execution> begin(Core& core, Program program, RunOptions options = {});
    static Result<Execution> begin(Core& core, Kernels kernels, RunOptions options = {});
    /// Goes on from a snapshot, of whichever Execution it is; the core's state becomes the snapshot's. The options' timing,
    /// seed and reference are those that the run began with. Error "run.arch".
    static Result<Execution> begin(Core& core, const Snapshot& snapshot, RunOptions options = {});

    Execution(Execution&&) noexcept;
    Execution& operator=(Execution&&) noexcept;
    ~Execution();

    /// Until an instruction has been issued, by `thread` (0 to 2) or by any.
    Pause step(std::optional<unsigned> thread = {});
    /// Until all of the next `cycles` cycles has happened.
    Pause step_cycles(std::uint64_t cycles = 1);
    Pause run_until(const Breakpoints& breakpoints);
    /// To the end.
    Pause finish() { return run_until({}); }

    bool ended() const;
    std::uint64_t cycle() const;         ///< in which the last thing happened
    std::uint64_t instructions() const;  ///< issued so far, by all threads
    /// What has been until now; at the end, what Core::run() would have given.
    Run run() const;
    /// The actors and units: what each waits for, since when, and who last touched that.
    std::vector<Blocked> waiting() const;
    /// What the last step() or run_until() that stopped at an instruction has issued was about to do; empty otherwise.
    const std::optional<Explanation>& explanation() const;

    /// From now on, snapshots are kept for back(), no more than `most` (at most 2 MiB each).
    void remember(std::size_t most = 32);
    /// To where it stood when `instructions` fewer had been issued, or when remembering began: a snapshot, and on from there.
    /// Why::instruction, where one has been issued then; Why::end when nothing was remembered. What has been written into the
    /// core from outside since that snapshot is lost.
    Pause back(std::uint64_t instructions = 1);

    /// Costs as much as has been written to L1 since the last snapshot, and a fixed part.
    Snapshot snapshot();
    /// Back, or forth, to a snapshot of this run. Error "run.snapshot" for one of another program.
    Result<void> restore(const Snapshot& snapshot);

    // What a host does between two steps, as a HostStep does it; it wakes who waits for it. Errors "run.over" of a run that has ended.

    /// Error "l1.range".
    Result<void> write_l1(std::uint64_t address, std::span<const std::byte> bytes);
    /// A core of kernels into reset, and out of it. Error "run.kernels" of a run of a program.
    Result<void> reset(RiscvCore core);
    Result<void> start(RiscvCore core);

    /// The core, as it is between two steps. What is written there is seen by what is resolved later, and wakes nobody.
    Core& core();
    const Core& core() const;

private:
    struct Impl;
    explicit Execution(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace tessera
