// SPDX-License-Identifier: Apache-2.0
/// @file
/// Jobs: memory, a program or kernels, and outputs, in one file.
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

/// A job (docs/jobs.md). All files that it names have been read and checked.
struct Job {
    /// Bytes of L1 before the run.
    struct Region {
        std::uint64_t address = 0;           ///< of the first byte
        std::vector<std::byte> bytes;        ///< the contents
        std::optional<DataFormat> format{};  ///< the format of the array in `bytes`; empty: raw bytes
        bool compressed = false;             ///< of an array: as of L1Format
    };
    /// A part of L1 that is written to a file: an array as `.npy`, or raw bytes.
    struct Output {
        std::uint64_t address = 0;                ///< of the first byte
        std::size_t rows = 0;                     ///< of the array
        std::size_t cols = 0;                     ///< of the array
        DataFormat format = DataFormat::Float32;  ///< of the array in L1
        TensorForm form;                          ///< of the array in L1
        std::string path;                         ///< of the file
        std::size_t size = 0;                     ///< raw bytes; 0: an array
        std::optional<std::size_t> host_step;     ///< the read step of Kernels::host; empty: L1 at the end of the run
    };

    std::string file;                 ///< path of the job file
    std::vector<std::string> inputs;  ///< all files that were read, the job file included
    Arch arch = Arch::blackhole;      ///< the chip
    Reset reset = Reset::silicon;     ///< the contents of memory before `l1`
    RunOptions options;               ///< of the run
    std::vector<Region> l1;           ///< contents of L1
    Program program;                  ///< empty if there are kernels
    std::optional<Kernels> kernels;   ///< run on the RISC-V cores in place of a program
    std::vector<Output> outputs;      ///< written after the run
    Recordings recordings;            ///< of the cores that prepare() makes for it and for its copies
};

/// Names with values for the assembly text, as `.equ` defines them.
using JobSymbols = std::map<std::string, std::int64_t>;

/// Values from outside that replace those in a job's files.
struct JobChanges {
    JobSymbols symbols{};  ///< take precedence over the job's own
    /// Configuration fields by name. Each value replaces that of every `.cfg FIELD = VALUE` line of the job's assembly.
    std::map<std::string, std::int64_t> registers{};
    /// Values in TOML for keys of the job file. A key names tables and items of arrays with dots: `timing`, `l1.0.format`.
    /// A word without quotes is a string. A key that the file lacks is added.
    std::map<std::string, std::string> keys{};

    /// Whether nothing is changed.
    bool empty() const { return symbols.empty() && registers.empty() && keys.empty(); }
};

/// The value of a symbol or register given as text: a number of 64 bits, decimal or with 0x, or the name of a data format,
/// which stands for its number. Empty: the text is neither.
std::optional<std::int64_t> parse_job_number(std::string_view text);

/// Reads a job from a TOML (`.toml`) or JSON (`.json`) file. Paths in it are relative to the file.
///
/// Every error names the file, and line and column if the format gives them. Codes: "job.open", "job.syntax",
/// "job.unknown-key", "job.missing-key", "job.type", "job.value" (also for a symbol or register of `changes` without effect),
/// "job.range", and those of assemble(), load_kernel(), KernelImage::set_words(), read_npy() and to_bytes().
Result<Job> load_job(const std::string& path, const JobChanges& changes = {});

/// Reads a job from text. Text that begins with a brace is JSON, other text TOML. Paths in it are relative to the current
/// directory. `name` stands for the file in errors.
Result<Job> parse_job(std::string_view text, const std::string& name, const JobChanges& changes = {});

/// The size of an output in L1, in bytes. Errors: those of tensor_bytes().
Result<std::size_t> output_bytes(const Job::Output& output);

/// A core with the job's memory and kernels in place, ready to run. Job::l1 overwrites bytes of kernels. Errors: those of
/// Core::load(); "l1.range" if a region of Job::l1 is not in L1.
Result<Core> prepare(const Job& job);
/// Prepares an existing core, for one job after the other. Its old state is lost, even after an error. Only "run.arch", for a core of
/// another architecture, leaves it as it was.
Result<void> prepare(const Job& job, Core& core);

/// Runs the job's program or kernels by Core::run(), with `options` in place of Job::options. Errors: those of
/// Core::run().
Result<Run> run_job(const Job& job, Core& core, const RunOptions& options);

/// Writes all outputs of a finished run, or none. `reads` are Run::host_reads.
///
/// Errors: "run.arch" for a core of another architecture; "l1.range"; "output.input" and "output.twice" of check_output(); those of
/// from_bytes() and write_npy().
Result<void> write_outputs(const Job& job, const Core& core, std::span<const HostRead> reads = {});

/// Whether a finding or fault has that code.
bool is_diagnosis_code(std::string_view code);

}  // namespace tessera
