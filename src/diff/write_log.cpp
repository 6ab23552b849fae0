// SPDX-License-Identifier: Apache-2.0
#include "diff/write_log.hpp"

#include <algorithm>
#include <span>
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

using Entries = std::span<const Entry>;

/// Removes the entries of an op from the front of a list.
Entries take(Entries& list, std::optional<std::size_t> op) {
    std::size_t count = 0;
    while (op && count < list.size() && list[count].index <= static_cast<std::int64_t>(*op)) ++count;
    const Entries taken = list.first(count);
    list = list.subspan(count);
    return taken;
}

std::vector<Key> keys_of(Entries entries) {
    std::vector<Key> keys;
    for (const Entry& entry : entries) keys.push_back({entry.word, opcode(entry.word), 0});
    return keys;
}

bool same_word(const Entry& a, const Entry& b) { return a.word == b.word; }

/// Sort key: the cycle; in one cycle, a different instruction comes first as the cause of different values.
std::pair<std::uint64_t, bool> time_of(const Divergence& one) {
    const bool same = one.a && one.b && same_word(*one.a, *one.b);
    const Entry& entry = one.a ? *one.a : *one.b;
    return {same ? entry.written : entry.cycle, same};
}

/// Order of divergences; lower values come first.
enum class Rank : std::uint8_t { other_effects, effects_alone, other_word, alone };

Rank rank_of(const Divergence& one) {
    if (one.a && one.b) return one.a->digest != one.b->digest ? Rank::other_effects : Rank::other_word;
    return (one.a ? one.a : one.b)->digest ? Rank::effects_alone : Rank::alone;
}

class Comparison {
public:
    explicit Comparison(const std::set<Site>& known) : known_(known) {}

    void compare(Entries a, Entries b, const std::vector<Step>& steps, int thread, bool by_core) {
        thread_ = thread;
        by_core_ = by_core;
        for (const Step& step : steps) compare_op(take(a, step.a), take(b, step.b));
    }

    std::optional<Divergence> first() && { return std::move(first_); }

private:
    void compare_op(Entries a, Entries b) {
        if (a.size() == b.size() && std::ranges::equal(a, b, same_word)) {
            for (std::size_t i = 0; i < a.size(); ++i) compare(&a[i], &b[i]);
            return;
        }
        for (const Step& step : align(keys_of(a), keys_of(b)))
            compare(step.a ? &a[*step.a] : nullptr, step.b ? &b[*step.b] : nullptr);
    }

    void compare(const Entry* a, const Entry* b) {
        if (a && b && same_word(*a, *b) && (a->digest == b->digest || known_.contains(site(*a)))) return;
        Divergence one;
        if (a) {
            one.site_a = site(*a);
            one.a = *a;
        }
        if (b) {
            one.site_b = site(*b);
            one.b = *b;
        }
        const auto order = [](const Divergence& what) { return std::pair(rank_of(what), time_of(what)); };
        if (!first_ || order(one) < order(*first_)) first_ = std::move(one);
    }

    Site site(const Entry& entry) const { return {thread_, by_core_, entry.index, entry.position}; }

    const std::set<Site>& known_;
    int thread_ = 0;
    bool by_core_ = false;
    std::optional<Divergence> first_;
};

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
    // Effects land out of order while issues are in order, so the place is near the end.
    auto at = std::upper_bound(entries.begin(), entries.end(), entry, before);
    if (at != entries.begin() && !before(*std::prev(at), entry))
        --at;
    else
        at = entries.insert(at, entry);
    if (!write.elements.empty()) at->written = write.cycle;
    for (const StateElement& element : write.elements) {
        if (!compared_(element.section, element.element)) continue;
        // A sum is independent of order. The reference writes at once; the units write at issue, on landing, and at the
        // end.
        at->digest += mixed(mixed(0, std::uint64_t{element.section} << 32 | element.element), element.value);
    }
}

std::optional<Divergence> first_divergence(const WriteLog& a, const WriteLog& b, const ProgramAlignment& alignment,
                                           const std::set<Site>& known) {
    Comparison comparison(known);
    for (int thread = 0; thread < 3; ++thread)
        for (const bool by_core : {true, false})
            comparison.compare(a.entries(thread, by_core), b.entries(thread, by_core),
                               alignment[static_cast<std::size_t>(thread)], thread, by_core);
    return std::move(comparison).first();
}

}  // namespace tessera::diff
