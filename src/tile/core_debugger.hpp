// SPDX-License-Identifier: Apache-2.0
// The debug interface of RISC-V cores: whoever reaches the tile's registers pauses a core, sees and changes what it has, and lets it go on
// (BabyRISCV/DebugInterface).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "riscv/bus.hpp"

namespace tessera::tile {

class Devices;
struct Request;
struct Reply;
using riscv::Cycle;

class CoreDebugger {
public:
    static constexpr unsigned cores = 4;  ///< B, T0, T1, T2; NC has no debug interface

    explicit CoreDebugger(Devices& devices) : devices_(devices) {}

    /// RISC_DBG_CNTL_0 and _1, RISC_DBG_STATUS_0 and _1, by their offsets.
    std::uint32_t load(std::uint32_t offset) const;
    Reply store(const Request& request, std::uint32_t offset, std::uint32_t value);

    /// The core has to be asked at each instruction.
    bool watches(unsigned core) const { return memory_.watched >> core & 1; }
    /// The breakpoints and watchpoints that the core's next instruction will meet: bits of DR(0). `words`: how many it has; .ttinsn may be fused.
    std::uint32_t meets(unsigned core, unsigned words) const;
    /// The core has executed an instruction that met this. True: it is paused now.
    bool passed(unsigned core, std::uint32_t met);
    /// A debugger has paused the core.
    bool paused(unsigned core) const { return core < cores && memory_.of[core].paused; }
    /// The core goes into reset, which ends a pause and sets its debug registers to 0 (SoftReset).
    void reset(unsigned core);

private:
    static constexpr unsigned watchpoints = 8;

    /// A load or store as if by the paused core. It may have to wait.
    struct Access {
        std::uint32_t address = 0;
        std::optional<std::uint32_t> stored;
    };
    struct Registers {
        std::uint32_t command = 0, argument = 0, data = 0, result = 0, modes = 0;  ///< DR(1) to DR(5)
        std::array<std::uint32_t, watchpoints> addresses{};                        ///< DR(10) to DR(17)
    };
    /// Of one core.
    struct Port {
        Registers dr;
        std::uint32_t met = 0;      ///< why it is paused: bits of DR(0)
        bool paused = false;
        bool pauses = false;        ///< as soon as it can
        bool steps = false;         ///< one instruction, then it pauses
        bool half_a_step = false;   ///< Blackhole: the next command to step takes effect
        std::optional<Access> access;
    };

public:
    struct Memory {
        std::array<Port, cores> of{};
        std::uint32_t control = 0, value = 0, answer = 0;
        bool is_answered = false;
        std::uint8_t watched = 0;  ///< a bit for each core
    };
    const Memory& save() const { return memory_; }
    void restore(const Memory& memory) { memory_ = memory; }

private:
    /// ecall and ebreak pause a core, too.
    bool is_paused(unsigned core) const;
    std::uint32_t status(unsigned core) const;
    /// DR(index).
    std::uint32_t read(unsigned core, unsigned index) const;
    Reply write(const Request& request, unsigned core, unsigned index, std::uint32_t value);
    Reply execute(const Request& request, unsigned core);
    void step(unsigned core, Cycle at);
    Reply go_on_with_access(const Request& request, unsigned core);
    /// `met`: why, as bits of DR(0).
    void pause(unsigned core, std::uint32_t met);
    void resume(unsigned core, Cycle at);
    /// Keeps `watched` after a change of the core's port.
    void look(unsigned core);

    Devices& devices_;
    Memory memory_;
};

}  // namespace tessera::tile
