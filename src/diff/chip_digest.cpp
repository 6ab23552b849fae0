// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>

#include "tessera/state_digest.hpp"
#include "util/xxh64.hpp"

namespace tessera {

namespace {

template <class... Values>
std::uint64_t hashed(std::uint64_t seed, Values... values) {
    std::array<std::byte, (sizeof(Values) + ...)> bytes;
    std::size_t at = 0;
    ((std::memcpy(bytes.data() + at, &values, sizeof values), at += sizeof values), ...);
    return util::xxh64(bytes, seed);
}

}  // namespace

std::uint64_t state_digest(const Chip& chip) {
    // A tile has its place in its NIUs, also after a reset.
    auto fresh = Chip::make(chip.arch(), chip.options());
    std::uint64_t sum = 0;
    for (std::uint32_t row = 0; row < chip.rows(); ++row)
        for (std::uint32_t column = 0; column < chip.columns(); ++column) {
            const Core* const tile = chip.used_tile(column, row);
            if (!tile) continue;
            const Core* const untouched = fresh ? fresh->tile(column, row).value_or(nullptr) : nullptr;
            const std::uint64_t digest = state_digest(*tile);
            if (!untouched || digest != state_digest(*untouched)) sum = hashed(sum, column, row, digest);
        }
    for (std::uint32_t channel = 0; channel < chip.dram_channels(); ++channel)
        for (const std::uint64_t at : chip.dram_blocks(channel).value_or(std::vector<std::uint64_t>{})) {
            const auto block = chip.read_dram(channel, at, Chip::dram_block_bytes);
            if (block) sum = util::xxh64(*block, hashed(sum, channel, at));
        }
    return sum;
}

}  // namespace tessera
