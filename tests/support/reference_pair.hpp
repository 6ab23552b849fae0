// SPDX-License-Identifier: Apache-2.0
// Two states with equal contents: one for the units, one for the reference, compared after each instruction. The states
// are reused, because a State is large; a difference is reported and then removed.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>

#include "plan/plan.hpp"
#include "reference/machine.hpp"
#include "state/inventory.hpp"
#include "state/packer_remains.hpp"
#include "units/resolve.hpp"
#include "units/slots.hpp"

namespace tessera::test {

using ReferenceFunction = reference::Outcome (*)(state::State&, unsigned, std::uint32_t);

/// A source of random choices, repeatable.
class Choice {
public:
    explicit Choice(std::uint64_t seed) : engine_(seed) {}
    std::uint32_t word() { return static_cast<std::uint32_t>(engine_()); }
    /// 0 <= result < n
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(engine_() % n); }
    std::uint32_t between(std::uint32_t low, std::uint32_t high) { return low + below(high - low + 1); }
    bool one_in(std::uint32_t n) { return below(n) == 0; }
    std::uint32_t of(std::initializer_list<std::uint32_t> list) {
        return list.begin()[below(static_cast<std::uint32_t>(list.size()))];
    }

private:
    std::mt19937_64 engine_;
};

class ReferencePair {
public:
    ReferencePair(Arch arch, std::uint64_t seed) : choice(seed), units_(arch), reference_(arch) {}

    Choice choice;

    const state::State& state() const { return units_; }
    const state::ArchDescription& arch() const { return units_.arch(); }
    bool blackhole() const { return arch().arch == Arch::blackhole; }
    std::uint32_t operator[](state::Cell cell) const { return units_[cell]; }

    void write(state::Cell cell, std::uint32_t value) {
        units_.write(cell, value);
        reference_.write(cell, value);
    }
    /// A configuration field as `thread` sees it.
    void write(unsigned thread, const registers::Field& field, std::uint32_t value) {
        const auto& at = field[arch().arch];
        if (!at.present()) return;
        const state::Cell cell = field.space == registers::Space::thread
                                     ? state::cells::thread_config(thread, at.addr32)
                                     : state::cells::config(arch(), units_.config_bank(thread), at.addr32);
        write(cell, at.insert(units_[cell], value));
    }
    void write(state::Storage storage, std::uint32_t element, std::uint64_t value) {
        state::write(units_, storage, element, value);
        state::write(reference_, storage, element, value);
    }
    void write_l1(std::uint32_t address, const void* bytes, std::size_t n) {
        for (auto* state : {&units_, &reference_}) std::memcpy(&state->l1.open()[address], bytes, n);
    }

    /// Random words for all configuration, which the generators then make valid.
    void randomise_configuration() {
        for (unsigned i = 0; i < 2 * arch().config_words; ++i)
            write(state::cells::config(arch(), i / arch().config_words, i % arch().config_words), choice.word());
        for (unsigned t = 0; t < state::threads; ++t)
            for (unsigned i = 0; i < arch().thread_config_words; ++i)
                write(state::cells::thread_config(t, i), choice.word() & 0xFFFF);
    }
    /// A few words of it, and how Dst is seen.
    void stir_configuration() {
        write(state::cells::feature_disable, choice.one_in(8) ? state::cells::upper_dst : 0);
        for (unsigned n = 0; n < 4; ++n) {
            write(state::cells::config(arch(), choice.below(2), choice.below(arch().config_words)), choice.word());
            write(state::cells::thread_config(choice.below(3), choice.below(arch().thread_config_words)),
                  choice.word() & 0xFFFF);
        }
    }

    /// Runs the word on both and compares. `whole_l1` also compares L1 outside of what the plan's footprint names. Of faults,
    /// which cost a copy of the state, one in `faults_compared` is.
    void run(unsigned thread, std::uint32_t word, ReferenceFunction function, bool whole_l1,
             unsigned faults_compared = 8) {
        ++cases;
        const auto instruction = isa::decode(word, arch().arch);
        const auto& costs = units::costs(arch().arch, Timing::documented);
        plan::Plan kept;
        plan::Plan& plan = last_plan_ = {};
        units::resolve(units::StateView(instruction, thread, units_, costs, nullptr), plan);
        units::resolve(units::StateView(instruction, thread, units_, costs, slots_.get()), kept);
        if (!(plan == kept)) report(thread, word, "the plan from kept slots differs from a fresh one");
        if (plan.fault) {
            // A fault other than a missing mode says that no result exists; the reference must agree.
            if (plan.fault->id == findings::id("not-implemented")) return void(++not_implemented);
            ++faults;
            // A bound may lie outside of L1 where the result does not.
            if (faults % faults_compared != 0 || plan.fault->id == findings::id("pack.compressed-reach")) return;
            if (function(reference_, thread, word) == reference::Outcome::done)
                report(thread, word,
                       fmt::format("fault {} where the reference has a result",
                                   findings::catalogue[plan.fault->id.index].code));
            return level_all_but_l1();
        }
        ++executed;
        plan::run_whole(plan, units_);
        const auto outcome = function(reference_, thread, word);
        if (outcome != reference::Outcome::done) {
            report(thread, word,
                   outcome == reference::Outcome::undefined ? "the reference calls it undefined"
                                                            : "the reference does not have the mode");
            return level();
        }
        forget_dead_packer_state(units_);
        forget_dead_packer_state(reference_);
        if (same(plan, whole_l1)) return;
        report(thread, word, first_difference());
        level();
    }

