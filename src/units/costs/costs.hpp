// SPDX-License-Identifier: Apache-2.0
// Costs: one table per timing and architecture, each line with its source. A figure without a document is marked as
// assumed. An instruction's own cost is with its registration (units/behaviour.hpp).
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

/// The mover, without competition for L1's ports.
struct MoverCost {
    std::uint8_t copy_cycles, copy_lines;  ///< cycles for that many lines of 16 bytes
    std::uint8_t zero_cycles;              ///< for a line of zeros
    std::uint8_t pipeline;                 ///< cycles from the last line to the end
    Source source;

    std::uint32_t cycles(std::uint32_t lines, bool zeros) const {
        return zeros || !copy_lines ? lines * zero_cycles : (lines * copy_cycles + copy_lines - 1) / copy_lines;
    }
};

/// The amount of data that one packer moves for a PACR.
struct PackTransfer {
    std::uint32_t datums = 0;        ///< read from Dst
    std::uint32_t source_lines = 0;  ///< of 16 bytes, read from L1 instead of Dst
    std::uint32_t lines = 0;         ///< of 16 bytes, written to L1: data, exponents and row starts
    bool accumulates = false;
};

struct PackCost {
    std::uint8_t datums_per_cycle;   ///< from Dst, per packer
    std::uint8_t lines_per_cycle;    ///< of 16 bytes to L1, per packer
    std::uint8_t accumulate_cycles;  ///< that `accumulate_lines` lines to be added occupy an L1 port
    std::uint8_t accumulate_lines;
    std::uint8_t source_lines_per_cycle;
    std::uint8_t pipeline;  ///< cycles from the last line written to the end
    Source reads, writes, accumulation, from_l1, latency;

    /// The slowest part decides.
    enum class Limit : std::uint8_t { start, reads, from_l1, writes, accumulation };
    struct Speed {
        std::uint32_t cycles = 1;
        bool half = false;  ///< and half a cycle more
        Limit limit = Limit::start;
    };
    Speed speed(const PackTransfer& transfer) const;
    const Source& source_of(Limit limit) const;
};

/// The RISC-V side and the front end.
struct ThreadCost {
    std::uint8_t op_cycles;             ///< one op of a core
    std::uint8_t push_latency;          ///< from a push until the wait gate sees the instruction
    std::uint8_t config_store_latency;  ///< from a store until the configuration unit has applied it
    std::uint8_t semaphore_latency;     ///< from a core's semaphore store until the sync unit has applied it
    std::array<std::uint8_t, state::threads> fifo_words;  ///< capacity between a core and its thread's wait gate
    std::uint8_t words_behind_mop;  ///< of these, that have entered behind the MOP expander, as those of RISC-V B
    Source source;
    std::uint8_t mop_exit_cycles;    ///< MOP expander, from a MOP to any other instruction
    std::uint8_t replay_fifo_words;  ///< between the MOP expander and the replay expander
    std::uint8_t gate_fifo_words;    ///< between the replay expander and the wait gate
    Source expanders;                ///< each takes one instruction and emits one per cycle
};

/// Guards that hardware has by itself.
struct Interlocks {
    std::uint8_t dst_block_cycles;  ///< until matrix unit or packers can read a written 8x16 block of Dst
    Source dst_block;
    /// ELWADD and ELWSUB wait for such a block even if they do not add to it; ZEROACC, which clears validity only, makes none wait. An
    /// instruction that waits keeps the matrix unit: instructions of other threads come behind it.
    bool as_measured;
    /// From the issue of an instruction that writes Dst until a STALLWAIT finds the matrix unit done with it; 0: until its latency is over.
    std::uint8_t drain_cycles = 0;
    Source drain{};
    /// A vector instruction that must wait for the vector unit does so in a place in front of it, and its thread goes on; the next one
    /// for the unit waits until that place is free. Not while instructions of SFPLOADMACRO are scheduled.
    bool vector_place = false;
    Source vector{};
};

/// The configuration unit. The intervals of its other instructions are in units/config/rules/backend.cpp.
struct ConfigCost {
    std::uint8_t rdcfg_interval;  ///< plan::Cost::interval of RDCFG
    std::uint8_t rdcfg_hold;      ///< cycles until the thread of an RDCFG issues again
    Source source;
};

struct CostTable {
    Timing timing;
    bool completes_at_issue;                        ///< an instruction's effects are complete before the next issues
    std::span<const InstructionCost> instructions;  ///< by mnemonic, from the units' registrations
    UnpackCost unpack;
    PackCost pack;
    MoverCost mover;
    ThreadCost thread;
    Interlocks interlocks;
    ConfigCost config;
    /// Instructions that may wait in a unit, behind the executing one or for their bank.
    std::array<std::uint8_t, plan::pipes> queue_depth;
    Source queue_source;

    plan::Cost of(isa::Mnemonic mnemonic) const {
        if (completes_at_issue) return {.occupancy = 0, .latency = 0};
        const InstructionCost& row = instructions[mnemonic.index];
        return {.interval = row.interval,
                .early_interval = row.early_interval,
                .entry = row.entry,
                .retry = row.retry,
                .chain = row.chain,
                .occupancy = row.occupancy,
                .latency = row.latency};
    }
    /// Rows of docs/silicon.md that measured the instruction, if the timing takes measurements: "I1, I2".
    std::string_view rows_of(const isa::Instruction& instruction) const;
    /// The kind of source of an instruction's occupancy of its unit; of several costs the weakest. If the timing takes
    /// measurements, a document's figure that one has confirmed counts as measured.
    Source::Kind basis_of(const isa::Instruction& instruction) const;
    /// The source of an instruction's cycles, in words; empty if none is given.
    std::string source_of(const isa::Instruction& instruction) const;
};

const CostTable& costs(Arch arch, Timing timing);

}  // namespace tessera::units
