// SPDX-License-Identifier: Apache-2.0
#include "diff/write_log.hpp"

#include <algorithm>
#include <utility>

#include "state/packer_remains.hpp"
#include "util/golden_ratio.hpp"

namespace tessera::diff {

namespace {

std::uint64_t mixed(std::uint64_t digest, std::uint64_t value) {
    digest = (digest ^ value) * util::golden_ratio;
    return digest ^ digest >> 29;
}

using Entry = WriteLog::Entry;

bool before(const Entry& a, const Entry& b) { return std::tie(a.index, a.position) < std::tie(b.index, b.position); }

std::optional<Divergence> diverge(const std::vector<Entry>& a, const std::vector<Entry>& b, int thread, bool by_core,
                                  const std::set<Site>& known) {
    auto at = [&](const Entry& e) { return Site{thread, by_core, e.index, e.position}; };
    for (std::size_t i = 0;; ++i) {
        const bool in_a = i < a.size(), in_b = i < b.size();
        if (!in_a && !in_b) return std::nullopt;
        if (!in_b || (in_a && before(a[i], b[i]))) return Divergence{at(a[i]), a[i], std::nullopt};
        if (!in_a || before(b[i], a[i])) return Divergence{at(b[i]), std::nullopt, b[i]};
        if ((a[i].word != b[i].word || a[i].digest != b[i].digest) && !known.contains(at(a[i])))
            return Divergence{at(a[i]), a[i], b[i]};
    }
}

/// When it happened; of two in one cycle, another instruction is the cause of other values.
std::pair<std::uint64_t, bool> time_of(const Divergence& one) {
    const bool same_word = one.a && one.b && one.a->word == one.b->word;
    const Entry& entry = one.a ? *one.a : *one.b;
    return {same_word ? entry.written : entry.cycle, same_word};
}

}  // namespace

Compared::Compared(const Core& core)
    : semaphores_(core.find_section("semaphore_value").value()->id),
      packers_(core.find_section("packer").value()->id),
      packer_items_(core.sections()[packers_].dimensions.back().size) {}

bool Compared::operator()(std::uint32_t section, std::uint32_t element) const {
    if (section == semaphores_) return false;
    return section != packers_ || !state::is_packer_stream(state::Packer(element % packer_items_));
}

void WriteLog::note(const Write& write) {
    auto& entries = lists_[list(write.thread, write.by_core)];
    Entry entry{write.index, write.position, write.word, 0, write.cycle, write.cycle};
    // Effects land out of order, issues do not: what is not at the end is mostly near it.
    auto at = std::upper_bound(entries.begin(), entries.end(), entry, before);
    if (at != entries.begin() && !before(*std::prev(at), entry))
        --at;
    else
        at = entries.insert(at, entry);
    if (!write.elements.empty()) at->written = write.cycle;
    for (const StateElement& element : write.elements) {
        if (!compared_(element.section, element.element)) continue;
        // A sum, since the second implementation writes at once what the units write at issue, when they land, and at the end.
        at->digest += mixed(mixed(0, std::uint64_t{element.section} << 32 | element.element), element.value);
    }
}

std::optional<Divergence> first_divergence(const WriteLog& a, const WriteLog& b, const std::set<Site>& known) {
    std::optional<Divergence> first;
    for (int thread = 0; thread < 3; ++thread)
        for (const bool by_core : {true, false}) {
            auto one = diverge(a.entries(thread, by_core), b.entries(thread, by_core), thread, by_core, known);
            if (one && (!first || time_of(*one) < time_of(*first))) first = std::move(one);
        }
    return first;
}

}  // namespace tessera::diff