    /// The plan that is found again, or moved, is the one that would be made.
    void expect_kept_as_fresh(unsigned thread, std::uint32_t word) {
        const auto instruction = isa::decode(word, arch().arch);
        const auto& costs = units::costs(arch().arch, Timing::documented);
        plan::Plan fresh;
        units::resolve(units::StateView(instruction, thread, units_, costs, nullptr), fresh);
        const units::PlanRef kept = slots_->plans.resolve(instruction, thread, units_, costs, *slots_).clone();
        ASSERT_TRUE(kept->plan == fresh);
        plan::Footprint work;
        plan::footprint_of_work(fresh, work);
        ASSERT_TRUE(std::is_permutation(kept->work().accesses.begin(), kept->work().accesses.end(),
                                        work.accesses.begin(), work.accesses.end()));
    }
    const units::PlanCache::Counts& kept_counts() const { return slots_->plans.counts(); }

    /// The units' plan of the last instruction.
    const plan::Plan& last_plan() const { return last_plan_; }

    /// Compares all of L1; for the end of a run.
    void expect_same_l1() const {
        EXPECT_TRUE(units_.l1.bytes == reference_.l1.bytes && units_.l1.written() == reference_.l1.written());
    }

    bool writes_l1 = true;  ///< the functions that are compared can write L1

    /// Enough differences have been reported.
    bool hopeless() const { return differences >= 5; }

    unsigned cases = 0, executed = 0, not_implemented = 0, faults = 0, differences = 0;

private:
    void forget_dead_packer_state(state::State& s) const {
        state::forget_packer_remains(
            arch().packers, [&](unsigned i, state::Packer item) { return s[state::cells::packer(i, item)]; },
            [&](unsigned i, state::Packer item, std::uint32_t value) {
                s.write(state::cells::packer(i, item), value);
            });
    }

    // True for bounds of compressed streams, which only the units keep.
    bool is_bound(state::Cell cell) const {
        for (unsigned i = 0; i < arch().packers; ++i)
            for (const auto item : {state::Packer::reach_first, state::Packer::reach_end})
                if (cell == state::cells::packer(i, item)) return true;
        return false;
    }

    bool same(const plan::Plan& plan, bool whole_l1) const {
        for (unsigned i = 0; i < state::cells::total; ++i)
            if (units_[state::Cell(i)] != reference_[state::Cell(i)] && !is_bound(state::Cell(i))) return false;
        for (unsigned which = 0; which < 2; ++which)
            for (unsigned bank = 0; bank < 2; ++bank)
                if (units_.src[which][bank].datums != reference_.src[which][bank].datums ||
                    units_.src[which][bank].written != reference_.src[which][bank].written)
                    return false;
        if (units_.dst.datums != reference_.dst.datums || units_.dst.valid != reference_.dst.valid) return false;
        if (units_.lregs.lane != reference_.lregs.lane) return false;
        if (whole_l1) return units_.l1.bytes == reference_.l1.bytes && units_.l1.written() == reference_.l1.written();
        for (const auto& access : plan::footprint(plan).accesses)
            if (access.storage == state::Storage::l1 && access.write &&
                std::memcmp(&units_.l1.bytes[access.first], &reference_.l1.bytes[access.first], access.count) != 0)
                return false;
        return true;
    }

    std::string first_difference() const {
        for (const auto& place : state::inventory(arch().arch).places())
            for (std::size_t i = 0; i < place.section.size; ++i) {
                const auto units = state::read(units_, place.storage, place.element(i));
                const auto reference = state::read(reference_, place.storage, place.element(i));
                if (units != reference &&
                    !(place.storage == state::Storage::cell && is_bound(state::Cell(place.element(i)))))
                    return fmt::format("{}: units 0x{:X}, reference 0x{:X}", place.section.describe(i), units,
                                       reference);
            }
        return "what counts as written differs";
    }

    void report(unsigned thread, std::uint32_t word, const std::string& what) {
        ++differences;
        ADD_FAILURE() << name(arch().arch) << " case " << cases << ", thread " << thread << ", "
                      << fmt::format("0x{:08X} ", word) << isa::decode(word, arch().arch).spec->name << ": " << what;
    }

    void level() {
        reference_ = units_;
        *slots_ = {};
    }
    // Copying L1 takes longer than most instructions.
    void level_all_but_l1() {
        if (writes_l1) return level();
        for (unsigned i = 0; i < state::cells::total; ++i)
            if (reference_[state::Cell(i)] != units_[state::Cell(i)])
                reference_.write(state::Cell(i), units_[state::Cell(i)]);
        reference_.src = units_.src;
        reference_.dst = units_.dst;
        reference_.lregs = units_.lregs;
    }

    state::State units_, reference_;
    plan::Plan last_plan_;
    std::unique_ptr<units::Slots> slots_ = std::make_unique<units::Slots>();
};

/// Most cases must have been executed by both, or the generator is no good.
inline void expect_coverage(const ReferencePair& pair, unsigned cases) {
    EXPECT_GE(pair.cases, cases);
    EXPECT_GE(pair.executed * 10, pair.cases * 6)
        << pair.not_implemented << " not implemented, " << pair.faults << " faults of " << pair.cases;
    EXPECT_EQ(pair.differences, 0u);
    std::printf("[          ] %s: %u cases, %u executed, %u not implemented, %u faults\n",
                std::string(name(pair.arch().arch)).c_str(), pair.cases, pair.executed, pair.not_implemented,
                pair.faults);
}

/// Kept plans that a generator moves are those that would be made there.
template <class Generator>
void expect_moved_plans_fresh(Generator& generator) {
    constexpr unsigned words = 4000;
    for (unsigned i = 0; i < words && !testing::Test::HasFailure(); ++i) generator.move_one();
    EXPECT_GT(generator.pair.kept_counts().found, words / 4);
    EXPECT_GT(generator.pair.kept_counts().made, words);
}

}  // namespace tessera::test
