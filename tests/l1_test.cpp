// SPDX-License-Identifier: Apache-2.0
// Save and restore of L1: no byte stored in between is lost, by whichever way it was stored.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "plan/plan.hpp"
#include "state/inventory.hpp"
#include "support/random_state.hpp"
#include "tessera/assembly.hpp"
#include "tessera/execution.hpp"
#include "units/resolve.hpp"

namespace tessera {
namespace {

using state::L1;
using test::Random;

constexpr std::uint32_t size = 40 * L1::page_bytes;
constexpr unsigned lines = size / L1::line_bytes;

std::uint32_t below(Random& random, std::size_t limit) { return static_cast<std::uint32_t>(random() % limit); }

/// Expected contents of L1.
struct Model {
    std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(size);
    std::vector<bool> written = std::vector<bool>(lines);

    void mark(std::uint32_t address, std::uint32_t length) {
        for (std::uint32_t at = address; at < address + length; ++at) written[at / L1::line_bytes] = true;
    }
};

testing::AssertionResult agree(const L1& l1, const Model& model) {
    const auto differ = std::mismatch(model.bytes.begin(), model.bytes.end(), l1.bytes.begin());
    if (differ.first != model.bytes.end())
        return testing::AssertionFailure() << "byte " << differ.first - model.bytes.begin();
    const auto words = l1.written();
    for (unsigned line = 0; line < lines; ++line) {
        const bool written = words[line / 64] >> line % 64 & 1;
        if (written != model.written[line] || written != l1.all_written(line * L1::line_bytes, 1))
            return testing::AssertionFailure() << "whether line " << line << " has been written";
    }
    return testing::AssertionSuccess();
}

/// An L1, and what it is to hold. Bytes are small, so that they often become what they were, and zeros again.
class Memory {
public:
    void store(Random& random, bool may_open) {
        const std::uint32_t address = below(random, size);
        const std::uint32_t line = address / L1::line_bytes * L1::line_bytes;
        switch (below(random, may_open ? 6 : 5)) {
            case 0: {
                const auto length = std::min(below(random, 3 * L1::page_bytes), size - address);
                put(l1.write(address, length), address, length, random);
                model.mark(address, length);
                break;
            }
            case 1:
                put(l1.write_in_line(address), address, line + L1::line_bytes - address, random);
                model.mark(address, 1);
                break;
            case 2: {
                const std::uint32_t n = std::min(1 + below(random, 64), (size - line) / L1::line_bytes);
                put(l1.write_lines(line, n), line, n * L1::line_bytes, random);
                model.mark(line, n * L1::line_bytes);
                break;
            }
            case 3:
                l1.mark_written(address, 1);
                model.mark(address, 1);
                break;
            case 4: {
                const auto length = std::min<std::uint32_t>(L1::page_bytes, size - address);
                std::fill_n(l1.write(address, length), length, 0);
                std::fill_n(&model.bytes[address], length, 0);
                model.mark(address, length);
                break;
            }
            default: put(&l1.open()[address], address, 1, random);
        }
    }

