// SPDX-License-Identifier: Apache-2.0
#include "stop.hpp"

#include <array>
#include <csignal>

namespace tessera::cli {

namespace {

constexpr std::array<int, 2> signals = {SIGINT, SIGTERM};

std::atomic<bool> stopped{false};
std::atomic<int> received{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler sets them");

void handle(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    for (const int signal : signals) sigaction(signal, &action, nullptr);
}

extern "C" void set_stopped(int signal) {
    handle(SIG_DFL);
    received = signal;
    stopped = true;
}

}  // namespace

const std::atomic<bool>* stop_on_interrupt() {
    if (!stopped) handle(set_stopped);
    return &stopped;
}

int stop_signal() { return received; }

}  // namespace tessera::cli
