// SPDX-License-Identifier: Apache-2.0
#include "engine/recorded_run.hpp"

#include <algorithm>

#include "engine/observers.hpp"

namespace tessera::engine {

namespace {

template <class T>
std::size_t size_of(const std::vector<T>& all) {
    return all.size() * sizeof(T);
}

}  // namespace

bool may_be_recorded(const RunOptions& options) {
    return options.recorded && !options.reference && !options.seed && !has_issue_observers(options) &&
           !(options.stop && options.stop->load(std::memory_order_relaxed));
}

bool RunBasis::is_met(const Program& of, const RunOptions& options, Reset how, const state::State& state) const {
    if (of.arch != program.arch || how != reset || state.maps_dst != maps_dst) return false;
    const auto& now = state.all_cells();
    const bool same_cells = std::all_of(deciding.begin(), deciding.end(), [&](const auto& range) {
        return std::equal(cells.begin() + range.first, cells.begin() + range.second, now.begin() + range.first);
    });
    if (!same_cells || state.dst.written != dst_written) return false;
    for (unsigned i = 0; i < src_written.size(); ++i)
        if (state.src[i / 2][i % 2].written != src_written[i]) return false;
    const bool same_lines = std::all_of(l1_written.begin(), l1_written.end(), [&](const Lines& lines) {
        return (state.l1.written(lines.group) & lines.read) == lines.written;
    });
    return same_lines && options.timing == timing && options.max_cycles == max_cycles && options.levels == levels &&
           options.disregard == disregard && of.threads == program.threads && of.files == program.files;
}

void RecordedRun::repeat(state::State& state) const {
    works.run(state);
    for (const auto& [cell, value] : changed) state.write(cell, value);
    for (const Counted& one : counted) state.write(one.cell, (state[one.cell] + one.by) & one.mask);
}

std::size_t RecordedRun::bytes() const {
    constexpr std::size_t texts_of_finding = 512;
    std::size_t sum = sizeof *this;
    for (const auto& thread : basis.program.threads) sum += size_of(thread);
    for (const auto& file : basis.program.files) sum += file.size();
    for (const std::size_t part : {works.bytes(), size_of(changed), size_of(counted), size_of(basis.l1_written),
                                   size_of(run.findings), run.findings.size() * texts_of_finding})
        sum += part;
    return sum;
}

}  // namespace tessera::engine
