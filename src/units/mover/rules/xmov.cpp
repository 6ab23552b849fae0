// SPDX-License-Identifier: Apache-2.0
// The transfer of an XMOV or of a command of TDMA-RISC (XMOV, Mover, TDMA-RISC, Functional models; spec-notes G7).
// Reference: reference/models/mover.cpp.
#include "plan/plan.hpp"
#include "state/mmio.hpp"
#include "units/behaviour.hpp"
#include "units/state_view.hpp"
#include "units/tile_registers.hpp"

namespace tessera::units {

namespace {

constexpr auto source_address = registers::field("THCON_SEC0_REG6_Source_address");
constexpr auto destination_address = registers::field("THCON_SEC0_REG6_Destination_address");
constexpr auto buffer_size = registers::field("THCON_SEC0_REG6_Buffer_size");
constexpr auto transfer_direction = registers::field("THCON_SEC0_REG6_Transfer_direction");

/// xmov_direction_t: "L0" means zeros as a source, and all but L1 as a destination.
enum class Direction : std::uint32_t { zeros_to_l1, l1_to_registers, zeros_to_registers, l1_to_l1 };

constexpr std::uint32_t region = 0x10000;  // bytes of configuration, and of instruction RAM
constexpr std::uint32_t instruction_ram = 0x40000;

bool in_l1(const StateView& view, plan::Plan& plan, std::uint32_t address, std::uint32_t bytes, std::string_view what) {
    if (address < view.arch().l1_bytes && view.in_l1(address, bytes)) return true;
    plan.fail(findings::id("mover.l1-address"), {address, bytes, view.arch().l1_bytes}, what);
    return false;
}

// Hardware does not keep the mover and the core apart (InstructionRAM).
bool runs_from_iram(const state::State& state) {
    const auto& core = state.riscv[static_cast<std::size_t>(RiscvCore::nc)];
    return core.running && core.pc - state::Riscv::iram_base < state.iram.size();
}

// Writable words of the map of configuration: both banks and, on Blackhole, the part that means both at once. Thread
// configuration follows them.
std::uint32_t writable_words(const state::ArchDescription& arch) {
    return (arch.config_dual_write ? 3u : 2u) * arch.config_words;
}

}  // namespace

void plan_transfer(const StateView& view, plan::Plan& plan, std::uint32_t to, std::uint32_t from, std::uint32_t bytes,
                   std::uint32_t direction) {
    const auto how = Direction(direction);
    plan::MoverWork work;
    work.arch = view.arch().arch;
    work.zeros = how == Direction::zeros_to_l1 || how == Direction::zeros_to_registers;
    work.to_config = how == Direction::l1_to_registers || how == Direction::zeros_to_registers;
    work.bytes = bytes;
    work.to = to;
    if (!work.zeros) work.from = from;

    if (!work.to_config) {
        if (!in_l1(view, plan, to, bytes, "writes")) return;
    } else if (to >= instruction_ram && to < instruction_ram + region) {
        const auto size = static_cast<std::uint32_t>(view.contents().iram.size());
        work.to = to - instruction_ram;
        if (std::uint64_t{work.to} + bytes > size)
            return plan.fail(findings::id("mover.instruction-ram"), {to, bytes, size});
        work.to_config = false;
        work.to_iram = true;
        if (runs_from_iram(view.contents())) plan.note(findings::id("riscv.iram-written"));
    } else if (to >= region) {
        plan.note(findings::id("mover.nowhere"), {to});
        work.to = plan::MoverWork::nowhere;
    } else {
        if (std::uint64_t{to} + bytes > region) return plan.fail(findings::id("mover.beyond-region"), {to, bytes});
        work.to = to / 4;
        if (work.to + bytes / 4 > writable_words(view.arch()))
            plan.note(findings::id("mover.nowhere"), {4 * std::max(work.to, writable_words(view.arch()))});
    }
    if (!work.zeros && !in_l1(view, plan, from, bytes, "reads")) return;

    plan.pipes = bit(plan::Pipe::mover);
    const std::uint32_t cycles = view.costs.mover.cycles(bytes / 16, work.zeros);
    plan.cost.occupancy = cycles;
    plan.cost.latency = cycles ? cycles + view.costs.mover.pipeline : 0;
    if (bytes) plan.work = work;
}

void tdma_command(const StateView& view, plan::Plan& plan, std::uint32_t command) {
    using state::Tdma;
    const auto parameter = [&](Tdma item) { return view[state::cells::tdma(item)]; };
    const bool compact = command >> 31;
    plan.cost.hold = static_cast<std::uint16_t>(plan.cost.occupancy);
    switch (command & 0xFF) {
        case 0x40:
            if (compact)
                return plan_transfer(
                    view, plan, (command >> 16 & 0xFF) << 4, (parameter(Tdma::mover_base) + (command >> 8 & 0xFF)) << 4,
                    (command >> 24 & 0x3F) << 4,
                    static_cast<std::uint32_t>(command >> 30 & 1 ? Direction::l1_to_l1 : Direction::l1_to_registers));
            return plan_transfer(view, plan, parameter(Tdma::destination) << 4, parameter(Tdma::source) << 4,
                                 (parameter(Tdma::size) & 0xFFFF) << 4, parameter(Tdma::direction) & 3);
        case 0x46: plan.pipes = bit(plan::Pipe::mover); return;
        case 0x89: return;
        case 0x66: {
            if (compact || (command & 0x600) != 0x600) break;
            const std::uint32_t address = parameter(Tdma::source), bytes = command & 0x100 ? 8 : 4;
            if (address % bytes)
                return plan.fail(findings::id("mover.command"), {command},
                                 bytes == 8 ? " that writes 8 bytes to an address that is no multiple of 8"
                                            : " that writes 4 bytes to an address that is no multiple of 4");
            if (!in_l1(view, plan, address, bytes, "writes")) return;
            plan::StoreWork work;
            work.line = address & ~15u;
            work.mask = static_cast<std::uint16_t>(((1u << bytes) - 1) << address % 16);
            work.words[address % 16 / 4] = parameter(Tdma::size);
            if (bytes == 8) work.words[address % 16 / 4 + 1] = parameter(Tdma::direction);
            plan.pipes = bit(plan::Pipe::mover);
            plan.work = work;
            return;
        }
        default: break;
    }
    plan.fail(findings::id("mover.command"), {command});
}

namespace mover {

namespace {

void resolve_xmov(const StateView& view, plan::Plan& plan) {
    plan_transfer(view, plan, view[destination_address] << 4, view[source_address] << 4,
                  (view[buffer_size] & 0xFFFF) << 4, view[transfer_direction]);
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("XMOV"), resolve_xmov, {1, 1, {"XMOV, Instruction scheduling; Mover, Performance"}}},
};

}  // namespace

std::span<const Behaviour> xmov_rules() { return behaviours; }

}  // namespace mover

}  // namespace tessera::units
