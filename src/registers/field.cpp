// SPDX-License-Identifier: Apache-2.0
#include "registers/field.hpp"

#include <algorithm>
#include <array>

namespace tessera::registers {

namespace {

/// The rows of a table in the order of their names, sorted by the compiler.
template <std::size_t N>
consteval std::array<std::uint16_t, N> by_name(const FieldSpec (&specs)[N]) {
    std::array<std::uint16_t, N> rows{};
    for (std::size_t i = 0; i < N; ++i) rows[i] = static_cast<std::uint16_t>(i);
    std::sort(rows.begin(), rows.end(), [&](auto a, auto b) {
        return specs[a].name == specs[b].name ? a < b : specs[a].name < specs[b].name;
    });
    return rows;
}
constexpr auto backend_names = by_name(backend_fields);
constexpr auto thread_names = by_name(thread_fields);

}  // namespace

std::optional<NamedField> find_field(std::string_view name, Arch arch) {
    const auto search = [&](const auto& table, const auto& names, Space space) -> std::optional<NamedField> {
        auto at = std::lower_bound(names.begin(), names.end(), name,
                                   [&](std::uint16_t row, std::string_view wanted) { return table[row].name < wanted; });
        for (; at != names.end() && table[*at].name == name; ++at)
            if (table[*at].at(arch).present()) return NamedField{&table[*at], space};
        return std::nullopt;
    };
    if (auto found = search(backend_fields, backend_names, Space::backend)) return found;
    return search(thread_fields, thread_names, Space::thread);
}

}  // namespace tessera::registers
