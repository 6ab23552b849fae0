// SPDX-License-Identifier: Apache-2.0
#include "diff/align.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace tessera::diff {

namespace {

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// Longest common subsequence from the start of both sequences. After too many edits, the path that came furthest.
template <class Equal>
class Search {
public:
    Search(std::int64_t size_a, std::int64_t size_b, Equal equal) : n_(size_a), m_(size_b), equal_(equal) {}

    /// Appends pairs; returns how far both sequences were consumed.
    std::pair<std::size_t, std::size_t> run(Pairs& pairs) {
        constexpr std::int64_t most_edits = 1024;
        furthest_.assign(2 * most_edits + 3, 0);
        middle_ = most_edits + 1;
        for (std::int64_t edits = 0; edits <= most_edits; ++edits) {
            for (std::int64_t diagonal = -edits; diagonal <= edits; diagonal += 2)
                if (extend(edits, diagonal) == n_ && n_ - diagonal == m_) return walk_back(edits, diagonal, pairs);
            rounds_.emplace_back(furthest_.begin() + middle_ - edits, furthest_.begin() + middle_ + edits + 1);
        }
        std::int64_t best = 0, most = -1;
        for (std::int64_t diagonal = -most_edits; diagonal <= most_edits; diagonal += 2) {
            const auto x = at(diagonal), y = x - diagonal;
            if (x <= n_ && y <= m_ && x + y > most) {
                most = x + y;
                best = diagonal;
            }
        }
        return walk_back(most_edits, best, pairs);
    }

private:
    std::int64_t& at(std::int64_t diagonal) { return furthest_[static_cast<std::size_t>(middle_ + diagonal)]; }

    /// The point at which a path with that many edits enters the diagonal.
    template <class At>
    static std::int64_t entry(std::int64_t edits, std::int64_t diagonal, At&& at) {
        if (edits == 0) return 0;
        const bool down = diagonal == -edits || (diagonal != edits && at(diagonal - 1) < at(diagonal + 1));
        return down ? at(diagonal + 1) : at(diagonal - 1) + 1;
    }

    std::int64_t extend(std::int64_t edits, std::int64_t diagonal) {
        std::int64_t x = entry(edits, diagonal, [&](std::int64_t k) { return at(k); });
        while (x < n_ && x - diagonal < m_ && equal_(static_cast<std::size_t>(x), static_cast<std::size_t>(x - diagonal)))
            ++x;
        return at(diagonal) = x;
    }

    std::pair<std::size_t, std::size_t> walk_back(std::int64_t edits, std::int64_t diagonal, Pairs& pairs) {
        const auto first = static_cast<std::ptrdiff_t>(pairs.size());
        const std::int64_t end_x = at(diagonal), end_y = end_x - diagonal;
        for (std::int64_t x = end_x; edits >= 0; --edits) {
            const auto before = [&](std::int64_t k) {
                return rounds_[static_cast<std::size_t>(edits - 1)][static_cast<std::size_t>(k + edits - 1)];
            };
            const std::int64_t start = entry(edits, diagonal, before);
            while (x > start) {
                --x;
                pairs.emplace_back(static_cast<std::size_t>(x), static_cast<std::size_t>(x - diagonal));
            }
            if (edits == 0) break;
            const bool down = diagonal == -edits || (diagonal != edits && before(diagonal - 1) < before(diagonal + 1));
            diagonal += down ? 1 : -1;
            x = before(diagonal);
        }
        std::reverse(pairs.begin() + first, pairs.end());
        return {static_cast<std::size_t>(end_x), static_cast<std::size_t>(end_y)};
    }

