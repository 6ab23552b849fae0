// SPDX-License-Identifier: Apache-2.0
#include "engine/run_recorder.hpp"

#include <algorithm>

#include "state/cell_role.hpp"
#include "state/config_store.hpp"

namespace tessera::engine {

namespace {

using state::Storage;

template <class Set>
void include(Set& set, const state::CellBlock& block) {
    for (unsigned i = block.first; i < block.end(); ++i) set.set(i);
}

template <class Set>
Set cells_of_works() {
    Set set;
    for (const auto& block : state::blocks_of_works) include(set, block);
    return set;
}

// Whether data decides which cells count as written afterwards.
bool marks_by_data(const units::Resolved& what) {
    return !what.work().exact && std::any_of(what.work().accesses.begin(), what.work().accesses.end(), [](const plan::Access& access) {
        return access.write && (access.storage == Storage::l1 || access.storage == Storage::src_a ||
                                access.storage == Storage::src_b || access.storage == Storage::dst);
    });
}

void add_lines(std::vector<std::uint64_t>& lines, std::uint32_t address, std::uint32_t bytes) {
    state::L1::for_each_group(address, bytes, [&](std::uint32_t group, std::uint64_t touched) { lines[group] |= touched; });
}

bool counts(units::Captures::Bits counted, std::uint16_t cell) {
    return std::any_of(counted.begin(), counted.end(), [&](const plan::CellBits& bits) { return bits.cell == cell; });
}

}  // namespace

RunRecorder::RunRecorder(const state::State& state)
    : state_(state),
      made_(std::make_shared<RecordedRun>()),
      l1_before_(state.l1.written()),
      l1_read_(l1_before_.size()) {
    RunBasis& basis = made_->basis;
    basis.maps_dst = state.maps_dst;
    basis.cells = state.all_cells();
    basis.dst_written = state.dst.written;
    for (unsigned i = 0; i < basis.src_written.size(); ++i) basis.src_written[i] = state.src[i / 2][i % 2].written;
}

void RunRecorder::looked(const units::Resolved& at) {
    if (given_up_) return;
    if (!at.captures || at.captures->contents) return give_up();
    if (!captures_.insert(at.captures).second) return;
    const units::Captures::Bits counted = at.captures->counted;
    for (const plan::CellBits& bits : at.captures->bits)
        if (!counts(counted, bits.cell)) decided_.set(bits.cell);
    for (const plan::CellBits& bits : counted) counted_[bits.cell] |= bits.mask;
    for (const state::Cell cell : at.captures->remarked) decided_.set(state::index(cell));
}

void RunRecorder::executes(const units::Resolved& what) {
    if (given_up_) return;
    for (const plan::CellEffect& effect : what.plan.effects) {
        const auto cell = static_cast<std::uint16_t>(effect.cell);
        effected_.set(cell);
        if (!what.captures || !counts(what.captures->counted, cell)) set_.set(cell);
    }
    if (!what.has_work) return;
    plan::WorkList& works = made_->works;
    const auto known = steps_.find(&what);
    if (known != steps_.end() && works.is(known->second, what.plan.work)) {
        works.add(known->second);
    } else {
        if (plan::waits_for_l1(what.plan) || marks_by_data(what)) return give_up();
        note_accesses(what);
        steps_.insert_or_assign(&what, works.add(what.plan.work));
    }
    if (works.size() > most_works || works.bytes() > most_bytes) give_up();
}

void RunRecorder::note_accesses(const units::Resolved& of) {
    for (const plan::Access& access : of.work().accesses) {
        if (access.storage == Storage::l1 && !access.write) add_lines(l1_read_, access.first, access.count);
        if (access.storage != Storage::cell) continue;
        CellSet& cells = access.write ? works_wrote_ : works_read_;
        for (std::uint32_t i = 0; i < access.count; ++i) cells.set(access.first + i);
    }
}

void RunRecorder::stored(state::Cell cell) {
    using namespace state::cells;
    if (!config_block.contains(cell)) {
        effected_.set(state::index(cell));
        set_.set(state::index(cell));
        return;
    }
    // One word may reset the others, or begin the random numbers (state/config_store.hpp).
    for (CellSet* cells : {&effected_, &set_}) {
        include(*cells, config_block);
        if (state::seeds_prng(state_.arch(), (state::index(cell) - config_block.first) % max_config_words))
            include(*cells, prng_block);
    }
}

// Whether works and other writes commute: neither reads what the other writes.
bool RunRecorder::works_keep_apart() const {
    static const CellSet allowed = cells_of_works<CellSet>();
    return ((works_wrote_ & (decided_ | effected_ | ~allowed)) | (works_read_ & effected_)).none();
}

std::shared_ptr<const RecordedRun> RunRecorder::finish(const Program& program, const RunOptions& options, Reset reset,
                                                       const Run& run, KnownL1 l1) {
    if (given_up_ || !run.good() || !works_keep_apart()) return nullptr;
    RunBasis& basis = made_->basis;
    basis.program = program;
    basis.timing = options.timing;
    basis.max_cycles = options.max_cycles;
    basis.levels = options.levels;
    basis.disregard = options.disregard;
    basis.reset = reset;
    std::erase_if(counted_, [&](const auto& one) { return decided_[one.first] || set_[one.first]; });
    for (const auto& [i, mask] : counted_)
        if (effected_[i])
            made_->counted.push_back({state::Cell(i), (state_[state::Cell(i)] - basis.cells[i]) & mask, mask});
    for (std::uint16_t i = 0; i < state::cells::total; ++i) {
        if (works_wrote_[i] || counted_.contains(i)) continue;
        if (basis.deciding.empty() || basis.deciding.back().second != i) basis.deciding.emplace_back(i, i);
        ++basis.deciding.back().second;
        const state::Cell cell{i};
        if (state_[cell] != basis.cells[i]) made_->changed.emplace_back(cell, state_[cell]);
    }
    for (std::uint32_t i = 0; i < l1_read_.size(); ++i)
        if (l1_read_[i]) basis.l1_written.push_back({i, l1_read_[i], l1_before_[i] & l1_read_[i]});
    made_->works.settle();
    made_->l1 = std::move(l1);
    made_->run = run;
    if (made_->bytes() > most_bytes) return nullptr;
    return std::move(made_);
}

}  // namespace tessera::engine
