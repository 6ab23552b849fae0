// SPDX-License-Identifier: Apache-2.0
// Options that have no effect are refused, and messages name the cause and the bounds.
#include <gtest/gtest.h>

#include "support/run_cli.hpp"
#include "support/temporary_directory.hpp"

namespace tessera {
namespace {

using Arguments = std::vector<std::string>;

constexpr const char* runs = TESSERA_SOURCE_DIR "/examples/deadlock/runs/job.toml";

void refuses(const Arguments& arguments, const std::vector<std::string>& parts) {
    SCOPED_TRACE(arguments.at(0) + " " + arguments.back());
    test::expect_refused(test::run_cli(arguments), parts);
}

TEST(CliRefusals, BoundsAreNamed) {
    for (const char* seconds : {"1e300", "inf", "9223372036854775807", "0"})
        refuses({"run", runs, "--timeout", seconds}, {seconds, "above 0 and up to 1000000000", "[cli.usage]"});
    refuses({"explain", runs, "--limit", "0"}, {"--limit: 0 is not between 1 and", "[cli.usage]"});
}

TEST(CliRefusals, OptionsOfKernelsAreNamed) {
    refuses({"run", runs, "--in-reset", "brisc"}, {"--in-reset", "kernels without a job", "[cli.usage]"});
    refuses({"run", "--core", "trisc0="}, {"'trisc0=' is not CORE=FILE", "[cli.core]"});
}

TEST(CliRefusals, ADumpThatCannotBeReadHasACause) {
    const test::TemporaryDirectory directory;
    refuses({"regs", "--dump", directory / "none"}, {directory / "none", "No such file or directory", "[regs.open]"});
    refuses({"regs", "--dump", directory / ""}, {"Is a directory", "[regs.open]"});
}

TEST(CliRefusals, OptionsWithoutEffect) {
    const test::TemporaryDirectory directory;
    const std::string dump = directory.write("dump.txt", "0 0\n");
    refuses({"regs", "--job", runs, "--arch", "wormhole"}, {"--arch excludes --job"});
    for (const char* option : {"--value=4", "--thread"}) {
        refuses({"regs", "--dump", dump, option}, {"excludes", "--dump"});
        refuses({"regs", "--job", runs, option}, {"excludes", "--job"});
        refuses({"regs", "--list", option}, {"excludes", "--list"});
    }
    refuses({"regs", "0", "--at", "T0:1"}, {"--at requires --job"});
    refuses({"regs", "--job", runs, "--and", "T0:1"}, {"--and requires --at"});
    refuses({"fidelity", "MVMUL", "--markdown"}, {"excludes", "--markdown"});
    refuses({"fidelity", "--arch", "wormhole", "--markdown"}, {"excludes", "--markdown"});
    refuses({"fidelity", "MVMUL", "--gather", directory / ""}, {"excludes", "--gather"});
}

}  // namespace
}  // namespace tessera
