// SPDX-License-Identifier: Apache-2.0
#include "units/plan_cache.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <memory_resource>

#include "units/resolve.hpp"
#include "units/slot_tables.hpp"
#include "util/golden_ratio.hpp"

namespace tessera::units {

namespace {

constexpr std::size_t most_kept = 4096;    // plans and words in all; then the cache is cleared
constexpr std::size_t most_settings = 64;  // configurations per word

// A word whose plans rarely repeat (an UNPACR of ever new tiles) is looked up again only after a pause.
constexpr unsigned trial = 1024, pause = 8192;

// Reserved at once, so that short lists allocate only once.
constexpr std::size_t some_cells = 32;

std::uint64_t key_of(std::uint32_t word, unsigned thread) { return std::uint64_t{thread + 1} << 32 | word; }

// Adds the bits; each cell is listed once.
void add(std::vector<plan::CellBits>& list, const plan::CellBits& bits) {
    const auto known = std::find_if(list.begin(), list.end(), [&](const auto& each) { return each.cell == bits.cell; });
    if (known == list.end())
        list.push_back(bits);
    else
        known->mask |= bits.mask;
}

}  // namespace

/// The bits that decide whether a memoised plan is valid.
struct PlanCache::Guard {
    /// Bits of two adjacent cells, compared at once.
    struct CellPair {
        std::uint16_t first = 0;
        std::uint64_t mask = 0;

        std::uint64_t of(const std::uint32_t* cells) const {
            std::uint64_t both;
            std::memcpy(&both, cells + first, sizeof both);
            return both & mask;
        }
    };

    Guard(std::vector<plan::CellBits> bits, const state::CellGroups& groups) : deciding(std::move(bits)) {
        const auto in_config = static_cast<std::size_t>(std::count_if(
            deciding.begin(), deciding.end(), [&](const auto& each) { return groups.of[each.cell] != 0; }));
        config.reserve(in_config);
        changing.reserve(deciding.size() - in_config);
        for (const plan::CellBits& each : deciding) {
            const std::uint8_t counter = groups.of[each.cell];
            if (!counter) {
                add(each);
                continue;
            }
            config.push_back(each);
            if (std::find(counters.begin(), counters.end(), counter) == counters.end()) counters.push_back(counter);
        }
    }
    bool covers(const Guard& other) const {
        auto own = deciding.begin();
        return std::all_of(other.deciding.begin(), other.deciding.end(), [&](const plan::CellBits& each) {
            while (own != deciding.end() && own->cell < each.cell) ++own;
            return own != deciding.end() && own->cell == each.cell && !(each.mask & ~own->mask);
        });
    }

    std::vector<plan::CellBits> deciding;  ///< all bits, by cell
    std::vector<CellPair> changing;        ///< compared each time
    std::vector<plan::CellBits> config;    ///< compared when one of `counters` has changed
    std::vector<std::uint8_t> counters;    ///< of State::generations

private:
    void add(const plan::CellBits& bits) {
        constexpr unsigned last = state::cells::total - 2;
        if (changing.empty() || bits.cell > changing.back().first + 1u)
            changing.push_back({static_cast<std::uint16_t>(std::min<unsigned>(bits.cell, last)), 0});
        std::uint32_t halves[2] = {};
        halves[bits.cell - changing.back().first] = bits.mask;
        std::uint64_t mask;
        std::memcpy(&mask, halves, sizeof mask);
        changing.back().mask |= mask;
    }
};

/// Shared by all resolves with the same reads.
struct PlanCache::GuardSet {
    std::shared_ptr<const Captures> captures;
    Guard guard;
};

/// The plans of one word in one thread, by the values of all bits that any of them depends on.
struct PlanCache::Word {
    static constexpr std::uint32_t none = ~0u;
    static constexpr std::uint64_t never = ~std::uint64_t{0};
    static constexpr std::size_t few = 4;  ///< plans that are searched without `slots`

