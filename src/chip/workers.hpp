// SPDX-License-Identifier: Apache-2.0
// Host threads that share a list of tasks.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tessera::chip {

class Workers {
public:
    /// `threads`: with the one that calls run().
    explicit Workers(unsigned threads);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    /// Does task 0 to count - 1, each once, and returns when all are done.
    void run(std::size_t count, const std::function<void(std::size_t)>& task);

private:
    void work();
    void take_tasks();

    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::atomic<std::uint64_t> round_ = 0;
    std::atomic<bool> over_ = false;
    std::atomic<std::size_t> next_ = 0, busy_ = 0;
    std::size_t count_ = 0;
    const std::function<void(std::size_t)>* task_ = nullptr;
};

}  // namespace tessera::chip
