// SPDX-License-Identifier: Apache-2.0
// One form of a trace: it is told what happens, and when the run is over.
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
    /// Whether write() is to be called.
    virtual bool wants_writes() const { return false; }
};

/// What is run; it outlives an observer.
struct Subject {
    const Job& job;
    const Core& core;
    const RunOptions& options;
};

std::unique_ptr<Observer> make_lines(const Subject& subject, TraceSink sink, bool writes);
std::unique_ptr<Observer> make_perfetto(const Subject& subject, TraceSink sink);
std::unique_ptr<Observer> make_report(const Subject& subject, TraceReport& report);

}  // namespace tessera::trace