    explicit Word(std::pmr::memory_resource& memory)
        : generations(&memory),
          settings(&memory),
          plans(&memory),
          values(&memory),
          placed_at(&memory),
          slots(&memory) {}

    const GuardSet* guards = nullptr;             ///< of the latest plan
    const Guard* guard = nullptr;                 ///< covers all reads of this word
    std::unique_ptr<Guard> merged;                ///< set if the reads differ
    std::size_t most_places = 0;                  ///< largest number of Captures::places
    std::pmr::vector<std::uint32_t> generations;  ///< of the guard's counters
    std::pmr::vector<std::uint32_t> settings;     ///< values of the guard's `config`, one set after another
    std::uint32_t setting = 0, settings_known = 0;
    std::uint64_t settled_at = never;  ///< State::configured at the last settle()
    struct Kept {
        PlanRef plan;
        std::uint64_t hash = 0;
        std::uint32_t next = 0;  ///< its successor the last time: loops repeat
        std::span<const plan::CellBits> places = plan->captures->places;
    };
    std::pmr::vector<Kept> plans;
    std::pmr::vector<std::uint64_t> values;     ///< per plan: the setting, then the guard's `changing`
    std::pmr::vector<std::uint32_t> placed_at;  ///< per plan: values of its Captures::places, padded to `most_places`
    std::pmr::vector<std::uint32_t> slots;      ///< open addressing: plans, or none; a power of two, or empty
    std::uint32_t last = 0;                     ///< the plan found last
    unsigned found = 0, made = 0, pausing = 0;

