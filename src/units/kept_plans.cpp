// SPDX-License-Identifier: Apache-2.0
#include "units/kept_plans.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "state/cell_role.hpp"
#include "units/resolve.hpp"
#include "util/golden_ratio.hpp"

namespace tessera::units {

namespace {

constexpr std::size_t most_kept = 4096;    // plans in all, and words; then all are forgotten
constexpr std::size_t most_settings = 64;  // of configuration, per word

// A word whose plans are seldom the same again (an UNPACR of ever other tiles) is not looked for all the time.
constexpr unsigned trial = 1024, pause = 8192;

// Room for as many from the beginning, so that the first ones of a list do not each ask for more.
constexpr std::size_t some_cells = 32, some_plans = 4;

// Whether that was new.
bool add(std::vector<plan::CellBits>& list, const plan::CellBits& bits) {
    const auto known = std::find_if(list.begin(), list.end(), [&](const auto& each) { return each.cell == bits.cell; });
    if (known == list.end()) {
        list.push_back(bits);
        return true;
    }
    const bool more = bits.mask & ~known->mask;
    known->mask |= bits.mask;
    return more;
}

/// Which blocks of Dst have been read, or written, since something else was asked for: asking for them again gives the same answer.
class AskedOfDst {
public:
    bool is_new(const plan::Access& access) {
        if (access.write != write_) blocks_ = {};
        write_ = access.write;
        const unsigned per_block =
            8 * (access.storage == plan::Storage::dst ? static_cast<unsigned>(state::columns) : 1u);
        bool more = false;
        for (unsigned block = access.first / per_block; block <= (access.first + access.count - 1) / per_block;
             ++block) {
            more |= !blocks_[block];
            blocks_.set(block);
        }
        return more;
    }

private:
    std::bitset<plan::DstBlocks::count> blocks_;
    bool write_ = false;
};

// Whether the same is written, too: then that is what is to be in order.
template <class Accesses>
bool is_written(const plan::Access& read, const Accesses& accesses) {
    return std::any_of(accesses.begin(), accesses.end(), [&](const plan::Access& other) {
        return !read.write && other.write && other.storage == read.storage && other.first == read.first &&
               other.count == read.count;
    });
}

// Whether the validity of rows is looked at or written as the rows themselves are.
template <class Accesses>
bool with_its_rows(const plan::Access& valid, const Accesses& accesses) {
    constexpr unsigned columns = state::columns;
    return valid.storage == plan::Storage::dst_valid &&
           std::any_of(accesses.begin(), accesses.end(), [&](const plan::Access& rows) {
               return rows.storage == plan::Storage::dst && rows.write == valid.write &&
                      rows.first / columns <= valid.first &&
                      valid.first + valid.count <= (rows.first + rows.count + columns - 1) / columns;
           });
}

}  // namespace

/// The plans of one word in one thread, by the values of all that any of them looked at.
struct KeptPlans::Word {
    static constexpr std::uint32_t none = ~0u;
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    std::vector<plan::CellBits> changing;  ///< compared each time
    std::vector<plan::CellBits> config;    ///< compared when one of these counters has changed
    std::vector<std::pair<std::uint8_t, std::uint32_t>> generations;
    std::vector<plan::CellBits> places;                ///< compared each time; where they differ the plan can be moved
    std::vector<std::vector<std::uint32_t>> settings;  ///< values of `config`
    std::uint32_t setting = 0;
    std::uint64_t settled_at = never;  ///< State::configured when that was found
    struct Kept {
        PlanRef plan;
        std::uint64_t hash = 0;
        std::uint32_t next = 0;  ///< the plan that came behind it the last time: loops go round
    };
    std::vector<Kept> plans;
    std::vector<std::uint32_t> values;     ///< of each plan: the setting, then those of `changing`
    std::vector<std::uint32_t> placed_at;  ///< of each plan: those of `places`
    std::vector<std::uint32_t> slots;      ///< open addressing: plans, or none; a power of two, or empty
    std::uint32_t last = 0;                ///< the plan found last
    std::vector<std::pair<std::uint64_t, std::shared_ptr<const Captures>>> captures;  ///< by the sum of the reads
    unsigned found = 0, made = 0, pausing = 0;

