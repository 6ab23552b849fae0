// SPDX-License-Identifier: Apache-2.0
#include "core/recorded_runs.hpp"

#include <algorithm>
#include <iterator>

#include "util/golden_ratio.hpp"

namespace tessera::core {

namespace {

std::uint64_t number_of(const Program& program) {
    std::uint64_t number = static_cast<std::uint64_t>(program.arch);
    for (const auto& thread : program.threads) {
        number = (number + thread.size()) * util::golden_ratio;
        for (const Op& op : thread) {
            const std::uint64_t what =
                op.value | std::uint64_t{op.index} << 32 | std::uint64_t{static_cast<std::uint8_t>(op.kind)} << 48;
            number = (number ^ what) * util::golden_ratio;
            number ^= number >> 32;
        }
    }
    return number;
}

}  // namespace

RecordedRuns::OfProgram* RecordedRuns::find(std::uint64_t number) {
    const auto known =
        std::find_if(programs_.begin(), programs_.end(), [&](const OfProgram& each) { return each.number == number; });
    if (known == programs_.end()) return nullptr;
    programs_.splice(programs_.begin(), programs_, known);
    return &programs_.front();
}

RecordedRuns::Kept RecordedRuns::take_last(OfProgram& of) {
    Kept last = std::move(of.runs.back());
    of.runs.pop_back();
    bytes_ -= last->bytes();
    return last;
}

RecordedRuns::Known RecordedRuns::look_up(const Program& program) {
    const std::uint64_t number = number_of(program);
    std::vector<Kept> forgotten;  // freed when others may go on
    const std::lock_guard lock(mutex_);
    if (const OfProgram* known = find(number)) {
        Known found{number, known->runs, known->attempts > 0};
        if (!found.runs.empty()) std::reverse(std::next(found.runs.begin()), found.runs.end());
        return found;
    }
    programs_.emplace_front().number = number;
    if (programs_.size() > most_programs) {
        while (!programs_.back().runs.empty()) forgotten.push_back(take_last(programs_.back()));
        programs_.pop_back();
    }
    return {number, {}, false};
}

void RecordedRuns::used(std::uint64_t number, const Kept& run) {
    const std::lock_guard lock(mutex_);
    OfProgram* const known = find(number);
    if (!known) return;
    known->attempts = std::min(known->attempts + 1, most_attempts);
    const auto place = std::find(known->runs.begin(), known->runs.end(), run);
    if (place != known->runs.end()) std::rotate(known->runs.begin(), place, std::next(place));
}

void RecordedRuns::give_up(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    if (OfProgram* const known = find(number)) known->attempts = 0;
}

void RecordedRuns::keep(std::uint64_t number, Kept run) {
    std::vector<Kept> forgotten;
    const std::lock_guard lock(mutex_);
    OfProgram* const known = find(number);
    if (!known) return;
    if (known->attempts > 0) --known->attempts;
    if (!run) return;
    bytes_ += run->bytes();
    known->runs.insert(known->runs.begin(), std::move(run));
    if (known->runs.size() > most_of_program) forgotten.push_back(take_last(*known));
    for (auto program = programs_.rbegin(); program != programs_.rend(); ++program)
        while (bytes_ > most_bytes && !program->runs.empty()) forgotten.push_back(take_last(*program));
}

}  // namespace tessera::core
