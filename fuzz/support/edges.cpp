// SPDX-License-Identifier: Apache-2.0
#include "fuzz/support/edges.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace {

// Places that are reached, by a hash of their address: two of them may share an element. Threads of a chip write here, too.
constinit std::array<std::atomic<std::uint8_t>, 1 << 18> reached{};
constinit std::atomic<std::size_t> count{0};

}  // namespace

// gcc calls it at each edge.
extern "C" void __sanitizer_cov_trace_pc() {
    const auto address = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    auto& place = reached[(address ^ address >> 18) % reached.size()];
    if (place.load(std::memory_order_relaxed)) return;
    place.store(1, std::memory_order_relaxed);
    count.fetch_add(1, std::memory_order_relaxed);
}

namespace tessera::fuzz {

std::size_t edges() { return count.load(std::memory_order_relaxed); }

bool reached_more_edges() {
    static std::size_t before = 0;
    const std::size_t now = edges();
    const bool more = now > before;
    before = now;
    return more;
}

}  // namespace tessera::fuzz
