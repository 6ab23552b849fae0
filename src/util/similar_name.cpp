// SPDX-License-Identifier: Apache-2.0
#include "tessera/similar_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace tessera {

namespace {

constexpr char fold(char c) { return c == ' ' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Edits (insert, delete, replace) between two names.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (fold(a[i]) != fold(b[j]));
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row[b.size()];
}

}  // namespace

std::string suggestion(std::string_view name, std::span<const std::string_view> candidates) {
    // Input is untrusted: a name may be as long as its file.
    constexpr std::size_t longest = 100;
    if (name.size() > longest) return {};
    std::string_view best;
    std::size_t best_distance = name.size() / 3 + 2;
    for (const auto candidate : candidates) {
        const auto distance = edit_distance(name, candidate);
        if (distance >= best_distance) continue;
        best = candidate;
        best_distance = distance;
    }
    if (best.empty()) return {};
    std::string spelled(best);
    std::replace(spelled.begin(), spelled.end(), ' ', '_');
    return fmt::format(" (did you mean {}?)", spelled);
}

}  // namespace tessera
