// SPDX-License-Identifier: Apache-2.0
// Long operations end when their interrupt returns true: ArrayOptions, ConvertOptions, ViewerOptions.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>

#include "tessera/arrays.hpp"
#include "tessera/viewer.hpp"

namespace tessera {
namespace {

Matrix ones(std::size_t rows, std::size_t cols) { return {rows, cols, std::vector<float>(rows * cols, 1.0f)}; }

/// Of each function: whether it has a result, under that interrupt.
using Call = std::function<Result<void>(const Interrupt&)>;

template <class T>
Result<void> ended(const Result<T>& result) {
    if (!result) return tl::make_unexpected(result.error());
    return {};
}

const std::map<std::string, Call>& calls() {
    static const auto options = [](const Interrupt& interrupt) {
        ArrayOptions all;
        all.interrupt = interrupt;
        return all;
    };
    static const auto conversion = [](const Interrupt& interrupt) {
        ConvertOptions all;
        all.interrupt = interrupt;
        return all;
    };
    static const std::map<std::string, Call> all{
        {"matmul", [](const Interrupt& i) { return ended(matmul(ones(96, 96), ones(96, 96), options(i))); }},
        {"elwadd", [](const Interrupt& i) { return ended(elwadd(ones(96, 96), ones(96, 96), options(i))); }},
        {"elwsub", [](const Interrupt& i) { return ended(elwsub(ones(96, 96), ones(96, 1), options(i))); }},
        {"elwmul", [](const Interrupt& i) { return ended(elwmul(ones(96, 96), ones(1, 96), options(i))); }},
        {"gapool", [](const Interrupt& i) { return ended(gapool(ones(96, 96), ones(1, 96), options(i))); }},
        {"gmpool", [](const Interrupt& i) { return ended(gmpool(ones(96, 96), false, options(i))); }},
        {"gmpool, arg_max", [](const Interrupt& i) { return ended(gmpool(ones(96, 96), true, options(i))); }},
        {"convert", [](const Interrupt& i) { return ended(convert(ones(96, 96), conversion(i))); }},
        {"pack_tiles", [](const Interrupt& i) { return ended(pack_tiles(ones(96, 96), conversion(i))); }},
        {"unpack_tiles",
         [](const Interrupt& i) {
             const std::vector<std::byte> bytes(std::size_t{96} * 96 * 2);
             return ended(unpack_tiles(bytes, 96, 96, DataFormat::Float16_b, DataFormat::Tf32, Arch::blackhole, i));
         }},
    };
    return all;
}

TEST(InterruptedCalls, EveryFunctionOverArraysAsksAgainAndAgainAndEnds) {
    for (const auto& [name, call] : calls()) {
        std::size_t asked = 0;
        ASSERT_TRUE(call([&] { return ++asked, false; })) << name;
        EXPECT_GE(asked, 3u) << name;
        for (std::size_t last = 1; last <= asked; ++last) {
            std::size_t count = 0;
            const auto result = call([&] { return ++count == last; });
            ASSERT_FALSE(result) << name << ", " << last;
            EXPECT_EQ(result.error().code, "arrays.interrupted");
            EXPECT_EQ(count, last) << name;
        }
    }
}

TEST(InterruptedCalls, AViewersPageIsNotMade) {
    const auto job = load_job(TESSERA_SOURCE_DIR "/examples/seeds/7.3-through-the-packer.toml").value();
    std::size_t asked = 0;
    ViewerOptions options;
    options.interrupt = [&] { return ++asked, false; };
    const auto page = view(job, options);
    ASSERT_TRUE(page) << page.error().describe();
    EXPECT_EQ(page->html, view(job)->html);
    ASSERT_GT(asked, 5u);
    for (std::size_t last = 1; last <= asked; ++last) {
        std::size_t count = 0;
        options.interrupt = [&] { return ++count == last; };
        const auto refused = view(job, options);
        ASSERT_FALSE(refused) << last;
        EXPECT_EQ(refused.error().code, "viewer.interrupted");
        EXPECT_EQ(count, last);
    }
}

}  // namespace
}  // namespace tessera
