// SPDX-License-Identifier: Apache-2.0
// What things cost: one table per timing and architecture, each line with its source. A figure that no document gives is an assumption
// and says so. An instruction's own cost stands where it is registered (units/behaviour.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "isa/table.hpp"
#include "plan/plan.hpp"
#include "tessera/timing.hpp"
#include "units/costs/instruction_cost.hpp"
#include "units/costs/source.hpp"
#include "units/costs/unpack_cost.hpp"

namespace tessera::units {

/// The mover, alone at L1's ports.
struct MoverCost {
    std::uint8_t copy_cycles, copy_lines;  ///< so many cycles for so many lines of 16 bytes
    std::uint8_t zero_cycles;              ///< for a line of zeros
    std::uint8_t pipeline;                 ///< cycles from the last line to the end
    Source source;

    std::uint32_t cycles(std::uint32_t lines, bool zeros) const {
        return zeros || !copy_lines ? lines * zero_cycles : (lines * copy_cycles + copy_lines - 1) / copy_lines;
    }
};

/// What one packer has to move for a PACR.
struct PackTransfer {
    std::uint32_t datums = 0;        ///< taken from Dst
    std::uint32_t source_lines = 0;  ///< of 16 bytes, read from L1 instead
    std::uint32_t lines = 0;         ///< of 16 bytes, written to L1: data, exponents and row starts
    bool accumulates = false;
};

struct PackCost {
    std::uint8_t datums_per_cycle;   ///< from Dst, per packer
    std::uint8_t lines_per_cycle;    ///< of 16 bytes to L1, per packer
    std::uint8_t accumulate_cycles;  ///< of an L1 port for a line that is added
    std::uint8_t source_lines_per_cycle;
    std::uint8_t pipeline;  ///< cycles from the last line written to the end
    Source reads, writes, accumulation, from_l1, latency;

    /// What takes longest decides.
    enum class Limit : std::uint8_t { start, reads, from_l1, writes, accumulation };
    struct Speed {
        std::uint32_t cycles = 1;
        Limit limit = Limit::start;
    };
    Speed speed(const PackTransfer& transfer) const;
    const Source& source_of(Limit limit) const;
};

/// The RISC-V side and the front end.
struct ThreadCost {
    std::uint8_t op_cycles;             ///< one op of a core
    std::uint8_t push_latency;          ///< from a push until the wait gate sees the instruction
    std::uint8_t config_store_latency;  ///< from a store until the configuration unit has done it
    std::uint8_t semaphore_latency;     ///< from a core's semaphore store until the sync unit has done it
    std::array<std::uint8_t, state::threads> fifo_words;  ///< instructions between a core and its thread's wait gate
    Source source;
    std::uint8_t mop_exit_cycles;    ///< MOP expander, from a MOP to something else
    std::uint8_t replay_fifo_words;  ///< between the MOP expander and the replay expander
    std::uint8_t gate_fifo_words;    ///< between the replay expander and the wait gate
    Source expanders;                ///< each takes one instruction and emits one per cycle
};

/// What hardware guards by itself.
struct Interlocks {
    std::uint8_t dst_block_cycles;  ///< a written 8x16 block of Dst cannot be read by matrix unit or packers
    Source dst_block;
};

struct CostTable {
    Timing timing;
    bool completes_at_issue;  ///< every instruction's effects are there when the next is issued
    std::span<const InstructionCost> instructions;  ///< by mnemonic, as their units have registered them
    UnpackCost unpack;
    PackCost pack;
    MoverCost mover;
    ThreadCost thread;
    Interlocks interlocks;
    /// Instructions that may wait in a unit behind the one that executes, or for their bank.
    std::array<std::uint8_t, plan::pipes> queue_depth;
    Source queue_source;

    plan::Cost of(isa::Mnemonic mnemonic) const;
    /// Where the cycles of an instruction come from, in words; empty where nothing is said of it.
    std::string source_of(const isa::Instruction& instruction) const;
};

const CostTable& costs(Arch arch, Timing timing);

}  // namespace tessera::units
