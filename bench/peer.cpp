// SPDX-License-Identifier: Apache-2.0
#include "peer.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

namespace tessera::bench {

Result<Peer> read_peer(const std::string& path) {
    auto refused = [&](const std::string& why) { return fail("bench.peer", why, path); };
    std::ifstream file(path);
    if (!file) return refused("cannot be opened");
    const auto json = nlohmann::json::parse(file, nullptr, false);
    const bool is_form = json.is_object() && json.contains("peer") && json["peer"].is_string() && json.contains("ns") &&
                         json["ns"].is_object();
    if (!is_form) return refused("is no JSON object with the keys \"peer\", a text, and \"ns\", an object");
    Peer peer{json["peer"].get<std::string>(), {}};
    for (const auto& [line, ns] : json["ns"].items()) {
        if (!ns.is_number() || !(ns.get<double>() > 0))
            return refused("the ns of '" + line + "' are no positive number");
        peer.ns[line] = ns.get<double>();
    }
    return peer;
}

}  // namespace tessera::bench
