// SPDX-License-Identifier: Apache-2.0
// Options shared by all subcommands that run a job.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "options/command_line.hpp"
#include "options/host_options.hpp"
#include "tessera/case.hpp"
#include "tessera/chip_case.hpp"

namespace tessera::cli {

/// How a command's help differs from that of `run`. It leaves out what the command always refuses.
struct JobHelp {
    /// About --reference; null: it is refused.
    const char* reference = "Execute instructions by the second implementation where it has them, with instant timing";
    bool host = true;         ///< false: --host is refused
    bool with_clock = false;  ///< true: functional timing is refused
};

/// A case of one tile or of a grid.
using AnyCase = std::variant<Case, ChipCase>;

/// --symbol, --register and --set: values in place of those in a job's files.
struct ChangeOptions {
    std::vector<std::string> symbols;    ///< NAME=VALUE
    std::vector<std::string> registers;  ///< FIELD=VALUE
    std::vector<std::string> keys;       ///< KEY=VALUE

    /// Returns the options, for conditions of a subcommand.
    std::array<Option, 3> add_to(const Command& command);
    /// The first of these options that was given, or "".
    std::string given() const;
    /// Errors "cli.symbol", "cli.register", "cli.set".
    Result<JobChanges> read() const;
};

/// --finding.
void add_levels(const Command& command, std::vector<std::string>& levels);

struct JobOptions {
    std::string path;
    std::optional<std::uint64_t> seed;
    std::optional<std::string> timing;
    std::optional<std::uint64_t> max_cycles;
    HostOptions limits;
    std::vector<std::string> levels;       ///< CODE=LEVEL
    ChangeOptions changes;
    std::vector<std::string> disregarded;  ///< ORDERING[:WHO[:WHICH]]
    std::vector<std::string> host;         ///< steps, after the job's own
    bool reference = false;
    bool with_clock = false;  ///< see JobHelp

    void add_to(const Command& command, const JobHelp& help = {});
    /// Adds all options except JOB.
    void add_options_to(const Command& command, const JobHelp& help = {});

    /// The job and the options that decide how its run goes, for another command.
    std::string run_text() const;

    /// The job, overridden by these options, with Ctrl-C as its stop flag.
    Result<Job> load() const;
    /// Same, for a job of one tile or of a grid. Errors "job.chip" and "chip.timing" for options that a grid does not have.
    Result<AnyJob> load_any() const;
    /// Same, for a loaded job.
    Result<Job> with_options(Job job) const;

    /// Same, for a job or a case.
    Result<Case> load_job_or_case() const;
    /// Same, for a job or a case of one tile or of a grid.
    Result<AnyCase> load_any_case() const;

private:
    Result<ChipJob> with_options(ChipJob job) const;
    /// Sets the options of a run that these options give.
    Result<void> change(RunOptions& options) const;
};

}  // namespace tessera::cli
