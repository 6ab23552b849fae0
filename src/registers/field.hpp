// SPDX-License-Identifier: Apache-2.0
// Fields by name: at compile time for the units, at run time for assembly text and reports.
#pragma once

#include <array>
#include <optional>

#include "registers/backend_fields.hpp"
#include "registers/thread_fields.hpp"

namespace tessera::registers {

/// A field that the units read. Absent on an architecture: reads as 0 there.
struct Field {
    Space space = Space::backend;
    std::array<FieldPosition, 2> at{};

    constexpr const FieldPosition& operator[](Arch arch) const { return at[static_cast<unsigned>(arch)]; }
};

/// The field called `name` in either space. An undeclared name does not compile.
consteval Field field(std::string_view name) {
    for (const auto& spec : backend_fields)
        if (spec.name == name) return {Space::backend, {spec.blackhole, spec.wormhole}};
    for (const auto& spec : thread_fields)
        if (spec.name == name) return {Space::thread, {spec.blackhole, spec.wormhole}};
    throw "no field of that name is declared";
}

/// N fields whose names differ in one decimal number, marked '#' in `pattern`: field i is numbered first + i.
template <std::size_t N>
consteval std::array<Field, N> fields(std::string_view pattern, unsigned first = 0) {
    std::array<Field, N> result{};
    for (std::size_t i = 0; i < N; ++i) {
        char text[96] = {};
        std::size_t length = 0;
        for (char c : pattern) {
            if (c != '#') {
                text[length++] = c;
                continue;
            }
            const unsigned number = first + static_cast<unsigned>(i);
            if (number >= 10) text[length++] = static_cast<char>('0' + number / 10);
            text[length++] = static_cast<char>('0' + number % 10);
        }
        result[i] = field({text, length});
    }
    return result;
}

/// A field found by its name at run time.
struct NamedField {
    const FieldSpec* spec;
    Space space;
};

/// Finds a field by its exact name; none if it is undeclared or absent on `arch`.
std::optional<NamedField> find_field(std::string_view name, Arch arch);

}  // namespace tessera::registers
