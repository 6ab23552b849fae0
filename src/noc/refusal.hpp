// SPDX-License-Identifier: Apache-2.0
// Why an access over the NoC is impossible.
#pragma once

#include <string>
#include <utility>

namespace tessera::noc {

/// Empty: the access was done.
struct Refusal {
    Refusal() = default;
    Refusal(std::string why_it_is_impossible) : why(std::move(why_it_is_impossible)) {}
    Refusal(const char* why_it_is_impossible) : why(why_it_is_impossible) {}
    static Refusal not_modelled(std::string why) {
        Refusal refusal(std::move(why));
        refusal.of_simulator = true;
        return refusal;
    }

    std::string why;
    bool of_simulator = false;  ///< a chip may do it; Tessera does not model it

    bool empty() const { return why.empty(); }
};

}  // namespace tessera::noc
