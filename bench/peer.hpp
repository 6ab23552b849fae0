// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "tessera/error.hpp"

namespace tessera::bench {

/// Another simulator's figures.
struct Peer {
    std::string name;                  ///< the simulator, and the computer of the measurement
    std::map<std::string, double> ns;  ///< by line
};

/// Reads {"peer": NAME, "ns": {LINE: NS, …}}. Error "bench.peer".
Result<Peer> read_peer(const std::string& path);

}  // namespace tessera::bench
