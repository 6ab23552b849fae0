// SPDX-License-Identifier: Apache-2.0
// Runs independent work on several threads and delivers results in order, so the outcome does not depend on the number
// of threads.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "util/threads.hpp"

namespace tessera::util {

/// in_order() starts no more threads.
inline constexpr unsigned most_threads = 1024;

/// Calls `make(i)` for 0 to `count` - 1 on `threads` threads (0: one per hardware thread). Calls `take(i, result)` on
/// this thread in order of i. When `take` returns false, the rest is skipped. An exception of `make(i)` is rethrown
/// here in order. If the computer starts fewer threads, these do the work.
template <class Make, class Take>
void in_order(std::size_t count, unsigned threads, Make&& make, Take&& take) {
    using Made = std::invoke_result_t<Make&, std::size_t>;
    if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
    threads = static_cast<unsigned>(std::min<std::size_t>({threads, count, most_threads}));
    const auto do_alone = [&] {
        for (std::size_t i = 0; i < count; ++i)
            if (!take(i, make(i))) return;
    };
    if (threads <= 1) return do_alone();

    struct Piece {
        std::optional<Made> made;
        std::exception_ptr thrown;
        bool is_there = false;
    };
    const std::size_t ahead = std::size_t{4} * threads;  // limit of results that wait for take()
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<Piece> pieces(ahead);  // that of i is at i % ahead; workers allocate nothing
    std::size_t next = 0, taken = 0;
    bool stopped = false;

    const auto work = [&] {
        std::unique_lock lock(mutex);
        while (true) {
            changed.wait(lock, [&] { return stopped || next >= count || next < taken + ahead; });
            if (stopped || next >= count) return;
            const std::size_t i = next++;
            lock.unlock();
            Piece piece;
            try {
                piece.made.emplace(make(i));
            } catch (...) {
                piece.thrown = std::current_exception();
            }
            piece.is_there = true;
            lock.lock();
            pieces[i % ahead] = std::move(piece);
            changed.notify_all();
        }
    };
    struct Workers {
        std::vector<std::thread> threads;
        std::mutex& mutex;
        std::condition_variable& changed;
        bool& stopped;
        ~Workers() {
            {
                const std::lock_guard lock(mutex);
                stopped = true;
            }
            changed.notify_all();
            for (auto& thread : threads) thread.join();
        }
    } workers{{}, mutex, changed, stopped};
    start_threads(workers.threads, threads, work);
    if (workers.threads.empty()) return do_alone();

    for (std::size_t i = 0; i < count; ++i) {
        Piece piece;
        {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return pieces[i % ahead].is_there; });
            piece = std::exchange(pieces[i % ahead], Piece{});
            taken = i + 1;
        }
        changed.notify_all();
        if (piece.thrown) std::rethrow_exception(piece.thrown);
        if (!take(i, std::move(*piece.made))) return;
    }
}

}  // namespace tessera::util
