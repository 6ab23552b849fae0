// SPDX-License-Identifier: Apache-2.0
// RunOptions::on_write: who has written what.
#pragma once

#include "engine/context.hpp"
#include "engine/observe/written.hpp"
#include "engine/pipes/records.hpp"
#include "engine/scheduler.hpp"

namespace tessera::engine {

/// An instruction, or a store of a core.
struct Agent {
    unsigned thread = 0;  ///< or no_thread
    std::int64_t index = 0, position = -1;
    std::uint32_t word = 0;  ///< of an instruction
    bool store = false;
    Cycle cycle = 0;
};

class Writes : private Context {
public:
    Writes(const Context& context, const Scheduler& scheduler)
        : Context(context), scheduler_(scheduler), written_(context.state_) {}

    /// Who has written what users were told of last.
    const Agent& last_writer() const { return last_writer_; }
    void restore(const Agent& last_writer) { last_writer_ = last_writer; }

    /// Somebody wants to know; otherwise nothing below is to be called, but for core_stored().
    bool are_told() const { return static_cast<bool>(options_.on_write); }
    /// What has been written since the last one of those below.
    Written& written() { return written_; }
    void instruction_wrote(const Record& record, bool at_issue = false);
    void host_wrote();
    void core_wrote(unsigned thread, std::int64_t index, Cycle at);
    /// A core's store to a cell, if somebody wants to know.
    void core_stored(unsigned thread, std::int64_t index, state::Cell cell) {
        if (!are_told()) return;
        written_.add(state::Storage::cell, state::index(cell));
        core_wrote(thread, index, scheduler_.now());
    }

private:
    const Scheduler& scheduler_;
    Written written_;
    Agent last_writer_;
};

}  // namespace tessera::engine
