// SPDX-License-Identifier: Apache-2.0
#include "chip/workers.hpp"

#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "util/threads.hpp"

namespace tessera::chip {

namespace {

// A round takes microseconds: sleeping would take longer.
constexpr unsigned spins = 20'000;

}  // namespace

class Workers::Team {
public:
    Team(Workers& workers, unsigned size) : workers_(workers) {
        util::start_threads(threads_, size, [this] { work(); });
    }
    ~Team() {
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
            ++round_;
        }
        wake_.notify_all();
        for (auto& thread : threads_) thread.join();
    }
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    void run(std::size_t count, const Task& task) {
        task_ = &task;
        count_ = count;
        done_ = 0;
        left_ = count;
        {
            const std::lock_guard lock(mutex_);
            ++round_;
        }
        wake_.notify_all();
        take_tasks();
        for (unsigned spun = 0; done_ != count; ++spun)
            if (spun > spins) std::this_thread::yield();
    }

private:
    // A thread that comes when all tasks are taken touches nothing else: the round may be over. No round waits for a thread that the computer
    // does not let run. A task that is taken keeps its round open.
    void take_tasks() {
        for (std::size_t left = left_; left != 0;)
            if (left_.compare_exchange_weak(left, left - 1)) {
                workers_.attempt(*task_, count_ - left);
                ++done_;
                left = left_;
            }
    }
    void work() {
        for (std::uint64_t seen = 0;;) {
            for (unsigned spun = 0; round_ == seen && spun < spins; ++spun) {}
            if (round_ == seen) {
                std::unique_lock lock(mutex_);
                wake_.wait(lock, [&] { return round_ != seen; });
            }
            seen = round_;
            if (over_) return;
            take_tasks();
        }
    }

    Workers& workers_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::atomic<std::uint64_t> round_ = 0;
    std::atomic<bool> over_ = false;
    std::atomic<std::size_t> left_ = 0, done_ = 0;  ///< tasks that nobody has taken; tasks that are done
    std::size_t count_ = 0;
    const Task* task_ = nullptr;
    std::vector<std::thread> threads_;
};

Workers::Workers(unsigned threads) : process_(getpid()) {
    if (threads > 1) team_ = std::make_unique<Team>(*this, threads - 1);
}

Workers::~Workers() { leave_parents_threads(); }

void Workers::run(std::size_t count, const Task& task) {
    if (count > 1) leave_parents_threads();
    if (team_ && count > 1)
        team_->run(count, task);
    else
        for (std::size_t i = 0; i < count; ++i) attempt(task, i);
    rethrow();
}

// The other tasks are done all the same: what a chip is like after an exception depends on no thread.
void Workers::attempt(const Task& task, std::size_t number) noexcept {
    try {
        task(number);
    } catch (...) {
        const std::lock_guard lock(thrown_mutex_);
        if (thrown_ && thrower_ < number) return;
        thrown_ = std::current_exception();
        thrower_ = number;
    }
}

void Workers::rethrow() {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

// A child process has the memory of the parent's threads, but not them: who joined them, or destroyed what they wait for, would wait for
// ever.
void Workers::leave_parents_threads() {
    if (team_ && getpid() != process_) static_cast<void>(team_.release());
}

}  // namespace tessera::chip
