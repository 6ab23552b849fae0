// SPDX-License-Identifier: Apache-2.0
// Tensix semaphores in the T cores' address space (SyncUnit, "RISCV access to semaphores").
#include "tile/device.hpp"

namespace tessera::tile {

namespace {

constexpr unsigned semaphores = 8;
constexpr const char* eight = "the documents describe only its first eight words";

// True if the core's progress depends on the loaded value. A core that only asserts on it does not wait.
bool waits_for_value(Devices& devices, const Request& request) {
    const auto& l1 = devices.state.l1.bytes;
    return !devices.asserted.only_asserted(devices.arch, request.pc, {l1.data(), l1.size()});
}

}  // namespace

Reply load_semaphore(Devices& devices, const Request& request) {
    const unsigned i = request.offset(devices.arch) / 4;
    if (i >= semaphores) return Reply::not_modelled(eight);
    if (!devices.port().stores_done(request.by())) return Reply::wait(WaitFor::own_stores);
    return Reply::of(devices.port().semaphore(request.by(), i, waits_for_value(devices, request)));
}

Reply store_semaphore(Devices& devices, const Request& request, std::uint32_t value) {
    const unsigned i = request.offset(devices.arch) / 4;
    if (i >= semaphores) return Reply::not_modelled(eight);
    devices.port().store(request.by(), state::cells::semaphore_value(i),
                         value & 1 ? plan::CellOp::get : plan::CellOp::post, 0);
    return {};
}

}  // namespace tessera::tile
