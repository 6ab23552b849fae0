// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <utility>

#include "bindings.hpp"

namespace tessera::python {

/// Lets Python handle signals while a run goes on without the GIL, and remembers what a handler raises (Ctrl-C: KeyboardInterrupt). Python
/// does so in its main thread only; a run in another one goes on to its end.
class SignalWatch {
public:
    void begin() { looked_ = Clock::now(); }
    /// For RunOptions::interrupt. The GIL is asked for seldom: another thread may keep it for milliseconds.
    bool asks_to_stop() {
        using namespace std::chrono_literals;
        const auto now = Clock::now();
        if (now - looked_ < 50ms) return false;
        const py::gil_scoped_acquire acquired;
        looked_ = now;
        if (PyErr_CheckSignals() == 0) return false;
        raised_.emplace();
        return true;
    }
    void raise() {
        if (!raised_) return;
        throw py::error_already_set(*std::exchange(raised_, std::nullopt));
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point looked_;
    std::optional<py::error_already_set> raised_;
};

}  // namespace tessera::python
