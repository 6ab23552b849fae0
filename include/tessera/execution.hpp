// SPDX-License-Identifier: Apache-2.0
/// @file
/// A run in steps: forwards, back, to a breakpoint, from a snapshot.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/core.hpp"

namespace tessera {

/// @cond
namespace core {
class DebugView;
}
/// @endcond

/// The breakpoints of Execution::run_until(). The first one that is met stops the run. Without any, it stops at the end.
struct Breakpoints {
    /// Stops after the issue of an instruction that has all given properties.
    struct Instruction {
        std::optional<unsigned> thread;     ///< 0 to 2; no instruction has another one
        std::optional<std::int64_t> index;  ///< Event::index
        std::string place;                  ///< "file:line", or the end of it: "math.tts:22", ":22"
        std::string name;                   ///< "MVMUL"
    };
    /// Stops after an instruction or a store wrote one of these elements of a Section. Never, if its Section::writes_told is false.
    struct Elements {
        std::size_t section = 0;  ///< Section::id
        std::size_t first = 0;    ///< the first element
        std::size_t count = 1;    ///< how many in a row
    };
    std::optional<std::uint64_t> cycle;     ///< before anything happens in this cycle or a later one
    std::vector<Instruction> instructions;  ///< any of them
    std::vector<Elements> written;          ///< any of them
    std::optional<WordCondition> word;      ///< once it holds; at once if it holds already
    std::optional<std::string> finding;     ///< the code of a finding; an empty text: any finding above level info
    std::vector<std::string> findings;      ///< codes of findings: any of them, beside `finding`
};

/// The ways in which parse_ops() takes ops, for help texts and errors.
inline constexpr std::string_view op_spellings = "T0:5 (op 5 of thread 0), FILE:LINE or :LINE";

/// Reads an op by its number, "T0:5", or ops by their line, "math.tts:22" or ":22". Error `op.place`: the text is
/// something else; `op.thread`: there is no such thread.
Result<Breakpoints::Instruction> parse_ops(std::string_view text);

/// Whether the op at `index` of the thread has the thread, index and place. The name is left out: only a run shows what a MOP issues.
bool selects(const Breakpoints::Instruction& ops, const Program& program, unsigned thread, std::int64_t index);

/// Why no run of the program issues an instruction with that thread, index and place, or "". The name is left out, as in selects().
std::string never_issued(const Breakpoints::Instruction& ops, const Program& program);

/// Reads a thread, "T1" or "t1". Error `op.thread`: the text is something else, or there is no such thread.
Result<unsigned> parse_thread(std::string_view text);

/// The stop of an Execution: its place and its reason.
struct Pause {
    /// The reason of a stop.
    enum class Why : std::uint8_t {
        end,          ///< nothing is left to do, or a fault; see Execution::run()
        instruction,  ///< `where` was issued
        cycle,        ///< the next event happens in this cycle or later
        written,      ///< `where`, or a store of a core, wrote an element of Breakpoints::written
        finding,      ///< `finding` was met for the first time
        word,         ///< Breakpoints::word holds
    };
    Why why = Why::end;                 ///< the reason
    std::uint64_t cycle = 0;            ///< of the last event
    Where where;                        ///< of reasons instruction and written
    std::vector<StateElement> written;  ///< of reason written: the elements with their present values
    std::optional<Finding> finding;     ///< of reason finding
};

/// "end", "instruction", "cycle", "written", "finding", "word".
std::string_view name(Pause::Why why);

/// A run that stops between steps, goes back, and continues elsewhere.
///
/// The sum of all steps is the run of Core::run(): state and cycles are equal. Two things may differ: the cycle in which a run notices
/// that its cores poll for ever ("no-progress.polling"), and, under Timing::instant, how long waits are that are open at the end.
///
/// A step is what the engine does at once: an instruction is issued, its effects land, it ends, or a core stores. RISC-V cores may be
/// ahead of Pause::cycle in registers and local memory, which no other component sees.
///
/// An exception that leaves a function of RunOptions ends the run: run() then has fault "interrupted", and the state is that of a run that
/// was left. restore() and back() go to before it.
///
/// It may be a tile of a chip, too (ChipExecution::tile()). back() then needs no remember(), and there are no snapshots and no steps of
/// the host: they give error "chip.steps".
class Execution {
public:
    /// A run between two steps, with the state of the core. A value; copies share memory.
    class Snapshot {
    public:
        Snapshot(const Snapshot&);                 ///< shares memory with the source
        Snapshot& operator=(const Snapshot&);      ///< shares memory with the source
        Snapshot(Snapshot&&) noexcept;             ///< the source may only be assigned to or destroyed afterwards
        Snapshot& operator=(Snapshot&&) noexcept;  ///< the source as after the move constructor
        ~Snapshot();

