// SPDX-License-Identifier: Apache-2.0
// Watches a run through the public observers and keeps what a page shows.
#pragma once

#include <array>
#include <map>
#include <optional>

#include "tessera/job.hpp"
#include "tessera/viewer.hpp"
#include "viewer/instruction_table.hpp"
#include "viewer/packing.hpp"
#include "viewer/paths.hpp"
#include "viewer/plans.hpp"
#include "viewer/signal_table.hpp"
#include "viewer/sources.hpp"
#include "viewer/wait_table.hpp"
#include "viewer/write_log.hpp"

namespace tessera::viewer {

class Recorder {
public:
    /// `core` is as it is before its run. `packer` gets the log of writes while the run goes on.
    Recorder(const Job& job, const Core& core, const ViewerOptions& options, Packer& packer);

    /// Sets the observers; the options must not outlive this.
    void watch(RunOptions& options);
    /// Adds the results of the finished run.
    void finish(const Run& run, const Core& core);

    /// The page's data (docs/viewer.md), except the run's own report.
    Json json(Packer& packer) const;
    const Paths& paths() const { return paths_; }

private:
    /// The instruction being issued: in the table from its first write on, or stopped by a fault.
    struct Issuing {
        std::int64_t index = 0;
        std::uint32_t word = 0;
        std::int32_t plan = -1;
    };

    void note(const Event& event);
    void note(const Write& write);
    void note_issued(const Write& write);
    void note_unissued(const Run& run);
    void set_plan(Row row, const Issuing& issuing);
    std::string store_text(const Write& write) const;

    const Job& job_;
    ViewerOptions options_;
    Paths paths_;
    Texts texts_;
    Plans plans_;
    Sources sources_;
    InstructionTable instructions_;
    WaitTable waits_;
    SignalTable signals_;
    WriteLog log_;
    std::uint64_t explained_ = 0;
    std::array<std::optional<Issuing>, 3> issuing_;
    std::map<std::string, std::uint64_t> untold_;

    // Of each record of the log: its cycle, the instruction that wrote it, or no_row and a text.
    Column<double> write_cycle_;
    Column<Row> write_row_;
    Column<std::uint32_t> write_store_;
};

}  // namespace tessera::viewer
