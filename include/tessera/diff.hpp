// SPDX-License-Identifier: Apache-2.0
/// @file
/// Compares two runs, two expected states or two traces.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/case.hpp"

namespace tessera {

/// The instruction of a run, or the store of a RISC-V core, that wrote something.
struct Writer {
    int thread = 0;              ///< 0 to 2
    std::int64_t index = 0;      ///< the op in the thread's program, from 0
    std::int64_t position = -1;  ///< as Event::position
    bool by_core = false;        ///< true: a store of the core
    std::uint64_t cycle = 0;     ///< of the issue, or of the write
    std::string text;            ///< the instruction, or the op as .tts text
    std::string place;           ///< "file:line", empty if unknown

    /// "T1 op 5, instruction 3 of its expansion, cycle 90: MVMUL dst=8 (math.tts:7)".
    std::string describe() const;
};

/// An element of state that differs between A and B.
struct StateDifference {
    std::string name;               ///< "dst row 3 column 5"
    std::optional<std::uint64_t> a; ///< the value in A; empty if writes are compared and A wrote nothing there
    std::optional<std::uint64_t> b; ///< the same of B
    std::string a_text;             ///< the value for people: "0x3F80 (1 as BF16, 1.875 as FP16)"
    std::string b_text;             ///< the same of B
    std::optional<Writer> a_writer; ///< the last writer in A; empty if there is none or it is unknown
    std::optional<Writer> b_writer; ///< the same of B
    bool writers_known = true;      ///< false: writes of its Section are not told
};

/// The first instruction that differs between A and B, or that wrote something different.
struct InstructionDifference {
    std::optional<Writer> a;             ///< in A; empty if A has none
    std::optional<Writer> b;             ///< in B; empty if B has none
    bool same_text = false;              ///< both are the same instruction or store
    std::vector<StateDifference> wrote;  ///< the first elements that it wrote differently, in the order of sections
    std::uint64_t count = 0;             ///< the number of all such elements
};

/// An op of a program.
struct ProgramOp {
    int thread = 0;          ///< 0 to 2
    std::int64_t index = 0;  ///< in the thread's program, from 0
    std::string text;        ///< as .tts text
    std::string place;       ///< "file:line", empty if unknown

    /// "T1 op 5: MVMUL dst=8 (math.tts:7)".
    std::string describe() const;
};

/// A step of the edit from A to B. `inserted`: only B has it. `removed`: only A has it.
enum class EditKind : std::uint8_t { inserted, removed, changed };
/// "inserted", "removed", "changed".
std::string_view name(EditKind kind);

/// An operand that two instructions of the same name have with different values.
struct OperandChange {
    std::string name;  ///< "dst"
    std::string a;     ///< the value in A, as the disassembly writes it; "0" if that leaves it out
    std::string b;     ///< the same of B
};

/// An op that only one of two programs has, or that differs between them.
struct ProgramEdit {
    EditKind kind = EditKind::changed;  ///< the kind of difference
    std::optional<ProgramOp> a;         ///< the op of A; empty if inserted
    std::optional<ProgramOp> b;         ///< the op of B; empty if removed
    std::vector<OperandChange> operands;  ///< what differs, if both are instructions of the same name
};

/// The differences between two runs.
struct RunDifference {
    Run a;                                 ///< the run of A
    Run b;                                 ///< the run of B
    std::vector<ProgramEdit> edits;        ///< the first 1000 edits of the programs, thread by thread
    std::uint64_t edit_count = 0;          ///< the number of all edits
    std::optional<StateDifference> before; ///< the first element that differed before anything ran
    /// The first instruction, in the order of A, whose effects differ from those of its partner in B. If there is none: the
    /// first instruction without a partner that wrote something, or with another partner.
    std::optional<InstructionDifference> instruction;
    std::optional<StateDifference> state;  ///< the first different element of the end states, in the order of sections
    std::uint64_t count = 0;               ///< the number of different elements of the end states
    bool same_end = true;                  ///< both ended well, or with the same fault

