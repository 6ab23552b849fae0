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

/// The job and program of a run; outlives its observers.
struct Subject {
    const Job& job;
    const Core& core;
    const RunOptions& options;
};

std::unique_ptr<Observer> make_lines(const Subject& subject, TraceSink sink, bool writes);
std::unique_ptr<Observer> make_perfetto(const Subject& subject, TraceSink sink);
std::unique_ptr<Observer> make_report(const Subject& subject, TraceReport& report);

}  // namespace tessera::trace
