// SPDX-License-Identifier: Apache-2.0
#include "units/resolved.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>
#include <new>
#include <span>
#include <type_traits>

#include "state/cell_role.hpp"

namespace tessera::units {

namespace {

/// Blocks of Dst that have been accessed in one way (read or write) since the last change between the two. Checking
/// them again gives the same answer.
class AskedOfDst {
public:
    bool is_new(const plan::Access& access) {
        if (access.write != write_) asked_ = {};
        write_ = access.write;
        const plan::DstBlocks blocks = blocks_of(access);
        const bool more = has_more(blocks);
        for (unsigned half = 0; half < 2; ++half) asked_.bits[half] |= blocks.bits[half];
        return more;
    }
    /// is_new() would be false.
    bool knows(const plan::Access& access) const { return access.write == write_ && !has_more(blocks_of(access)); }

private:
    static plan::DstBlocks blocks_of(const plan::Access& access) {
        const unsigned per_row = access.storage == plan::Storage::dst ? static_cast<unsigned>(state::columns) : 1u;
        const unsigned first = access.first / per_row;
        plan::DstBlocks blocks;
        blocks.add_rows(first, (access.first + access.count - 1) / per_row - first + 1);
        return blocks;
    }
    bool has_more(const plan::DstBlocks& blocks) const {
        return (blocks.bits[0] & ~asked_.bits[0]) | (blocks.bits[1] & ~asked_.bits[1]);
    }

