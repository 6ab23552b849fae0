// SPDX-License-Identifier: Apache-2.0
#include "hazards/disregards.hpp"

#include <algorithm>
#include <iterator>

namespace tessera {

namespace {

constexpr std::string_view names[] = {"unit-order", "unit-wait", "store-wait", "bank",       "semaphore",
                                      "mutex",      "push",      "drain",      "word",       "auto-sync",
                                      "read-back",  "dst-block", "distance",   "scalar-hold"};
static_assert(std::size(names) == static_cast<std::size_t>(Ordering::count));

}  // namespace

std::string_view name(Ordering ordering) { return names[static_cast<std::size_t>(ordering)]; }

std::optional<Ordering> parse_ordering(std::string_view text) {
    const auto found = std::find(std::begin(names), std::end(names), text);
    if (found == std::end(names)) return std::nullopt;
    return Ordering(found - std::begin(names));
}

namespace hazards {

Disregards Disregards::everything() {
    std::vector<Disregarded> all;
    for (unsigned i = 0; i < static_cast<unsigned>(Ordering::count); ++i) all.push_back({Ordering(i), {}, {}, {}});
    return Disregards(std::move(all));
}

bool Disregards::listed(Ordering ordering, std::optional<unsigned> thread, std::optional<RiscvCore> core,
                        std::optional<unsigned> which) const {
    return std::any_of(all_.begin(), all_.end(), [&](const Disregarded& one) {
        if (one.ordering != ordering || (one.which && one.which != which)) return false;
        return (!one.thread && !one.core) || (one.thread && one.thread == thread) || (one.core && one.core == core);
    });
}

}  // namespace hazards

}  // namespace tessera
