// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/case.hpp"

namespace tessera {

/// An instruction of a run, or a store of a RISC-V core.
struct Writer {
    int thread = 0;
    std::int64_t index = 0;      ///< op in the thread's program
    std::int64_t position = -1;  ///< as Event::position
    bool by_core = false;        ///< a store
    std::uint64_t cycle = 0;     ///< of its issue, or of what it wrote
    std::string text;            ///< the instruction, or the op as .tts text has it
    std::string place;           ///< "file:line", empty when unknown

    /// "T1 op 5 (instruction 3 of its expansion): MVMUL dst=8, cycle 90, math.tts:7".
    std::string describe() const;
};

/// An element of state that is not the same in A and B.
struct StateDifference {
    std::string name;                          ///< "dst row 3 column 5"
    std::optional<std::uint64_t> a, b;         ///< values; nothing: not written, where writing is what is compared
    std::string a_text, b_text;                ///< the same for people: "0x3F80 (1 as BF16, 1.875 as FP16)"
    std::optional<Writer> a_writer, b_writer;  ///< who wrote it last; nothing: nobody, or not known
};

/// The first instruction that is not the same in A and B, or that wrote something else.
struct InstructionDifference {
    std::optional<Writer> a, b;          ///< nothing: there is none
    bool same_text = false;              ///< it is the same instruction or store in both
    std::vector<StateDifference> wrote;  ///< what it wrote differently: the first few, in the order of sections
    std::uint64_t count = 0;             ///< elements that it wrote differently
};

/// An op of a program.
struct ProgramOp {
    int thread = 0;
    std::int64_t index = 0;
    std::string text;   ///< as .tts text has it
    std::string place;  ///< "file:line", empty when unknown

    /// "T1 op 5: MVMUL dst=8, math.tts:7".
    std::string describe() const;
};

/// What became of something between A and B, once what they share stands side by side. `inserted`: only B has it.
enum class EditKind : std::uint8_t { inserted, removed, changed };
std::string_view name(EditKind kind);

/// An op that only one of two programs has, or that is another one.
struct ProgramEdit {
    EditKind kind = EditKind::changed;
    std::optional<ProgramOp> a, b;
};

/// What differs between two runs.
struct RunDifference {
    Run a, b;
    std::vector<ProgramEdit> edits;  ///< of the programs, thread by thread; the first 1000
    std::uint64_t edit_count = 0;    ///< all of them
    std::optional<StateDifference> before;             ///< the first element that differed before anything ran
    /// The first instruction of A's order whose effects differ from those of the one beside it; if there is none, one that
    /// only one of the runs has, and wrote with, or that is another one.
    std::optional<InstructionDifference> instruction;
    std::optional<StateDifference> state;  ///< the first element of the end states, in the order of sections
    std::uint64_t count = 0;               ///< elements of the end states that differ
    bool same_end = true;                  ///< both ended well, or with the same fault

    bool same() const { return edit_count == 0 && !instruction && !state && same_end; }
    /// Several lines for people.
    std::string describe() const;
};

/// Runs both (their jobs with their options) and compares instruction by instruction and then the end states. First the ops
/// of both programs are put side by side, thread by thread: inserted or removed ones shift nothing behind them. An
/// instruction is compared with the one beside it (of the op beside its own, in the expansion of both): its word, and what
/// it wrote, except the values of semaphores, which depend on what others did. So two versions of a program, two schedules
/// of one, or the units and the second implementation, can be compared; cycles are not. Errors: "diff.arch" when the architectures
/// differ, "diff.kernels" when one has kernels instead of ops, "diff.interrupted" when one was cut off, and those of
/// prepare() and Core::run().
Result<RunDifference> diff_runs(const Case& a, const Case& b);

/// The first element that the `expect` of both cases tell and tell differently, and how many there are. Errors "diff.arch",
/// "diff.expect" when a case expects nothing, and those of load_case().
struct ExpectedDifference {
    std::optional<StateDifference> state;
    std::uint64_t count = 0;
    std::uint64_t compared = 0;  ///< elements that both tell
};
Result<ExpectedDifference> diff_expected(const Case& a, const Case& b);

/// A line of a trace.
struct TracedInstruction {
    int thread = 0;
    std::int64_t index = 0, position = -1;
    std::string instruction, unit;
    std::uint64_t issue = 0, start = 0, land = 0, end = 0;

    /// "T1 op 5: ttmvmul 0,0,1,0, issue 90, start 91, land 91, end 95".
    std::string describe() const;
};

/// What differs between two traces.
struct TraceDifference {
    struct Pair {
        std::optional<TracedInstruction> a, b;  ///< nothing: there is none
    };
    struct Edit : Pair {
        EditKind kind = EditKind::changed;
    };
    std::string arch_a, arch_b;
    std::uint64_t instructions_a = 0, instructions_b = 0;
    std::vector<Edit> edits;          ///< instructions inserted, removed or changed, thread by thread; the first 1000
    std::uint64_t edit_count = 0;     ///< all of them
    std::optional<Pair> instruction;  ///< the first of them to be issued
    std::optional<Pair> time;         ///< the first instruction, by A's issue, with another unit or cycle
    std::uint64_t times = 0;          ///< instructions with another unit or cycle

    bool same() const { return arch_a == arch_b && !instruction && !time; }
    std::string describe() const;
};

/// Whether a file starts as `tessera trace` does.
bool is_trace(const std::string& path);

/// Compares two files that `tessera trace` has written, instructions side by side as diff_runs() does it. Errors
/// "trace.open", "trace.syntax", "trace.format"; "diff.interrupted" when `stop` became true.
Result<TraceDifference> diff_traces(const std::string& a, const std::string& b,
                                    const std::atomic<bool>* stop = nullptr);

}  // namespace tessera
