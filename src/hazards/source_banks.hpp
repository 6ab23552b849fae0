// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "hazards/past.hpp"

namespace tessera::hazards {

/// Accesses to the banks of SrcA and SrcB, each bank from two sides: the unpackers', and that of the matrix unit. Of each side the last
/// write and the last read are known: what one side does is in order by itself.
class SourceBanks {
public:
    /// Holds an access against the other side's, and remembers it.
    void check(const Requester& now, const plan::Access& access, Conflicts& conflicts);

private:
    struct Bank {
        std::array<Past, 2> writes, reads;
    };
    std::array<Bank, 4> banks_{};
};

}  // namespace tessera::hazards
