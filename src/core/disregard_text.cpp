// SPDX-License-Identifier: Apache-2.0
// Orderings to ignore, as users name them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tessera/execution.hpp"
#include "tessera/ordering.hpp"
#include "tessera/similar_name.hpp"

namespace tessera {

namespace {

/// Of semaphores, mutexes or sources, of which WHICH names one. 0: the ordering has no such objects.
unsigned objects_of(Ordering ordering) {
    switch (ordering) {
        case Ordering::semaphore:
        case Ordering::mutex: return 8;
        case Ordering::bank: return 2;
        default: return 0;
    }
}

/// Takes the text up to the next colon away.
std::string_view take_part(std::string_view& text) {
    const std::string_view part = text.substr(0, text.find(':'));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    return part;
}

}  // namespace

Result<Disregarded> parse_disregarded(std::string_view text) {
    const auto no = [&](const std::string& what) { return fail("run.disregard", fmt::format("'{}': {}", text, what)); };
    std::string_view which = text;
    const std::string_view ordering = take_part(which), who = take_part(which);
    const std::optional<Ordering> parsed = parse_ordering(ordering);
    if (!parsed) {
        std::vector<std::string_view> names;
        for (unsigned i = 0; i < static_cast<unsigned>(Ordering::count); ++i) names.push_back(name(Ordering(i)));
        return no(fmt::format("no ordering is called '{}'{}; they are {}", ordering, suggestion(ordering, names),
                              fmt::join(names, ", ")));
    }
    Disregarded what{*parsed};
    if (const auto thread = parse_thread(who))
        what.thread = *thread;
    else if (!who.empty() && !(what.core = parse_riscv_core(who)))
        return no("neither a thread, T0 to T2, nor a core, trisc0, brisc, …");
    if (which.empty()) return what;
    if (which.size() != 1 || which[0] < '0' || which[0] > '9') return no("WHICH is one digit");
    what.which = static_cast<unsigned>(which[0] - '0');
    const unsigned objects = objects_of(*parsed);
    if (!objects)
        return no(fmt::format("{} has no WHICH: only bank, mutex and semaphore have several objects", ordering));
    if (*what.which >= objects) return no(fmt::format("WHICH is 0 to {} for {}", objects - 1, ordering));
    return what;
}

}  // namespace tessera
