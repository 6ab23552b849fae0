// SPDX-License-Identifier: Apache-2.0
#include "plan/explain_registers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "registers/backend_fields.hpp"
#include "registers/field_family.hpp"
#include "registers/thread_fields.hpp"
#include "state/inventory.hpp"

namespace tessera::plan {

namespace {

using registers::FieldPosition;
using registers::FieldSpec;
using registers::Space;

/// The word of configuration of a cell.
struct Word {
    Space space{};
    unsigned addr32 = 0;
    bool second_bank = false;
    unsigned thread = 0;  ///< of Space::thread
};

std::optional<Word> word_of(state::Cell cell) {
    const unsigned i = state::index(cell);
    if (state::cells::config_block.contains(cell))
        return Word{Space::backend, i % state::cells::max_config_words, i >= state::cells::max_config_words};
    if (state::cells::thread_config_block.contains(cell))
        return Word{Space::thread,
                    (i - state::cells::thread_config_block.first) % state::cells::max_thread_config_words, false,
                    (i - state::cells::thread_config_block.first) / state::cells::max_thread_config_words};
    return std::nullopt;
}

template <class F>
void for_each_field(Space space, F&& f) {
    if (space == Space::backend)
        for (const FieldSpec& spec : registers::backend_fields) f(spec);
    else
        for (const FieldSpec& spec : registers::thread_fields) f(spec);
}

bool same(const FieldPosition& one, const FieldPosition& other) {
    return one.addr32 == other.addr32 && one.lo == other.lo && one.width == other.width;
}

ReadValue read(const FieldSpec& spec, Space space, std::string_view which, Arch arch, std::uint32_t word) {
    RegisterField field;
    field.name = spec.name;
    field.space = space == Space::backend ? RegisterSpace::backend : RegisterSpace::thread;
    field.width = spec.at(arch).width;
    field.kind = registers::kind_of(spec, arch);
    const std::uint32_t value = spec.at(arch).extract(word);
    std::string text = number(value);
    if (const std::string meant = describe_value(field, value); meant != fmt::format("{}", value) && meant != text)
        text += fmt::format(" ({})", meant);
    return {fmt::format("{}{}", spec.name, which), value, std::move(text)};
}

std::vector<state::Cell> without_doubles(std::vector<state::Cell> cells) {
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return cells;
}

}  // namespace

std::string number(std::uint32_t value) {
    return value < 4096 ? fmt::format("{}", value) : fmt::format("0x{:X}", value);
}

std::string cell_name(const state::State& state, state::Cell cell) {
    return state::inventory(state.arch().arch).describe(state::Storage::cell, state::index(cell));
}

std::vector<ReadValue> registers_read(const Seen& seen, const state::State& state) {
    const Arch arch = state.arch().arch;
    std::vector<ReadValue> values;
    const std::vector<state::Cell> cells = without_doubles(seen.cells);
    const auto of_many_threads = [&](const Word& word) {
        return std::count_if(cells.begin(), cells.end(), [&](state::Cell cell) {
                   const auto other = word_of(cell);
                   return other && other->space == Space::thread && other->addr32 == word.addr32;
               }) > 1;
    };
    for (const state::Cell cell : cells) {
        const auto word = word_of(cell);
        if (!word) continue;
        const std::string which = word->second_bank                                        ? "[1]"
                                  : word->space == Space::thread && of_many_threads(*word) ? fmt::format(" of T{}", word->thread)
                                                                                           : "";
        const auto was_read = [&](const FieldPosition& at) {
            return std::any_of(seen.fields.begin(), seen.fields.end(),
                               [&](const Seen::Field& field) { return field.cell == cell && same(field.at, at); });
        };
        const bool by_fields = std::any_of(seen.fields.begin(), seen.fields.end(),
                                           [&](const Seen::Field& field) { return field.cell == cell; });
        const std::size_t before = values.size();
        for_each_field(word->space, [&](const FieldSpec& spec) {
            const FieldPosition& at = spec.at(arch);
            if (!at.present() || at.addr32 != word->addr32) return;
            const bool whole = registers::kind_of(spec, arch) == FieldKind::whole;
            if (by_fields ? !was_read(at) : whole) return;
            values.push_back(read(spec, word->space, which, arch, state[cell]));
        });
        if (values.size() == before) values.push_back({cell_name(state, cell), state[cell], number(state[cell])});
    }
    return values;
}

std::vector<ReadValue> counters_read(const Seen& seen, const state::State& state) {
    std::vector<ReadValue> values;
    for (const state::Cell cell : without_doubles(seen.cells))
        if (!word_of(cell)) values.push_back({cell_name(state, cell), state[cell], number(state[cell])});
    return values;
}

}  // namespace tessera::plan
