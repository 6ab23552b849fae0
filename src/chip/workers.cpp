// SPDX-License-Identifier: Apache-2.0
#include "chip/workers.hpp"

namespace tessera::chip {

namespace {

// A round takes microseconds: sleeping would take longer.
constexpr unsigned spins = 20'000;

}  // namespace

Workers::Workers(unsigned threads) {
    for (unsigned i = 1; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

Workers::~Workers() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
        ++round_;
    }
    wake_.notify_all();
    for (auto& thread : threads_) thread.join();
}

void Workers::take_tasks() {
    for (std::size_t i = next_++; i < count_; i = next_++) (*task_)(i);
}

void Workers::run(std::size_t count, const std::function<void(std::size_t)>& task) {
    if (threads_.empty() || count < 2) {
        for (std::size_t i = 0; i < count; ++i) task(i);
        return;
    }
    task_ = &task;
    count_ = count;
    next_ = 0;
    busy_ = threads_.size();
    {
        const std::lock_guard lock(mutex_);
        ++round_;
    }
    wake_.notify_all();
    take_tasks();
    for (unsigned spun = 0; busy_ != 0; ++spun)
        if (spun > spins) std::this_thread::yield();
}

void Workers::work() {
    for (std::uint64_t seen = 0;;) {
        for (unsigned spun = 0; round_ == seen && spun < spins; ++spun) {}
        if (round_ == seen) {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [&] { return round_ != seen; });
        }
        seen = round_;
        if (over_) return;
        take_tasks();
        --busy_;
    }
}

}  // namespace tessera::chip
