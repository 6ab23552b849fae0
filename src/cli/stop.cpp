// SPDX-License-Identifier: Apache-2.0
#include "stop.hpp"

#include <csignal>

namespace tessera::cli {

namespace {

std::atomic<bool> stopped{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

extern "C" void set_stopped(int) { stopped = true; }

}  // namespace

const std::atomic<bool>* stop_on_interrupt() {
    struct sigaction action {};
    action.sa_handler = set_stopped;
    action.sa_flags = SA_RESETHAND;  // back to the default after the first
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    return &stopped;
}

}  // namespace tessera::cli
