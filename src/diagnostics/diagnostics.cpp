// SPDX-License-Identifier: Apache-2.0
#include "diagnostics/diagnostics.hpp"

#include <fmt/format.h>

#include "state/cells.hpp"
#include "tessera/registers.hpp"

namespace tessera::diagnostics {

std::string Diagnostics::config_text(const plan::CellBits& bits) const {
    const unsigned cell = bits.cell - state::cells::config_block.first;
    const unsigned word = cell % state::cells::max_config_words, bank = cell / state::cells::max_config_words;
    std::string names;
    if (const auto fields = register_fields_at(RegisterSpace::backend, word, arch_))
        for (const RegisterField& field : *fields)
            if (field.kind != FieldKind::whole && field.mask() << field.lo & bits.mask)
                names += fmt::format("{}{}", names.empty() ? "" : ", ", field.name);
    const std::string which = fmt::format("word {}{}", word, bank ? fmt::format(" of bank {}", bank) : "");
    return names.empty() ? which : fmt::format("{} ({})", names, which);
}

findings::ValueText Diagnostics::shown(unsigned thread, std::int64_t index,
                                       const std::optional<plan::CellBits>& bits) const {
    return [this, thread, index, bits](std::string_view name, std::uint32_t) {
        if (findings::is_op(name))
            return thread < state::threads ? places_.op_text(thread, index)
                                           : places_.core_op_text(static_cast<std::uint32_t>(index));
        return bits && findings::is_config_word(name) ? config_text(*bits) : std::string();
    };
}

void Diagnostics::note(const findings::Note& what, const Subject& subject,
                       const std::optional<plan::CellBits>& bits) const {
    const auto op = [&](std::string_view name, std::uint32_t value) {
        if (bits && findings::is_config_word(name)) return config_text(*bits);
        if (!findings::is_op(name)) return std::string();
        return places_.op_value_text(subject.thread, value);
    };
    add(what, {subject.thread, subject.word}, [&] { return where(subject); }, op);
}

}  // namespace tessera::diagnostics