    std::size_t forget() {
        const std::size_t were = plans.size();
        plans.clear();
        values.clear();
        placed_at.clear();
        slots.clear();
        settings.clear();
        for (auto& [counter, value] : generations) value = ~0u;
        settled_at = never;
        last = 0;
        return were;
    }
    std::size_t width() const { return changing.size() + 1; }
    const std::uint32_t* values_of(std::uint32_t plan) const { return values.data() + plan * width(); }
    bool is_now(std::uint32_t plan, const state::State& state) const {
        const std::uint32_t* wanted = values_of(plan);
        if (*wanted != setting) return false;
        for (const plan::CellBits& each : changing)
            if ((state[state::Cell(each.cell)] & each.mask) != *++wanted) return false;
        return true;
    }
    /// Where the plan found last is, and where it would be now.
    bool is_in_place(const state::State& state) const {
        const std::uint32_t* at = placed_at.data() + last * places.size();
        return std::all_of(places.begin(), places.end(), [&](const plan::CellBits& each) {
            return (state[state::Cell(each.cell)] & each.mask) == *at++;
        });
    }
    void put_in_place(const state::State& state) {
        std::uint32_t* at = placed_at.data() + last * places.size();
        for (const plan::CellBits& each : places) *at++ = state[state::Cell(each.cell)] & each.mask;
    }
    /// Of `slots`: where the plan with these values is, or belongs.
    std::size_t slot(std::uint64_t hash, const std::uint32_t* wanted) const {
        std::size_t i = hash & (slots.size() - 1);
        for (; slots[i] != none; i = (i + 1) & (slots.size() - 1))
            if (plans[slots[i]].hash == hash && std::equal(wanted, wanted + width(), values_of(slots[i]))) break;
        return i;
    }
    /// In place of the one with the same values, which could not be moved. Whether there was none.
    bool put(std::uint64_t hash, const std::uint32_t* wanted, PlanRef plan) {
        if (2 * (plans.size() + 1) > slots.size()) {
            slots.assign(std::max<std::size_t>(8, slots.size() * 2), none);
            for (std::uint32_t i = 0; i < plans.size(); ++i) slots[slot(plans[i].hash, values_of(i))] = i;
        }
        std::uint32_t& known = slots[slot(hash, wanted)];
        const bool added = known == none;
        if (added) known = static_cast<std::uint32_t>(plans.size());
        if (!plans.empty()) plans[last].next = known;
        last = known;
        if (!added) {
            plans[last].plan = std::move(plan);
            return false;
        }
        if (plans.empty()) {
            plans.reserve(some_plans);
            values.reserve(some_plans * width());
        }
        plans.push_back({std::move(plan), hash});
        values.insert(values.end(), wanted, wanted + width());
        placed_at.resize(plans.size() * places.size());
        return true;
    }
};

namespace {

bool ends_late(const plan::Plan& plan) {
    if (plan.cost.lands_at_end || std::holds_alternative<plan::MoverWork>(plan.work)) return true;
    if (plan.cost.latency < 2 || plan.waits_in_unit) return false;
    return std::any_of(plan.effects.begin(), plan.effects.end(), [](const plan::CellEffect& effect) {
        return effect.when == plan::When::end &&
               (state::cells::gpr_block.contains(effect.cell) || state::cells::config_block.contains(effect.cell));
    });
}

}  // namespace

void Resolved::derive() {
    reads_written_in = 0;
    dst_known = {};
    writes_late = ends_late(plan);
    accesses.clear();
    in_order = 0;
    exact = true;
    moments = hands_over = flips = 0;
    has_work = !std::holds_alternative<plan::NoWork>(plan.work);
    writes_config = std::holds_alternative<plan::MoverWork>(plan.work);
    for (const auto& effect : plan.effects) {
        using namespace state::cells;
        moments = static_cast<std::uint8_t>(moments | 1u << static_cast<unsigned>(effect.when));
        writes_config |= config_block.contains(effect.cell);
        if (effect.when == plan::When::end && bank_owner_block.contains(effect.cell))
            hands_over =
                static_cast<std::uint8_t>(hands_over | 1u << (state::index(effect.cell) - bank_owner_block.first));
        if (matrix_bank_block.contains(effect.cell))
            flips = static_cast<std::uint8_t>(flips | 1u << (state::index(effect.cell) - matrix_bank_block.first));
    }
    uses_config = !(plan.pipes & bit(plan::Pipe::sync)) && (writes_config || (captures && !captures->config.empty()));
    constexpr plan::PipeMask fixed = bit(plan::Pipe::sync) | bit(plan::Pipe::config) | bit(plan::Pipe::misc) |
                                     bit(plan::Pipe::matrix) | bit(plan::Pipe::vector);
    plain = std::has_single_bit(static_cast<unsigned>(plan.pipes & fixed)) && !plan.waits_in_unit &&
            !plan.cost.address && !plan.cost.lands_at_end && !plan.cost.transfer.bytes && !has(plan::When::end) &&
            std::none_of(plan.banks.begin(), plan.banks.end(), [](const plan::BankNeed& need) { return need.in_unit; });
    // What others write captures or ends late, and what is scheduled executes by itself.
    constexpr plan::PipeMask nobody_else =
        bit(plan::Pipe::sync) | bit(plan::Pipe::misc) | bit(plan::Pipe::matrix) | bit(plan::Pipe::vector);
    unnoticed = plain && plan.pipes & nobody_else && !plan.latches_wait && plan.mutex < 0 && plan.findings.empty() &&
                !plan.conditions && !plan.cost.hold && !writes_config &&
                std::all_of(plan.effects.begin(), plan.effects.end(), [](const plan::CellEffect& effect) {
                    return state::role_of(effect.cell) == state::CellRole::none &&
                           !state::cells::schedule_block.contains(effect.cell);
                });
    constexpr plan::PipeMask unpackers = bit(plan::Pipe::unpacker0) | bit(plan::Pipe::unpacker1);
    brings_only = plan.pipes & unpackers && !hands_over;
    meets_dst = false;
    if (!has_work) return;
    plan::Footprint work;
    plan::footprint_of_work(plan, work);
    exact = work.exact;
    meets_dst = std::holds_alternative<plan::PackWork>(plan.work) || std::holds_alternative<plan::ValidityWork>(plan.work) ||
                std::any_of(work.accesses.begin(), work.accesses.end(), [](const plan::Access& access) {
                    return access.write && access.storage == plan::Storage::dst;
                });
    AskedOfDst asked;
    const auto is_in_order = [&](const plan::Access& access) {
        if (access.storage == plan::Storage::cell || access.storage == plan::Storage::lreg ||
            with_its_rows(access, work.accesses) ||
            (access.storage == plan::Storage::dst && is_written(access, work.accesses)))
            return false;
        const bool of_dst = access.storage == plan::Storage::dst || access.storage == plan::Storage::dst_valid;
        return !of_dst || asked.is_new(access);
    };
    decltype(work.accesses) others;
    accesses.reserve(work.accesses.size());
    for (const plan::Access& access : work.accesses) {
        if (is_in_order(access))
            accesses.push_back(access);
        else
            others.push_back(access);
    }
    brings_only &= std::none_of(work.accesses.begin(), work.accesses.end(), [](const plan::Access& access) {
        return access.write && access.storage == plan::Storage::dst;
    });
    in_order = accesses.size();
    accesses.insert(accesses.end(), others.begin(), others.end());
}

bool Resolved::move_l1(std::uint32_t from, std::uint32_t bytes, std::uint32_t to) {
    bool found = bytes == 0;
    for (plan::Access& access : accesses) {
        if (access.storage != plan::Storage::l1 || access.first != from || access.count != bytes) continue;
        access.first = to;
        found = true;
        if (!access.write) reads_written_in = 0;
    }
    return found;
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
    copy->reads_written_in = 0;
    copy->dst_known = {};
    copy->stretches = copy->followed = copy->in_vain = 0;
    return copy;
}

Resolved& PlanRef::alone() {
    if (held_->holders_ == 1) return *held_;
    PlanRef copy(*own(*held_));
    copy.held_->reads_written_in = held_->reads_written_in;
    copy.held_->dst_known = held_->dst_known;
    *this = std::move(copy);
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
    auto& recent = recent_[(key * util::golden_ratio) >> 56];
    if (recent.first == key) return *recent.second;
    auto& known = words_[key];
    if (!known) known = std::make_unique<Word>();
    recent = {key, known.get()};
    return *known;
}

// Which of the word's settings the configuration is now.
void KeptPlans::settle(Word& word, const state::State& state) {
    if (word.settled_at == state.configured) return;
    word.settled_at = state.configured;
    const bool same = std::all_of(word.generations.begin(), word.generations.end(), [&](const auto& counter) {
        return state.generations[counter.first] == counter.second;
    });
    if (same && !word.settings.empty()) return;
    if (word.settings.size() == most_settings) {
        kept_ -= word.forget();
        word.settled_at = state.configured;
    }
    for (auto& [counter, value] : word.generations) value = state.generations[counter];
    values_.clear();
    for (const plan::CellBits& each : word.config) values_.push_back(state[state::Cell(each.cell)] & each.mask);
    const auto known = std::find(word.settings.begin(), word.settings.end(), values_);
    word.setting = static_cast<std::uint32_t>(known - word.settings.begin());
    if (known == word.settings.end()) word.settings.push_back(values_);
}

// Leaves in values_ what the word's plans look at; returns its hash.
std::uint64_t KeptPlans::look_up(const Word& word, const state::State& state) {
    values_.resize(word.width());
    values_[0] = word.setting;
    std::uint64_t hash = word.setting + 1;
    const auto& changing = word.changing;
    for (std::size_t i = 0; i < changing.size(); ++i) {
        const std::uint32_t value = state[state::Cell(changing[i].cell)] & changing[i].mask;
        values_[i + 1] = value;
        hash = (hash ^ value) * util::golden_ratio;
    }
    return hash ^ hash >> 31;
}

const PlanRef* KeptPlans::find(Word& word, const state::State& state, const Look& look) {
    settle(word, state);
    if (word.plans.empty()) return nullptr;
    Word::Kept& before = word.plans[word.last];
    if (!word.is_now(before.next, state)) {
        const std::uint64_t hash = look_up(word, state);
        const std::uint32_t found = word.slots[word.slot(hash, values_.data())];
        if (found == Word::none) return nullptr;
        before.next = found;
    }
    word.last = before.next;
    PlanRef& plan = word.plans[word.last].plan;
    if (!word.is_in_place(state)) {
        Resolved& moved = plan.alone();
        if (!move(look, moved)) return nullptr;
        word.put_in_place(state);
    }
    return &plan;
}

// What the resolve captured that has left its looks in reads_, and the word is compared by from now on. There are hundreds of looks, so
// that each cell is listed once before it is looked for.
std::shared_ptr<const Captures> KeptPlans::list_looks(Word& word, const state::State& state) {
    const auto made = std::make_shared<Captures>();
    masks_.resize(state::cells::total);
    made->bits.reserve(some_cells);
    std::vector<std::uint16_t> deciding;
    deciding.reserve(some_cells);
    const auto decides = [&](std::uint16_t cell, std::uint32_t mask) {
        if (!masks_[cell].deciding) deciding.push_back(cell);
        masks_[cell].deciding |= mask;
    };
    bool more = false;
    reads_.for_each([&](const Reads::Bits& one) {
        if (!masks_[one.cell].captured) made->bits.push_back({one.cell, 0});
        masks_[one.cell].captured |= one.mask;
        if (one.extent == Reads::Extent::plan)
            decides(one.cell, one.mask);
        else
            more |= add(word.places, {one.cell, one.mask});
        if (one.extent != Reads::Extent::count) masks_[one.cell].used |= one.mask;
    });
    for (const state::Cell cell : reads_.remarked) decides(static_cast<std::uint16_t>(cell), ~0u);

    for (auto& one : made->bits) {
        one.mask = std::exchange(masks_[one.cell].captured, 0);
        if (!std::exchange(masks_[one.cell].used, 0) && !masks_[one.cell].deciding) made->counted.push_back(one);
        if (state::cells::config_block.contains(state::Cell(one.cell))) made->config.push_back(one);
        if (one.cell < made->storable.size()) made->storable.set(one.cell);
    }
    std::sort(made->config.begin(), made->config.end(), [](const auto& x, const auto& y) { return x.cell < y.cell; });
    made->id = reads_.sum | 1;
    made->remarked = reads_.remarked;
    made->contents = reads_.memory;

    const auto& groups = state::cell_groups(state.arch().arch);
    const bool first = word.captures.empty();
    if (first) {
        word.changing.reserve(some_cells);
        word.config.reserve(some_cells);
    }
    for (const std::uint16_t cell : deciding) {
        const plan::CellBits bits{cell, std::exchange(masks_[cell].deciding, 0)};
        const std::uint8_t counter = groups.of[cell];
        auto& list = counter ? word.config : word.changing;
        if (first) list.push_back(bits);
        more |= first || add(list, bits);
        const auto is_known = [&](const auto& each) { return each.first == counter; };
        if (counter && std::none_of(word.generations.begin(), word.generations.end(), is_known))
            word.generations.emplace_back(counter, ~0u);
    }
    if (more) kept_ -= word.forget();
    return made;
}

const std::shared_ptr<const Captures>& KeptPlans::captures_of(Word& word, const state::State& state) {
    reads_.sum_up();
    for (const auto& [sum, captures] : word.captures)
        if (sum == reads_.sum) return captures;
    auto captures = list_looks(word, state);
    return word.captures.emplace_back(reads_.sum, std::move(captures)).second;
}

const PlanRef& KeptPlans::keep(Word& word, const state::State& state, PlanRef plan) {
    settle(word, state);
    const std::uint64_t hash = look_up(word, state);
    kept_ += word.put(hash, values_.data(), std::move(plan));
    word.put_in_place(state);
    return word.plans[word.last].plan;
}

const PlanRef& KeptPlans::make(Word& word, const state::State& state, const Look& look, bool keeps) {
    ++counts_.made;
    auto* resolved = new Resolved;
    PlanRef plan(*resolved);
    reads_.clear();
    units::resolve(Look(look, reads_), resolved->plan);
    resolved->captures = captures_of(word, state);
    resolved->derive();
    if (!keeps || reads_.memory || resolved->plan.fault) return made_ = std::move(plan);
    if (++word.made >= trial) {
        if (word.found < word.made / 8) word.pausing = pause;
        word.found = word.made = 0;
    }
    return keep(word, state, std::move(plan));
}

const PlanRef& KeptPlans::resolve(const isa::Instruction& instruction, unsigned thread, const state::State& state,
                                  const CostTable& costs, Slots& slots) {
    if (costs_ != &costs || movers_map_dst_ != state.movers_map_dst || kept_ >= most_kept ||
        words_.size() >= most_kept) {
        clear();
        slots.stretches.clear();
        costs_ = &costs;
        movers_map_dst_ = state.movers_map_dst;
    }
    Word& word = word_of(instruction.word, thread);
    const Look look(instruction, thread, state, costs, &slots);
    const bool looks = word.pausing == 0 || --word.pausing == 0;
    const PlanRef* found = looks ? find(word, state, look) : nullptr;
    if (!found) return make(word, state, look, looks);
    ++counts_.found;
    ++word.found;
    return *found;
}

}  // namespace tessera::units
