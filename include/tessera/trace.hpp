// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/job.hpp"

namespace tessera {

/// Takes the text of a trace, piece by piece. A piece is never half of a line.
using TraceSink = std::function<void(std::string_view)>;

/// The name of the form that TraceForms::lines has, with its version: "tessera-trace-2" (docs/trace.md).
std::string_view trace_format();

/// What a unit did with the cycles of a run; `busy`, `waiting` and `idle` add up to them.
struct UnitReport {
    std::string unit;
    std::uint64_t instructions = 0;
    std::uint64_t busy = 0;     ///< at least one instruction was in it
    std::uint64_t waiting = 0;  ///< none, but one for it stood at a gate or in its queue
    std::uint64_t idle = 0;     ///< nobody wanted it
    /// Cycles: its first start, and its last start with what that instruction keeps it from the next one by the table of
    /// costs.
    std::uint64_t first = 0, last = 0;
    /// What all its instructions would keep it, one behind the other, by that table: `last - first` at the documented rate.
    std::uint64_t documented = 0;
    std::string instruction;      ///< the one that it executed most often, by name
    std::uint64_t occupancy = 0;  ///< of that one: documented cycles from one to the next, the most frequent
};

/// What a thread's front end did with the cycles of a run: `issuing`, all waits and `idle` add up to them.
struct ThreadReport {
    struct Cause {
        std::string_view kind;  ///< as Wait::kind
        std::string reason;     ///< as Wait::reason
        std::uint64_t count = 0, cycles = 0;
    };
    int thread = 0;
    std::uint64_t issuing = 0;  ///< the address phases of its UNPACRs included
    std::uint64_t idle = 0;     ///< it had nothing to issue any more
    std::vector<Cause> waits;   ///< longest first
};

/// A piece of the chain that decided when the run ended: had it been shorter, so would have been the run, until another chain
/// is longer.
struct PathStep {
    enum class What : std::uint8_t {
        unit,       ///< an instruction was in its unit
        front_end,  ///< a thread's instructions were issued, one behind the other
        core,       ///< a core went on, or was not told about
        wait        ///< what was waited for had been done, and the one that waited had not gone on yet
    };
    What what{};
    std::uint64_t begin = 0, end = 0;  ///< cycles
    std::string who;                   ///< "unpacker 0", "T1 front end", "T0 core", "brisc"
    std::string text;                  ///< the instruction, or the reason of the wait
    int thread = -1;                   ///< -1: no single thread
    std::int64_t number = -1;          ///< Event::number of the instruction; -1: none
};

/// "unit", "front end", "core", "wait".
std::string_view name(PathStep::What what);

/// The way of data through the core: the instructions that brought what a packer has packed, found by their footprints.
/// Instructions of packers that packed what the same transfers and computations have brought are one passage.
struct Passage {
    /// From the first start to the last end of its instructions.
    struct Stage {
        std::uint64_t begin = 0, end = 0;
        friend bool operator==(const Stage&, const Stage&) = default;
    };
    std::optional<Stage> unpack;           ///< L1 to source banks or Dst; absent: what was in Dst came from elsewhere
    std::optional<Stage> math;             ///< source banks to Dst, and within Dst
    Stage pack;                            ///< Dst to L1
    std::uint64_t packs = 0;               ///< instructions of packers
    std::optional<std::uint32_t> address;  ///< the lowest byte of L1 that they wrote; absent: none
};

/// Where the cycles of a run went.
struct TraceReport {
    std::uint64_t cycles = 0;
    std::vector<UnitReport> units;      ///< that did something
    std::vector<ThreadReport> threads;  ///< that issued or waited
    std::vector<PathStep> path;         ///< the critical path, from cycle 0 to the end without gaps
    std::vector<Passage> passages;      ///< in the order of their first packers

    /// For people, several lines.
    std::string describe() const;
};

/// What trace_job() makes of a run; what is empty or null is not made, and costs nothing.
struct TraceForms {
    TraceSink lines{};     ///< JSON lines (docs/trace.md)
    bool writes = false;   ///< among them lines of kind "write"
    TraceSink perfetto{};  ///< a JSON object in the Trace Event Format, for ui.perfetto.dev
    TraceReport* report = nullptr;
};

/// run_job(), and the forms of it. Texts are given while the run goes on, and need no more memory for a longer run; a report
/// does. Neither state nor cycles depend on what is asked for; the observers of `options` are called as well. When the
/// job is refused nothing has been given to a sink.
Result<Run> trace_job(const Job& job, Core& core, const RunOptions& options, const TraceForms& forms);

}  // namespace tessera
