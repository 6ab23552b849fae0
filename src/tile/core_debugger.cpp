// SPDX-License-Identifier: Apache-2.0
#include "tile/core_debugger.hpp"

#include <fmt/format.h>

#include <cstring>

#include "riscv/memory_operand.hpp"
#include "tile/device.hpp"
#include "tile/l1_word.hpp"
#include "tile/registers.hpp"
#include "tile/reset_pc.hpp"
#include "tile/texts.hpp"

namespace tessera::tile {

namespace {

enum DebugIndex : unsigned { status_index = 0, command_index, argument_index, data_index, result_index, modes_index, first_address = 10 };

enum Command : std::uint32_t {
    pause_command = 1 << 0,
    step_command = 1 << 1,
    resume_command = 1 << 2,
    read_gpr = 1 << 3,
    write_gpr = 1 << 4,
    read_memory = 1 << 5,
    write_memory = 1 << 6,
    clear_gprs = 1 << 7,
    write_pc = 1 << 8,
    slow_execution = 1u << 31
};

enum Status : std::uint32_t { is_paused_bit = 1, met_breakpoint = 2, met_watchpoint = 4, met_ebreak = 8, met_first = 0x100 };

enum Mode : unsigned { at_pc = 8, at_load, at_store, at_both };

// Of RISC_DBG_CNTL_0 and RISC_DBG_STATUS_0.
constexpr std::uint32_t index_mask = 0x7FF, trigger = 1u << 31, valid = 1 << 30;
constexpr unsigned write_bit = 16, core_bit = 17, echo_bit = 13;

constexpr unsigned pc_index = 32;

/// A core's load waits for its value; what it stores waits behind it.
bool is_load(WaitFor what) {
    return what != WaitFor::none && what != WaitFor::instruction_fifo && what != WaitFor::pc_buf_room && what != WaitFor::mailbox_room &&
           what != WaitFor::debugger;
}

}  // namespace

std::uint32_t CoreDebugger::load(std::uint32_t offset) const {
    if (offset == debug_offset("RISC_DBG_CNTL_0")) return memory_.control;
    if (offset == debug_offset("RISC_DBG_CNTL_1")) return memory_.value;
    if (offset == debug_offset("RISC_DBG_STATUS_1")) return memory_.answer;
    const std::uint32_t control = memory_.control;
    return (control & index_mask) | (control >> write_bit & 1) << (echo_bit + (control >> core_bit & 3)) | (memory_.is_answered ? valid : 0) |
           (control & trigger);
}

Reply CoreDebugger::store(const Request& request, std::uint32_t offset, std::uint32_t value) {
    if (offset == debug_offset("RISC_DBG_CNTL_1")) memory_.value = value;
    if (offset != debug_offset("RISC_DBG_CNTL_0")) return {};
    const bool rises = value & ~memory_.control & trigger;
    memory_.control = value;
    if (!rises) return {};
    const unsigned core = value >> core_bit & 3, index = value & index_mask;
    if (memory_.of[core].access)
        if (const Reply reply = go_on_with_access(request, core); reply.kind == Reply::Kind::fault) return reply;
    memory_.is_answered = !(value >> write_bit & 1);
    if (!memory_.is_answered) return write(request, core, index, memory_.value);
    memory_.answer = read(core, index);
    return {};
}

bool CoreDebugger::is_paused(unsigned core) const { return memory_.of[core].paused || devices_.state.riscv[core].paused; }

std::uint32_t CoreDebugger::status(unsigned core) const {
    const Port& port = memory_.of[core];
    if (!is_paused(core)) return 0;
    const std::uint32_t why = port.paused ? port.met : std::uint32_t{met_ebreak};
    return port.access ? why : why | is_paused_bit;
}

std::uint32_t CoreDebugger::read(unsigned core, unsigned index) const {
    const Port& port = memory_.of[core];
    switch (index) {
        case status_index: return status(core);
        case command_index: return port.dr.command;
        case argument_index: return port.dr.argument;
        case data_index: return port.dr.data;
        case result_index: return port.dr.result;
        case modes_index: return port.dr.modes;
        default: return index - first_address < watchpoints ? port.dr.addresses[index - first_address] : 0;
    }
}

Reply CoreDebugger::write(const Request& request, unsigned core, unsigned index, std::uint32_t value) {
    if (resets_debug_registers(devices_, core)) return {};
    Port& port = memory_.of[core];
    switch (index) {
        case command_index: port.dr.command = value; return execute(request, core);
        case argument_index: port.dr.argument = value; break;
        case data_index: port.dr.data = value; break;
        case modes_index: port.dr.modes = value; break;
        default:
            if (index - first_address < watchpoints) port.dr.addresses[index - first_address] = value;
    }
    look(core);
    return {};
}

// Commands to a core that is not paused have no effect, but for the one to pause.
Reply CoreDebugger::execute(const Request& request, unsigned core) {
    Port& port = memory_.of[core];
    state::Riscv& riscv = devices_.state.riscv[core];
    const std::uint32_t command = port.dr.command;
    if (!is_paused(core)) {
        if (!(command & pause_command) || !riscv.running) return {};
        if (is_load(devices_.waiting[core].what())) {
            port.pauses = true;
            look(core);
        } else {
            pause(core, 0);
        }
        return {};
    }
    if (port.access) return {};
    const unsigned index = port.dr.argument;
    if (command & read_gpr) port.dr.result = index == pc_index ? riscv.pc : riscv.x[index % riscv.x.size()];
    if (command & clear_gprs) riscv.x.fill(0);
    if (command & write_gpr && index > 0 && index < riscv.x.size()) riscv.x[index] = port.dr.data;
    if (command & write_pc) riscv.pc = command & slow_execution ? port.dr.data : reset_pc(devices_.state, static_cast<RiscvCore>(core));
    ++devices_.port().changes();
    if (command & (read_memory | write_memory)) {
        port.access = Access{port.dr.argument, {}};
        if (command & write_memory) port.access->stored = port.dr.data;
        return go_on_with_access(request, core);
    }
    if (command & resume_command)
        resume(core, request.at);
    else if (command & step_command && !(command & write_pc))
        step(core, request.at);
    return {};
}

// tt-exalens steps twice on Blackhole, since there one of two commands has no effect.
void CoreDebugger::step(unsigned core, Cycle at) {
    Port& port = memory_.of[core];
    port.half_a_step = devices_.arch == Arch::blackhole && !port.half_a_step;
    if (port.half_a_step) return;
    port.steps = true;
    resume(core, at);
}

void CoreDebugger::pause(unsigned core, std::uint32_t met) {
    Port& port = memory_.of[core];
    port.pauses = port.steps = false;
    port.paused = true;
    port.met = met;
    devices_.state.riscv[core].running = false;
    devices_.waiting[core] = {};
    devices_.port().halt(core);
    look(core);
}

void CoreDebugger::resume(unsigned core, Cycle at) {
    Port& port = memory_.of[core];
    state::Riscv& riscv = devices_.state.riscv[core];
    port.paused = riscv.paused = false;
    riscv.running = true;
    look(core);
    devices_.port().wake(core, at);
}

void CoreDebugger::reset(unsigned core) {
    if (core >= cores) return;
    const Registers before = memory_.of[core].dr;
    memory_.of[core] = {};
    if (!resets_debug_registers(devices_, core)) memory_.of[core].dr = before;
    look(core);
}

void CoreDebugger::look(unsigned core) {
    const Port& port = memory_.of[core];
    const bool watches = port.pauses || port.steps || port.dr.modes != 0;
    memory_.watched = static_cast<std::uint8_t>((memory_.watched & ~(1u << core)) | std::uint32_t{watches} << core);
    devices_.port().raise(engine::Signal::debugger);
}

std::uint32_t CoreDebugger::meets(unsigned core, unsigned words) const {
    const Port& port = memory_.of[core];
    const state::State& state = devices_.state;
    const state::Riscv& riscv = state.riscv[core];
    const riscv::MemoryOperand access = riscv::memory_operand(riscv::decode(devices_.arch, l1_word(state.l1, riscv.pc)), riscv);
    std::uint32_t met = 0;
    for (unsigned i = 0; i < watchpoints; ++i) {
        const unsigned mode = port.dr.modes >> 4 * i & 0xF;
        const std::uint32_t address = port.dr.addresses[i];
        const std::uint32_t behind = address - riscv.pc;
        const bool breaks = mode == at_pc && behind < 4 * words && behind % 4 == 0;
        const bool sees = address == access.address && ((access.loads && (mode == at_load || mode == at_both)) ||
                                                        (access.stores && (mode == at_store || mode == at_both)));
        if (breaks) met |= met_breakpoint | met_first << i;
        if (sees) met |= met_watchpoint | met_first << i;
    }
    return met;
}

bool CoreDebugger::passed(unsigned core, std::uint32_t met) {
    Port& port = memory_.of[core];
    if (!met && !port.pauses && !port.steps) return false;
    pause(core, met);
    return true;
}

Reply CoreDebugger::go_on_with_access(const Request& request, unsigned core) {
    Port& port = memory_.of[core];
    state::State& state = devices_.state;
    state::Riscv& riscv = state.riscv[core];
    const Access access = *port.access;
    const std::uint32_t in_local = access.address - state::Riscv::local_base;
    Reply reply;
    if (access.address % 4) {
        reply = Reply::not_modelled(devices_.keep(fmt::format("an access of a word at 0x{:X}, which is no multiple of 4", access.address)));
    } else if (state.l1.contains(access.address, 4)) {
        if (access.stored) {
            std::memcpy(state.l1.write(access.address, 4), &*access.stored, 4);
            devices_.wrote({core, riscv.pc}, state::Storage::l1, access.address, 4);
        } else {
            port.dr.result = l1_word(state.l1, access.address);
        }
    } else if (in_local < riscv.local.size()) {
        if (access.stored)
            std::memcpy(&riscv.local[in_local], &*access.stored, sizeof *access.stored);
        else
            std::memcpy(&port.dr.result, &riscv.local[in_local], sizeof port.dr.result);
    } else {
        Request asked{.user = static_cast<User>(core), .address = access.address, .pc = riscv.pc, .at = request.at};
        const char* does = access.stored ? "stores to" : "loads from";
        reply = access.stored ? devices_.store(asked, *access.stored) : devices_.load(asked);
        if (reply.kind == Reply::Kind::wait) return {};
        if (reply.kind == Reply::Kind::done) port.dr.result = reply.value;
        if (reply.kind == Reply::Kind::fault && !reply.note)
            reply = Reply::fail(reply.fault, devices_.keep("the debugger's access: " +
                                                           fault_text(devices_.arch, asked, does, reply.why)));
    }
    port.access.reset();
    return reply;
}

}  // namespace tessera::tile
