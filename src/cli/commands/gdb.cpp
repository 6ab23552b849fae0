// SPDX-License-Identifier: Apache-2.0
// tessera gdb: a debugger attaches to the kernels of a job.
#include <fmt/format.h>

#include <memory>
#include <variant>

#include "command.hpp"
#include "options/job_options.hpp"
#include "reports/terminal.hpp"
#include "stop.hpp"
#include "tessera/gdb_server.hpp"

namespace tessera::cli {

namespace {

struct GdbArguments {
    JobOptions job;
    GdbOptions server;
    unsigned port = GdbOptions{}.port;
};

Result<void> serve(Result<GdbServer> server, const std::string& address) {
    if (!server) return tl::make_unexpected(server.error());
    print(stdout, fmt::format("gdb: target extended-remote {}:{}\n", address, server->port()));
    std::fflush(stdout);
    return server->serve();
}

Result<void> serve(const Job& job, const GdbOptions& listens) {
    if (!job.kernels) return fail("gdb.kernels", "a debugger sees RISC-V cores: the job has threads and no kernels");
    Result<Core> core = prepare(job);
    if (!core) return tl::make_unexpected(core.error());
    RunOptions how = job.options;
    how.stop = nullptr;  // the server ends, not the run
    Result<Execution> execution = Execution::begin(*core, *job.kernels, how);
    if (!execution) return tl::make_unexpected(execution.error());
    return serve(GdbServer::listen(*execution, listens), listens.address);
}

Result<void> serve(const ChipJob& job, const GdbOptions& listens) {
    Result<Chip> chip = prepare(job);
    if (!chip) return tl::make_unexpected(chip.error());
    ChipRunOptions how;
    how.tile = job.options;
    how.tile.stop = nullptr;
    return serve(GdbServer::listen(*chip, how, listens), listens.address);
}

int execute(const GdbArguments& options) {
    const Result<AnyJob> job = options.job.load_any();
    if (!job) return report(job.error());
    GdbOptions listens = options.server;
    listens.port = static_cast<std::uint16_t>(options.port);
    const auto* const stop = stop_on_interrupt();
    listens.stop = [stop] { return stop->load(); };
    const auto served = std::visit([&](const auto& one) { return serve(one, listens); }, *job);
    if (!served) return report(served.error());
    return stop_signal() ? bad_result : good;
}

}  // namespace

void add_gdb(CommandLine& program) {
    auto options = std::make_shared<GdbArguments>();
    const Command command = program.add("gdb", "Let a debugger attach to the kernels of a job");
    options->job.add_to(command, {.with_clock = true});
    command.option("--port", options->port, "Listen at this TCP port; 0: at any free one").value_name("N").in_range(0, 65535).show_default();
    command
        .option("--address", options->server.address,
                "Listen at this IPv4 address of the computer. Whoever connects can read the job's ELF files and change the run")
        .value_name("ADDRESS")
        .show_default();
    command.flag("--go", options->server.runs, "Let the run go on while no debugger is there (default: it waits for one)");
    command.flag("--once", options->server.once, "End when the first debugger has gone (default: on Ctrl-C)");
    command.footer(
        "\nIn gdb-multiarch: source editors/gdb/tessera.gdb, then tessera :3333. Each RISC-V core is an inferior with its own symbols;\n"
        "'monitor help' has commands for the coprocessor. Without the script: target extended-remote :3333, set schedule-multiple on,\n"
        "stepi 0.\n"
        "\n--timeout, --max-memory and --max-cycles end the run with a fault, and not this command: a debugger sees the fault then.\n"
        "\nExample: tessera gdb examples/kernels/datacopy/blackhole.toml --port 3333");
    command.action([options] { return execute(*options); });
}

}  // namespace tessera::cli
