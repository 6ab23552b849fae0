// SPDX-License-Identifier: Apache-2.0
// Modes met by random PACRs: formats, stages that datums pass, findings.
#pragma once

#include "support/coverage.hpp"
#include "support/reference_pair.hpp"

namespace tessera::test {

class PackCoverage {
public:
    explicit PackCoverage(Arch arch);

    /// Before it runs: what the configuration, as it is, asks of the word's first packer.
    void view(const ReferencePair& pair, unsigned thread, std::uint32_t word);
    /// After it has run, by both implementations.
    void count(const ReferencePair& pair, bool executed);

    const Coverage& modes() const { return modes_; }

private:
    Coverage modes_;
    std::vector<std::pair<std::string, std::string>> asked_;
};

}  // namespace tessera::test
