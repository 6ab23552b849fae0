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
bool exceeds(const std::uint32_t* a, const std::uint32_t* b) {
    std::uint32_t more = 0;
    for (std::size_t i = 0; i < N; ++i) more |= static_cast<std::int32_t>(b[i] - a[i]) < 0;
    return more;
}

}  // namespace

bool VectorClock::join(const VectorClock& other) {
    return this != &other && raise_to<count>(numbers_.data(), other.numbers_.data()) != 0;
}

// Most often it is the accesses that tell clocks apart.
bool VectorClock::is_within(const VectorClock& other) const {
    return !exceeds<riscv_cores>(accesses(), other.accesses()) && !exceeds<accesses_at>(numbers_.data(), other.numbers_.data());
}

}  // namespace tessera::hazards
