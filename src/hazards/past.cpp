// SPDX-License-Identifier: Apache-2.0
#include "hazards/past.hpp"

#include <algorithm>

namespace tessera::hazards {

using plan::Pipe;

// One unit works in the order of issue. Hardware also holds a matrix instruction's block of Dst back from the matrix
// unit and the packers, so the order of issue suffices there, too.
bool Requester::found_after(const Past& past, Guard guard) const {
    const auto found = [&](bool is) {
        if (is && !ticket.learned) past.before |= std::uint64_t{1} << stream;
        return is;
    };
    const Pipe before = pipe_of_stream(past.stream), after = pipe_of_stream(stream);
    const bool held_back = guard == Guard::holds_back && disregards_.allow(Ordering::dst_block, ticket.thread);
    if ((before == after && unit_orders_) || held_back || guard == Guard::is_over)
        return found(known.has_issued(past.stream, past.sequence));
    if (guard == Guard::distance && thread_of_stream(past.stream) == ticket.thread &&
        is_far_enough(ticket.serial, past.serial) && disregards_.allow(Ordering::distance, ticket.thread))
        return found(true);
    return found(known.done()[past.stream] >= past.number);
}

void Conflicts::add(const Conflict& conflict) {
    const auto reported = std::find_if(all_.begin(), all_.end(), [&](const Conflict& each) {
        const bool is_beside = each.storage == plan::Storage::l1 && (each.core >= 0 || each.request.use != NocUse::none);
        return each.storage == conflict.storage && !is_beside;
    });
    if (reported == all_.end()) return all_.push_back(conflict);
    if (reported->other_thread == conflict.other_thread && reported->other_index == conflict.other_index)
        reported->other_pipes |= conflict.other_pipes;
}

}  // namespace tessera::hazards
