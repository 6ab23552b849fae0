// SPDX-License-Identifier: Apache-2.0
// RISC-V cores in place of a program's ops. The engine owns time and gives turns; cores act through the Port
// (engine/port.hpp).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics/places.hpp"
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
    /// It waits for room in this thread's FIFO, and for nothing else; no_fifo: for something else.
    std::uint8_t room_of = no_fifo;
    /// It does nothing but repeat itself until something changes (Port::changes()).
    bool repeats = false;
};

class Cores : public diagnostics::CoreTexts {
public:
    /// Which cores run when the run begins: a bit per RiscvCore.
    virtual unsigned running() const = 0;
    /// The core's turn, from `now` on, and those that Port::next_turn() begins. What the last one ended with.
    virtual Turn act(unsigned core, Cycle now, Port& port) = 0;
    // The host's steps (Kernels::host).

    /// When its next step comes: a cycle, `now` when all that it waits for is there; never: it waits for a word, or has none left.
    virtual Cycle host_due(Cycle now) const = 0;
    /// It has a step left.
    bool host_waits() const { return host_waits_; }
    /// Takes that step, which is due.
    virtual void act_host(Cycle now, Port& port) = 0;
    /// Puts cores into reset, or out of it, as a host does.
    virtual void host_resets(const std::array<bool, riscv_cores>& cores, bool start, Cycle now, Port& port) = 0;
    /// What the host waits for; nothing when it has no step left.
    virtual std::optional<Blocked> describe_host() const = 0;

    // What a core would do if time alone went on (time_loops.cpp).

    /// As act(), of one instruction.
    virtual Turn step(unsigned core, Cycle now, Port& port) = 0;
    /// All clocks show the core this cycle, and Turn::repeats says whether it repeats itself then; nothing: they go on.
    virtual void hold_time(unsigned core, std::optional<Cycle> at) = 0;
    virtual std::uint32_t program_counter(unsigned core) const = 0;
    /// Registers and local memory.
    virtual std::vector<std::uint32_t> memory(unsigned core) const = 0;
    /// Until that cycle time alone does not end what the core does now: for describe(), which then says what it polls.
    virtual void found_time_loop(unsigned core, Cycle until) = 0;

    /// What cores and devices remember beside the State.
    class Memory {
    public:
        virtual ~Memory() = default;
    };
    virtual std::shared_ptr<const Memory> save() const = 0;
    /// One of its own.
    virtual void restore(const Memory& memory) = 0;
    /// All that the run waits for has come about (Kernels::done), and the host has no step left: it ends once the coprocessor has nothing left to do.
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
    /// Its registers x1 to x31.
    virtual std::vector<NamedValue> registers(unsigned core) const = 0;

protected:
    bool host_waits_ = true;
};

}  // namespace tessera::engine
