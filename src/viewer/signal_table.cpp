// SPDX-License-Identifier: Apache-2.0
#include "viewer/signal_table.hpp"

#include <algorithm>

namespace tessera::viewer {

namespace {

constexpr std::string_view shown[] = {"bank_owner", "semaphore_value"};

}  // namespace

SignalTable::SignalTable(const Core& core) {
    for (const std::string_view name : shown) {
        const Section& section = **core.find_section(name);
        sections_.push_back(static_cast<std::uint32_t>(section.id));
        for (std::uint32_t i = 0; i < section.size; ++i) {
            const Signal signal{name, i, static_cast<std::uint32_t>(signals_.size()), core.read(section, i)};
            signals_.emplace(std::pair{static_cast<std::uint32_t>(section.id), i}, signal);
            note(signal, 0);
        }
    }
}

void SignalTable::note(const Signal& signal, double cycle) {
    signal_.add(signal.number);
    cycle_.add(cycle);
    value_.add(static_cast<std::uint32_t>(signal.value));
}

void SignalTable::add(const Write& write) {
    for (const StateElement& one : write.elements) {
        if (std::find(sections_.begin(), sections_.end(), one.section) == sections_.end()) continue;
        const auto at = signals_.find({one.section, one.element});
        if (at == signals_.end() || at->second.value == one.value) continue;
        at->second.value = one.value;
        note(at->second, static_cast<double>(write.cycle));
    }
}

Json SignalTable::json(Packer& packer) const {
    Json all(signals_.size(), nullptr);
    for (const auto& [where, signal] : signals_) all[signal.number] = {signal.section, signal.element};
    return {{"signals", std::move(all)},
            {"signal", signal_.json(packer)},
            {"cycle", cycle_.json(packer)},
            {"value", value_.json(packer)}};
}

}  // namespace tessera::viewer
