// SPDX-License-Identifier: Apache-2.0
// A simulated machine as a debugger sees it. A core is a process with one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/error.hpp"

namespace tessera::gdb {

/// A RISC-V core.
struct CoreInfo {
    std::string name;   ///< "trisc1"
    std::string file;   ///< its ELF file; empty: it has none
    std::string about;  ///< what it does now: "runs", "in reset", "waits for …"
};

/// A register, as the target description declares it.
struct Register {
    std::string name;
    unsigned bits = 32;
    std::string type;                 ///< of the GDB manual, Predefined Target Types
    std::string group;                ///< "general", "csr", "tensix"
    std::string_view feature;         ///< of the description; registers of one feature follow each other
};

enum class PointKind : std::uint8_t { software, hardware, write, read, access };

/// A breakpoint or a watchpoint of a core.
struct Point {
    PointKind kind{};
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;  ///< watched; of a breakpoint without meaning
    /// Bytecode (agent.hpp); it stops if one of them is not 0. Empty: always.
    std::vector<std::vector<std::uint8_t>> conditions{};
};

/// The way in which the cores are to go on.
struct Resume {
    enum class Action : std::uint8_t { none, go, step, range };
    struct OfCore {
        Action action = Action::none;
        std::uint32_t first = 0, end = 0;  ///< of a range: goes on until the core is outside
    };
    std::vector<OfCore> cores;  ///< by core
    unsigned selected = 0;      ///< the core that the client looks at. gdb waits for ever if another one comes to the end of history
    bool backwards = false;
    bool holds_others = false;  ///< cores without an action are held; else time goes on for them, too
};

/// Why the cores stand still.
struct Stopped {
    enum class Why : std::uint8_t {
        signal,
        software_breakpoint,
        hardware_breakpoint,
        write_watch,
        read_watch,
        access_watch,
        step,
        begin,  ///< of what can be gone back to
        end,    ///< of the run
    };
    Why why = Why::signal;
    unsigned core = 0;
    unsigned signal = 5;        ///< gdb's number
    std::uint32_t address = 0;  ///< of a watchpoint: what was accessed
    std::string text{};         ///< for the user; may have several lines

    bool is_watch() const { return why == Why::write_watch || why == Why::read_watch || why == Why::access_watch; }
};

namespace signals {
inline constexpr unsigned interrupt = 2, illegal = 4, trap = 5, abort = 6, segment = 11;
}

class Target {
public:
    virtual ~Target() = default;

    virtual std::size_t cores() const = 0;
    virtual CoreInfo info(unsigned core) const = 0;

    /// The same for all cores. The first 33 are x0 to x31 and pc.
    virtual const std::vector<Register>& registers() const = 0;
    /// Empty: the core has no such register.
    virtual std::optional<std::uint64_t> read_register(unsigned core, std::size_t number) const = 0;
    virtual Result<void> write_register(unsigned core, std::size_t number, std::uint64_t value) = 0;
    /// As the core sees it. Returns how many bytes from the first one on there are.
    virtual std::size_t read_memory(unsigned core, std::uint32_t address, std::span<std::uint8_t> bytes) = 0;
    virtual Result<void> write_memory(unsigned core, std::uint32_t address, std::span<const std::uint8_t> bytes) = 0;

    virtual Result<void> insert(unsigned core, const Point& point) = 0;
    virtual Result<void> remove(unsigned core, const Point& point) = 0;
    virtual void remove_all(unsigned core) = 0;

    /// Whether a client that has just come sees the core at once; else it attaches to it.
    virtual bool is_shown(unsigned /*core*/) const { return true; }

    /// Whether restart() can begin the run again; its error if not.
    virtual Result<void> can_restart() const { return {}; }
    /// Begins the run again.
    virtual Result<void> restart() = 0;

    /// Runs until there is a reason to stop. `interrupted` is asked now and then. Empty: it runs on as soon as it is called again
    /// in the same way.
    virtual std::optional<Stopped> resume(const Resume& how, const std::function<bool()>& interrupted) = 0;

    /// A command of the user, and its answer. `interrupted` as of resume(); the command then ends with an error.
    virtual Result<std::string> command(unsigned core, std::string_view line, const std::function<bool()>& interrupted) = 0;
};

}  // namespace tessera::gdb
