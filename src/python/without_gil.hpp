// SPDX-License-Identifier: Apache-2.0
// Calls without the GIL, and what becomes of them when the interpreter ends.
#pragma once

#include <optional>

#include "bindings.hpp"

namespace tessera::python {

/// The thread of Python that made a call, for the threads that work for it.
class Caller {
public:
    Caller();
    /// True once the interpreter is about to end in another thread: the call is to end soon.
    bool is_to_end() const;

    /// While it lives, calls that this thread makes are calls of `caller`.
    class Work {
    public:
        explicit Work(const Caller& caller);
        Work(const Work&) = delete;
        Work& operator=(const Work&) = delete;
        ~Work();

    private:
        unsigned long before_;
    };

private:
    unsigned long thread_;
};

/// Has the GIL while it lives. Once the interpreter has ended, a thread that asks for it stays here for ever.
class WithGil {
public:
    WithGil();

private:
    std::optional<py::gil_scoped_acquire> acquired_;
};

/// Releases the GIL while it lives; then as WithGil.
class WithoutGil {
public:
    WithoutGil();
    WithoutGil(const WithoutGil&) = delete;
    WithoutGil& operator=(const WithoutGil&) = delete;
    ~WithoutGil();

private:
    bool is_counted_;
    PyThreadState* released_;
};

/// Makes the interpreter ask calls in other threads to end, and wait for them, before it ends.
void end_calls_at_exit();

}  // namespace tessera::python
