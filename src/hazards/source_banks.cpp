// SPDX-License-Identifier: Apache-2.0
#include "hazards/source_banks.hpp"

namespace tessera::hazards {

void SourceBanks::check(const Requester& now, const plan::Access& access, Conflicts& conflicts) {
    constexpr std::uint32_t bank_datums = state::SrcBank::rows * state::columns;
    const unsigned source = access.storage == plan::Storage::src_b;
    const unsigned side = pipe_of_stream(now.stream) == plan::Pipe::matrix;
    bool is_told = false;
    for (unsigned bank = access.first / bank_datums; bank <= (access.first + access.count - 1) / bank_datums; ++bank) {
        Bank& past = banks_[source * 2 + bank];
        const Past& write = past.writes[!side];
        const Past& read = past.reads[!side];
        const Past& given = past.given;
        const Past* met = nullptr;
        if (!now.comes_after(write))
            met = &write;
        else if (access.write && !now.comes_after(read))
            met = &read;
        else if (side && !now.comes_after(given, Requester::Guard::is_over))
            met = &given;
        if (met && !is_told) {
            is_told = true;
            conflicts.add(Conflict::with(*met, access.storage, bank, bank));
            // A wait before this instruction orders those behind it in its unit, too.
            for (const Past* each : {&write, &read, &given}) each->before |= now.in_order_by_itself();
        }
        (access.write ? past.writes : past.reads)[side] = now.self;
    }
}

}  // namespace tessera::hazards