    L1 l1{size};
    Model model;

private:
    void put(std::uint8_t* where, std::uint32_t address, std::uint32_t length, Random& random) {
        for (std::uint32_t i = 0; i < length; ++i)
            where[i] = model.bytes[address + i] = static_cast<std::uint8_t>(below(random, 3));
    }
};

class L1Saved : public testing::TestWithParam<bool> {};

// Three memories that are written, set aside, brought back, also to what another one held, and copied.
TEST_P(L1Saved, IsWhatItWas) {
    Random random(20261121);
    std::vector<Memory> memories(3);
    struct Kept {
        L1::Saved saved;
        Model model;
    };
    std::vector<Kept> kept;
    const auto any = [&]() -> Memory& { return memories[below(random, memories.size())]; };
    for (unsigned i = 0; i < 3000; ++i) {
        SCOPED_TRACE(i);
        Memory& one = any();
        const std::uint8_t* const place = one.l1.bytes.data();
        switch (below(random, 9)) {
            case 0:
                if (kept.size() == 20) kept.erase(kept.begin() + below(random, kept.size()));
                kept.push_back({one.l1.save(), one.model});
                break;
            case 1:
            case 2: {
                if (kept.empty()) break;
                const Kept& from = kept[below(random, kept.size())];
                one.l1.restore(from.saved);
                one.model = from.model;
                break;
            }
            case 3: {
                const Memory& from = any();
                one.l1 = from.l1;
                one.model = from.model;
                break;
            }
            case 4: {
                const L1 copy(one.l1);
                ASSERT_TRUE(agree(copy, one.model));
                break;
            }
            case 5:
                one.l1.reset();
                one.model = {};
                break;
            default: one.store(random, GetParam());
        }
        ASSERT_EQ(one.l1.bytes.data(), place);
        ASSERT_TRUE(agree(one.l1, one.model));
    }
}

TEST(L1, ARangeIsWrittenIfEachOfItsLinesIs) {
    Random random(4);
    for (unsigned i = 0; i < 500; ++i) {
        L1 l1(size);
        const std::uint32_t first = below(random, size / 2), length = 1 + below(random, 5 * 1024);
        l1.mark_written(first, length);
        const std::uint32_t from = first / L1::line_bytes * L1::line_bytes,
                            to = (first + length + L1::line_bytes - 1) / L1::line_bytes * L1::line_bytes;
        const std::uint32_t begin = from + below(random, to - from), bytes = 1 + below(random, to - begin);
        EXPECT_TRUE(l1.all_written(from, to - from));
        EXPECT_TRUE(l1.all_written(begin, bytes)) << begin << " " << bytes;
        EXPECT_TRUE(l1.all_written(to, 0));
        EXPECT_FALSE(l1.all_written(begin, to - begin + 1));
        if (from > 0) {
            EXPECT_FALSE(l1.all_written(from - 1, 1 + begin - from + bytes));
        }
    }
}

TEST(L1, PagesThatNobodyHasWrittenAreShared) {
    L1 l1(size);
    *l1.write(3 * L1::page_bytes, 1) = 1;
    *l1.write(5 * L1::page_bytes, 1) = 0;
    const L1::Saved first = l1.save();
    *l1.write(7 * L1::page_bytes + 5, 1) = 1;
    const L1::Saved second = l1.save();
    for (std::size_t page = 0; page < first.pages.size(); ++page) {
        EXPECT_EQ(first.pages[page] != nullptr, page == 3) << page;
        EXPECT_EQ(second.pages[page] != first.pages[page], page == 7) << page;
    }
}

INSTANTIATE_TEST_SUITE_P(Opened, L1Saved, testing::Bool());

class SavedState : public testing::TestWithParam<Arch> {};

TEST_P(SavedState, IsGoneBackToBehindEveryInstructionThatWritesL1) {
    Random random(7);
    std::vector<state::State> states;
    for (unsigned i = 0; i < 6; ++i) {
        const state::State from = test::random_state(GetParam(), random);
        state::State& made = states.emplace_back(GetParam());
        made.StateBesideL1::operator=(from);
        std::copy(from.l1.bytes.begin(), from.l1.bytes.end(),
                  made.l1.write(0, static_cast<std::uint32_t>(from.l1.bytes.size())));
    }
    std::set<std::string_view> writers;
    for (const auto& spec : isa::table) {
        if (!isa::includes(spec.archs, GetParam())) continue;
        for (state::State& state : states) {
            const auto instruction = isa::decode(test::random_word(GetParam(), spec.name, random), GetParam());
            if (!units::has_behaviour(instruction.mnemonic)) break;
            plan::Plan plan;
            units::resolve(
                units::StateView(instruction, 0, state, units::costs(GetParam(), Timing::documented), nullptr), plan);
            if (plan.fault) continue;
            const auto before = state.save();
            const std::vector<std::uint8_t> l1(state.l1.bytes.begin(), state.l1.bytes.end());
            plan::run_whole(plan, state);
            if (!std::equal(l1.begin(), l1.end(), state.l1.bytes.begin())) writers.insert(spec.name);
            state.restore(before);
            ASSERT_TRUE(std::equal(l1.begin(), l1.end(), state.l1.bytes.begin())) << spec.name;
        }
    }
    for (const char* name : {"PACR", "STOREIND", "ATINCGET", "ATSWAP", "XMOV"})
        EXPECT_TRUE(writers.count(name)) << name << " wrote nothing";
}

// Stored from outside, with a span that was there before the snapshot, too.
TEST_P(SavedState, IsGoneBackToBehindWhatUsersStore) {
    Core core(GetParam());
    const auto l1 = core.l1();
    const auto program = assemble("NOP\nNOP\n", GetParam());
    auto run = Execution::begin(core, *program).value();
    const auto empty = run.snapshot();
    const std::vector<std::byte> some(5000, std::byte{7});
    ASSERT_TRUE(core.write_l1(0x3000, some));
    l1[0x8001] = 8;
    core.write(**core.find_section("l1"), 0xC002, 9);
    const std::vector<std::uint8_t> stored(l1.begin(), l1.end());
    const auto full = run.snapshot();
    l1[0x8001] = 1;
    l1[l1.size() - 1] = 1;
    for (const auto* each : {&full, &empty, &full}) {
        ASSERT_TRUE(run.restore(*each));
        EXPECT_EQ(std::equal(stored.begin(), stored.end(), l1.begin()), each == &full);
        EXPECT_EQ(std::count(l1.begin(), l1.end(), 0),
                  static_cast<std::ptrdiff_t>(l1.size()) - (each == &full ? 5002 : 0));
    }
    Core other(GetParam());
    other.l1()[0x8001] = 3;
    const auto elsewhere = Execution::begin(other, full);
    ASSERT_TRUE(elsewhere);
    EXPECT_TRUE(std::equal(stored.begin(), stored.end(), other.l1().begin()));
}

INSTANTIATE_TEST_SUITE_P(Archs, SavedState, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera
