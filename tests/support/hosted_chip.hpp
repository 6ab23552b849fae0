// SPDX-License-Identifier: Apache-2.0
// A chip that a test drives as a host does.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <span>

#include "support/chip_kernels.hpp"
#include "tessera/hosted_chip.hpp"

namespace tessera::test {

inline constexpr std::uint32_t soft_reset = 0xFFB1'21B0, all_in_reset = 0x4'7800, b_runs = 0x4'7000;
inline constexpr std::uint32_t flag = 0x6000, answer = 0x6010, data = 0x7000;
inline constexpr NocPlace first{1, 2}, second{3, 4};

class HostedChipTest : public testing::TestWithParam<Arch> {
protected:
    void SetUp() override { power_on(); }
    void power_on(const HostedChipOptions& options = {}) {
        auto made = HostedChip::make(GetParam(), options);
        ASSERT_TRUE(made) << made.error().describe();
        chip.emplace(std::move(*made));
    }
    void write(NocPlace place, std::uint64_t address, std::uint32_t value) {
        const auto done = chip->write(place, address, std::as_bytes(std::span(&value, 1)));
        EXPECT_TRUE(done) << done.error().describe();
    }
    std::uint32_t read(NocPlace place, std::uint64_t address) {
        std::uint32_t value = 0;
        const auto done = chip->read(place, address, std::as_writable_bytes(std::span(&value, 1)));
        EXPECT_TRUE(done) << done.error().describe();
        return value;
    }
    /// Of NIU 0.
    std::uint32_t counter(NocPlace place, noc::Counter which) {
        return read(place, KernelWords::niu(0) + noc::offset::counters_begin + 4 * static_cast<std::uint32_t>(which));
    }
    void place_code(NocPlace place, KernelWords words, std::uint32_t address = 0) {
        words.code.push_back(rv::halt);
        EXPECT_TRUE(chip->write(place, address, std::as_bytes(std::span(words.code))));
    }
    void start(NocPlace place, KernelWords words) {
        place_code(place, std::move(words));
        write(place, soft_reset, b_runs);
    }
    KernelWords words() const { return KernelWords(GetParam()); }
    /// Waits until `flag` has counted up, and answers, for each value up to `last`.
    KernelWords echo(unsigned last) const {
        auto code = words();
        for (unsigned i = 1; i <= last; ++i) {
            code.wait_for(flag, i);
            code.poke(answer, i);
        }
        return code;
    }
    /// `first` is reset and executes other code.
    void expect_restart() {
        write(first, soft_reset, all_in_reset);
        auto other = words();
        other.poke(answer, 2);
        start(first, other);
        chip->clock(1000);
        EXPECT_EQ(read(first, answer), 2u);
    }

    std::optional<HostedChip> chip;
};

}  // namespace tessera::test
