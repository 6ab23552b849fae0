// SPDX-License-Identifier: Apache-2.0
// Base of the trace forms: receives the run's events, and its end.
#pragma once

#include <memory>

#include "tessera/trace.hpp"

namespace tessera::trace {

class Observer {
public:
    virtual ~Observer() = default;

    virtual void event(const Event&) {}
    virtual void wait(const Wait&) {}
    virtual void write(const Write&) {}
    virtual void finish(const Run& run) = 0;
    /// True if write() should be called.
    virtual bool wants_writes() const { return false; }
};

/// A tile of a grid. Texts about it are parts of one file for the chip, which has a header and an end of its own.
struct GridTile {
    unsigned column = 0, row = 0;
    int process = 0;  ///< of a timeline: its pid
};

/// The job and program of a run; outlives its observers.
struct Subject {
    const Job& job;  ///< of a tile of a grid: only its kernels, file and architecture
    const Core& core;
    const RunOptions& options;
    const GridTile* tile = nullptr;  ///< null: a run of one tile
};

std::unique_ptr<Observer> make_lines(const Subject& subject, TraceSink sink, bool writes);
std::unique_ptr<Observer> make_perfetto(const Subject& subject, TraceSink sink);
std::unique_ptr<Observer> make_report(const Subject& subject, TraceReport& report);

}  // namespace tessera::trace
