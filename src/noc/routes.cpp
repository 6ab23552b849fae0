// SPDX-License-Identifier: Apache-2.0
#include "noc/routes.hpp"

#include <algorithm>

namespace tessera::noc {

namespace {

unsigned size(const Layout& chip, Axis axis) { return axis == Axis::x ? chip.width : chip.height; }
unsigned along(Axis axis, Place place) { return axis == Axis::x ? place.x : place.y; }

}  // namespace

Place next(const Layout& chip, unsigned noc, Place from, Axis axis) {
    std::uint8_t& at = axis == Axis::x ? from.x : from.y;
    const unsigned count = size(chip, axis);
    at = static_cast<std::uint8_t>((at + (noc == 0 ? 1 : count - 1)) % count);
    return from;
}

unsigned distance(const Layout& chip, unsigned noc, Axis axis, Place from, Place to) {
    const unsigned count = size(chip, axis), a = along(axis, from), b = along(axis, to);
    return (noc == 0 ? b + count - a : a + count - b) % count;
}

unsigned hops(const Layout& chip, unsigned noc, Place from, Place to) {
    return distance(chip, noc, Axis::x, from, to) + distance(chip, noc, Axis::y, from, to);
}

Axis way_out(const Layout& chip, unsigned noc, Place from, Place to) {
    const Axis first = first_axis(noc);
    return distance(chip, noc, first, from, to) == 0 ? other(first) : first;
}

unsigned span(const Layout& chip, unsigned noc, const Rectangle& rectangle, Axis axis) {
    return distance(chip, noc, axis, rectangle.first, rectangle.last) + 1;
}

bool is_in_span(const Layout& chip, unsigned noc, const Rectangle& rectangle, Axis axis, Place place) {
    return distance(chip, noc, axis, rectangle.first, place) < span(chip, noc, rectangle, axis);
}

std::vector<Place> places_of(const Layout& chip, unsigned noc, const Rectangle& rectangle) {
    const auto in_span = [&](Axis axis, Place place) { return is_in_span(chip, noc, rectangle, axis, place); };
    std::vector<Place> places;
    for (std::uint8_t y = 0; y < chip.height; ++y) {
        if (!in_span(Axis::y, {0, y})) continue;
        for (std::uint8_t x = 0; x < chip.width; ++x)
            if (in_span(Axis::x, {x, y})) places.push_back({x, y});
    }
    return places;
}

BroadcastRoute::BroadcastRoute(const Layout& chip, unsigned noc, Place source, const Rectangle& rectangle)
    : chip_(chip), noc_(noc), source_(source), rectangle_(rectangle), major_(rectangle.y_major ? Axis::y : Axis::x) {}

BroadcastRoute::Step BroadcastRoute::step(Branch branch) const {
    using Stage = Branch::Stage;
    Step step;
    const Axis minor = other(major_);
    if (branch.stage == Stage::to_rectangle) {
        if (!is_in_span(major_, branch.at)) {
            go(step, major_, branch);
            return step;
        }
        branch.stage = Stage::over_lines;
        branch.left = static_cast<std::uint8_t>(span(minor));
    }
    if (branch.stage == Stage::over_lines) {
        const bool is_line = is_in_span(minor, branch.at);
        if (is_line) --branch.left;
        if (branch.left) go(step, minor, branch);
        if (!is_line) return step;
        branch.stage = Stage::over_tiles;
        branch.left = static_cast<std::uint8_t>(span(major_));
    }
    if (is_in_span(major_, branch.at)) {
        step.here = true;
        --branch.left;
    }
    if (branch.left) go(step, major_, branch);
    return step;
}

unsigned BroadcastRoute::depth() const {
    struct Open {
        Branch branch;
        unsigned hops;
    };
    std::vector<Open> open{{begin(), 0}};
    unsigned deepest = 0;
    while (!open.empty()) {
        const Open one = open.back();
        open.pop_back();
        deepest = std::max(deepest, one.hops);
        for (const auto& onward : step(one.branch).onward)
            if (onward) open.push_back({*onward, one.hops + 1});
    }
    return deepest;
}

}  // namespace tessera::noc
