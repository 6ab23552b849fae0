// SPDX-License-Identifier: Apache-2.0
#include "units/kept_plans.hpp"

#include <algorithm>

#include "units/resolve.hpp"

namespace tessera::units {

namespace {

constexpr std::size_t most_kept = 4096;    // plans in all, and words; then all are forgotten
constexpr std::size_t most_settings = 64;  // of configuration, per word

// A word whose plans are seldom the same again (an UNPACR of ever other tiles) is not looked for all the time.
constexpr unsigned trial = 1024, pause = 8192;

constexpr std::uint64_t multiplier = 0x9E37'79B9'7F4A'7C15;

// Whether the validity of rows is looked at or written as the rows themselves are.
bool with_its_rows(const plan::Access& valid, const std::vector<plan::Access>& accesses) {
    constexpr unsigned columns = state::columns;
    return valid.storage == plan::Storage::dst_valid &&
           std::any_of(accesses.begin(), accesses.end(), [&](const plan::Access& rows) {
               return rows.storage == plan::Storage::dst && rows.write == valid.write &&
                      rows.first / columns <= valid.first &&
                      valid.first + valid.count <= (rows.first + rows.count + columns - 1) / columns;
           });
}

struct Value {
    unsigned cell = 0;
    std::uint32_t mask = 0;
};

}  // namespace

/// The plans of one word in one thread, by the values of all that any of them looked at.
struct KeptPlans::Word {
    struct Kept {
        std::uint64_t hash = 0;
        PlanRef plan;
    };

    std::vector<Value> changing;  ///< compared each time
    std::vector<Value> config;    ///< compared when one of these counters has changed
    std::vector<std::pair<std::uint8_t, std::uint32_t>> generations;
    std::vector<std::vector<std::uint32_t>> settings;  ///< values of `config`
    std::uint32_t setting = 0;
    std::vector<Kept> table;            ///< open addressing; a power of two, or empty
    std::vector<std::uint32_t> values;  ///< of each place of the table: the setting, then those of `changing`
    std::size_t kept = 0;
    std::vector<std::pair<std::uint64_t, std::shared_ptr<const Captures>>> captures;  ///< by the sum of the reads
    unsigned found = 0, made = 0, pausing = 0;

