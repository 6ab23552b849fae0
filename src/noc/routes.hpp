// SPDX-License-Identifier: Apache-2.0
// Ways from router to router (WormholeB0/NoC/RoutingPaths). NoC 0 flows right and down, NoC 1 left and up; edges are joined.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "noc/layout.hpp"
#include "noc/packet.hpp"

namespace tessera::noc {

enum class Axis : std::uint8_t { x, y };

/// The next router along an axis.
Place next(const Layout& chip, unsigned noc, Place from, Axis axis);
/// Routers to pass along one axis.
unsigned distance(const Layout& chip, unsigned noc, Axis axis, Place from, Place to);
/// Routers to pass in all.
unsigned hops(const Layout& chip, unsigned noc, Place from, Place to);
/// NoC 0 moves along X first, NoC 1 along Y (NOC_NODE_ID).
constexpr Axis first_axis(unsigned noc) { return noc == 0 ? Axis::x : Axis::y; }
constexpr Axis other(Axis axis) { return axis == Axis::x ? Axis::y : Axis::x; }
/// The way out of a router to another one.
Axis way_out(const Layout& chip, unsigned noc, Place from, Place to);
/// Routers of a rectangle along an axis, and whether a place is among them.
unsigned span(const Layout& chip, unsigned noc, const Rectangle& rectangle, Axis axis);
bool is_in_span(const Layout& chip, unsigned noc, const Rectangle& rectangle, Axis axis, Place place);

/// The tiles of a rectangle, row by row.
std::vector<Place> places_of(const Layout& chip, unsigned noc, const Rectangle& rectangle);

/// The way of a broadcast: along the major axis to the rectangle, then along the minor axis; from each of its lines along the major
/// axis again.
class BroadcastRoute {
public:
    BroadcastRoute(const Layout& chip, unsigned noc, Place source, const Rectangle& rectangle);
    /// A copy of the packet at a router.
    struct Branch {
        enum class Stage : std::uint8_t { to_rectangle, over_lines, over_tiles };
        Place at;
        Stage stage = Stage::to_rectangle;
        std::uint8_t left = 0;  ///< lines, or tiles of a line, that it has still to serve
    };
    Branch begin() const { return {source_}; }
    struct Step {
        bool here = false;  ///< the router's tile is in the rectangle
        std::array<std::optional<Branch>, 2> onward;  ///< along x, and along y: where the copy is next
    };
    Step step(Branch branch) const;
    /// Hops to the last tile.
    unsigned depth() const;

private:
    bool is_in_span(Axis axis, Place place) const { return noc::is_in_span(chip_, noc_, rectangle_, axis, place); }
    unsigned span(Axis axis) const { return noc::span(chip_, noc_, rectangle_, axis); }
    void go(Step& step, Axis axis, Branch branch) const {
        branch.at = next(chip_, noc_, branch.at, axis);
        step.onward[static_cast<std::size_t>(axis)] = branch;
    }

    const Layout& chip_;
    unsigned noc_;
    Place source_;
    Rectangle rectangle_;
    Axis major_;
};

}  // namespace tessera::noc
