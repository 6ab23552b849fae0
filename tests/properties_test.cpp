// SPDX-License-Identifier: Apache-2.0
// Properties of plans (docs/internals/plans.md) over every instruction of every unit. A plan run later writes
// the same. Its footprint is the difference of state. A kept slot equals a fresh plan. For hazards: a plan depends only
// on state that its resolve read.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstring>
#include <optional>
#include <set>
#include <string>

#include "plan/plan.hpp"
#include "state/inventory.hpp"
#include "support/random_state.hpp"
#include "units/resolve.hpp"
#include "units/slots.hpp"

namespace tessera {
namespace {

using plan::Storage;
using Element = std::pair<Storage, std::uint32_t>;

struct Subject {
    Arch arch;
    std::string_view instruction;
};

std::vector<Subject> subjects() {
    std::vector<Subject> all;
    std::set<std::pair<Arch, std::string_view>> seen;
    for (const auto& spec : isa::table)
        for (Arch arch : all_archs) {
            if (!isa::includes(spec.archs, arch) || !seen.insert({arch, spec.name}).second) continue;
            const auto decoded = isa::decode(std::uint32_t{spec.opcode} << 24, arch);
            if (units::has_behaviour(decoded.mnemonic)) all.push_back({arch, spec.name});
        }
    return all;
}

plan::Plan resolve(std::uint32_t word, unsigned thread, const state::State& state, units::Slots* slots = nullptr,
                   units::Recorder* recorder = nullptr, Timing timing = Timing::documented) {
    plan::Plan plan;
    const auto instruction = isa::decode(word, state.arch().arch);
    units::resolve(
        units::StateView(instruction, thread, state, units::costs(state.arch().arch, timing), slots, recorder), plan);
    return plan;
}

std::vector<Element> differences(const state::State& a, const state::State& b) {
    std::vector<Element> found;
    auto compare = [&](Storage storage, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i)
            if (state::read(a, storage, i) != state::read(b, storage, i)) found.push_back({storage, i});
    };
    compare(Storage::cell, state::cells::total);
    for (std::uint32_t at = 0; at < a.l1.bytes.size(); at += 1024) {
        const auto length = std::min<std::size_t>(1024, a.l1.bytes.size() - at);
        if (std::memcmp(&a.l1.bytes[at], &b.l1.bytes[at], length) == 0) continue;
        for (std::uint32_t i = at; i < at + length; ++i)
            if (a.l1.bytes[i] != b.l1.bytes[i]) found.push_back({Storage::l1, i});
    }
    compare(Storage::src_a, 2 * 1024);
    compare(Storage::src_b, 2 * 1024);
    compare(Storage::dst, 16 * 1024);
    compare(Storage::dst_valid, 1024);
    compare(Storage::lreg, 17 * 32);
    return found;
}

std::set<Element> elements(const plan::Footprint& footprint, bool write) {
    std::set<Element> all;
    for (const auto& access : footprint.accesses)
        if (access.write == write)
            for (std::uint32_t i = 0; i < access.count; ++i) all.insert({access.storage, access.first + i});
    return all;
}

std::string describe(const state::State& state, const Element& e) {
    return state::inventory(state.arch().arch).describe(e.first, e.second);
}

void forget_written_rows(state::State& state) {
    state.dst.written.reset();
    for (auto& banks : state.src)
        for (auto& bank : banks) bank.written = 0;
}

// Readers are told of rows that nothing has written. Of Dst, an invalid row counts as written: it reads as zero.
void expect_written_rows(const state::State& state, const std::set<Element>& writes) {
    constexpr unsigned bank_rows = state::SrcBank::rows;
    std::bitset<state::Dst::rows> dst;
    std::array<std::bitset<2 * bank_rows>, 2> src;
    for (const auto& [storage, element] : writes) {
        if (storage == Storage::dst) dst.set(element / state::columns);
        if (storage == Storage::dst_valid) dst.set(element);
        if (storage == Storage::src_a) src[0].set(element / state::columns);
        if (storage == Storage::src_b) src[1].set(element / state::columns);
    }
    EXPECT_EQ(state.dst.written, dst);
    for (unsigned which = 0; which < 2; ++which)
        for (unsigned row = 0; row < 2 * bank_rows; ++row)
            EXPECT_EQ(state.src[which][row / bank_rows].written >> row % bank_rows & 1, src[which][row]) << row;
}

constexpr int trials = 40;
constexpr int least_resolved = trials / 4;

class EveryInstruction : public testing::TestWithParam<Subject> {
protected:
    template <class F>
    void for_each_plan(F&& f) {
        test::Random random(20261120);
        int resolved = 0;
        for (int i = 0; i < trials; ++i) {
            const state::State state = test::random_state(GetParam().arch, random);
            const std::uint32_t word = test::random_word(GetParam().arch, GetParam().instruction, random);
            const unsigned thread = static_cast<unsigned>(random() % 3);
            units::Recorder recorder;
            const plan::Plan plan = resolve(word, thread, state, nullptr, &recorder);
            if (plan.fault) continue;
            ++resolved;
            f(state, plan, recorder.cells(), random);
            if (HasFatalFailure() || HasNonfatalFailure()) return;
        }
        EXPECT_GE(resolved, least_resolved) << "too few random words could be resolved to show anything";
    }
};

TEST_P(EveryInstruction, RunLaterWritesTheSame) {
    for_each_plan([&](const state::State& before, const plan::Plan& plan, const auto& captured, test::Random& random) {
        const auto footprint = plan::footprint(plan);
        const auto reads = elements(footprint, false), writes = elements(footprint, true);
        state::State now = before, later = before;
        for (const state::Cell cell : captured)
            if (!reads.count({Storage::cell, state::index(cell)}))
                later.write(cell, static_cast<std::uint32_t>(random()));
        plan::run_whole(plan, now);
        plan::run_whole(plan, later);
        for (const Element& e : writes)
            ASSERT_EQ(state::read(now, e.first, e.second), state::read(later, e.first, e.second)) << describe(now, e);
    });
}

TEST_P(EveryInstruction, FootprintIsTheDifference) {
    int exact = 0;
    for_each_plan([&](const state::State& before, const plan::Plan& plan, const auto&, test::Random&) {
        const auto footprint = plan::footprint(plan);
        exact += footprint.exact;
        // Upsampling and column shift can leave more holes than a footprint has room for; what a compressed stream
        // writes depends on datums (spec-notes E32), and LReg 7 can name the destination of each lane.
        const auto* lanes = std::get_if<plan::LaneWork>(&plan.work);
        ASSERT_TRUE(footprint.exact || std::holds_alternative<plan::UnpackStreamWork>(plan.work) ||
                    GetParam().instruction.starts_with("PACR") || (lanes && lanes->data_decides));
        const auto reads = elements(footprint, false), writes = elements(footprint, true);
        state::State after = before;
        forget_written_rows(after);
        plan::run_whole(plan, after);
        for (const Element& e : differences(before, after)) ASSERT_TRUE(writes.count(e)) << describe(before, e);
        if (!footprint.exact) return;
        expect_written_rows(after, writes);

        // A place that is written and not read is written for any old contents: start from another value than the
        // result.
        state::State other = before;
        std::set<Element> without_bits;  // configuration words of no field hold nothing (spec-notes H10)
        for (const Element& e : writes) {
            if (reads.count(e)) continue;
            const auto written = state::read(after, e.first, e.second);
            state::write(other, e.first, e.second, written ^ 1);
            if (state::read(other, e.first, e.second) != written) continue;
            state::write(other, e.first, e.second, ~written);
            if (state::read(other, e.first, e.second) == written) without_bits.insert(e);
        }
        state::State result = other;
        plan::run_whole(plan, result);
        const auto changed = differences(other, result);
        const std::set<Element> changed_set(changed.begin(), changed.end());
        for (const Element& e : writes) {
            if (reads.count(e) || without_bits.count(e)) continue;
            ASSERT_TRUE(changed_set.count(e)) << describe(before, e) << " is not written";
        }
    });
    EXPECT_GE(exact, least_resolved);
}

TEST_P(EveryInstruction, ReadsNothingElse) {
    for_each_plan([&](const state::State& before, const plan::Plan& plan, const auto&, test::Random& random) {
        const auto footprint = plan::footprint(plan);
        const auto reads = elements(footprint, false), writes = elements(footprint, true);
        state::State result = before, disturbed = before;
        plan::run_whole(plan, result);
        constexpr std::pair<Storage, std::uint32_t> storages[] = {{Storage::cell, state::cells::total},
                                                                  {Storage::l1, 1464 * 1024},
                                                                  {Storage::src_a, 2048},
                                                                  {Storage::src_b, 2048},
                                                                  {Storage::dst, 16384},
                                                                  {Storage::dst_valid, 1024}};
        for (const auto& [storage, size] : storages)
            for (int i = 0; i < 2000; ++i) {
                const Element e{storage, static_cast<std::uint32_t>(random() % size)};
                if (!reads.count(e) && !writes.count(e)) state::write(disturbed, e.first, e.second, random());
            }
        plan::run_whole(plan, disturbed);
        for (const Element& e : writes)
            ASSERT_EQ(state::read(result, e.first, e.second), state::read(disturbed, e.first, e.second))
                << describe(result, e);
    });
}

TEST_P(EveryInstruction, CapturesWhatItLooksAt) {
    for_each_plan([&](const state::State& before, const plan::Plan& plan, const auto& captured, test::Random& random) {
        std::set<state::Cell> looked_at(captured.begin(), captured.end());
        state::State other = before;
        for (unsigned i = 0; i < state::cells::total; ++i)
            if (!looked_at.count(state::Cell(i))) other.write(state::Cell(i), static_cast<std::uint32_t>(random()));
        plan::Plan again = resolve(plan.instruction.word, plan.thread, other);
        plan::Plan first = plan;
        again.findings.clear();  // some findings are about the instruction's surroundings, not its effects
        first.findings.clear();
        EXPECT_TRUE(first == again);
    });
}

TEST_P(EveryInstruction, KeptSlotEqualsFreshPlan) {
    test::Random random(7);
    for (int round = 0; round < 4; ++round) {
        state::State state = test::random_state(GetParam().arch, random);
        units::Slots slots;
        const std::uint32_t words[] = {test::random_word(GetParam().arch, GetParam().instruction, random),
                                       test::random_word(GetParam().arch, GetParam().instruction, random)};
        std::optional<state::SavedState> saved;
        for (int i = 0; i < 600; ++i) {
            // Other words are written then, as often as before.
            if (i % 100 == 0) saved.emplace(state.save());
            if (i % 100 == 50) state.restore(*saved);
            // One bit of one word changes, as often in configuration as elsewhere; then the same words come again.
            const bool configuration = random() & 1;
            const auto& block = configuration ? state::cells::config_block : state::cells::thread_config_block;
            const state::Cell cell = block[static_cast<unsigned>(random() % block.count)];
            if (i % 3 == 0) state.write(cell, state[cell] ^ 1u << random() % (configuration ? 32 : 16));
            for (const std::uint32_t word : words) {
                const unsigned thread = static_cast<unsigned>(random() % 3);
                ASSERT_TRUE(resolve(word, thread, state, &slots) == resolve(word, thread, state))
                    << "after " << state::inventory(GetParam().arch).describe(Storage::cell, state::index(cell));
            }
        }
    }
}

// One bit changes, of the cells that a resolve looks at as often as of others; then the same words come again.
TEST_P(EveryInstruction, KeptPlanEqualsFreshPlan) {
    test::Random random(8);
    for (int round = 0; round < 2; ++round) {
        state::State state = test::random_state(GetParam().arch, random);
        const auto& costs = units::costs(GetParam().arch, Timing::documented);
        units::Slots slots;
        const std::uint32_t words[] = {test::random_word(GetParam().arch, GetParam().instruction, random),
                                       test::random_word(GetParam().arch, GetParam().instruction, random)};
        std::vector<state::Cell> looked_at;
        for (const std::uint32_t word : words)
            for (unsigned thread = 0; thread < 3; ++thread) {
                units::Recorder recorder;
                resolve(word, thread, state, nullptr, &recorder);
                looked_at.insert(looked_at.end(), recorder.cells().begin(), recorder.cells().end());
            }
        std::vector<std::pair<state::Cell, std::uint32_t>> before;
        std::optional<state::SavedState> saved;
        for (int i = 0; i < 250; ++i) {
            if (i % 50 == 0) saved.emplace(state.save());
            if (i % 50 == 25) {
                state.restore(*saved);
                before.clear();
            }
            const bool own = !looked_at.empty() && random() % 2;
            const auto cell = own ? looked_at[random() % looked_at.size()]
                                  : state::Cell(static_cast<unsigned>(random() % state::cells::total));
            // Half of the time it is what it was before.
            if (!before.empty() && random() % 2) {
                state.write(before.back().first, before.back().second);
                before.pop_back();
            } else {
                before.emplace_back(cell, state[cell]);
                state.write(cell, state[cell] ^ 1u << random() % 32);
            }
            for (const std::uint32_t word : words) {
                const unsigned thread = static_cast<unsigned>(random() % 3);
                const auto instruction = isa::decode(word, GetParam().arch);
                const units::PlanRef kept = slots.plans.resolve(instruction, thread, state, costs, slots).clone();
                ASSERT_TRUE(kept->plan == resolve(word, thread, state)) << "change " << i;
                plan::Footprint work;
                work.rows_suffice = true;
                plan::footprint_of_work(kept->plan, work);
                ASSERT_TRUE(std::is_permutation(kept->work().accesses.begin(), kept->work().accesses.end(),
                                                work.accesses.begin(), work.accesses.end()));
                for (const plan::Access& access : kept->work().ordered())
                    ASSERT_NE(access.storage, plan::Storage::cell);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Units, EveryInstruction, testing::ValuesIn(subjects()), [](const auto& subject) {
    return std::string(name(subject.param.arch)) + "_" + std::string(subject.param.instruction);
});

}  // namespace
}  // namespace tessera
