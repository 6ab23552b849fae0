// SPDX-License-Identifier: Apache-2.0
#include "engine/threads/next_traces.hpp"

namespace tessera::engine {

using frontend::Source;

const units::Trace* NextTraces::behind(const units::Resolved& last, unsigned thread,
                                       const frontend::Expanders& front) const {
    if (!units::TraceCache::may_follow(last)) return nullptr;
    const Source source = front.source(state_);
    if (source == Source::other) return nullptr;
    return slots_.traces.behind(last, frontend::next_word(front, state_, thread, source), state_);
}

// From the FIFO, a trace handles at once what it can hold.
bool NextTraces::begin(const units::PlanRef& first, unsigned thread, const frontend::Expanders& front) const {
    if (!units::TraceCache::comes_often(*first)) return false;
    const Source source = front.source(state_);
    if (source == Source::other) return false;
    const std::size_t most =
        source == Source::fifo ? costs_.thread.fifo_words[thread] - 1u : units::TraceCache::most_steps;
    return slots_.traces.begin(first, state_, costs_, most);
}

}  // namespace tessera::engine
