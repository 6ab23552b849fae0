// SPDX-License-Identifier: Apache-2.0
#include "tile/texts.hpp"

#include <fmt/format.h>

#include "noc/register_names.hpp"
#include "state/mmio.hpp"
#include "tile/registers.hpp"

namespace tessera::tile {

namespace {

constexpr std::string_view mailbox_owners[] = {"brisc", "trisc0", "trisc1", "trisc2"};

}  // namespace

std::string in_region(Arch arch, const Region& region, std::uint32_t address) {
    const std::uint32_t offset = address - region.where(arch).first;
    switch (region.device) {
        case Device::l1: return fmt::format("L1 0x{:X}", address);
        case Device::semaphores: return fmt::format("semaphore {}", offset / 4);
        case Device::debug:
            if (const auto* row = debug_register_at(arch, offset & ~3u))
                return fmt::format("RISCV_DEBUG_REG_{}", row->name);
            break;
        case Device::noc:
            if (const std::string known = noc::register_name(arch, offset); !known.empty())
                return fmt::format("{} of NIU {}", known, region.index);
            break;
        case Device::mailbox: return fmt::format("mailbox {}", mailbox_owners[region.index]);
        case Device::config: return fmt::format("configuration word {}", offset / 4);
        case Device::overlay: {
            const auto at = *state::mmio::stream_place(address);
            if (const auto* spec = state::mmio::stream_register(state::describe(arch), at.index))
                return fmt::format("{} of overlay stream {}", spec->name, at.stream);
            break;
        }
        default: break;
    }
    return fmt::format("{} + 0x{:X}", region.name, offset);
}

std::string address_text(Arch arch, User user, std::uint32_t address) {
    for (const bool store : {false, true}) {
        const Place place = find(arch, user, address, store);
        if (place.kind == Place::Kind::mapped) return in_region(arch, *place.region, address);
    }
    return fmt::format("0x{:X}", address);
}

std::string fault_text(Arch arch, const Request& request, const char* does, const char* why) {
    const std::string who = fmt::format("{} {} 0x{:X}", name(request.user), does, request.address);
    const Place place = find(arch, request.user, request.address, false);  // a store finds the same region
    if (place.kind == Place::Kind::unmapped) {
        const Region& region = nearest(arch, request.user, request.address);
        const Span& span = region.where(arch);
        return fmt::format("{}: no region of its memory map has this address; {} {} (0x{:X} to 0x{:X})", who, why, region.name, span.first,
                           span.last);
    }
    const std::string at = in_region(arch, *place.region, request.address);
    if (at.starts_with(place.region->name)) return fmt::format("{}: {}; {}", who, at, why);
    return fmt::format("{}: {} ({}); {}", who, at, place.region->name, why);
}

std::string wait_text(const Waiting& waiting) {
    const unsigned i = waiting.index();
    switch (waiting.what()) {
        case WaitFor::none: break;
        case WaitFor::instruction_fifo: return fmt::format("room in the instruction FIFO of T{}", i);
        case WaitFor::pc_buf_room: return fmt::format("room in the PCBuf to trisc{}, which reads it", i);
        case WaitFor::pc_buf_value: return fmt::format("a value in its PCBuf, which brisc writes");
        case WaitFor::pc_buf_done:
            return fmt::format("trisc{0} to empty its PCBuf and wait for more, and T{0} to be idle", i);
        case WaitFor::mailbox_room:
            return fmt::format("room in its mailboxes, which {} has to read", mailbox_owners[i]);
        case WaitFor::mailbox_value: return fmt::format("a value in the mailbox from {}", mailbox_owners[i]);
        case WaitFor::coprocessor_done: return fmt::format("all instructions of T{} to be executed", i);
        case WaitFor::mops_expanded: return fmt::format("the MOPs of T{} to be expanded", i);
        case WaitFor::own_instructions: return "its earlier instructions to pass the wait gate (Auto TTSync)";
        case WaitFor::own_stores: return "its own stores to the coprocessor to be processed";
        case WaitFor::mover: return "the mover, for TDMA-RISC's next command";
        case WaitFor::debugger: return "the debugger, which holds it";
    }
    return {};
}

}  // namespace tessera::tile
