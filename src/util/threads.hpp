// SPDX-License-Identifier: Apache-2.0
// Threads as far as the computer starts them.
#pragma once

#include <exception>
#include <thread>
#include <vector>

namespace tessera::util {

/// Starts threads until there are `count` that do `work`. If one, or the memory for it, is refused, the others are to do its work.
template <class Work>
void start_threads(std::vector<std::thread>& threads, unsigned count, const Work& work) {
    threads.reserve(count);
    try {
        while (threads.size() < count) threads.emplace_back(work);
    } catch (const std::exception&) {
    }
}

}  // namespace tessera::util
