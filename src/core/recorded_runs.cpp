// SPDX-License-Identifier: Apache-2.0
#include "core/recorded_runs.hpp"

#include <algorithm>
#include <iterator>
#include <thread>

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

// The lock is held for less than a microsecond. A fork meanwhile leaves it locked for ever in the child, so after some
// tries the caller goes on without it.
std::unique_lock<std::mutex> RecordedRuns::locked() {
    constexpr unsigned most_tries = 100;
    std::unique_lock lock(mutex_, std::defer_lock);
    for (unsigned tries = 0; tries < most_tries && !lock.try_lock(); ++tries) std::this_thread::yield();
    return lock;
}

RecordedRuns::OfProgram* RecordedRuns::find(std::uint64_t number) {
    const auto known = by_number_.find(number);
    if (known == by_number_.end()) return nullptr;
    programs_.splice(programs_.begin(), programs_, known->second);
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
    std::vector<Kept> forgotten;  // freed after the lock is released
    const auto lock = locked();
    if (!lock) return {number, {}, false};
    if (const OfProgram* known = find(number)) {
        Known found{number, known->runs, known->attempts > 0};
        if (!found.runs.empty()) std::reverse(std::next(found.runs.begin()), found.runs.end());
        return found;
    }
    programs_.emplace_front().number = number;
    by_number_[number] = programs_.begin();
    if (programs_.size() > most_programs) {
        while (!programs_.back().runs.empty()) forgotten.push_back(take_last(programs_.back()));
        by_number_.erase(programs_.back().number);
        programs_.pop_back();
    }
    return {number, {}, false};
}

void RecordedRuns::used(std::uint64_t number, const Kept& run) {
    const auto lock = locked();
    OfProgram* const known = lock ? find(number) : nullptr;
    if (!known) return;
    known->attempts = std::min(known->attempts + 1, most_attempts);
    const auto place = std::find(known->runs.begin(), known->runs.end(), run);
    if (place != known->runs.end()) std::rotate(known->runs.begin(), place, std::next(place));
}

void RecordedRuns::give_up(std::uint64_t number) {
    const auto lock = locked();
    if (OfProgram* const known = lock ? find(number) : nullptr)
        known->attempts -= std::min(known->attempts, attempts_in_vain);
}

void RecordedRuns::keep(std::uint64_t number, Kept run) {
    std::vector<Kept> forgotten;
    const auto lock = locked();
    OfProgram* const known = lock ? find(number) : nullptr;
    if (!known) return;
    if (known->attempts > 0) --known->attempts;
    if (!run) return;
    bytes_ += run->bytes();
    known->runs.insert(known->runs.begin(), std::move(run));
    if (known->runs.size() > most_of_program) forgotten.push_back(take_last(*known));
    for (auto program = programs_.rbegin(); program != programs_.rend() && bytes_ > most_bytes; ++program)
        while (bytes_ > most_bytes && !program->runs.empty()) forgotten.push_back(take_last(*program));
}

}  // namespace tessera::core
