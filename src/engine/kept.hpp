// SPDX-License-Identifier: Apache-2.0
// Snapshots keep of a part, or of a value that parts share, its saved() if it has that, or else all of it.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

namespace tessera::engine {

/// A base of each part with state of its own: a snapshot keeps the `State`.
template <class State>
class Kept : protected State {
public:
    using State::State;
    const State& saved() const { return *this; }
    void restore(const State& saved) { static_cast<State&>(*this) = saved; }
};

template <class Part>
decltype(auto) state_of(const Part& part) {
    if constexpr (requires { part.saved(); })
        return part.saved();
    else
        return (part);
}

template <class... Part>
auto states_of(const std::tuple<const Part&...>& parts) {
    const auto copy = [](const Part&... part) {
        return std::tuple<std::decay_t<decltype(state_of(part))>...>(state_of(part)...);
    };
    return std::apply(copy, parts);
}

/// The part is as it was.
template <class Part, class State>
void restore(Part& part, const State& state) {
    if constexpr (requires { part.restore(state); })
        part.restore(state);
    else
        part = state;
}

/// The same of all of them.
template <class... Part, class... State>
void restore_all(const std::tuple<Part&...>& parts, const std::tuple<State...>& states) {
    const auto each = [&]<std::size_t... i>(std::index_sequence<i...>) {
        (restore(std::get<i>(parts), std::get<i>(states)), ...);
    };
    each(std::index_sequence_for<Part...>());
}

}  // namespace tessera::engine
