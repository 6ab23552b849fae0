// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tessera::engine {

/// A base of each part with state of its own: a snapshot keeps the `State`.
template <class State>
class Kept : protected State {
public:
    using State::State;
    const State& saved() const { return *this; }
    void restore(const State& saved) { static_cast<State&>(*this) = saved; }
};

}  // namespace tessera::engine
