// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "hazards/vector_clock.hpp"

namespace tessera::hazards {

/// A synchronisation object (semaphore, mutex, word of a device or of L1): a release joins the caller's knowledge into it, an acquire joins it
/// into the caller's. Knowledge only grows, so a listener acquires again only after a release that told anything new.
template <class Clock, unsigned listeners>
class Flag {
public:
    const Clock& known() const { return known_; }
    void release(const Clock& what) { version_ += learn(known_, what); }
    /// Whether it knows more than when the listener last asked.
    bool has_news_for(unsigned listener) { return std::exchange(seen_[listener], version_) != version_; }

private:
    Clock known_{};
    std::uint32_t version_ = 0;  ///< counts changes of `known_`
    std::array<std::uint32_t, listeners> seen_{};
};

/// Its listeners: threads, and cores behind them.
using Channel = Flag<VectorClock, state::threads + riscv_cores>;

/// Those of words of devices.
class WordChannels {
public:
    Channel& operator[](std::uint32_t word) {
        for (Word& one : words_)
            if (one.word == word) return one.channel;
        words_.push_back({word, {}});
        return words_.back().channel;
    }

private:
    struct Word {
        std::uint32_t word = 0;
        Channel channel;
    };

    std::vector<Word> words_;  ///< few, so searched linearly
};

}  // namespace tessera::hazards
