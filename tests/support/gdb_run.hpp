// SPDX-License-Identifier: Apache-2.0
// Kernels with a debugger attached, in the same process.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

#include "gdb/job_target.hpp"
#include "support/gdb_client.hpp"
#include "support/kernel_run.hpp"
#include "tessera/execution.hpp"
#include "util/hex.hpp"

namespace tessera::test {

class GdbRun : public KernelRun {
protected:
    /// Begins the run of the kernels, which are there.
    void begin(const RunOptions& options = {}) {
        target.reset();
        execution.reset();
        ASSERT_TRUE(core_.load(kernels_));
        auto begun = Execution::begin(core_, kernels_, options);
        ASSERT_TRUE(begun) << begun.error().describe();
        execution.emplace(std::move(*begun));
        target.emplace(*execution);
        client.emplace(*target);
    }
    std::string ask(const std::string& packet) { return client->ask(packet); }
    /// A register of the selected core, whose digits have the lowest byte first.
    std::uint64_t reg(unsigned number) {
        const auto bytes = util::from_hex<std::uint8_t>(ask(fmt::format("p{:x}", number)));
        EXPECT_TRUE(bytes) << number;
        std::uint64_t value = 0;
        for (std::size_t i = bytes ? bytes->size() : 0; i-- > 0;) value = value << 8 | (*bytes)[i];
        return value;
    }
    std::uint64_t pc() { return reg(32); }

    std::optional<Execution> execution;
    std::optional<gdb::JobTarget> target;
    std::optional<GdbClient> client;
};

}  // namespace tessera::test
