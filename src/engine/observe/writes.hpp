// SPDX-License-Identifier: Apache-2.0
// RunOptions::on_write: reports each write and its author.
#pragma once

#include "engine/context.hpp"
#include "engine/observe/written.hpp"
#include "engine/pipes/records.hpp"
#include "engine/scheduler.hpp"

namespace tessera::engine {

/// An instruction, a store of a core or of the host, or a packet; `thread`: or no_thread.
struct Agent : diagnostics::Subject {
    bool store = false;      ///< no instruction
    bool by_packet = false;  ///< a store: brought by a packet that no core of this tile asked for
};

class Writes : private Context {
public:
    Writes(const Context& context, const Scheduler& scheduler)
        : Context(context), scheduler_(scheduler), written_(context.state_) {}

    /// The author of the last reported write.
    const Agent& last_writer() const { return last_writer_; }
    const Agent& saved() const { return last_writer_; }
    void restore(const Agent& saved) { last_writer_ = saved; }

    /// Whether writes are observed. If not, only core_stored() may be called.
    bool are_told() const { return static_cast<bool>(options_.on_write); }
    /// Writes since the last call of a function below, which reports them.
    Written& written() { return written_; }
    void instruction_wrote(const Record& record, bool at_issue = false);
    void host_wrote() { came_from_outside(false); }
    /// A packet that no core of this tile asked for.
    void packet_wrote() { came_from_outside(true); }
    void core_wrote(unsigned thread, std::int64_t index, Cycle at);
    /// A core's store to a cell, if writes are observed.
    void core_stored(unsigned thread, std::int64_t index, state::Cell cell) {
        if (!are_told()) return;
        written_.add(state::Storage::cell, state::index(cell));
        core_wrote(thread, index, scheduler_.now());
    }

private:
    void came_from_outside(bool by_packet);
    void tell(const Write& write, const Agent& by);

    const Scheduler& scheduler_;
    Written written_;
    Agent last_writer_;
};

}  // namespace tessera::engine
