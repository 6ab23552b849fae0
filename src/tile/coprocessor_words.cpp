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
constexpr const char* behind_gprs = "it is behind the GPRs, and no document says what is there";
// B reaches the GPRs of all threads, a T core its own: on Blackhole at every 256 bytes again (spec-notes R33).
struct GprPlace {
    unsigned thread, gpr;
};
std::optional<GprPlace> gpr_place(const Devices& devices, const Request& request) {
    const unsigned i = request.offset(devices.arch) / 4;
    if (request.from_t() && (i < gprs || devices.arch == Arch::blackhole)) return GprPlace{request.thread(), i % gprs};
    if (request.from_t() || i >= state::threads * gprs) return std::nullopt;
    return GprPlace{i / gprs, i % gprs};
}

Reply load_register(Devices& devices, const Request& request) {
    const auto by = request.origin ? std::nullopt : std::optional(request.by());
    const auto value = devices.port().read_tile_register(by, request.address);
    return value ? Reply::of(*value) : Reply::unknown_register();
}

Reply store_register(Devices& devices, const Request& request, std::uint32_t value) {
    const auto written = devices.port().write_tile_register(devices.asker_of(request), request.address, value);
    if (written) return *written == Written::busy ? Reply::wait(WaitFor::mover) : Reply{};
    return written.error().id == findings::id("mmio-unmapped") ? Reply::unknown_register()
                                                               : devices.fail(written.error());
}

state::Resources gpr_resources(const Devices& devices, const Request& request) {
    return request.from_t() ? frontend::auto_sync::gprs(devices.state, request.thread()) : state::Resources{0};
}

bool tdma_in_order(Devices& devices, const Request& request, bool store) {
    if (!request.from_t()) return true;
    return devices.port().in_order(request.by(), frontend::auto_sync::tdma(devices.state, request.thread()), store);
}

// Each core has its own MovCmdBase. The state has T0's, which the NoC and NC share.
bool has_own_base(const Request& request) {
    return request.user != User::t0 && request.user != User::nc && request.user != User::noc;
}
constexpr const char* own_base = "Tessera models MovCmdBase for T0 only";

// A compact move while T0's base is not 0. The others' bases are 0, as no store reaches them.
bool would_take_base_of_t0(const Devices& devices, const Request& request, std::uint32_t command) {
    constexpr std::uint32_t compact = 1u << 31, opcode = 0xFF, move = 0x40;
    return request.address == state::mmio::tdma_command && (command & (compact | opcode)) == (compact | move) &&
           devices.state[state::cells::tdma(state::Tdma::mover_base)] != 0;
}

// TDMA-RISC, Memory map: the mover's status, and sizes and flags of packers.
bool store_has_no_effect(const Devices& devices, std::uint32_t address) {
    if (address == state::mmio::tdma_status) return true;
    const std::uint32_t offset = address - state::mmio::tdma, packer = offset >> 8, thread = offset >> 6 & 3;
    if (packer >= devices.state.arch().packers || thread >= state::threads) return false;
    return offset % 0x40 == 0x18 || (thread == 0 && offset % 0x40 == 0x20);
}

}  // namespace

Reply store_instruction(Devices& devices, const Request& request, std::uint32_t value) {
    return devices.push_there(request, {&value, 1});
}

Reply store_mop(Devices& devices, const Request& request, std::uint32_t value) {
    devices.port().store_mop(request.by(), request.thread(), request.offset(devices.arch) / 4, value);
    return {};
}

Reply load_gpr(Devices& devices, const Request& request) {
    const auto place = gpr_place(devices, request);
    if (!place) return Reply::not_modelled(behind_gprs);
    if (!devices.port().stores_done(request.by())) return Reply::wait(WaitFor::own_stores);
    if (!devices.port().in_order(request.by(), gpr_resources(devices, request), false))
        return Reply::wait(WaitFor::own_instructions);
    devices.port().loads_gpr(request.by());
    return Reply::of(devices.state[state::cells::gpr(place->thread, place->gpr)]);
}

Reply store_gpr(Devices& devices, const Request& request, std::uint32_t value) {
    const auto place = gpr_place(devices, request);
    if (!place) return Reply::not_modelled(behind_gprs);
    const auto resources = gpr_resources(devices, request);
    if (!devices.port().in_order(request.by(), resources, true)) return Reply::wait(WaitFor::own_instructions);
    devices.port().store(request.by(), state::cells::gpr(place->thread, place->gpr), plan::CellOp::set, value,
                         resources);
    return {};
}

Reply load_tdma(Devices& devices, const Request& request) {
    if (request.address == mov_cmd_base && has_own_base(request)) return Reply::not_modelled(own_base);
    if (!tdma_in_order(devices, request, false)) return Reply::wait(WaitFor::own_instructions);
    return load_register(devices, request);
}
Reply store_tdma(Devices& devices, const Request& request, std::uint32_t value) {
    if (has_own_base(request) && (request.address == mov_cmd_base || would_take_base_of_t0(devices, request, value)))
        return Reply::not_modelled(own_base);
    if (!tdma_in_order(devices, request, true)) return Reply::wait(WaitFor::own_instructions);
    if (store_has_no_effect(devices, request.address)) return {};
    return store_register(devices, request, value);
}

Reply load_overlay(Devices& devices, const Request& request) { return load_register(devices, request); }
Reply store_overlay(Devices& devices, const Request& request, std::uint32_t value) {
    return store_register(devices, request, value);
}

}  // namespace tessera::tile
