// SPDX-License-Identifier: Apache-2.0
#include "diff/state_diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "check/state_form.hpp"
#include "state/packer_remains.hpp"
#include "tessera/registers.hpp"

namespace tessera::diff {

namespace {

constexpr std::array<std::string_view, 4> not_compared = {"row_start_cache", "fifo", "fifo_count", "unit_queue"};

// The fields of a configuration word that differ between two values.
std::string fields(const Section& section, std::size_t element, std::uint64_t value, std::uint64_t other, Arch arch) {
    const auto space = section.name == "config" ? RegisterSpace::backend : RegisterSpace::thread;
    const auto addr32 = static_cast<unsigned>(element % section.dimensions.back().size);
    const auto is = decode_register(space, addr32, static_cast<std::uint32_t>(value), arch);
    const auto was = decode_register(space, addr32, static_cast<std::uint32_t>(other), arch);
    if (!is || !was) return {};
    std::string text;
    for (std::size_t i = 0; i < is->size() && i < was->size(); ++i)
        if ((*is)[i].value != (*was)[i].value)
            text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", (*is)[i].field.name, (*is)[i].text);
    return text.empty() ? text : fmt::format(" ({})", text);
}

}  // namespace

std::string value_text(const Section& section, std::size_t element, std::uint64_t value,
                       std::optional<std::uint64_t> other, Arch arch) {
    std::string text = fmt::format("0x{:X}", value) + check::meaning(section, value);
    if (section.name == "config" || section.name == "thread_config")
        text += fields(section, element, value, other.value_or(0), arch);
    return text;
}

StateDifference describe_element(const Section& section, std::size_t element, std::optional<std::uint64_t> a,
                                 std::optional<std::uint64_t> b, Arch arch) {
    StateDifference difference;
    difference.name = section.name == "l1" ? fmt::format("l1 byte 0x{:X}", element) : section.describe(element);
    difference.a = a;
    difference.b = b;
    difference.a_text = a ? value_text(section, element, *a, b, arch) : "not written";
    difference.b_text = b ? value_text(section, element, *b, a, arch) : "not written";
    return difference;
}

void forget_remains(Core& core) {
    const Section& packer = *core.find_section("packer").value();
    const std::size_t items = packer.dimensions.back().size;
    state::forget_packer_remains(
        static_cast<unsigned>(packer.dimensions.front().size),
        [&](unsigned i, state::Packer item) { return core.read(packer, i * items + static_cast<std::size_t>(item)); },
        [&](unsigned i, state::Packer item, std::uint32_t value) {
            core.write(packer, i * items + static_cast<std::size_t>(item), value);
        });
}

Elements differing(const Core& a, const Core& b) {
    Elements result;
    for (const Section& section : a.sections()) {
        if (std::find(not_compared.begin(), not_compared.end(), section.name) != not_compared.end()) continue;
        if (section.name == "l1" && *a.read_l1(0, section.size) == *b.read_l1(0, section.size)) continue;
        for (std::size_t i = 0; i < section.size; ++i) {
            if (a.read(section, i) == b.read(section, i)) continue;
            if (section.name == "packer" && state::is_packer_bound(state::Packer(i % section.dimensions.back().size)))
                continue;
            if (!result.section) {
                result.section = &section;
                result.element = i;
            }
            ++result.count;
        }
    }
    return result;
}

}  // namespace tessera::diff