    std::size_t forget() {
        const std::size_t were = kept;
        table.clear();
        values.clear();
        settings.clear();
        for (auto& [counter, value] : generations) value = ~0u;
        kept = 0;
        return were;
    }
    std::size_t width() const { return changing.size() + 1; }
    /// Where the values are, or belong.
    std::size_t place(std::uint64_t hash, const std::uint32_t* wanted) const {
        std::size_t i = hash & (table.size() - 1);
        while (table[i].plan &&
               (table[i].hash != hash || !std::equal(wanted, wanted + width(), values.begin() + static_cast<std::ptrdiff_t>(i * width()))))
            i = (i + 1) & (table.size() - 1);
        return i;
    }
    void put(std::uint64_t hash, const std::uint32_t* wanted, PlanRef plan) {
        const std::size_t i = place(hash, wanted);
        table[i] = {hash, std::move(plan)};
        std::copy_n(wanted, width(), values.begin() + static_cast<std::ptrdiff_t>(i * width()));
    }
    void grow() {
        std::vector<Kept> old(std::max<std::size_t>(8, table.size() * 2));
        std::vector<std::uint32_t> old_values(old.size() * width());
        std::swap(old, table);
        std::swap(old_values, values);
        for (std::size_t i = 0; i < old.size(); ++i)
            if (old[i].plan) put(old[i].hash, &old_values[i * width()], std::move(old[i].plan));
    }
};

void Resolved::derive() {
    accesses.clear();
    ordered.clear();
    exact = true;
    moments = hands_over = flips = 0;
    has_work = !std::holds_alternative<plan::NoWork>(plan.work);
    writes_config = std::holds_alternative<plan::MoverWork>(plan.work);
    for (const auto& effect : plan.effects) {
        using namespace state::cells;
        moments = static_cast<std::uint8_t>(moments | 1u << static_cast<unsigned>(effect.when));
        writes_config |= config_block.contains(effect.cell);
        if (effect.when == plan::When::end && bank_owner_block.contains(effect.cell))
            hands_over = static_cast<std::uint8_t>(hands_over | 1u << (state::index(effect.cell) - bank_owner_block.first));
        if (matrix_bank_block.contains(effect.cell))
            flips = static_cast<std::uint8_t>(flips | 1u << (state::index(effect.cell) - matrix_bank_block.first));
    }
    if (!has_work) return;
    plan::Footprint work;
    plan::footprint_of_work(plan, work);
    accesses.assign(work.accesses.begin(), work.accesses.end());
    exact = work.exact;
    for (const auto& access : accesses)
        if (access.storage != plan::Storage::cell && !with_its_rows(access, accesses)) ordered.push_back(access);
}

PlanRef PlanRef::of(const plan::Plan& plan) {
    auto* resolved = new Resolved;
    resolved->plan = plan;
    resolved->derive();
    return PlanRef(*resolved);
}

Resolved* PlanRef::own(const Resolved& other) {
    auto* copy = new Resolved(other);
    copy->holders_ = 0;
    return copy;
}

Resolved& PlanRef::alone() {
    if (held_->holders_ > 1) *this = PlanRef(*own(*held_));
    return *held_;
}

KeptPlans::KeptPlans() = default;
KeptPlans::KeptPlans(KeptPlans&&) noexcept = default;
KeptPlans& KeptPlans::operator=(KeptPlans&&) noexcept = default;
KeptPlans::~KeptPlans() = default;

void KeptPlans::clear() {
    words_.clear();
    recent_ = {};
    kept_ = 0;
}

KeptPlans::Word& KeptPlans::word_of(std::uint32_t word, unsigned thread) {
    const std::uint64_t key = std::uint64_t{thread + 1} << 32 | word;
    auto& recent = recent_[(key * multiplier) >> 56];
    if (recent.first == key) return *recent.second;
    auto& known = words_[key];
    if (!known) known = std::make_unique<Word>();
    recent = {key, known.get()};
    return *known;
}

const PlanRef* KeptPlans::find(Word& word, const state::State& state) {
    const bool same = std::all_of(word.generations.begin(), word.generations.end(), [&](const auto& counter) {
        return state.generations[counter.first] == counter.second;
    });
    if (!same || word.settings.empty()) {
        for (auto& [counter, value] : word.generations) value = state.generations[counter];
        if (word.settings.size() == most_settings) kept_ -= word.forget();
        values_.clear();
        for (const Value& each : word.config) values_.push_back(state[state::Cell(each.cell)] & each.mask);
        const auto known = std::find(word.settings.begin(), word.settings.end(), values_);
        word.setting = static_cast<std::uint32_t>(known - word.settings.begin());
        if (known == word.settings.end()) word.settings.push_back(values_);
    }
    values_.resize(word.changing.size() + 1);
    values_[0] = word.setting;
    std::uint64_t hash = word.setting + 1;
    for (std::size_t i = 0; i < word.changing.size(); ++i) {
        const std::uint32_t value = state[state::Cell(word.changing[i].cell)] & word.changing[i].mask;
        values_[i + 1] = value;
        hash = (hash ^ value) * multiplier;
    }
    hash_ = hash ^ hash >> 31;
    if (word.table.empty()) return nullptr;
    const PlanRef& plan = word.table[word.place(hash_, values_.data())].plan;
    return plan ? &plan : nullptr;
}

const std::shared_ptr<const Captures>& KeptPlans::captures_of(Word& word, const state::State& state) {
    reads_.sum_up();
    for (const auto& [sum, captures] : word.captures)
        if (sum == reads_.sum) return captures;

    const auto made = std::make_shared<Captures>();
    auto& bits = made->bits;
    const auto merge = [](auto& list, unsigned cell, std::uint32_t mask) {
        const auto known = std::find_if(list.begin(), list.end(), [&](const auto& each) { return each.cell == cell; });
        if (known == list.end()) {
            list.push_back({});
            list.back().cell = static_cast<decltype(list.back().cell)>(cell);
            list.back().mask = mask;
            return true;
        }
        const bool more = mask & ~known->mask;
        known->mask |= mask;
        return more;
    };
    reads_.for_each([&](const plan::CellBits& one) { merge(bits, one.cell, one.mask); });
    for (const auto& one : bits)
        if (state::cells::config_block.contains(state::Cell(one.cell))) made->config.push_back(one);
    std::sort(made->config.begin(), made->config.end(),
              [](const auto& a, const auto& b) { return a.cell < b.cell; });
    made->id = reads_.sum | 1;

    bool more = false;
    const auto& groups = state::cell_groups(state.arch().arch);
    const auto look_at = [&](unsigned cell, std::uint32_t mask) {
        const std::uint8_t counter = groups.of[cell];
        if (!counter) {
            more |= merge(word.changing, cell, mask);
            return;
        }
        more |= merge(word.config, cell, mask);
        const auto known = std::find_if(word.generations.begin(), word.generations.end(),
                                        [&](const auto& each) { return each.first == counter; });
        if (known == word.generations.end()) word.generations.emplace_back(counter, ~0u);
    };
    for (const auto& one : bits) look_at(one.cell, one.mask);
    for (const state::Cell cell : reads_.remarked) look_at(state::index(cell), ~0u);
    if (more) kept_ -= word.forget();
    return word.captures.emplace_back(reads_.sum, made).second;
}

void KeptPlans::keep(Word& word, const state::State& state, const PlanRef& plan) {
    if (word.settings.empty() || values_.size() != word.changing.size() + 1) find(word, state);
    if (2 * (word.kept + 1) > word.table.size()) word.grow();
    ++word.kept;
    ++kept_;
    word.put(hash_, values_.data(), plan.share());
}

PlanRef KeptPlans::resolve(const isa::Instruction& instruction, unsigned thread, const state::State& state,
                           const CostTable& costs, Slots& slots) {
    if (costs_ != &costs || movers_map_dst_ != state.movers_map_dst || kept_ >= most_kept ||
        words_.size() >= most_kept) {
        clear();
        costs_ = &costs;
        movers_map_dst_ = state.movers_map_dst;
    }
    Word& word = word_of(instruction.word, thread);
    const bool looks = word.pausing == 0 || --word.pausing == 0;
    if (looks)
        if (const PlanRef* found = find(word, state)) {
            ++counts_.found;
            ++word.found;
            return found->share();
        }
    ++counts_.made;
    auto* resolved = new Resolved;
    PlanRef plan(*resolved);
    reads_.clear();
    const Look look(instruction, thread, state, costs, &slots);
    units::resolve(Look(look, reads_), resolved->plan);
    resolved->captures = captures_of(word, state);
    resolved->derive();
    if (!looks || reads_.memory || resolved->plan.fault) return plan;
    keep(word, state, plan);
    if (++word.made >= trial) {
        if (word.found < word.made / 8) word.pausing = pause;
        word.found = word.made = 0;
    }
    return plan;
}

}  // namespace tessera::units
