// SPDX-License-Identifier: Apache-2.0
// The cases that prove each mode. Only `tessera fidelity --gather` writes evidence.inc.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "tessera/arch.hpp"

namespace tessera::fidelity {

struct Proof {
    std::string_view vendor_case;  ///< recorded from the vendor's simulator; empty: none
    std::string_view model_case;   ///< made from the documents' models; empty: none
};

/// The evidence of one architecture.
class Evidence {
public:
    explicit Evidence(Arch arch);
    Proof of(std::string_view instruction, const std::string& mode) const;

private:
    std::map<std::pair<std::string_view, std::string_view>, Proof> proofs_;  // by instruction and mode
};

}  // namespace tessera::fidelity
