// SPDX-License-Identifier: Apache-2.0
#include "registers/field.hpp"

namespace tessera::registers {

std::optional<NamedField> find_field(std::string_view name, Arch arch) {
    auto search = [&](const auto& table, Space space) -> std::optional<NamedField> {
        for (const auto& spec : table)
            if (spec.name == name && spec.at(arch).present()) return NamedField{&spec, space};
        return std::nullopt;
    };
    if (auto found = search(backend_fields, Space::backend)) return found;
    return search(thread_fields, Space::thread);
}

}  // namespace tessera::registers
