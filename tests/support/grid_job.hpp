// SPDX-License-Identifier: Apache-2.0
// A job with a grid of two tiles or more: the first one sends 16 bytes to the second and to DRAM; all others wait for a word of their own.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "support/grid_kernels.hpp"
#include "support/temporary_directory.hpp"
#include "tessera/chip_job.hpp"

namespace tessera::test {

class GridJob {
public:
    explicit GridJob(Arch arch, unsigned columns = 2) : arch_(arch), columns_(columns) {
        directory_.write("sender.elf", GridKernel::sender(arch));
        directory_.write("receiver.elf", GridKernel::receiver(arch));
    }

    /// The path of the job. `first`: the first word that is sent; 0 is a deadlock.
    std::string write(unsigned first = 11, const std::string& name = "job.json") const {
        using Json = nlohmann::json;
        const Json done = {{{"addr", GridKernel::flag}, {"value", 1}}};
        const auto message = [](unsigned word, unsigned other) {
            return Json{{{"addr", GridKernel::message}, {"words", {word, other, other, other, 0}}}};
        };
        const Json cores = {{"brisc", "receiver.elf"}};
        Json job = {{"arch", tessera::name(arch_)},
                    {"chip", {{"grid", {columns_, 1}}}},
                    {"max_cycles", 100000},
                    {"tile",
                     {{{"columns", 0},
                       {"done", done},
                       {"cores", {{"brisc", "sender.elf"}}},
                       {"arguments", {{"brisc", {{"own", {"x", "y"}}, {"to", "tile 1 0"}, {"dram", {"dram 0", 64}}}}}},
                       {"l1", message(first, 22)}},
                      {{"columns", 1}, {"done", done}, {"cores", cores}, {"l1", message(0, 0)}}}},
                    {"output",
                     {{{"tile", {1, 0}}, {"addr", GridKernel::message}, {"size", 16}, {"file", "tile.bin"}},
                      {{"channel", 0}, {"addr", 64}, {"size", 16}, {"file", "dram.bin"}}}}};
        if (columns_ > 2)
            job["tile"].push_back({{"columns", {2, columns_ - 1}}, {"done", done}, {"cores", cores}, {"l1", message(1, 0)}});
        return directory_.write(name, job.dump());
    }
    ChipJob load(unsigned first = 11) const { return load_chip_job(write(first)).value(); }

    const TemporaryDirectory& directory() const { return directory_; }

private:
    Arch arch_;
    unsigned columns_;
    TemporaryDirectory directory_;
};

}  // namespace tessera::test
