// SPDX-License-Identifier: Apache-2.0
// Reads and writes a core's configuration fields by name.
#include <fmt/format.h>

#include "tessera/core.hpp"
#include "tessera/registers.hpp"

namespace tessera {

namespace {

/// A field, and the place of its word in a core.
struct Place {
    RegisterField field;
    const Section* section = nullptr;
    std::size_t words = 0;  ///< in a bank, or of a thread

    std::size_t element(unsigned copy) const { return copy * words + field.addr32; }
};

Result<Place> find_place(const Core& core, std::string_view name, unsigned index) {
    const auto field = find_register_field(name, core.arch());
    if (!field) return tl::make_unexpected(field.error());
    const bool backend = field->space == RegisterSpace::backend;
    const unsigned copies = backend ? 2 : 3;
    if (index >= copies)
        return fail("regs.index", fmt::format("{} {} does not exist: numbers are 0 to {}",
                                              backend ? "bank" : "thread", index, copies - 1));
    const auto section = core.find_section(backend ? "config" : "thread_config");
    if (!section) return tl::make_unexpected(section.error());
    return Place{*field, *section, register_words(field->space, core.arch())};
}

}  // namespace

Result<std::uint32_t> read_field(const Core& core, std::string_view name, unsigned index) {
    const auto place = find_place(core, name, index);
    if (!place) return tl::make_unexpected(place.error());
    return place->field.extract(static_cast<std::uint32_t>(core.read(*place->section, place->element(index))));
}

Result<void> write_field(Core& core, std::string_view name, unsigned index, std::uint32_t value) {
    const auto place = find_place(core, name, index);
    if (!place) return tl::make_unexpected(place.error());
    const RegisterField& field = place->field;
    if (value > field.mask())
        return fail("regs.value",
                    fmt::format("{} does not fit {}, which takes 0 to {}", value, field.name, field.mask()));
    const std::size_t element = place->element(index);
    const auto old = static_cast<std::uint32_t>(core.read(*place->section, element));
    core.write(*place->section, element, (old & ~(field.mask() << field.lo)) | value << field.lo);
    return {};
}

}  // namespace tessera
