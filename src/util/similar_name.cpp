// SPDX-License-Identifier: Apache-2.0
#include "tessera/similar_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "util/most_similar.hpp"

namespace tessera {

namespace {

constexpr char fold(char c) { return c == ' ' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Edits (insert, delete, replace, exchange neighbours) between two names.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        before_last.swap(last);
        last.swap(row);
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const char in_a = fold(a[i]), in_b = fold(b[j]);
            row[j + 1] = std::min({last[j] + (in_a != in_b), row[j] + 1, last[j + 1] + 1});
            if (i > 0 && j > 0 && in_a == fold(b[j - 1]) && in_b == fold(a[i - 1]))
                row[j + 1] = std::min(row[j + 1], before_last[j - 1] + 1);
        }
    }
    return row[b.size()];
}

/// With half of its characters edited, any short name would become any other.
bool is_far(std::size_t edits, std::string_view a, std::string_view b) {
    return edits > 1 && 2 * edits >= std::max(a.size(), b.size());
}

/// The letters and digits, without what separates words.
std::string letters(std::string_view name) {
    std::string kept;
    for (const char c : name)
        if (fold(c) != '_' && c != '.' && c != '-') kept += fold(c);
    return kept;
}

}  // namespace

std::string_view util::most_similar(std::string_view name, std::span<const std::string_view> candidates) {
    // Input is untrusted: a name may be as long as its file.
    constexpr std::size_t longest = 100;
    if (name.size() > longest) return {};
    std::string_view best;
    std::size_t best_distance = name.size() / 3 + 2;
    const std::string own = letters(name);
    for (const auto candidate : candidates) {
        if (!own.empty() && letters(candidate) == own) return candidate;
        const auto distance = edit_distance(name, candidate);
        if (distance >= best_distance || is_far(distance, name, candidate)) continue;
        best = candidate;
        best_distance = distance;
    }
    return best;
}

std::string suggestion(std::string_view name, std::span<const std::string_view> candidates) {
    std::string spelled(util::most_similar(name, candidates));
    if (spelled.empty()) return {};
    std::replace(spelled.begin(), spelled.end(), ' ', '_');
    return fmt::format(" (did you mean {}?)", spelled);
}

}  // namespace tessera
