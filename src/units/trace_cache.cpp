// SPDX-License-Identifier: Apache-2.0
#include "units/trace_cache.hpp"

#include <algorithm>
#include <bit>

#include "units/costs/costs.hpp"
#include "units/vector/dependences.hpp"

namespace tessera::units {

namespace {

bool is_vector(const Resolved& resolved) { return resolved.plan.pipes & bit(plan::Pipe::vector); }

bool is_lane_config(unsigned cell) { return state::cells::lane_config_block.contains(state::Cell(cell)); }

// Whether the instruction writes lane configuration, on which later vector instructions and itself depend.
bool configures_lanes(const Resolved& resolved) {
    return std::any_of(resolved.plan.effects.begin(), resolved.plan.effects.end(),
                       [](const plan::CellEffect& effect) { return is_lane_config(state::index(effect.cell)); }) ||
           std::any_of(resolved.work().accesses.begin(), resolved.work().accesses.end(),
                       [](const plan::Access& access) {
                           return access.write && access.storage == plan::Storage::cell && is_lane_config(access.first);
                       });
}

Trace::Step step_of(const PlanRef& of) {
    const plan::Plan& plan = of->plan;
    Trace::Step step;
    step.plan = of.share();
    step.word = plan.instruction.word;
    step.occupancy = plan.cost.occupancy;
    step.latency = plan.cost.latency;
    step.interval = plan.cost.interval;
    step.pipe = static_cast<std::uint8_t>(std::countr_zero(plan.pipes));
    step.fills_pause = plan.cost.fills_pause;
    step.chain = plan.cost.chain;
    step.is_gated = !plan.banks.empty() || !plan.dst_reads.empty();
    step.writes_dst = !plan.dst_writes.empty();
    step.uses_config = of->uses_config;
    step.has_effects_at_issue = of->has(plan::When::issue);
    step.has_effects_at_start = of->has(plan::When::start);
    step.has_work = of->has_work;
    step.reaches_memory = of->reaches_memory;
    step.asks_for_order = of->reaches_memory && of->work().in_order != 0;
    step.of_vector = is_vector(*of);
    step.moves = of->captures && !of->captures->places.empty();
    return step;
}

// Whether the bits are of a counter that instructions themselves advance: a trace that looks at them begins only where it has this value.
// Some bits alone do not count: the upper ones, which no instruction changes, and the lowest of the stack pointer.
bool is_of_counter(const plan::CellBits& bits) {
    using namespace state::cells;
    const state::Cell cell{bits.cell};
    if (!(bits.mask & 4)) return false;
    if (!rwc_block.contains(cell)) return adc_block.contains(cell);
    return (bits.cell - rwc_block.first) % state::cells::size<state::Rwc> !=
           static_cast<unsigned>(state::Rwc::extra_addr_mod_bit);
}

// Whether the instruction's place, if it has one, is where the packer's last instruction ended, or what Dst's counters say.
bool moves_alone(const Resolved& resolved) {
    const Captures::Bits places = resolved.captures->places;
    return std::none_of(places.begin(), places.end(), [](const plan::CellBits& each) {
        return state::cells::adc_block.contains(state::Cell(each.cell));
    });
}

// Whether the guard holds.
bool is_now(const Trace& trace, const state::State& state) {
    const std::uint32_t* value = trace.values.data();
    return std::all_of(trace.looked.begin(), trace.looked.end(), [&](const plan::CellBits& each) {
        return (state[state::Cell(each.cell)] & each.mask) == *value++;
    });
}

}  // namespace

void TraceCache::clear() {
    forgotten_ += static_cast<std::uint32_t>(known_.size());
    known_.clear();
    steps_ = 0;
    learning_ = false;
}

TraceCache::Known* TraceCache::known(const Resolved& plan) {
    return plan.traces > forgotten_ ? &known_[plan.traces - forgotten_ - 1] : nullptr;
}

const Trace* TraceCache::behind(const Resolved& plan, std::uint32_t word, const state::State& state) {
    Known* const of_plan = known(plan);
    if (!of_plan) return nullptr;
    const std::size_t count = of_plan->variants.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t which = (of_plan->last + i) % count;
        const Trace& variant = *of_plan->variants[which];
        if (variant.steps.front().word != word || !is_now(variant, state)) continue;
        of_plan->last = which;
        return &variant;
    }
    return nullptr;
}

bool TraceCache::begin(const PlanRef& first, const state::State& state, const CostTable& costs, std::size_t most) {
    const Known* const of_first = known(*first);
    if (first->in_vain == most_in_vain || configures_lanes(*first) || (of_first && of_first->replaced == most_replaced))
        return false;
    if (!begun_) begun_ = std::make_unique<Learning>();
    begun_->first = first.share();
    if (steps_ >= all_steps) clear();
    begun_->trace.steps.clear();
    begun_->trace.looked.clear();
    begun_->trace.pipes = 0;
    begun_->trace.storable.reset();
    begun_->cells = state.all_cells();
    begun_->set.reset();
    begun_->by_work.reset();
    begun_->state = &state;
    begun_->most = std::min(most, most_steps);
    begun_->costs = &costs;
    begun_->counts = begun_->knows_lanes = false;
    begun_->is_adjacent = is_vector(*begun_->first);
    begun_->use = begun_->is_adjacent ? std::optional(vector::register_use(*begun_->first, state)) : std::nullopt;
    return learning_ = true;
}

