// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "hazards/vector_clock.hpp"

namespace tessera::hazards {

/// A synchronisation object (semaphore, mutex, word): a release joins the caller's vector clock into it, an acquire
/// joins it into the caller's. Clocks only grow, so an acquirer joins again only after a new release.
class Channel {
public:
    void release(const VectorClock& what) { version_ += known_.join(what); }
    const VectorClock& known() const { return known_; }
    /// The thread, or core, acquires the current clock: it joins known(). False: it has done so before.
    bool try_acquire(unsigned thread) { return catch_up(thread); }
    bool try_acquire_by_core(unsigned core) { return catch_up(state::threads + core); }

private:
    bool catch_up(unsigned listener) {
        if (acquired_[listener] == version_) return false;
        acquired_[listener] = version_;
        return true;
    }

    VectorClock known_{};
    std::uint32_t version_ = 0;
    std::array<std::uint32_t, state::threads + riscv_cores> acquired_{};
};

}  // namespace tessera::hazards
