// SPDX-License-Identifier: Apache-2.0
#include "hazards/source_banks.hpp"

namespace tessera::hazards {

void SourceBanks::check(const Requester& now, const plan::Access& access, Conflicts& conflicts) {
    constexpr std::uint32_t bank_datums = state::SrcBank::rows * state::columns;
    const unsigned source = access.storage == plan::Storage::src_b;
    const unsigned side = pipe_of_stream(now.stream) == plan::Pipe::matrix;
    for (unsigned bank = access.first / bank_datums; bank <= (access.first + access.count - 1) / bank_datums; ++bank) {
        Bank& past = banks_[source * 2 + bank];
        const Past& write = past.writes[!side];
        const Past& read = past.reads[!side];
        if (!now.comes_after(write))
            conflicts.add(Conflict::with(write, access.storage, bank, bank));
        else if (access.write && !now.comes_after(read))
            conflicts.add(Conflict::with(read, access.storage, bank, bank));
        else if (side && !now.comes_after(past.given, Requester::Guard::is_over))
            conflicts.add(Conflict::with(past.given, access.storage, bank, bank));
        (access.write ? past.writes : past.reads)[side] = now.self;
    }
}

}  // namespace tessera::hazards
