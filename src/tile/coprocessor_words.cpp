// SPDX-License-Identifier: Apache-2.0
// The coprocessor's words in the cores' address space: instruction buffers, MOP configuration, GPRs
// (PushTensixInstruction, MOPExpander, ScalarUnit), registers of overlay streams and TDMA-RISC.
#include "frontend/auto_sync.hpp"
#include "state/mmio.hpp"
#include "tile/device.hpp"

namespace tessera::tile {

namespace {

constexpr unsigned gprs = 64;
constexpr std::uint32_t mov_cmd_base = state::mmio::tdma + 0x2C;
// B reaches the GPRs of all threads, a T core its own.
struct GprPlace {
    unsigned thread, gpr;
};
std::optional<GprPlace> gpr_place(const Devices& devices, const Request& request) {
    const unsigned i = request.offset(devices.arch) / 4;
    if (i >= (request.from_t() ? gprs : state::threads * gprs)) return std::nullopt;
    if (request.from_t()) return GprPlace{request.thread(), i};
    return GprPlace{i / gprs, i % gprs};
}

Reply load_register(Devices& devices, const Request& request) {
    const auto value = devices.machine.read_tile_register(request.by(), request.address);
    return value ? Reply::of(*value) : Reply::unknown_register();
}

Reply store_register(Devices& devices, const Request& request, std::uint32_t value) {
    switch (devices.machine.write_tile_register(request.by(), request.address, value)) {
        case Written::done: return {};
        case Written::busy: return Reply::wait(WaitFor::mover);
        case Written::nothing: break;
    }
    return Reply::unknown_register();
}

state::Resources gpr_resources(const Devices& devices, const Request& request) {
    return request.from_t() ? frontend::auto_sync::gprs(devices.state, request.thread()) : state::Resources{0};
}

bool tdma_in_order(Devices& devices, const Request& request, bool store) {
    if (!request.from_t()) return true;
    return devices.machine.in_order(request.by(), frontend::auto_sync::tdma(devices.state, request.thread()), store);
}

// Each core has its own MovCmdBase. The state has T0's, which the NoC and NC share.
bool other_mov_cmd_base(const Request& request) {
    return request.address == mov_cmd_base && request.user != User::t0 && request.user != User::nc &&
           request.user != User::noc;
}
constexpr const char* own_base = "Tessera models MovCmdBase for T0 only";

}  // namespace

Reply store_instruction(Devices& devices, const Request& request, std::uint32_t value) {
    return devices.push_there(request, {&value, 1});
}

Reply store_mop(Devices& devices, const Request& request, std::uint32_t value) {
    devices.machine.store_mop(request.by(), request.thread(), request.offset(devices.arch) / 4, value);
    return {};
}

Reply load_gpr(Devices& devices, const Request& request) {
    const auto place = gpr_place(devices, request);
    if (!place) return Reply::not_modelled("the region ends before this address");
    if (!devices.machine.stores_done(request.by())) return Reply::wait(WaitFor::own_stores);
    if (!devices.machine.in_order(request.by(), gpr_resources(devices, request), false))
        return Reply::wait(WaitFor::own_instructions);
    devices.machine.read_back(request.by(), hazards::CoreRegion::gprs);
    return Reply::of(devices.state[state::cells::gpr(place->thread, place->gpr)]);
}

Reply store_gpr(Devices& devices, const Request& request, std::uint32_t value) {
    const auto place = gpr_place(devices, request);
    if (!place) return Reply::not_modelled("the region ends before this address");
    const auto resources = gpr_resources(devices, request);
    if (!devices.machine.in_order(request.by(), resources, true)) return Reply::wait(WaitFor::own_instructions);
    devices.machine.store_gpr(request.by(), place->thread, place->gpr, value, resources);
    return {};
}

Reply load_tdma(Devices& devices, const Request& request) {
    if (other_mov_cmd_base(request)) return Reply::not_modelled(own_base);
    if (!tdma_in_order(devices, request, false)) return Reply::wait(WaitFor::own_instructions);
    return load_register(devices, request);
}
Reply store_tdma(Devices& devices, const Request& request, std::uint32_t value) {
    if (other_mov_cmd_base(request)) return Reply::not_modelled(own_base);
    if (!tdma_in_order(devices, request, true)) return Reply::wait(WaitFor::own_instructions);
    return store_register(devices, request, value);
}

Reply load_overlay(Devices& devices, const Request& request) { return load_register(devices, request); }
Reply store_overlay(Devices& devices, const Request& request, std::uint32_t value) {
    return store_register(devices, request, value);
}

}  // namespace tessera::tile
