// SPDX-License-Identifier: Apache-2.0
#include "hazards/past.hpp"

#include <algorithm>

namespace tessera::hazards {

using plan::Pipe;

// One unit works in the order of issue. Hardware also holds a matrix instruction's block of Dst back from the matrix
// unit and the packers (`guarded`), so the order of issue suffices there, too.
bool Requester::found_after(const Past& past, bool guarded) const {
    const auto found = [&](bool is) {
        if (is && !ticket.learned) past.before |= std::uint64_t{1} << stream;
        return is;
    };
    const Pipe before = pipe_of_stream(past.stream), after = pipe_of_stream(stream);
    guarded = guarded && disregards_.allow(Ordering::dst_block, ticket.thread);
    if ((before == after && unit_orders_) || guarded) return found(known.has_issued(past.stream, past.sequence));
    // A distance of three instructions between a matrix instruction and SFPLOAD suffices (SFPLOAD, Instruction
    // scheduling).
    if (before == Pipe::matrix && after == Pipe::vector && thread_of_stream(past.stream) == ticket.thread &&
        ticket.serial - past.serial > 3 && disregards_.allow(Ordering::distance, ticket.thread))
        return found(true);
    return found(known.done()[past.stream] >= past.number);
}

void Conflicts::add(const Conflict& conflict) {
    const bool reported = std::any_of(all_.begin(), all_.end(), [&](const Conflict& each) {
        return each.storage == conflict.storage && (each.core < 0 || each.storage != plan::Storage::l1);
    });
    if (!reported) all_.push_back(conflict);
}

}  // namespace tessera::hazards
