// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "hazards/past.hpp"

namespace tessera::hazards {

/// Accesses to the banks of SrcA and SrcB. Each bank has two sides, the unpackers and the matrix unit, and each side
/// is in order by itself. The last write and the last read of each side are kept, and who handed the bank to the matrix unit.
class SourceBanks {
public:
    /// The matrix unit gets the bank, source * 2 + bank. Nobody need have written it.
    void hand_over(unsigned bank, const Ticket& by) { banks_[bank].given = Past::of(by); }
    /// Checks an access against the other side's, and records it.
    void check(const Requester& now, const plan::Access& access, Conflicts& conflicts);

private:
    struct Bank {
        std::array<Past, 2> writes, reads;
        Past given;
    };
    std::array<Bank, 4> banks_{};
};

}  // namespace tessera::hazards
