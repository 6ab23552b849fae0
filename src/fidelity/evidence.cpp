// SPDX-License-Identifier: Apache-2.0
#include "fidelity/evidence.hpp"

namespace tessera::fidelity {

namespace {

struct Row {
    Arch arch;
    std::string_view instruction, mode;
    bool model;  ///< the case was made from the documents' models
    std::string_view case_name;
};

constexpr Row rows[] = {
#include "fidelity/evidence.inc"
};

}  // namespace

Evidence::Evidence(Arch arch) {
    for (const Row& row : rows) {
        if (row.arch != arch) continue;
        Proof& proof = proofs_[{row.instruction, row.mode}];
        (row.model ? proof.model_case : proof.vendor_case) = row.case_name;
    }
}

Proof Evidence::of(std::string_view instruction, const std::string& mode) const {
    const auto found = proofs_.find({instruction, mode});
    return found == proofs_.end() ? Proof{} : found->second;
}

}  // namespace tessera::fidelity
