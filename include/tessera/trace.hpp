// SPDX-License-Identifier: Apache-2.0
/// @file
/// A run as JSON lines, as a timeline for Perfetto, or as a report of where the cycles went.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/job.hpp"

namespace tessera {

/// Receives the text of a trace in pieces of whole lines.
using TraceSink = std::function<void(std::string_view)>;

/// Name and version of the format of TraceForms::lines: "tessera-trace-2" (docs/reference/trace-lines.md).
std::string_view trace_format();

/// The cycles of a unit in a run. The sum of `busy`, `waiting` and `idle` is the length of the run.
struct UnitReport {
    std::string unit;                ///< "unpacker 0"
    std::uint64_t instructions = 0;  ///< that it executed
    std::uint64_t busy = 0;          ///< cycles with at least one instruction in it
    std::uint64_t waiting = 0;       ///< cycles without, while an instruction for it stood at a gate or in its queue
    std::uint64_t idle = 0;          ///< all other cycles
    std::uint64_t first = 0;         ///< cycle of its first start; 0 if there is none
    std::uint64_t last = 0;  ///< cycle of its last start, plus that instruction's occupancy by the table of costs
    /// Occupancy of all its instructions, one after the other, by the table of costs: `last - first` at its full rate.
    std::uint64_t documented = 0;
    /// Parts of `documented` that rest on a measurement on a chip, and on an assumption. The rest follows documents.
    std::uint64_t measured = 0;
    std::uint64_t assumed = 0;    ///< see `measured`
    std::string instruction;      ///< the name of the instruction that it executed most often
    std::uint64_t occupancy = 0;  ///< the most frequent occupancy of that instruction, in cycles, by the table of costs
};

/// The cycles of a thread's front end in a run. The sum of `issuing`, all `waits` and `idle` is the length of the run.
struct ThreadReport {
    /// The cycles of one reason to wait.
    struct Cause {
        std::string_view kind;     ///< as Wait::kind
        std::string reason;        ///< as Wait::reason
        std::uint64_t count = 0;   ///< how many waits
        std::uint64_t cycles = 0;  ///< their sum
    };
    int thread = 0;             ///< 0 to 2
    std::uint64_t issuing = 0;  ///< includes the address phases of its UNPACRs
    std::uint64_t idle = 0;     ///< it had nothing left to issue
    std::vector<Cause> waits;   ///< longest first
};

/// A link of the critical path. A shorter link makes the run shorter, until another chain is the longest.
struct PathStep {
    /// The kind of link.
    enum class What : std::uint8_t {
        unit,       ///< an instruction was in its unit
        front_end,  ///< a thread issued instructions, one after the other
        core,       ///< a core went on, or its acts are unknown
        wait        ///< the cause of a wait was over, and the waiter had not gone on yet
    };
    What what{};               ///< the kind of link
    std::uint64_t begin = 0;   ///< cycle
    std::uint64_t end = 0;     ///< cycle
    std::string who;           ///< "unpacker 0", "T1 front end", "T0 core", "brisc"
    std::string text;          ///< the instruction, or the reason of the wait
    int thread = -1;           ///< 0 to 2; -1: no single thread
    std::int64_t number = -1;  ///< Event::number of the instruction; -1: none
};

/// "unit", "front end", "core", "wait".
std::string_view name(PathStep::What what);

/// The way of data through the core: the instructions that produced what a packer packed, found by their footprints.
///
/// Pack instructions form one passage while their data came from the same transfers (or, without transfers, from the same
/// computations). Behind a PACR with Last, a new one begins at another place in L1 with another tile of Dst, or with rows
/// that were packed already.
struct Passage {
    /// The time from the first start to the last end of some instructions.
    struct Stage {
        std::uint64_t begin = 0;                                       ///< cycle
        std::uint64_t end = 0;                                         ///< cycle
        friend bool operator==(const Stage&, const Stage&) = default;  ///< equal in every member
    };
    std::optional<Stage> unpack;           ///< from L1 to source banks or Dst; empty if the data came from elsewhere
    std::optional<Stage> math;             ///< from source banks to Dst, and within Dst
    Stage pack;                            ///< from Dst to L1
    std::uint64_t packs = 0;               ///< the number of pack instructions
    std::optional<std::uint32_t> address;  ///< the lowest byte of L1 that they wrote; empty: none
};

/// An account of the cycles of a run.
struct TraceReport {
    std::uint64_t cycles = 0;           ///< length of the run
    std::vector<UnitReport> units;      ///< units that executed an instruction, or that one waited for
    std::vector<ThreadReport> threads;  ///< threads that issued or waited
    std::vector<PathStep> path;         ///< the critical path, from cycle 0 to the end without gaps
    std::vector<Passage> passages;      ///< in the order of their first pack instructions

    /// Several lines for people.
    std::string describe() const;
};

/// The products of trace_job(). An empty member is not made and costs nothing.
struct TraceForms {
    TraceSink lines{};              ///< JSON lines (docs/reference/trace-lines.md)
    bool writes = false;            ///< adds lines of kind "write"
    TraceSink perfetto{};           ///< a JSON object in the Trace Event Format, for ui.perfetto.dev
    TraceReport* report = nullptr;  ///< filled at the end of the run
};

/// run_job() with traces. State and cycles are those of run_job(). The observers of `options` are called as well.
///
/// Sinks receive text during the run, so memory does not grow with its length; a report needs memory. If the job is refused,
/// no sink has received anything. Errors: those of run_job().
Result<Run> trace_job(const Job& job, Core& core, const RunOptions& options, const TraceForms& forms);

}  // namespace tessera
