// SPDX-License-Identifier: Apache-2.0
// The goal of each line.
#pragma once

#include <string>
#include <string_view>

namespace tessera::bench {

/// A goal relative to the vendor's simulator, or in ns.
struct Goal {
    std::string_view line;
    double peer_ns = 0;  ///< the vendor's simulator for the same work (goals.cpp names the source); 0: no equivalent
    double wide = 0, narrow = 0;  ///< required speed-up, with AVX-512 and with AVX2
    double most_ns = 0;           ///< upper limit in ns instead; 0: none
};

/// The goal of a line, or null.
const Goal* goal_of(std::string_view line);

/// The line with the same work in goals and other simulators; mostly the line itself. They do not know cached runs.
std::string line_of_same_work(std::string_view line);

/// The computer on which the goals' peer_ns were measured.
std::string_view published_peer();

}  // namespace tessera::bench
