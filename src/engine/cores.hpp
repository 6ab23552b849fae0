// SPDX-License-Identifier: Apache-2.0
// RISC-V cores in place of a program's ops. The engine owns time and gives turns; cores act through the Port
// (engine/port.hpp).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/wait.hpp"
#include "tessera/run.hpp"

namespace tessera::engine {

class Port;

/// What a turn ended with.
struct Turn {
    enum class Kind : std::uint8_t {
        again,     ///< goes on at `time`
        wait,      ///< until one of `wakes`, for `wait`
        finished,  ///< has nothing left to do, unless somebody starts it again (Port::wake)
        stop,      ///< the run is over; Port::stop has said why
    };
    Kind kind = Kind::finished;
    Cycle time = 0;
    Wait wait{};
    Signals wakes = 0;
    /// It does nothing but repeat itself until something changes (Port::changes()).
    bool repeats = false;
};

class Cores {
public:
    virtual ~Cores() = default;

    /// Which cores run when the run begins: a bit per RiscvCore.
    virtual unsigned running() const = 0;
    /// The core's turn, from `now` on.
    virtual Turn act(unsigned core, Cycle now, Port& port) = 0;
    /// What cores and devices remember beside the State.
    class Memory {
    public:
        virtual ~Memory() = default;
    };
    virtual std::shared_ptr<const Memory> save() const = 0;
    /// One of its own.
    virtual void restore(const Memory& memory) = 0;
    /// All that the run waits for has come about (Kernels::done): it ends once the coprocessor has nothing left to do.
    virtual bool done() const = 0;
    /// A word of L1 that the run waits for and that does not have its value.
    struct Unmet {
        std::uint32_t address = 0, value = 0, wanted = 0;
    };
    virtual std::optional<Unmet> unmet() const = 0;

    // For people.
    virtual std::string describe(const Wait& wait, unsigned core) const = 0;
    /// Where a core stands and what it polls: instruction, place, waits_for of a core that repeats itself; where it stopped.
    virtual void describe(unsigned core, Blocked& blocked) const = 0;
    /// What the core executes at `pc`, disassembled.
    virtual std::string instruction(unsigned core, std::uint32_t pc) const = 0;
    /// Its registers x1 to x31.
    virtual std::vector<NamedValue> registers(unsigned core) const = 0;
    /// The functions that an instruction of a core is in (Where::frames), and "function+0x12" of it; empty when unknown.
    virtual std::vector<Frame> frames(unsigned core, std::uint32_t pc) const = 0;
    virtual std::string function(unsigned core, std::uint32_t pc) const = 0;
};

}  // namespace tessera::engine
