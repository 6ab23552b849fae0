// SPDX-License-Identifier: Apache-2.0
#include "fidelity/evidence.hpp"

namespace tessera::fidelity {

namespace {

// A line is: architecture, instruction, "vendor" or "model", case, mode; tabs between them.
constexpr std::string_view evidence =
#include "fidelity/evidence.inc"
    ;

std::string_view take(std::string_view& text, char end) {
    const auto at = text.find(end);
    const std::string_view taken = text.substr(0, at);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
    return taken;
}

}  // namespace

Evidence::Evidence(Arch arch) {
    for (std::string_view rest = evidence; !rest.empty();) {
        std::string_view line = take(rest, '\n');
        if (take(line, '\t') != name(arch)) continue;
        const std::string_view instruction = take(line, '\t');
        const bool vendor = take(line, '\t') == "vendor";
        const std::string_view case_name = take(line, '\t');
        Proof& proof = proofs_[{instruction, line}];
        (vendor ? proof.vendor_case : proof.model_case) = case_name;
    }
}

Proof Evidence::of(std::string_view instruction, const std::string& mode) const {
    const auto found = proofs_.find({instruction, mode});
    return found == proofs_.end() ? Proof{} : found->second;
}

}  // namespace tessera::fidelity
