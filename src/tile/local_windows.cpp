// SPDX-License-Identifier: Apache-2.0
// Blackhole's view of its RISC-V cores: local data RAMs through the slow access path, and snapshots of each pc
// (BabyRISCV).
#include "tile/device.hpp"

namespace tessera::tile {

namespace {

std::uint8_t* local_byte(Devices& devices, const Request& request) {
    const std::uint32_t offset = request.offset(devices.arch);
    devices.harts[request.region->index].share_local(offset, request.bytes);
    return &devices.state.riscv[request.region->index].local[offset];
}

}  // namespace

// Little-endian. A region is never longer than its memory.
Reply load_local_window(Devices& devices, const Request& request) {
    const std::uint8_t* bytes = local_byte(devices, request);
    std::uint32_t value = 0;
    for (unsigned i = 0; i < request.bytes; ++i) value |= std::uint32_t{bytes[i]} << 8 * i;
    return Reply::of(value);
}

Reply store_local_window(Devices& devices, const Request& request, std::uint32_t value) {
    std::uint8_t* bytes = local_byte(devices, request);
    for (unsigned i = 0; i < request.bytes; ++i) bytes[i] = static_cast<std::uint8_t>(value >> 8 * i);
    devices.changed();
    return {};
}

Reply load_pc_snapshot(Devices& devices, const Request& request) {
    constexpr RiscvCore order[] = {RiscvCore::b, RiscvCore::nc, RiscvCore::t0, RiscvCore::t1, RiscvCore::t2};
    const auto core = static_cast<std::size_t>(order[request.offset(devices.arch) / 4]);
    // The one that asks stands at its load, wherever its turn began.
    if (core == static_cast<std::size_t>(request.user)) return Reply::of(request.pc);
    const std::uint32_t pc = devices.state.riscv[core].pc;
    devices.shown_pc[core] = pc;
    return Reply::of(pc);
}

}  // namespace tessera::tile
