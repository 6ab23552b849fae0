// SPDX-License-Identifier: Apache-2.0
#include "trace/observers.hpp"

#include <algorithm>

namespace tessera::trace {

Observers::Observers(const Subject& subject, const TraceForms& forms) {
    if (forms.lines) all_.push_back(make_lines(subject, forms.lines, forms.writes));
    if (forms.perfetto) all_.push_back(make_perfetto(subject, forms.perfetto));
    if (forms.report) all_.push_back(make_report(subject, *forms.report));
}

void Observers::watch(RunOptions& own, const RunOptions& before) {
    if (all_.empty()) return;
    own.on_event = [this, &before](const Event& event) {
        for (const auto& observer : all_) observer->event(event);
        if (before.on_event) before.on_event(event);
    };
    own.on_wait = [this, &before](const Wait& wait) {
        for (const auto& observer : all_) observer->wait(wait);
        if (before.on_wait) before.on_wait(wait);
    };
    if (std::ranges::none_of(all_, &Observer::wants_writes)) return;
    own.on_write = [this, &before](const Write& write) {
        for (const auto& observer : all_)
            if (observer->wants_writes()) observer->write(write);
        if (before.on_write) before.on_write(write);
    };
}

void Observers::finish(const Run& run) {
    for (const auto& observer : all_) observer->finish(run);
}

}  // namespace tessera::trace
