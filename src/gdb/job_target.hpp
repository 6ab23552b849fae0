// SPDX-License-Identifier: Apache-2.0
// The cores of one tile that runs kernels, as a debugger sees them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdb/points.hpp"
#include "gdb/registers.hpp"
#include "gdb/target.hpp"
#include "gdb/timeline.hpp"

namespace tessera::gdb {

class JobTarget final : public Target {
public:
    /// `execution` must be one that core::DebugView fits, and outlive the target.
    explicit JobTarget(Execution& execution);

    std::size_t cores() const override { return riscv_cores; }
    CoreInfo info(unsigned core) const override;
    const std::vector<Register>& registers() const override { return registers_.all(); }
    std::optional<std::uint64_t> read_register(unsigned core, std::size_t number) const override;
    Result<void> write_register(unsigned core, std::size_t number, std::uint64_t value) override;
    std::size_t read_memory(unsigned core, std::uint32_t address, std::span<std::uint8_t> bytes) override;
    Result<void> write_memory(unsigned core, std::uint32_t address, std::span<const std::uint8_t> bytes) override;
    Result<void> insert(unsigned core, const Point& point) override;
    Result<void> remove(unsigned core, const Point& point) override;
    void remove_all(unsigned core) override { points_.remove_all(core); }
    Stopped resume(const Resume& how, const std::function<bool()>& interrupted) override;
    Result<std::string> command(unsigned core, std::string_view line) override;

    // For commands (monitor.cpp).

    /// A stop that gdb has no packet for.
    struct Break {
        std::string text;  ///< as typed
        Breakpoints what;  ///< in `finding`, `instructions` or `written`
    };
    std::vector<Break>& breaks() { return breaks_; }
    Timeline& timeline() { return timeline_; }
    const Timeline& timeline() const { return timeline_; }
    /// Who wrote one of these bytes last before now, and when, as a line of text.
    Result<std::string> last_writer(unsigned core, std::uint32_t address, std::uint32_t bytes);
    /// The last instructions of the coprocessor that have ended before now, the last one at the end.
    std::vector<Event> last_instructions(std::size_t most);

private:
    using Interrupted = std::function<bool()>;
    class Watcher;
    class Forwards;
    class Backwards;
    class BeforeInstruction;

    /// What has been met.
    struct Hit {
        Stopped stopped;                ///< of the core that has the breakpoint or the watchpoint
        std::optional<unsigned> by;     ///< the core whose instruction of number `executed` at `pc` meets it; empty: none
        std::uint64_t executed = 0;
        std::uint32_t pc = 0;
        std::string text{};  ///< without `by`: who did it
        std::uint64_t cycle = 0;
        // Of a watchpoint, on the way back: behind the step that meets it, and before it.
        std::optional<Position> position, before;

        /// gdb does not step over the access, since another one than its core has made it.
        bool is_told_afterwards() const { return stopped.is_watch() && by != stopped.core; }
    };
    std::string who(const Hit& hit) const;
    std::optional<Hit> meets_breakpoint(unsigned core) const;
    bool holds(const Point& point, unsigned core) const;
    /// A part of a memory that holds an address for a core.
    std::span<const std::uint8_t> memory(unsigned core, std::uint32_t address) const;
    Breakpoints coprocessor_breaks() const;

    Stopped go(const Resume& how, const Interrupted& interrupted);
    Stopped back(const Resume& how, const Interrupted& interrupted);
    std::optional<Stopped> step_back(unsigned core);
    std::optional<Stopped> continue_back(unsigned core, const Interrupted& interrupted);
    /// The last thing that was met before `begin`, and the checkpoint before it.
    struct Found {
        std::size_t checkpoint = 0;
        Hit hit;
        bool interrupted = false;
    };
    std::optional<Found> look_back(unsigned core, const Position& begin, const Interrupted& interrupted);
    Stopped stop_at(const Hit& hit);
    std::optional<Stopped> pretended(const Resume& how);
    Hit why_paused(const Pause& pause, unsigned core) const;
    Stopped ended(unsigned core);
    Stopped at_end(unsigned core) const;
    unsigned acting_core(const Resume& how) const;

    Timeline timeline_;
    Registers registers_;
    Points points_;
    std::vector<Break> breaks_;
    /// A breakpoint within words that are pushed at once: its address is shown as pc until the core goes on.
    struct Shown {
        unsigned core = 0;
        std::uint64_t executed = 0;
        std::uint32_t pc = 0;
    };
    std::optional<Shown> shown_;
    /// gdb takes a watchpoint of RISC-V to be met before the access, and steps over that. What others than cores have written is told
    /// afterwards; gdb's step is then none, or leads back before it.
    struct Pretended {
        unsigned core = 0;
        std::optional<Position> before;
    };
    std::optional<Pretended> pretended_;
    bool told_end_ = false;
};

}  // namespace tessera::gdb
