// SPDX-License-Identifier: Apache-2.0
#include "core/breakpoints.hpp"

#include <algorithm>

#include "isa/names.hpp"
#include "state/arch_description.hpp"
#include "state/inventory.hpp"
#include "tessera/op_place.hpp"

namespace tessera::core {

namespace {

bool contains(const Breakpoints::Elements& range, const StateElement& element) {
    return element.section == range.section && element.element >= range.first && element.element - range.first < range.count;
}

bool meets(const Breakpoints& wanted, const Finding& finding) {
    if (std::find(wanted.findings.begin(), wanted.findings.end(), finding.code) != wanted.findings.end()) return true;
    if (!wanted.finding) return false;
    return wanted.finding->empty() ? finding.level > Level::info : finding.code == *wanted.finding;
}

}  // namespace

bool meets(const Breakpoints::Instruction& wanted, const Where& where, std::uint32_t word, Arch arch) {
    if (wanted.thread && static_cast<int>(*wanted.thread) != where.thread) return false;
    if (wanted.index && *wanted.index != where.index) return false;
    if (!wanted.place.empty() && !is_end_of_place(wanted.place, where)) return false;
    if (wanted.name.empty()) return true;
    const auto* spec = isa::find_spec(wanted.name, arch);
    return spec && isa::decode(word, arch).spec == spec;
}

std::function<void(const Write&)> observe_writes(engine::Engine& engine, const Breakpoints& breakpoints,
                                                 const std::function<void(const Write&)>& users, Pause& pause,
                                                 std::uint64_t& written_at) {
    return [&users, &engine, &pause, &written_at, wanted = breakpoints.written](const Write& write) {
        if (users) users(write);
        for (const StateElement& element : write.elements)
            if (std::any_of(wanted.begin(), wanted.end(), [&](const auto& range) { return contains(range, element); }))
                pause.written.push_back(element);
        if (pause.written.empty() || pause.why == Pause::Why::written) return;
        pause.why = Pause::Why::written;
        pause.where = engine.where(engine.last_writer());
        written_at = write.cycle;
    };
}

tile::AwaitedRange stores_looked_at(const Breakpoints& breakpoints, Arch arch) {
    tile::AwaitedRange bytes;
    const std::size_t end = state::describe(arch).l1_bytes;
    const auto add = [&](std::size_t first, std::size_t count) {
        if (first < end && count)
            bytes.add(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(std::min(count, end - first)));
    };
    if (breakpoints.word) add(breakpoints.word->address, sizeof(std::uint32_t));
    const auto& places = state::inventory(arch).places();
    for (const Breakpoints::Elements& range : breakpoints.written)
        if (range.section < places.size() && places[range.section].storage == state::Storage::l1)
            add(range.first, range.count);
    return bytes;
}

void look_behind_step(engine::Engine& engine, const Breakpoints& breakpoints, Arch arch, std::uint64_t issued_before,
                      std::size_t findings_before, Pause& pause) {
    const auto& wanted = breakpoints.instructions;
    if (pause.why == Pause::Why::end && !wanted.empty() && engine.issued() != issued_before) {
        const Where where = engine.where(engine.last_issued());
        const std::uint32_t word = engine.last_issued().word;
        if (std::any_of(wanted.begin(), wanted.end(), [&](const auto& one) { return meets(one, where, word, arch); })) {
            pause.why = Pause::Why::instruction;
            pause.where = where;
        }
    }
    if (pause.why != Pause::Why::end || (!breakpoints.finding && breakpoints.findings.empty())) return;
    const auto& found = engine.findings().found();
    const auto first = std::find_if(found.begin() + static_cast<std::ptrdiff_t>(findings_before), found.end(),
                                    [&](const Finding& finding) { return meets(breakpoints, finding); });
    if (first == found.end()) return;
    pause.why = Pause::Why::finding;
    pause.finding = *first;
    pause.where = first->where;
}

}  // namespace tessera::core
