// SPDX-License-Identifier: Apache-2.0
#include "tessera/state_digest.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <vector>

#include "diff/state_diff.hpp"
#include "util/xxh64.hpp"

namespace tessera {

namespace {

static_assert(std::endian::native == std::endian::little, "values are hashed as they are kept");

constexpr std::size_t block_bytes = 64 * 1024;

bool all_zero(std::span<const std::byte> bytes) {
    return bytes.front() == std::byte{0} && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

std::vector<std::byte> bytes_of(const Core& core, const Section& section) {
    const auto values = diff::compared_values(core, section);
    if (section.bits != 8) {
        const auto bytes = std::as_bytes(std::span(values));
        return {bytes.begin(), bytes.end()};
    }
    std::vector<std::byte> bytes(values.size());
    std::transform(values.begin(), values.end(), bytes.begin(),
                   [](std::uint32_t value) { return static_cast<std::byte>(value); });
    return bytes;
}

class Sum {
public:
    void add(const Section& section, std::size_t block, std::span<const std::byte> bytes) {
        if (all_zero(bytes)) return;
        value_ = util::xxh64(std::as_bytes(std::span(section.name)), value_ + block);
        value_ = util::xxh64(bytes, value_);
    }
    std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0;
};

}  // namespace

std::uint64_t state_digest(const Core& core) {
    Sum sum;
    for (const Section& section : core.sections()) {
        if (!diff::is_compared(section)) continue;
        if (section.name == "l1") {
            for (std::size_t at = 0; at < section.size; at += block_bytes)
                sum.add(section, at / block_bytes, core.read_l1(at, std::min(block_bytes, section.size - at)).value());
            continue;
        }
        const auto bytes = bytes_of(core, section);
        for (std::size_t at = 0; at < bytes.size(); at += block_bytes)
            sum.add(section, at / block_bytes, std::span(bytes).subspan(at, std::min(block_bytes, bytes.size() - at)));
    }
    return sum.value();
}

}  // namespace tessera
