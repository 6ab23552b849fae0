// SPDX-License-Identifier: Apache-2.0
#include "diff/state_diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "check/state_form.hpp"
#include "diff/operand_changes.hpp"
#include "state/packer_remains.hpp"

namespace tessera::diff {

namespace {

constexpr std::array<std::string_view, 7> not_compared = {
    "row_start_cache", "riscv_l0", "riscv_l0_use",  // caches
    "riscv_count",                                  // time
    "fifo", "fifo_count", "unit_queue",             // pending work
};

bool is_bound(const Section& section, std::size_t element) {
    return section.name == "packer" && state::is_packer_bound(state::Packer(element % section.dimensions.back().size));
}

// The fields of a configuration word that differ between two values.
std::string fields(const Section& section, std::size_t element, std::uint64_t value, std::uint64_t other, Arch arch) {
    const auto space = section.name == "config" ? RegisterSpace::backend : RegisterSpace::thread;
    const auto addr32 = static_cast<unsigned>(element % section.dimensions.back().size);
    std::string text;
    for (const OperandChange& one :
         field_changes(space, addr32, static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(other), arch))
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", one.name, one.a);
    return text.empty() ? text : fmt::format(" ({})", text);
}

}  // namespace

Result<void> check_same_arch(Arch a, Arch b, const std::string& file) {
    if (a == b) return {};
    return fail("diff.arch", fmt::format("A is for {}, B is for {}: nothing of them can be compared", name(a), name(b)),
                file);
}

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
    difference.writers_known = section.writes_told;
    difference.a_text = a ? value_text(section, element, *a, b, arch) : "not written";
    difference.b_text = b ? value_text(section, element, *b, a, arch) : "not written";
    return difference;
}

namespace {

/// Clears packers' data of streams that have ended, in elements of section "packer".
template <class Read, class Write>
void forget_remains_of(const Section& packer, Read&& read, Write&& write) {
    const auto at = [items = packer.dimensions.back().size](unsigned i, state::Packer item) {
        return i * items + static_cast<std::size_t>(item);
    };
    state::forget_packer_remains(
        static_cast<unsigned>(packer.dimensions.front().size),
        [&](unsigned i, state::Packer item) { return read(at(i, item)); },
        [&](unsigned i, state::Packer item, std::uint32_t value) { write(at(i, item), value); });
}

}  // namespace

void forget_remains(Core& core) {
    const Section& packer = *core.find_section("packer").value();
    forget_remains_of(
        packer, [&](std::size_t i) { return core.read(packer, i); },
        [&](std::size_t i, std::uint32_t value) { core.write(packer, i, value); });
}

bool is_compared(const Section& section) {
    return std::find(not_compared.begin(), not_compared.end(), section.name) == not_compared.end();
}

std::vector<std::uint32_t> compared_values(const Core& core, const Section& section) {
    std::vector<std::uint32_t> values(section.size);
    for (std::size_t i = 0; i < section.size; ++i) values[i] = static_cast<std::uint32_t>(core.read(section, i));
    if (section.name != "packer") return values;
    forget_remains_of(
        section, [&](std::size_t i) { return values[i]; },
        [&](std::size_t i, std::uint32_t value) { values[i] = value; });
    for (std::size_t i = 0; i < section.size; ++i)
        if (is_bound(section, i)) values[i] = 0;
    return values;
}

Elements differing(const Core& a, const Core& b) {
    Elements result;
    for (const Section& section : a.sections()) {
        if (!is_compared(section)) continue;
        if (section.name == "l1" && *a.read_l1(0, section.size) == *b.read_l1(0, section.size)) continue;
        for (std::size_t i = 0; i < section.size; ++i) {
            if (a.read(section, i) == b.read(section, i) || is_bound(section, i)) continue;
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
