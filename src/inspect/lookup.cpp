// SPDX-License-Identifier: Apache-2.0
// Looks up fields by name and by address.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "inspect/register_word.hpp"
#include "registers/field.hpp"
#include "registers/field_family.hpp"
#include "state/arch_description.hpp"
#include "tessera/registers.hpp"
#include "tessera/similar_name.hpp"
#include "util/per_arch.hpp"

namespace tessera {

namespace {

RegisterField to_public(const registers::FieldSpec& spec, RegisterSpace space, Arch arch) {
    const auto& at = spec.at(arch);
    const auto* family = registers::find_family(spec);
    RegisterField field;
    field.name = spec.name;
    field.space = space;
    field.addr32 = at.addr32;
    field.lo = at.lo;
    field.width = at.width;
    field.shared = space == RegisterSpace::backend && at.addr32 >= state::describe(arch).shared_config_base;
    field.kind = registers::kind_of(spec, arch);
    field.group = registers::group_of(spec.name);
    if (family) {
        field.meaning = family->meaning;
        if (const auto effect = registers::place_of(spec.name, arch);
            effect.place == registers::Place::ignored && !effect.reason.empty())
            field.meaning = effect.reason;
        field.source = family->source;
    }
    return field;
}

/// The fields for which wanted(space, position) is true, by space, word and lowest bit.
template <class Wanted>
std::vector<RegisterField> make_fields(Arch arch, const Wanted& wanted) {
    std::vector<RegisterField> fields;
    const auto add = [&](const auto& table, RegisterSpace space) {
        for (const auto& spec : table)
            if (const auto& at = spec.at(arch); at.present() && wanted(space, at))
                fields.push_back(to_public(spec, space, arch));
    };
    add(registers::backend_fields, RegisterSpace::backend);
    add(registers::thread_fields, RegisterSpace::thread);
    std::stable_sort(fields.begin(), fields.end(), [](const RegisterField& a, const RegisterField& b) {
        return std::tuple(a.space, a.addr32, a.lo) < std::tuple(b.space, b.addr32, b.lo);
    });
    return fields;
}

std::vector<RegisterField> make_all(Arch arch) {
    return make_fields(arch, [](RegisterSpace, const registers::FieldPosition&) { return true; });
}

const std::vector<RegisterField>& fields_of(Arch arch) { return util::per_arch<make_all>(arch); }

const RegisterField* find(std::string_view name, Arch arch) {
    for (const auto& field : fields_of(arch))
        if (field.name == name) return &field;
    return nullptr;
}

/// Suggestions: the other architecture's field, names that contain the text, or similar names.
std::string hint(std::string_view name, Arch arch) {
    for (Arch other : all_archs)
        if (other != arch && find(name, other)) return fmt::format(" (it is one of {})", tessera::name(other));
    std::vector<std::string_view> names;
    std::size_t containing = 0;
    for (const auto& field : fields_of(arch)) {
        names.push_back(field.name);
        if (field.name.find(name) != std::string_view::npos) ++containing;
    }
    if (!name.empty() && containing != 0) return fmt::format(" ({} name{} it: tessera regs --list {})", containing, containing == 1 ? " contains" : "s contain",
                           name);
    const std::string similar = suggestion(name, names);
    return similar.empty() ? "; tessera regs --list TEXT lists those that contain a text" : similar;
}

Result<void> check_address(RegisterSpace space, unsigned addr32, Arch arch) {
    const unsigned words = register_words(space, arch);
    if (addr32 < words) return {};
    return fail("regs.address", fmt::format("the {} space of {} has no word {}: they are numbered 0 to {}", name(space),
                                            name(arch), addr32, words - 1));
}

}  // namespace

std::vector<RegisterField> register_fields(Arch arch) { return fields_of(arch); }

unsigned register_words(RegisterSpace space, Arch arch) {
    const auto& description = state::describe(arch);
    return space == RegisterSpace::backend ? description.config_words : description.thread_config_words;
}

Result<RegisterField> find_register_field(std::string_view name, Arch arch) {
    if (const auto* field = find(name, arch)) return *field;
    constexpr std::size_t shown = 100;
    return fail("regs.unknown-field", fmt::format("'{}' is not a configuration field of {}{}", name.substr(0, shown),
                                                  tessera::name(arch), hint(name, arch)));
}

Result<std::vector<RegisterField>> register_fields_at(RegisterSpace space, unsigned addr32, Arch arch) {
    if (auto good = check_address(space, addr32, arch); !good) return tl::make_unexpected(good.error());
    return make_fields(arch, [&](RegisterSpace its_space, const registers::FieldPosition& at) {
        return its_space == space && at.addr32 == addr32;
    });
}

Result<std::vector<FieldValue>> decode_register(RegisterSpace space, unsigned addr32, std::uint32_t word, Arch arch) {
    auto fields = register_fields_at(space, addr32, arch);
    if (!fields) return tl::make_unexpected(fields.error());
    if (const std::uint32_t largest = inspect::largest_word(space); word > largest)
        return fail("regs.value", fmt::format("0x{:X} is more than 0x{:X}, the largest value of a word of the {} space", word,
                                              largest, name(space)));
    const bool has_parts = std::any_of(fields->begin(), fields->end(),
                                       [](const RegisterField& field) { return field.kind != FieldKind::whole; });
    std::vector<FieldValue> values;
    for (const auto& field : *fields) {
        if (has_parts && field.kind == FieldKind::whole) continue;
        const std::uint32_t value = field.extract(word);
        values.push_back({field, value, describe_value(field, value)});
    }
    return values;
}

Result<std::vector<RegisterWord>> encode_registers(std::span<const FieldSetting> settings, Arch arch) {
    std::vector<RegisterWord> words;
    for (const auto& setting : settings) {
        const auto field = find_register_field(setting.name, arch);
        if (!field) return tl::make_unexpected(field.error());
        if (setting.value > field->mask())
            return fail("regs.value", fmt::format("{} does not fit {}, which takes 0 to {}", setting.value, field->name,
                                                  field->mask()));
        auto word = std::find_if(words.begin(), words.end(), [&](const RegisterWord& one) {
            return one.space == field->space && one.addr32 == field->addr32;
        });
        if (word == words.end()) word = words.insert(word, {field->space, field->addr32, 0, 0});
        const std::uint32_t mask = field->mask() << field->lo, bits = setting.value << field->lo;
        const std::uint32_t known = word->given & mask;
        if ((word->value & known) != (bits & known))
            return fail("regs.value",
                        fmt::format("{} gives bits another value that a field before it gave", field->name));
        word->value |= bits;
        word->given |= mask;
    }
    std::sort(words.begin(), words.end(), [](const RegisterWord& a, const RegisterWord& b) {
        return std::tuple(a.space, a.addr32) < std::tuple(b.space, b.addr32);
    });
    return words;
}

}  // namespace tessera
