// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tessera/core.hpp"
#include "tessera/tensor.hpp"

namespace tessera {

/// A job: memory, three threads or kernels for the RISC-V cores, outputs (docs/jobs.md). Everything it names has been
/// read and checked.
struct Job {
    struct Region {
        std::uint64_t address = 0;
        std::vector<std::byte> bytes;
        std::optional<DataFormat> format{};  ///< of the array that `bytes` were made of
    };
    /// An array, written as a `.npy` file, or raw bytes.
    struct Output {
        std::uint64_t address = 0;
        std::size_t rows = 0, cols = 0;
        DataFormat format = DataFormat::Float32;
        TensorForm form;
        std::string path;      ///< to write
        std::size_t size = 0;  ///< of raw bytes; 0: an array
        std::optional<std::size_t> host_step;  ///< read by that one of Kernels::host; else when the run is over
    };

    std::string file;
    std::vector<std::string> inputs;  ///< all files that were read for it, its own among them
    Arch arch = Arch::blackhole;
    Reset reset = Reset::silicon;
    RunOptions options;
    std::vector<Region> l1;
    Program program;                 ///< empty when there are kernels
    std::optional<Kernels> kernels;  ///< what the RISC-V cores execute, in place of a program
    std::vector<Output> outputs;
    Recordings recordings;  ///< of the cores that prepare() makes for it, or for copies of it
};

/// Names with values that assembly text can use, as if `.equ` had defined them.
using JobSymbols = std::map<std::string, std::int64_t>;

/// Reads a job from a TOML (`.toml`) or JSON (`.json`) file; paths in it are relative to the file. Every error names
/// the file, and the line and column where the format gives one. Codes: "job.open", "job.syntax", "job.unknown-key",
/// "job.missing-key", "job.type", "job.value", "job.range", and those of assemble(), load_kernel(),
/// KernelImage::set_words(), read_npy() and to_bytes().
/// `symbols` go before the job's own.
Result<Job> load_job(const std::string& path, const JobSymbols& symbols = {});

/// The same from text, TOML or JSON: JSON begins with a brace. Paths in it are relative to the current directory; `name`
/// stands for the file in errors.
Result<Job> parse_job(std::string_view text, const std::string& name, const JobSymbols& symbols = {});

/// How many bytes of L1 an output is made of. Errors as tensor_bytes().
Result<std::size_t> output_bytes(const Job::Output& output);

/// A core with the job's memory and kernels in place, ready to run. Bytes of `l1` go over those of kernels. Errors as
/// Core::load().
Result<Core> prepare(const Job& job);
/// The same of a core that is there, for one job after the other: what it held is gone, also after an error, unless that is
/// "run.arch", for a core of another architecture.
Result<void> prepare(const Job& job, Core& core);

/// Core::run() of the job's program or kernels.
Result<Run> run_job(const Job& job, Core& core, const RunOptions& options);

/// Writes every output of a finished run: all of them, or none. `reads` are Run::host_reads. Errors "l1.range", "output.input"
/// and "output.twice" (check_output()), and those of from_bytes() and write_npy().
Result<void> write_outputs(const Job& job, const Core& core, std::span<const HostRead> reads = {});

/// Whether the library knows a finding or fault of that code.
bool is_diagnosis_code(std::string_view code);

}  // namespace tessera
