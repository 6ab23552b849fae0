// SPDX-License-Identifier: Apache-2.0
// Calls without the GIL, and what becomes of them when the interpreter ends.
#pragma once

#include <optional>

#include "bindings.hpp"

namespace tessera::python {

/// The thread that made a call, for the threads that work for it.
class Caller {
public:
    /// True once the interpreter ends in another thread: a daemon thread must not take the GIL any more, because Python would end it, by an
    /// unwinding that ends the process in C++.
    bool is_left_behind() const;

private:
    unsigned long thread_ = PyThread_get_thread_ident();
};

/// Releases the GIL while it lives. The thread of a caller that is left behind stays here for ever.
class WithoutGil {
public:
    WithoutGil();
    WithoutGil(const WithoutGil&) = delete;
    WithoutGil& operator=(const WithoutGil&) = delete;
    ~WithoutGil();

private:
    void stay_if_left_behind() const;

    Caller caller_;
    std::optional<py::gil_scoped_release> released_;
};

/// Makes the interpreter ask calls in other threads to stop, and wait for them, before it ends.
void end_calls_at_exit();

}  // namespace tessera::python
