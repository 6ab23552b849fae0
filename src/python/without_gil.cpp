// SPDX-License-Identifier: Apache-2.0
#include "without_gil.hpp"

#include <cxxabi.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

namespace tessera::python {

namespace {

using namespace std::chrono_literals;

// Without destructors: threads that stay behind may use them until the process has ended.
std::atomic<int> open_calls = 0;              ///< of those that began before the interpreter was about to end
std::atomic<unsigned long> ending_thread = 0;  ///< in which it is; 0: it is not
thread_local unsigned long works_for = 0;      ///< 0: for itself

/// CPython ends a thread that asks for the GIL of an interpreter that has ended, by an unwinding that must not leave a C++ destructor.
template <class Take>
void take_gil(Take&& take) {
    try {
        take();
    } catch (abi::__forced_unwind&) {
        while (true) std::this_thread::sleep_for(1h);
    }
}

/// Runs before the interpreter refuses the GIL to other threads.
void end_calls() {
    constexpr auto longest = 5s;  // of calls that look for signals many times a second
    ending_thread = PyThread_get_thread_ident();
    const py::gil_scoped_release released;
    const auto until = std::chrono::steady_clock::now() + longest;
    while (open_calls > 0 && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(1ms);
}

}  // namespace

Caller::Caller() : thread_(works_for ? works_for : PyThread_get_thread_ident()) {}

bool Caller::is_to_end() const {
    const unsigned long ending = ending_thread;
    return ending != 0 && ending != thread_;
}

Caller::Work::Work(const Caller& caller) : before_(std::exchange(works_for, caller.thread_)) {}
Caller::Work::~Work() { works_for = before_; }

WithGil::WithGil() {
    take_gil([&] { acquired_.emplace(); });
}

WithoutGil::WithoutGil() : is_counted_(ending_thread == 0) {
    open_calls += is_counted_;
    released_ = PyEval_SaveThread();
}

WithoutGil::~WithoutGil() {
    take_gil([&] { PyEval_RestoreThread(released_); });
    open_calls -= is_counted_;
}

void end_calls_at_exit() {
    py::module_::import("atexit").attr("register")(py::cpp_function(&end_calls));
    // A forked process has no thread but the one that forked it.
    py::module_::import("os").attr("register_at_fork")(py::arg("after_in_child") = py::cpp_function([] { open_calls = 0; }));
}

}  // namespace tessera::python
