// SPDX-License-Identifier: Apache-2.0
// The modes of UNPACR that a case has met, from the word, the configuration and the plan.
#pragma once

#include "support/coverage.hpp"
#include "support/reference_pair.hpp"

namespace tessera::test {

/// Facts about an UNPACR that are lost after its end.
struct UnpackCase {
    unsigned thread = 0;
    std::uint32_t word = 0;
    unsigned context = 0;    ///< its number, offset included
    std::uint64_t tile = 0;  ///< L1 byte address behind its header
};

class UnpackCoverage {
public:
    explicit UnpackCoverage(Arch arch);

    /// The last UNPACR of `pair`.
    void count(const ReferencePair& pair, const UnpackCase& what);

    const Coverage& modes() const { return modes_; }

private:
    class Case;
    void count_context(const Case&);
    void count_formats(const Case&);
    void count_input(const Case&);
    void count_output(const Case&);
    void met(std::string_view group, std::string_view mode, bool is = true) { modes_.count(group, mode, is); }

    Coverage modes_;
};

}  // namespace tessera::test
