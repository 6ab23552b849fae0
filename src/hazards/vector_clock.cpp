// SPDX-License-Identifier: Apache-2.0
#include "hazards/vector_clock.hpp"

namespace tessera::hazards {

namespace {

// `__restrict` and signed differences let compilers vectorise this. No counter reaches 2^31.
template <std::size_t N>
std::uint32_t raise_to(std::uint32_t* __restrict mine, const std::uint32_t* __restrict theirs) {
    std::uint32_t news = 0;
    for (std::size_t i = 0; i < N; ++i) {
        const std::int32_t ahead = static_cast<std::int32_t>(theirs[i] - mine[i]);
        const std::uint32_t more = ahead > 0 ? static_cast<std::uint32_t>(ahead) : 0;
        news |= more;
        mine[i] += more;
    }
    return news;
}

template <std::size_t N>
News differences(const std::uint32_t* here, const std::uint32_t* there) {
    std::int32_t more = 0, less = 0;
    for (std::size_t i = 0; i < N; ++i) {
        const auto ahead = static_cast<std::int32_t>(here[i] - there[i]);
        less |= ahead;
        more |= -ahead;
    }
    return {more < 0, less < 0};
}

}  // namespace

bool VectorClock::join(const VectorClock& other) {
    return this != &other && raise_to<count>(numbers_.data(), other.numbers_.data()) != 0;
}

News VectorClock::news(const VectorClock& other) const {
    return differences<count>(numbers_.data(), other.numbers_.data());
}

}  // namespace tessera::hazards
