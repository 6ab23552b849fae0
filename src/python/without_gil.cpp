// SPDX-License-Identifier: Apache-2.0
#include "without_gil.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace tessera::python {

namespace {

using namespace std::chrono_literals;

// Without destructors: threads that stay behind may use them until the process has ended.
std::atomic<int> open_calls = 0;
std::atomic<unsigned long> ending_thread = 0;  ///< in which the interpreter ends; 0: it does not

/// Runs before the interpreter refuses the GIL to other threads, so that a thread that has just found that it may take it gets it.
void end_calls() {
    constexpr auto longest = 5s;  // of calls that look for signals many times a second
    ending_thread = PyThread_get_thread_ident();
    const py::gil_scoped_release released;
    const auto until = std::chrono::steady_clock::now() + longest;
    while (open_calls > 0 && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(1ms);
}

}  // namespace

bool Caller::is_left_behind() const {
    const unsigned long ending = ending_thread;
    return ending != 0 && ending != thread_;
}

WithoutGil::WithoutGil() {
    ++open_calls;
    released_.emplace();
    stay_if_left_behind();
}

WithoutGil::~WithoutGil() {
    stay_if_left_behind();
    released_.reset();
    --open_calls;
}

void WithoutGil::stay_if_left_behind() const {
    if (!caller_.is_left_behind()) return;
    --open_calls;
    while (true) std::this_thread::sleep_for(1h);
}

void end_calls_at_exit() {
    py::module_::import("atexit").attr("register")(py::cpp_function(&end_calls));
    // A forked process has no thread but the one that forked it.
    py::module_::import("os").attr("register_at_fork")(py::arg("after_in_child") = py::cpp_function([] { open_calls = 0; }));
}

}  // namespace tessera::python
