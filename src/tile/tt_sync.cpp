// SPDX-License-Identifier: Apache-2.0
// Loads that return when a thread is idle (TTSync, ManualTTSync). Their value is undefined; here it is 0.
#include "tile/device.hpp"

namespace tessera::tile {

Reply load_tt_sync(Devices& devices, const Request& request) {
    constexpr std::uint32_t coprocessor_done_check = 0, mop_expander_done_check = 4;
    const unsigned thread = request.thread();
    const std::uint32_t offset = request.offset(devices.arch);
    if (offset == coprocessor_done_check) {
        const bool done = devices.port().idle(request.by(), thread) || override_busy(devices, thread);
        return done ? Reply::of(0) : Reply::wait(WaitFor::coprocessor_done, thread);
    }
    if (offset == mop_expander_done_check) {
        const bool done = devices.port().mops_expanded(request.by(), thread) || override_busy(devices, thread);
        return done ? Reply::of(0) : Reply::wait(WaitFor::mops_expanded, thread);
    }
    return Reply::not_modelled("it has only CoprocessorDoneCheck and MOPExpanderDoneCheck");
}

}  // namespace tessera::tile