    /// Whether programs, effects, end states and ends are equal.
    bool same() const { return edit_count == 0 && !instruction && !state && same_end; }
    /// Several lines for people.
    std::string describe() const;
};

/// Runs two jobs, each with its own options. Compares instruction by instruction, and then the end states.
///
/// First the ops of both programs are aligned, thread by thread, so that an inserted op does not shift those behind it. An
/// instruction is compared with its partner: the word, and what it wrote, without the values of semaphores, which depend on other
/// threads. Cycles are not compared. So the two may be versions of a program, schedules of one program, or both
/// implementations.
///
/// Errors: "diff.arch" if the architectures differ; "diff.kernels" if one has kernels instead of ops; "diff.interrupted" if a
/// run was cut off; those of prepare() and Core::run().
Result<RunDifference> diff_runs(const Case& a, const Case& b);

/// The differences between the expected states of two cases.
struct ExpectedDifference {
    std::optional<StateDifference> state;  ///< the first element that both cases expect, with different values
    std::uint64_t count = 0;               ///< the number of such elements
    std::uint64_t compared = 0;            ///< the number of elements that both cases expect
};
/// Compares what two cases expect; runs nothing. Errors: "diff.arch"; "diff.expect" if a case expects nothing; those of
/// load_case().
Result<ExpectedDifference> diff_expected(const Case& a, const Case& b);

/// An instruction in a trace.
struct TracedInstruction {
    int thread = 0;              ///< 0 to 2
    std::int64_t index = 0;      ///< as Event::index
    std::int64_t position = -1;  ///< as Event::position
    std::string instruction;     ///< disassembly
    std::string unit;            ///< as Event::unit
    std::uint64_t issue = 0;     ///< cycle
    std::uint64_t start = 0;     ///< cycle
    std::uint64_t land = 0;      ///< cycle in which its effects became visible
    std::uint64_t end = 0;       ///< cycle

    /// "T1 op 5: ttmvmul 0,0,1,0 in matrix unit, issue 90, start 91, land 91, end 95".
    std::string describe() const;
};

/// The differences between two traces.
struct TraceDifference {
    /// Two instructions that were aligned.
    struct Pair {
        std::optional<TracedInstruction> a;  ///< in trace A; empty if A has none
        std::optional<TracedInstruction> b;  ///< in trace B; empty if B has none
    };
    /// An instruction that was inserted, removed or changed.
    struct Edit : Pair {
        EditKind kind = EditKind::changed;    ///< the kind of difference
        std::vector<OperandChange> operands;  ///< as ProgramEdit::operands
    };
    /// How a run ended.
    struct End {
        std::uint64_t cycles = 0;  ///< of the run
        bool good = false;         ///< as Run::good()
        friend bool operator==(const End&, const End&) = default;  ///< equal in every member
    };
    std::string arch_a;                ///< the chip of A
    std::string arch_b;                ///< the chip of B
    std::uint64_t instructions_a = 0;  ///< the number of instructions in A
    std::uint64_t instructions_b = 0;  ///< the number of instructions in B
    std::vector<Edit> edits;           ///< the first 1000 edits, thread by thread
    std::uint64_t edit_count = 0;      ///< the number of all edits
    std::optional<Pair> instruction;   ///< the edit that is issued first
    std::optional<Pair> time;          ///< the first pair, by A's issue, whose unit or cycles differ
    std::uint64_t times = 0;           ///< the number of such pairs
    std::optional<End> end_a;          ///< the end of A; empty in a tessera-trace-1
    std::optional<End> end_b;          ///< the same of B

    /// Whether the ends are equal, as far as both are known.
    bool same_end() const { return !end_a || !end_b || *end_a == *end_b; }
    /// Whether architectures, instructions, units, cycles and ends are equal.
    bool same() const { return arch_a == arch_b && !instruction && !time && same_end(); }
    /// Several lines for people.
    std::string describe() const;
};

/// Whether a file starts like the output of `tessera trace`, for a job of one tile or of a grid. False if it cannot be read.
bool is_trace(const std::string& path);

/// Compares two files that `tessera trace` wrote. Instructions are aligned as by diff_runs().
///
/// Errors: "trace.open", "trace.syntax"; "trace.format", also for the trace of a grid; "diff.interrupted" if `stop` was or became true.
Result<TraceDifference> diff_traces(const std::string& a, const std::string& b,
                                    const std::atomic<bool>* stop = nullptr);

}  // namespace tessera
