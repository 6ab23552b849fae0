// SPDX-License-Identifier: Apache-2.0
// How fast a line is to be.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tessera::bench {

/// By the vendor's simulator, or by the clock.
struct Goal {
    std::string_view line;
    double peer_ns = 0;  ///< the vendor's simulator for the same work (goals.cpp says where); 0: it has nothing like it
    double wide = 0, narrow = 0;  ///< as many times as fast, with AVX-512 and with AVX2
    double most_ns = 0;           ///< or: ns, at most; 0: no such limit
};

/// The goal of a line, or null.
const Goal* goal_of(std::string_view line);

/// The line that goals and other simulators have of the same work: to them a run is a run. Mostly the line itself.
std::string line_of_same_work(std::string_view line);

/// Where the goals' peer_ns were measured.
std::string_view published_peer();

}  // namespace tessera::bench
