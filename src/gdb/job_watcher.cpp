// SPDX-License-Identifier: Apache-2.0
#include "gdb/job_watcher.hpp"

#include <utility>

namespace tessera::gdb {

Hooks::Answer JobTarget::Backwards::before(unsigned core) {
    if (const auto hit = breakpoint(core)) last_ = hit;
    touches(watchpoint(core));
    return Answer::executes;
}

bool JobTarget::Backwards::notes_access(std::uint64_t stored_at) {
    auto touched = take_touched(stored_at);
    if (!touched) return false;
    touched->before = before_step_;
    touched->position = timeline_.here();
    last_ = std::move(touched);
    return true;
}

bool JobTarget::Backwards::after() {
    notes_access();
    before_step_ = timeline_.here();
    return (until_ && before_step_.has_come_to(*until_)) || is_interrupted();
}

}  // namespace tessera::gdb
