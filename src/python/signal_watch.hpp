// SPDX-License-Identifier: Apache-2.0
// Handles Ctrl-C while the library works without the GIL.
#pragma once

#include <atomic>
#include <chrono>
#include <future>
#include <optional>
#include <utility>

#include "without_gil.hpp"

namespace tessera::python {

/// Lets Python handle signals during a run without the GIL, and keeps an exception that a handler raises (Ctrl-C:
/// KeyboardInterrupt). Python handles signals only in its main thread; runs in other threads go on to their end, or to the interpreter's.
class SignalWatch {
public:
    void begin() {
        caller_ = {};
        looked_ = Clock::now();
    }
    /// For RunOptions::interrupt. Takes the GIL rarely, because another thread may hold it for milliseconds.
    bool asks_to_stop() {
        using namespace std::chrono_literals;
        if (caller_.is_to_end()) return true;
        const auto now = Clock::now();
        if (raised_ || now - looked_ < 50ms) return raised_.has_value();
        const WithGil with_gil;
        looked_ = now;
        if (PyErr_CheckSignals() == 0) return false;
        raised_.emplace();
        return true;
    }
    /// Raises the handler's error, if there is one. In a thread that is left when the interpreter ends, raises SystemExit.
    void raise() {
        if (caller_.is_to_end()) {
            PyErr_SetNone(PyExc_SystemExit);
            throw py::error_already_set();
        }
        if (!raised_) return;
        throw py::error_already_set(*std::exchange(raised_, std::nullopt));
    }

private:
    using Clock = std::chrono::steady_clock;
    Caller caller_;
    Clock::time_point looked_;
    std::optional<py::error_already_set> raised_;
};

/// Returns `work(interrupt)`. The work runs without the GIL and ends early once interrupt() returns true; the signal's
/// exception is then raised.
template <class Work>
auto interruptible(Work&& work) {
    SignalWatch watch;
    watch.begin();
    auto result = [&] {
        const WithoutGil released;
        return work([&watch] { return watch.asks_to_stop(); });
    }();
    watch.raise();
    return value_of(std::move(result));
}

/// Same, for work on several threads that checks a flag.
template <class Work>
auto stoppable(Work&& work) {
    using namespace std::chrono_literals;
    SignalWatch watch;
    watch.begin();
    std::atomic<bool> stop = false;
    auto result = [&] {
        const WithoutGil released;
        auto pending = std::async(std::launch::async, [&] { return work(&stop); });
        while (pending.wait_for(50ms) != std::future_status::ready)
            if (watch.asks_to_stop()) stop = true;
        return pending.get();
    }();
    watch.raise();
    return value_of(std::move(result));
}

}  // namespace tessera::python
