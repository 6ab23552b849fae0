// SPDX-License-Identifier: Apache-2.0
// After the specification of xxHash (doc/xxhash_spec.md of its repository, "XXH64 Algorithm Description").
#include "util/xxh64.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace tessera::util {

namespace {

constexpr std::uint64_t prime1 = 0x9E3779B185EBCA87, prime2 = 0xC2B2AE3D27D4EB4F, prime3 = 0x165667B19E3779F9,
                        prime4 = 0x85EBCA77C2B2AE63, prime5 = 0x27D4EB2F165667C5;
constexpr std::size_t lanes = 4, lane_bytes = 8, stripe_bytes = lanes * lane_bytes;

static_assert(std::endian::native == std::endian::little, "XXH64 reads little-endian words");

template <class Word>
Word load(const std::byte* from) {
    Word word;
    std::memcpy(&word, from, sizeof word);
    return word;
}

std::uint64_t round(std::uint64_t sum, std::uint64_t lane) { return std::rotl(sum + lane * prime2, 31) * prime1; }

std::uint64_t merge(std::uint64_t sum, std::uint64_t lane) { return (sum ^ round(0, lane)) * prime1 + prime4; }

}  // namespace

std::uint64_t xxh64(std::span<const std::byte> bytes, std::uint64_t seed) {
    const std::uint64_t length = bytes.size();
    const std::byte* at = bytes.data();
    std::size_t left = bytes.size();
    std::uint64_t sum = seed + prime5;
    if (left >= stripe_bytes) {
        std::array<std::uint64_t, lanes> sums = {seed + prime1 + prime2, seed + prime2, seed, seed - prime1};
        for (; left >= stripe_bytes; at += stripe_bytes, left -= stripe_bytes)
            for (std::size_t i = 0; i < lanes; ++i) sums[i] = round(sums[i], load<std::uint64_t>(at + i * lane_bytes));
        sum = std::rotl(sums[0], 1) + std::rotl(sums[1], 7) + std::rotl(sums[2], 12) + std::rotl(sums[3], 18);
        for (const std::uint64_t lane : sums) sum = merge(sum, lane);
    }
    sum += length;
    for (; left >= lane_bytes; at += lane_bytes, left -= lane_bytes)
        sum = std::rotl(sum ^ round(0, load<std::uint64_t>(at)), 27) * prime1 + prime4;
    if (left >= 4) {
        sum = std::rotl(sum ^ load<std::uint32_t>(at) * prime1, 23) * prime2 + prime3;
        at += 4;
        left -= 4;
    }
    for (; left > 0; ++at, --left) sum = std::rotl(sum ^ std::to_integer<std::uint64_t>(*at) * prime5, 11) * prime1;
    sum = (sum ^ sum >> 33) * prime2;
    sum = (sum ^ sum >> 29) * prime3;
    return sum ^ sum >> 32;
}

}  // namespace tessera::util