    std::int64_t n_, m_;
    Equal equal_;
    std::vector<std::int64_t> furthest_;  ///< by diagonal: furthest position in A
    std::int64_t middle_ = 0;
    std::vector<std::vector<std::int64_t>> rounds_;
};

/// Pairs of elements that are equal under a projection, in order.
template <class Project>
Pairs common(std::span<const Key> a, std::span<const Key> b, Project project) {
    Pairs pairs;
    std::size_t i = 0, k = 0;
    while (i < a.size() && k < b.size()) {
        if (project(a[i]) == project(b[k])) {
            pairs.emplace_back(i++, k++);
            continue;
        }
        const auto rest_a = a.subspan(i), rest_b = b.subspan(k);
        const auto equal = [&](std::size_t x, std::size_t y) { return project(rest_a[x]) == project(rest_b[y]); };
        const std::size_t first = pairs.size();
        const auto [used_a, used_b] = Search(static_cast<std::int64_t>(rest_a.size()),
                                             static_cast<std::int64_t>(rest_b.size()), equal)
                                          .run(pairs);
        for (std::size_t p = first; p < pairs.size(); ++p) {
            pairs[p].first += i;
            pairs[p].second += k;
        }
        i += used_a;
        k += used_b;
    }
    return pairs;
}

/// Pairs of elements of one kind, in order, that share the most bits. The cost is the product of the lengths.
Pairs most_similar(std::span<const Key> a, std::span<const Key> b) {
    const std::size_t width = b.size() + 1;
    std::vector<int> best((a.size() + 1) * width, 0);  // best score of the suffixes from i and k on
    const auto score = [&](std::size_t i, std::size_t k) {
        constexpr int bits = 64;
        return a[i].kind == b[k].kind ? bits + 1 - std::popcount(a[i].exact ^ b[k].exact) : 0;
    };
    for (std::size_t i = a.size(); i-- > 0;)
        for (std::size_t k = b.size(); k-- > 0;)
            best[i * width + k] = std::max({best[(i + 1) * width + k], best[i * width + k + 1],
                                            score(i, k) + best[(i + 1) * width + k + 1]});
    Pairs pairs;
    for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
        if (best[i * width + k] == best[(i + 1) * width + k])
            ++i;
        else if (best[i * width + k] == best[i * width + k + 1])
            ++k;
        else
            pairs.emplace_back(i++, k++);
    }
    return pairs;
}

class Builder {
public:
    Builder(std::span<const Key> a, std::span<const Key> b) : a_(a), b_(b) {}

    std::vector<Step> build() {
        between(common(a_, b_, [](const Key& key) { return key.exact; }), {0, a_.size()}, {0, b_.size()},
                [&](Range in_a, Range in_b) { changed(in_a, in_b); });
        return std::move(steps_);
    }

private:
    using Range = std::pair<std::size_t, std::size_t>;

    /// Adds the pairs; `gap` handles the elements between them.
    template <class Gap>
    void between(const Pairs& pairs, Range in_a, Range in_b, Gap gap) {
        for (const auto& [i, k] : pairs) {
            gap(Range{in_a.first, i}, Range{in_b.first, k});
            add(i, k);
            in_a.first = i + 1;
            in_b.first = k + 1;
        }
        gap(in_a, in_b);
    }

    /// Equal elements may remain between pairs, because the search restarts.
    void add(std::size_t i, std::size_t k) { steps_.push_back({i, k, a_[i].exact == b_[k].exact}); }

    void changed(Range in_a, Range in_b) {
        const auto gap_a = a_.subspan(in_a.first, in_a.second - in_a.first),
                   gap_b = b_.subspan(in_b.first, in_b.second - in_b.first);
        constexpr std::size_t few = 10'000;
        Pairs pairs = gap_a.size() * gap_b.size() <= few
                          ? most_similar(gap_a, gap_b)
                          : common(gap_a, gap_b, [](const Key& key) { return key.kind; });
        for (auto& [i, k] : pairs) {
            i += in_a.first;
            k += in_b.first;
        }
        between(pairs, in_a, in_b, [&](Range rest_a, Range rest_b) { others(rest_a, rest_b); });
    }

    void others(Range in_a, Range in_b) {
        bool replaced = in_a.second - in_a.first == in_b.second - in_b.first;
        for (std::size_t i = in_a.first, k = in_b.first; replaced && i < in_a.second; ++i, ++k)
            replaced = a_[i].family == b_[k].family;
        if (replaced) {
            for (std::size_t i = in_a.first, k = in_b.first; i < in_a.second; ++i, ++k) add(i, k);
            return;
        }
        for (std::size_t i = in_a.first; i < in_a.second; ++i) steps_.push_back({i, std::nullopt, false});
        for (std::size_t k = in_b.first; k < in_b.second; ++k) steps_.push_back({std::nullopt, k, false});
    }

    std::span<const Key> a_, b_;
    std::vector<Step> steps_;
};

}  // namespace

std::vector<Step> align(std::span<const Key> a, std::span<const Key> b) { return Builder(a, b).build(); }

}  // namespace tessera::diff
