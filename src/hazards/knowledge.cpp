// SPDX-License-Identifier: Apache-2.0
#include "hazards/knowledge.hpp"

namespace tessera::hazards {

namespace {

// Of memory that does not overlap, and whole vectors of it: so that the compiler takes several at once.
template <std::size_t N>
std::uint32_t raise_to(std::uint32_t* __restrict mine, const std::uint32_t* __restrict theirs) {
    std::uint32_t news = 0;
    for (std::size_t i = 0; i < N; ++i) {
        const std::uint32_t most = std::max(mine[i], theirs[i]);
        news |= most ^ mine[i];
        mine[i] = most;
    }
    return news;
}

}  // namespace

bool Knowledge::join(const Knowledge& other) {
    return this != &other && raise_to<count>(numbers_.data(), other.numbers_.data()) != 0;
}

}  // namespace tessera::hazards