    std::size_t forget() {
        const std::size_t were = plans.size();
        plans.clear();
        values.clear();
        placed_at.clear();
        slots.clear();
        settings.clear();
        settings_known = 0;
        generations.assign(guard->counters.size(), ~0u);
        settled_at = never;
        last = 0;
        return were;
    }
    std::size_t width() const { return guard->changing.size() + 1; }
    const std::uint64_t* values_of(std::uint32_t plan) const { return values.data() + plan * width(); }
    bool is_now(std::uint32_t plan, const std::uint32_t* cells) const {
        const std::uint64_t* wanted = values_of(plan);
        if (*wanted != setting) return false;
        for (const Guard::CellPair& each : guard->changing)
            if (each.of(cells) != *++wanted) return false;
        return true;
    }
    std::span<std::uint32_t> places_of_last() {
        return {placed_at.data() + last * most_places, plans[last].places.size()};
    }
    /// Whether the plan found last is for the present places.
    bool is_in_place(const state::State& state) {
        const std::uint32_t* at = placed_at.data() + last * most_places;
        for (const plan::CellBits& each : plans[last].places)
            if ((state[state::Cell(each.cell)] & each.mask) != *at++) return false;
        return true;
    }
    void put_in_place(const state::State& state) {
        std::uint32_t* at = placed_at.data() + last * most_places;
        for (const plan::CellBits& each : plans[last].places) *at++ = state[state::Cell(each.cell)] & each.mask;
    }
    bool has_values(std::uint32_t plan, std::uint64_t hash, const std::uint64_t* wanted) const {
        return plans[plan].hash == hash && std::equal(wanted, wanted + width(), values_of(plan));
    }
    /// The slot of the plan with these values, or the free one for it.
    std::size_t slot(std::uint64_t hash, const std::uint64_t* wanted) const {
        std::size_t i = hash & (slots.size() - 1);
        for (; slots[i] != none; i = (i + 1) & (slots.size() - 1))
            if (has_values(slots[i], hash, wanted)) break;
        return i;
    }
    std::uint32_t plan_with(std::uint64_t hash, const std::uint64_t* wanted) const {
        if (!slots.empty()) return slots[slot(hash, wanted)];
        for (std::uint32_t i = 0; i < plans.size(); ++i)
            if (has_values(i, hash, wanted)) return i;
        return none;
    }
    /// Replaces the plan with the same values, which could not be moved. Returns whether there was none.
    bool put(std::uint64_t hash, const std::uint64_t* wanted, PlanRef plan) {
        const std::uint32_t known = plan_with(hash, wanted);
        const bool added = known == none;
        const std::uint32_t at = added ? static_cast<std::uint32_t>(plans.size()) : known;
        if (!plans.empty()) plans[last].next = at;
        last = at;
        if (!added) {
            plans[at] = {std::move(plan), hash, plans[at].next};
            return false;
        }
        plans.push_back({std::move(plan), hash});
        values.insert(values.end(), wanted, wanted + width());
        placed_at.resize(plans.size() * most_places);
        if (2 * plans.size() > slots.size() && plans.size() > few) {
            slots.assign(std::max<std::size_t>(4 * few, slots.size() * 2), none);
            for (std::uint32_t i = 0; i < plans.size(); ++i) slots[slot(plans[i].hash, values_of(i))] = i;
        } else if (!slots.empty()) {
            slots[slot(hash, wanted)] = at;
        }
        return true;
    }
};

/// All words share one arena: a word has several small vectors, and all are released together.
struct PlanCache::Known {
    std::pmr::monotonic_buffer_resource memory{std::size_t{1} << 14};
    std::pmr::unordered_map<std::uint64_t, Word> words{&memory};  ///< by thread and word
    std::unordered_map<std::uint64_t, std::unique_ptr<GuardSet>>
        guards;  ///< by the hash of the reads; many words share one
};

PlanCache::PlanCache() : known_(std::make_unique<Known>()) {}
PlanCache::PlanCache(PlanCache&&) noexcept = default;
PlanCache& PlanCache::operator=(PlanCache&&) noexcept = default;
PlanCache::~PlanCache() = default;

void PlanCache::clear() {
    known_ = std::make_unique<Known>();
    recent_ = {};
    met_.reset();
    kept_ = 0;
}

void PlanCache::clear_if_full(const state::State& state, const CostTable& costs, SlotTables& slots) {
    if (costs_ == &costs && movers_map_dst_ == state.movers_map_dst && kept_ < most_kept &&
        known_->words.size() < most_kept && known_->guards.size() < most_kept)
        return;
    clear();
    slots.plans_forgotten();
    costs_ = &costs;
    movers_map_dst_ = state.movers_map_dst;
}

bool PlanCache::is_new(std::uint32_t word, unsigned thread) {
    auto met = met_[(key_of(word, thread) * util::golden_ratio) >> (64 - std::countr_zero(met_.size()))];
    if (met) return false;
    met = true;
    return true;
}

inline PlanCache::Word& PlanCache::word_of(std::uint32_t word, unsigned thread) {
    const std::uint64_t key = key_of(word, thread);
    auto& recent = recent_[(key * util::golden_ratio) >> (64 - std::countr_zero(recent_.size()))];
    if (recent.first == key) return *recent.second;
    Word& known = known_->words.try_emplace(key, known_->memory).first->second;
    recent = {key, &known};
    return known;
}

// Finds or adds the setting for the present configuration.
void PlanCache::settle(Word& word, const state::State& state) {
    word.settled_at = state.configured;
    const Guard& guard = *word.guard;
    bool same = true;
    for (std::size_t i = 0; i < guard.counters.size(); ++i) {
        const std::uint32_t now = state.generations[guard.counters[i]];
        same &= word.generations[i] == now;
        word.generations[i] = now;
    }
    if (same) return;
    if (word.settings_known == most_settings) {
        kept_ -= word.forget();
        return settle(word, state);
    }
    const std::size_t width = guard.config.size();
    setting_.clear();
    for (const plan::CellBits& each : guard.config) setting_.push_back(state[state::Cell(each.cell)] & each.mask);
    for (word.setting = 0; word.setting < word.settings_known; ++word.setting)
        if (std::equal(setting_.begin(), setting_.end(), word.settings.data() + word.setting * width)) return;
    word.settings.insert(word.settings.end(), setting_.begin(), setting_.end());
    ++word.settings_known;
}

// Reads the values that the word's plans depend on into values_; returns their hash.
std::uint64_t PlanCache::look_up(const Word& word, const state::State& state) {
    const std::uint32_t* cells = state.all_cells().data();
    values_.clear();
    values_.push_back(word.setting);
    std::uint64_t hash = word.setting + 1;
    for (const Guard::CellPair& each : word.guard->changing) {
        const std::uint64_t value = each.of(cells);
        values_.push_back(value);
        hash = (hash ^ value ^ value >> 31) * util::golden_ratio;
    }
    return hash ^ hash >> 31;
}

inline const PlanRef* PlanCache::find(Word& word, const StateView& view, const state::State& state, bool again) {
    if (word.plans.empty()) return nullptr;
    if (word.settled_at != state.configured) {
        settle(word, state);
        if (word.plans.empty()) return nullptr;
    }
    const std::uint32_t* cells = state.all_cells().data();
    Word::Kept& before = word.plans[word.last];
    if (!again || !word.is_now(word.last, cells)) {
        if (!word.is_now(before.next, cells)) {
            const std::uint64_t hash = look_up(word, state);
            const std::uint32_t found = word.plan_with(hash, values_.data());
            if (found == Word::none) return nullptr;
            before.next = found;
        }
        word.last = before.next;
    }
    PlanRef& plan = word.plans[word.last].plan;
    if (!word.is_in_place(state)) {
        Resolved& moved = plan.alone();
        if (!move(view, word.places_of_last(), moved)) return nullptr;
        word.put_in_place(state);
    }
    return &plan;
}

// The captures of the resolve whose reads are in reads_. There are hundreds of reads, so masks_ collects each cell
// before any search.
PlanCache::GuardSet PlanCache::list_guards(const state::State& state) {
    auto made = std::make_shared<Captures>();
    masks_.resize(state::cells::total);
    made->bits.reserve(some_cells);
    std::vector<plan::CellBits> deciding;
    deciding.reserve(some_cells);
    const auto decides = [&](std::uint16_t cell, std::uint32_t mask) {
        if (!masks_[cell].deciding) deciding.push_back({cell, 0});
        masks_[cell].deciding |= mask;
    };
    reads_.for_each([&](const Reads::Bits& one) {
        if (!masks_[one.cell].captured) made->bits.push_back({one.cell, 0});
        masks_[one.cell].captured |= one.mask;
        if (one.extent == Reads::Extent::plan)
            decides(one.cell, one.mask);
        else
            add(made->places, {one.cell, one.mask});
        if (one.extent != Reads::Extent::count) masks_[one.cell].used |= one.mask;
    });
    for (const state::Cell cell : reads_.remarked) decides(static_cast<std::uint16_t>(cell), ~0u);

    for (auto& one : made->bits) {
        one.mask = std::exchange(masks_[one.cell].captured, 0);
        if (!std::exchange(masks_[one.cell].used, 0) && !masks_[one.cell].deciding) made->counted.push_back(one);
        if (state::cells::config_block.contains(state::Cell(one.cell))) made->config.push_back(one);
        if (one.cell < made->storable.size()) made->storable.set(one.cell);
    }
    const auto by_cell = [](const plan::CellBits& x, const plan::CellBits& y) { return x.cell < y.cell; };
    std::sort(made->config.begin(), made->config.end(), by_cell);
    made->id = reads_.sum | 1;
    made->remarked = reads_.remarked;
    made->contents = reads_.memory;
    for (plan::CellBits& one : deciding) one.mask = std::exchange(masks_[one.cell].deciding, 0);
    std::sort(deciding.begin(), deciding.end(), by_cell);
    return {std::move(made), Guard(std::move(deciding), state::cell_groups(state.arch().arch))};
}

// The captures of the resolve whose reads are in reads_, summed up.
const PlanCache::GuardSet& PlanCache::guards(const state::State& state) {
    auto& known = known_->guards[reads_.sum];
    if (!known) known = std::make_unique<GuardSet>(list_guards(state));
    return *known;
}

// The same; from now on the word's guard covers them.
const PlanCache::GuardSet& PlanCache::guards_of(Word& word, const state::State& state) {
    reads_.sum_up();
    if (word.guards && word.guards->captures->id == (reads_.sum | 1)) return *word.guards;
    const GuardSet* const known = &guards(state);
    word.guards = known;
    const bool first = !word.guard, more = first || !word.guard->covers(known->guard);
    const std::size_t places = known->captures->places.size();
    if (!more && places <= word.most_places) return *known;
    word.most_places = std::max(word.most_places, places);
    if (first) {
        word.guard = &known->guard;
    } else if (more) {
        std::vector<plan::CellBits> all;
        const auto &a = word.guard->deciding, &b = known->guard.deciding;
        for (auto x = a.begin(), y = b.begin(); x != a.end() || y != b.end();) {
            const bool of_a = y == b.end() || (x != a.end() && x->cell <= y->cell);
            const bool of_b = x == a.end() || (y != b.end() && y->cell <= x->cell);
            all.push_back({of_a ? x->cell : y->cell, (of_a ? x->mask : 0) | (of_b ? y->mask : 0)});
            x += of_a;
            y += of_b;
        }
        word.merged = std::make_unique<Guard>(std::move(all), state::cell_groups(state.arch().arch));
        word.guard = word.merged.get();
    }
    kept_ -= word.forget();
    return *known;
}

// A plan that is not memoised; with captures, if the view notes its reads.
const PlanRef& PlanCache::make_once(const StateView& view, const state::State& state) {
    ++counts_.made;
    PlanRef& made = place_for_once();
    Resolved& resolved = made.renew();
    units::resolve(view, resolved.plan);
    if (view.reads()) {
        reads_.sum_up();
        resolved.captures = guards(state).captures;
    }
    resolved.derive();
    return made;
}

const PlanRef& PlanCache::keep(Word& word, const state::State& state, PlanRef plan) {
    if (word.settled_at != state.configured) settle(word, state);
    const std::uint64_t hash = look_up(word, state);
    kept_ += word.put(hash, values_.data(), std::move(plan));
    word.put_in_place(state);
    return word.plans[word.last].plan;
}

const PlanRef& PlanCache::make(Word& word, const state::State& state, const StateView& view, bool keeps) {
    ++counts_.made;
    auto* resolved = new Resolved;
    PlanRef plan(*resolved);
    reads_.clear();
    units::resolve(StateView(view, reads_), resolved->plan);
    resolved->captures = guards_of(word, state).captures;
    resolved->derive();
    if (!keeps || reads_.memory || resolved->plan.fault) return place_for_once() = std::move(plan);
    if (++word.made >= trial) {
        if (word.found < word.made / 8) word.pausing = pause;
        word.found = word.made = 0;
    }
    return keep(word, state, std::move(plan));
}

const PlanRef& PlanCache::resolve(const isa::Instruction& instruction, unsigned thread, const state::State& state,
                                  const CostTable& costs, SlotTables& slots, bool again) {
    clear_if_full(state, costs, slots);
    const StateView view(instruction, thread, state, costs, &slots);
    if (!is_new(instruction.word, thread)) return resolve_met(view, state, again);
    reads_.clear();
    return make_once(StateView(view, reads_), state);
}

const PlanRef& PlanCache::resolve_only(const isa::Instruction& instruction, unsigned thread, const state::State& state,
                                       const CostTable& costs, SlotTables& slots, bool again) {
    clear_if_full(state, costs, slots);
    const StateView view(instruction, thread, state, costs, &slots);
    return is_new(instruction.word, thread) ? make_once(view, state) : resolve_met(view, state, again);
}

const PlanRef& PlanCache::resolve_met(const StateView& view, const state::State& state, bool again) {
    Word& word = word_of(view.instruction.word, view.thread);
    const bool searches = word.pausing == 0 || --word.pausing == 0;
    const PlanRef* found = searches ? find(word, view, state, again) : nullptr;
    if (!found) return make(word, state, view, searches);
    ++counts_.found;
    ++word.found;
    return *found;
}

}  // namespace tessera::units