// Adds bits to the guard, unless the trace itself sets them. False: a work has written them, with unknown values.
bool TraceCache::view(const plan::CellBits& bits) {
    if (begun_->by_work[bits.cell]) return false;
    if (begun_->set[bits.cell]) return true;
    std::vector<plan::CellBits>& looked = begun_->trace.looked;
    std::uint16_t& at = begun_->looked_at[bits.cell];
    if (at < looked.size() && looked[at].cell == bits.cell) {
        looked[at].mask |= bits.mask;
    } else {
        at = static_cast<std::uint16_t>(looked.size());
        looked.push_back(bits);
    }
    return true;
}

// The vector unit's checks of adjacent instructions have the same result each time, so they run once.
bool TraceCache::follows(Trace::Step& step) {
    const bool adjacent = std::exchange(begun_->is_adjacent, step.of_vector);
    if (!step.of_vector) {
        if (begun_->trace.steps.empty()) begun_->use.reset();
        return true;
    }
    const std::optional<RegisterUse> before = std::exchange(begun_->use, std::nullopt);
    // No step writes lane configuration, so one look is enough.
    for (unsigned column = 0; column < state::cells::lane_config_words && !begun_->knows_lanes; ++column)
        if (!view({static_cast<std::uint16_t>(state::cells::lane_config_block[column]), ~0u})) return false;
    begun_->knows_lanes = true;
    const state::State& state = *begun_->state;
    const RegisterUse& use = begun_->use.emplace(vector::register_use(*step.plan, state));
    if (vector::spoiled_index(use, state)) return false;
    if (!before) return true;
    if (adjacent && vector::hazard(*before, use, 0)) return false;
    step.held_back = !begun_->costs->completes_at_issue && before->late && vector::holds_back(*before, use);
    step.is_adjacent = step.held_back && adjacent;
    return true;
}

// Whether an instruction of this kind may be a step.
bool TraceCache::fits(const Resolved& next) {
    if (!next.captures || next.captures->contents || configures_lanes(next)) return false;
    const bool has_time = begun_->costs->timing != Timing::functional;
    if (has_time ? !next.unobservable : !next.quiet || !moves_alone(next)) return false;
    // A trace that depends on no counter is known in each turn of a loop; with this step it would be in one of them only.
    const Captures::Bits bits = next.captures->deciding;
    const bool by_counter = std::any_of(bits.begin(), bits.end(), is_of_counter);
    if (by_counter && !begun_->counts && !begun_->trace.steps.empty()) return false;
    begun_->counts |= by_counter;
    return true;
}

bool TraceCache::add(const PlanRef& next) {
    if (!learning_ || !fits(*next)) return false;
    const Captures& captures = *next->captures;
    for (const plan::CellBits& bits : captures.deciding)
        if (!view(bits)) return false;
    Trace::Step step = step_of(next);
    if (!follows(step)) return false;
    for (const plan::CellEffect& effect : next->plan.effects) {
        if (effect.op != plan::CellOp::set) return false;
        // Elsewhere it leaves other values in the cells of its place.
        const auto is_it = [&](const plan::CellBits& bits) { return bits.cell == state::index(effect.cell); };
        const bool moves = std::any_of(captures.places.begin(), captures.places.end(), is_it);
        (moves ? begun_->by_work : begun_->set).set(state::index(effect.cell));
    }
    for (const plan::Access& access : next->work().accesses)
        if (access.write && access.storage == plan::Storage::cell)
            for (std::uint32_t i = 0; i < access.count; ++i) begun_->by_work.set(access.first + i);
    begun_->trace.pipes |= next->plan.pipes;
    begun_->trace.storable |= captures.storable;
    begun_->trace.steps.push_back(std::move(step));
    return begun_->trace.steps.size() < begun_->most;
}

void TraceCache::end() {
    if (!std::exchange(learning_, false)) return;
    Trace& learnt = begun_->trace;
    const PlanRef first = std::move(begun_->first);
    if (learnt.steps.empty()) {
        ++first->in_vain;
        return;
    }
    auto made = std::make_unique<Trace>();
    made->steps = {std::move_iterator(learnt.steps.begin()), std::move_iterator(learnt.steps.end())};
    made->pipes = learnt.pipes;
    made->looked = learnt.looked;
    made->values.reserve(learnt.looked.size());
    for (const plan::CellBits& each : learnt.looked) made->values.push_back(begun_->cells[each.cell] & each.mask);
    made->timing = timing_of(*made, *begun_->costs);
    made->storable = learnt.storable;
    Known* of_first = known(*first);
    if (!of_first) {
        known_.emplace_back();
        first->traces = forgotten_ + static_cast<std::uint32_t>(known_.size());
        of_first = &known_.back();
    }
    steps_ += made->steps.size();
    // Of variants that begin with the same word, a few are kept.
    auto& variants = of_first->variants;
    const auto alike = [word = made->steps.front().word](const auto& each) { return each->steps.front().word == word; };
    const auto known_alike = std::count_if(variants.begin(), variants.end(), alike);
    if (known_alike < most_variants && variants.size() < most_in_all) {
        of_first->last = variants.size();
        variants.push_back(std::move(made));
        return;
    }
    ++of_first->replaced;
    auto oldest = std::find_if(variants.begin(), variants.end(), alike);
    if (oldest == variants.end()) oldest = variants.begin();
    *oldest = std::move(made);
    std::rotate(oldest, oldest + 1, variants.end());
    of_first->last = variants.size() - 1;
}

}  // namespace tessera::units