        std::uint64_t cycle() const;         ///< Execution::cycle() at that moment
        std::uint64_t instructions() const;  ///< Execution::instructions() at that moment

    private:
        friend class Execution;
        struct Impl;
        explicit Snapshot(std::shared_ptr<const Impl> impl);
        std::shared_ptr<const Impl> impl_;
    };

    /// Begins a run of a program. Errors: those of Core::run().
    ///
    /// As long as the Execution is in use, `core` must not be moved, run, loaded, assigned to, reset or prepared.
    static Result<Execution> begin(Core& core, Program program, RunOptions options = {});
    /// Begins a run of kernels that `core` has loaded, under the same conditions. Error "kernels.not-loaded" if a core that is not kept
    /// in reset, and that no step of Kernels::host starts, has no kernel loaded.
    static Result<Execution> begin(Core& core, Kernels kernels, RunOptions options = {});
    /// Continues from a snapshot of any Execution. The core gets the state of the snapshot.
    ///
    /// Timing, seed and reference are those of the snapshot's run, not of `options`. Error "run.arch".
    static Result<Execution> begin(Core& core, const Snapshot& snapshot, RunOptions options = {});

    Execution(Execution&&) noexcept;             ///< the source may only be assigned to or destroyed afterwards
    Execution& operator=(Execution&&) noexcept;  ///< the source as after the move constructor
    ~Execution();

    /// Runs until an instruction of `thread` (0 to 2), or of any thread, was issued. With a thread above 2 it runs to the end.
    Pause step(std::optional<unsigned> thread = {});
    /// Runs until all events of the next `cycles` cycles have happened.
    Pause step_cycles(std::uint64_t cycles = 1);
    /// Runs to the first breakpoint that is met, or to the end.
    Pause run_until(const Breakpoints& breakpoints);
    /// Runs to the end.
    Pause finish() { return run_until({}); }

    /// Whether nothing is left to do.
    bool ended() const;
    /// The cycle of the last event.
    std::uint64_t cycle() const;
    /// The number of instructions that all threads have issued.
    std::uint64_t instructions() const;
    /// The report of the run until now. At the end it is what Core::run() returns.
    Run run() const;
    /// All actors and units: what each waits for, since when, and who last changed that.
    std::vector<Blocked> waiting() const;
    /// The plan of the instruction of the last step() or back(), or that of the snapshot that restore() went to. Empty after anything else.
    const std::optional<Explanation>& explanation() const;

    /// From now on keeps snapshots for back(), at most `most`. A snapshot takes at most 2 MiB.
    void remember(std::size_t most = 32);
    /// Goes back by `instructions` issued instructions, or to the moment of remember().
    ///
    /// Why::instruction at that point, whose last issue Pause::where is; Why::end if remember() was not called. Acts of the host
    /// and data stored into the core since then (write_l1(), reset(), start(), spans) are lost.
    Pause back(std::uint64_t instructions = 1);

    /// The present moment. Copies the pages of L1 that were written since the last snapshot, and all small state.
    Snapshot snapshot();
    /// Goes to a snapshot of this run, back or forth. Error "run.snapshot" for a snapshot of another program.
    ///
    /// back() then follows the past of the snapshot. It ends at the moment of remember(), or at the snapshot if that was taken before
    /// that moment, or by another Execution.
    Result<void> restore(const Snapshot& snapshot);

    /// @name Steps of the host
    /// Acts between two steps, with the effect of a HostStep: who waits for the word or the core is woken. Error "run.over" if the
    /// run has ended.
    /// @{

    /// Writes bytes to L1. Error "l1.range".
    Result<void> write_l1(std::uint64_t address, std::span<const std::byte> bytes);
    /// Puts a core of kernels into reset. Error "run.kernels" for a run of a program.
    Result<void> reset(RiscvCore core);
    /// Takes a core of kernels out of reset. Error "run.kernels" for a run of a program.
    Result<void> start(RiscvCore core);
    /// @}

    /// The core between two steps. Instructions that are resolved later see what is written here; it wakes nobody.
    Core& core();
    /// The same to read.
    const Core& core() const;

private:
    friend class ChipExecution;
    friend class core::DebugView;
    struct Impl;
    explicit Execution(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace tessera