    plan::DstBlocks asked_;
    bool write_ = false;
};

// Whether the same range is written, too; then checking the write suffices.
template <class Accesses>
bool is_written(const plan::Access& read, const Accesses& accesses) {
    return !read.write && std::any_of(accesses.begin(), accesses.end(), [&](const plan::Access& other) {
        return other.write && other.storage == read.storage && other.first == read.first && other.count == read.count;
    });
}

// Whether access `number`, of rows' validity, goes with an access of the rows themselves. The other access is
// usually just before it.
template <class Accesses>
bool with_its_rows(std::size_t number, const Accesses& accesses) {
    constexpr unsigned columns = state::columns;
    const plan::Access& valid = accesses[number];
    const auto is_of_rows = [&](const plan::Access& rows) {
        return rows.storage == plan::Storage::dst && rows.write == valid.write && rows.first / columns <= valid.first &&
               valid.first + valid.count <= (rows.first + rows.count + columns - 1) / columns;
    };
    const auto at = accesses.begin() + number;
    return std::any_of(std::reverse_iterator(at), std::reverse_iterator(accesses.begin()), is_of_rows) ||
           std::any_of(at, accesses.end(), is_of_rows);
}

// std::has_single_bit() counts all bits, in a function where the processor is not known to do it.
constexpr bool is_one_pipe(plan::PipeMask pipes) { return pipes && !(pipes & (pipes - 1)); }

}  // namespace

void Resolved::forget_work() {
    reads_written_in = 0;
    dst_known = {};
    work_.known = false;
}

void Resolved::derive() {
    forget_work();
    register_use.reset();
    moments = hands_over = flips = 0;
    has_work = !std::holds_alternative<plan::NoWork>(plan.work);
    reaches_memory = has_work && !plan::only_reaches_cells(plan.work);
    const bool moves = std::holds_alternative<plan::MoverWork>(plan.work);
    writes_config = moves;
    has_roles = false;
    bool ends_in_registers = false, schedules = false;
    for (const auto& effect : plan.effects) {
        using namespace state::cells;
        const state::CellRole role = state::role_of(effect.cell);
        const bool of_config = config_block.contains(effect.cell);
        moments = static_cast<std::uint8_t>(moments | 1u << static_cast<unsigned>(effect.when));
        writes_config |= of_config;
        ends_in_registers |= effect.when == plan::When::end && (of_config || gpr_block.contains(effect.cell));
        has_roles |= role != state::CellRole::none;
        schedules |= schedule_block.contains(effect.cell);
        if (role != state::CellRole::bank) continue;
        if (bank_owner_block.contains(effect.cell))
            hands_over =
                static_cast<std::uint8_t>(hands_over | 1u << (state::index(effect.cell) - bank_owner_block.first));
        if (matrix_bank_block.contains(effect.cell))
            flips = static_cast<std::uint8_t>(flips | 1u << (state::index(effect.cell) - matrix_bank_block.first));
    }
    writes_late = plan.cost.lands_at_end || moves || (plan.cost.latency >= 2 && ends_in_registers);
    uses_config = !(plan.pipes & bit(plan::Pipe::sync)) && (writes_config || (captures && !captures->config.empty()));
    constexpr plan::PipeMask fixed = bit(plan::Pipe::sync) | bit(plan::Pipe::config) | bit(plan::Pipe::misc) |
                                     bit(plan::Pipe::matrix) | bit(plan::Pipe::vector);
    plain = is_one_pipe(plan.pipes & fixed) && !has(plan::When::end);
    // Waits in the unit, requests to memory and address phases belong to the other pipes.
    assert(!plain || (!plan.waits_in_unit && !plan.cost.address && !plan.cost.lands_at_end &&
                      !plan.cost.transfer.bytes));
    // The other pipes write cells that others capture, or end late. Scheduled instructions execute on their own.
    const bool is_noticed = has_roles || schedules;
    constexpr plan::PipeMask nobody_else =
        bit(plan::Pipe::sync) | bit(plan::Pipe::misc) | bit(plan::Pipe::matrix) | bit(plan::Pipe::vector);
    unobservable = plain && plan.pipes & nobody_else && !plan.latches_wait && plan.findings.empty() && !is_noticed;
    quiet =
        unobservable || (plan.pipes && !(plan.pipes & ~plan::packers) && !has(plan::When::end) && !plan.waits_in_unit &&
                         !plan.latches_wait && plan.banks.empty() && plan.findings.empty() && !is_noticed);
    assert(!unobservable || (plan.mutex < 0 && !plan.conditions && !plan.cost.hold && !writes_config));
}

void Resolved::reset() {
    // Assigning an empty plan would clear all places of its lists, two KiB.
    static_assert(std::is_trivially_destructible_v<plan::Plan>);
    ::new (static_cast<void*>(&plan)) plan::Plan;
    captures.reset();
    traces = followed = in_vain = 0;
}

void Resolved::list_work() const {
    work_.known = true;
    work_.accesses.clear();
    plan::Footprint work;
    work.rows_suffice = true;
    plan::footprint_of_work(plan, work);
    work_.exact = work.exact;
    const bool writes_dst = std::any_of(work.accesses.begin(), work.accesses.end(), [](const plan::Access& access) {
        return access.write && access.storage == plan::Storage::dst;
    });
    work_.meets_dst = writes_dst || std::holds_alternative<plan::PackWork>(plan.work) ||
                      std::holds_alternative<plan::ValidityWork>(plan.work);
    work_.brings_only = !hands_over && !writes_dst;
    AskedOfDst asked;
    const auto is_in_order = [&](std::size_t number) {
        const plan::Access& access = work.accesses[number];
        switch (access.storage) {
            case plan::Storage::cell:
            case plan::Storage::lreg: return false;
            case plan::Storage::dst:
                if (writes_dst && is_written(access, work.accesses)) return false;
                return asked.is_new(access);
            case plan::Storage::dst_valid:
                return !asked.knows(access) && !with_its_rows(number, work.accesses) && asked.is_new(access);
            default: return true;
        }
    };
    std::array<std::uint8_t, decltype(work.accesses)::capacity> others;
    std::size_t count = 0;
    work_.accesses.reserve(work.accesses.size());
    for (std::size_t i = 0; i < work.accesses.size(); ++i) {
        if (is_in_order(i))
            work_.accesses.push_back(work.accesses[i]);
        else
            others[count++] = static_cast<std::uint8_t>(i);
    }
    work_.in_order = work_.accesses.size();
    for (const std::uint8_t i : std::span(others).first(count)) work_.accesses.push_back(work.accesses[i]);
}

bool Resolved::move_l1(std::uint32_t from, std::uint32_t bytes, std::uint32_t to) {
    bool found = bytes == 0 || !work_.known;
    for (plan::Access& access : work_.accesses) {
        if (access.storage != plan::Storage::l1 || access.first != from || access.count != bytes) continue;
        access.first = to;
        found = true;
        if (!access.write) reads_written_in = 0;
    }
    return found;
}

void Resolved::shift_l1(std::uint32_t bytes) {
    for (plan::Access& access : work_.accesses) {
        if (access.storage != plan::Storage::l1) continue;
        access.first += bytes;
        if (!access.write) reads_written_in = 0;
    }
}

PlanRef PlanRef::of(const plan::Plan& plan) {
    auto* resolved = new Resolved;
    resolved->plan = plan;
    resolved->derive();
    return PlanRef(*resolved);
}

Resolved& PlanRef::renew() {
    if (held_ && held_->holders_ == 1)
        held_->reset();
    else
        *this = PlanRef(*new Resolved);
    return *held_;
}

PlanRef PlanRef::clone() const {
    auto* copy = new Resolved(*held_);
    copy->holders_ = 0;
    copy->reads_written_in = 0;
    copy->dst_known = {};
    copy->traces = copy->followed = copy->in_vain = 0;
    return PlanRef(*copy);
}

Resolved& PlanRef::moved_apart() {
    const auto traces = held_->traces;
    const auto followed = held_->followed, in_vain = held_->in_vain;
    Resolved& moved = alone();
    moved.traces = traces;
    moved.followed = followed;
    moved.in_vain = in_vain;
    return moved;
}

Resolved& PlanRef::alone() {
    if (held_->holders_ == 1) return *held_;
    PlanRef copy = clone();
    copy.held_->reads_written_in = held_->reads_written_in;
    copy.held_->dst_known = held_->dst_known;
    *this = std::move(copy);
    return *held_;
}

}  // namespace tessera::units
