// SPDX-License-Identifier: Apache-2.0
// Host threads that share a list of tasks.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>

namespace tessera::chip {

class Workers {
public:
    using Task = std::function<void(std::size_t)>;

    /// `threads`: with the one that calls run(). If the computer starts fewer, those that it has started work.
    explicit Workers(unsigned threads);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    /// Does task 0 to count - 1, each once, and returns when all are done. If tasks throw, the exception of the first of them in the list is
    /// then thrown here: it is the same for any number of threads.
    void run(std::size_t count, const Task& task);

private:
    class Team;

    void attempt(const Task& task, std::size_t number) noexcept;
    void rethrow();
    void leave_parents_threads();

    std::mutex thrown_mutex_;
    std::exception_ptr thrown_;
    std::size_t thrower_ = 0;  ///< the task that threw it
    const pid_t process_;      ///< that has the threads
    std::unique_ptr<Team> team_;  ///< the other threads; null: there are none
};

}  // namespace tessera::chip
