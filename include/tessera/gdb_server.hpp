// SPDX-License-Identifier: Apache-2.0
/// @file
/// A server for debuggers that speak GDB's remote protocol.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tessera/chip.hpp"
#include "tessera/execution.hpp"
#include "tessera/hosted_chip.hpp"

namespace tessera {

/// How a GdbServer listens.
struct GdbOptions {
    std::string address = "127.0.0.1";  ///< IPv4 address of the interface: by default only this computer reaches it
    std::uint16_t port = 3333;          ///< 0: any free one, see GdbServer::port()
    /// The run goes on while no client is there. False: it waits for a client.
    bool runs = false;
    /// serve() ends when the first client has gone.
    bool once = false;
    /// serve() ends soon after this returns true. It is called several times a second. Empty: it does not end by itself.
    std::function<bool()> stop{};
};

/// Lets a debugger attach to a run of kernels on a tile or a chip: a process for each RISC-V core. docs/gdb.md says what it can do.
///
/// One client at a time. Any client that connects can read and write the simulated tile, and read the ELF files of the
/// run.
class GdbServer {
public:
    /// Listens. Errors: "gdb.kernels" if `execution` runs a program, or is a tile of a chip; "gdb.listen" if the port is taken or the
    /// address is none of this computer. As long as the server is in use, `execution` must not be moved or used otherwise.
    static Result<GdbServer> listen(Execution& execution, GdbOptions options = {});
    /// Begins a run of the chip's kernels, whose tiles all stand still when a core stops. Errors: those of Chip::run(); "gdb.listen". As
    /// long as the server is in use, `chip` must not be moved or used otherwise.
    static Result<GdbServer> listen(Chip& chip, ChipRunOptions how, GdbOptions options = {});
    GdbServer(GdbServer&&) noexcept;             ///< the source may only be assigned to or destroyed afterwards
    GdbServer& operator=(GdbServer&&) noexcept;  ///< the source as after the move constructor
    ~GdbServer();

    /// The port that it listens at.
    std::uint16_t port() const;
    /// Serves clients, one after the other. Ends as GdbOptions says. Error "gdb.listen" if the socket fails.
    Result<void> serve();

private:
    struct Impl;
    explicit GdbServer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// Lets a debugger attach to a chip that a host drives. It has no thread: the debugger is served within HostedChip::clock() and the
/// other calls that let time pass. Such a call returns once the debugger has let the chip go on and the time has passed.
class HostedGdbServer {
public:
    /// Listens. GdbOptions::runs: false: the first call that lets time pass waits for a client. GdbOptions::once has no meaning. `chip`
    /// outlives the server, and is not moved. Error "gdb.listen": as of GdbServer; `chip` was made without HostedChipOptions::debugger,
    /// or has a server already.
    static Result<HostedGdbServer> listen(HostedChip& chip, GdbOptions options = {});
    HostedGdbServer(HostedGdbServer&&) noexcept;             ///< the source may only be assigned to or destroyed afterwards
    HostedGdbServer& operator=(HostedGdbServer&&) noexcept;  ///< the source as after the move constructor
    ~HostedGdbServer();

    /// The port that it listens at.
    std::uint16_t port() const;

private:
    struct Impl;
    explicit HostedGdbServer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace tessera
