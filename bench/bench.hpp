// SPDX-License-Identifier: Apache-2.0
// Measures the library's speed on this computer, and compares it with a copy of memory, the reference implementation,
// another simulator and the project's goals. `tessera bench` prints the results.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tessera/error.hpp"

namespace tessera::bench {

/// Selection and method of measurements.
struct Options {
    std::string
        filter;  ///< regular expression (ECMAScript), of which a line's name has to have a part; empty: all lines
    std::string vectors;       ///< limit of vector instructions: "AVX3", "AVX2" or "SSE4"; empty: the best
    unsigned repetitions = 5;  ///< per line; the figure is their median
    double seconds = 0.1;      ///< minimum per repetition
    /// path of another simulator's figures (docs/internals/performance.md); empty: the published ones
    std::string peer;
    std::string kernels;    ///< measure_kernels(): the folder of the kernels, compiled for Blackhole
    unsigned tiles = 8192;  ///< per kernel run; a multiple of 64
};

/// The computer and the build.
struct Machine {
    std::string cpu;       ///< the model's name; empty if unknown
    unsigned cpus = 0;     ///< available to this process
    std::string caches;    ///< "L1d 48 KiB, L2 2048 KiB, …"; known sizes only
    std::string vectors;   ///< the vector instructions in use
    std::string compiler;  ///< name, version, build type
    std::string commit;    ///< of the sources at build time; empty if unknown
};

/// One measurement. Times are ns of processor time per item (a tile, an instruction, a block …).
struct Line {
    std::string name;
    double ns = 0;               ///< median of the repetitions
    double least = 0, most = 0;  ///< of the repetitions
    unsigned repetitions = 0;
    std::string error;  ///< the reason if it could not be measured; all else is 0 then

    double bytes = 0;            ///< written per item; 0: unknown
    std::optional<double> copy;  ///< ratio to memcpy of the same number of bytes, in cache, in the same run
    std::optional<double>
        reference;                  ///< ratio of the reference's ns (src/reference) for the same work to this line's
    std::optional<double> without;  ///< ratio to the same run without this line's feature
    std::optional<double> kept;     ///< hit rate of the plan cache, 0 to 1

    std::optional<double> peer_ns;  ///< the other simulator's ns for the same work
    std::optional<double> times;    ///< peer_ns over ns
    std::optional<double> goal;     ///< lower limit of `times`, or upper limit of `ns`, with these vector instructions
    bool goal_is_ns = false;
    std::optional<double> reached;  ///< fraction of the goal; 1 or more: reached
};

/// Products of matrices with `blocks` tiles each, on `threads` threads at once, each with its own core.
struct Scaling {
    unsigned blocks = 0;
    bool traced = false;  ///< with a JSON lines trace that is discarded
    unsigned threads = 1;
    double ns = 0;                   ///< per block, processor time of a thread; median of the runs
    double least = 0, most = 0;      ///< of the runs
    std::optional<double> further;   ///< ns of each block beyond those of the next smaller product
    double speed_up = 1;             ///< blocks per elapsed second, relative to one thread
    std::optional<double> peak_mib;  ///< peak MiB of the process meanwhile; absent if unknown
};

/// A run of about 10⁶ instructions, compared with ten runs of a tenth of it, each on a new core.
struct LongRun {
    std::string name;
    std::uint64_t few = 0, many = 0;    ///< instructions
    double few_ns = 0, many_ns = 0;     ///< per instruction, processor time; medians of the repetitions
    double over = 0;                    ///< many_ns over few_ns: median of the repetitions' ratios
    double least = 0, most = 0;         ///< of `over`
};

/// A kernel on the five RISC-V cores, with Options::tiles tiles, or with the number in its name. Figures are per tile.
struct KernelLine {
    std::string name;
    std::string error;                ///< the reason if it could not be measured; all else is 0 then
    double instructions = 0;          ///< of the coprocessor
    double riscv = 0;                 ///< instructions of RISC-V cores
    double ns = 0;                    ///< processor time of a run without its preparation; median of the repetitions
    double least = 0, most = 0;       ///< of the repetitions
    std::optional<double> peer_ns;    ///< of the vendor's simulator with the same ELF files, arrays and result
    std::optional<double> times;      ///< peer_ns over ns
};

/// A program of ops on three threads, new to both simulators: each repetition has another program or other data.
struct ProgramLine {
    std::string name;
    std::string error;         ///< the reason if it could not be measured; all else is 0 then
    double instructions = 0;   ///< of the coprocessor; median of the programs, like the figures below
    double ns = 0;             ///< per instruction, processor time of a run with all checks, on a new core
    double functional_ns = 0;  ///< same, without clock and hazards
    /// of the vendor's simulator for the same words, pushed by RISC-V cores, with the same result
    std::optional<double> peer_ns;
    std::optional<double> times, functional_times;  ///< speed relative to it: medians of the programs' ratios
    std::optional<double> least, most;              ///< of `times`
};

/// All results.
struct Report {
    Machine machine;
    unsigned repetitions = 0;
    double seconds = 0;
    std::string peer;  ///< source of Line::peer_ns: the simulator, and the computer of the measurement
    std::vector<Line> lines;
    std::vector<Scaling> scaling;
    std::vector<LongRun> long_runs;
    unsigned tiles = 0;  ///< of `kernels`
    std::vector<KernelLine> kernels;
    std::vector<ProgramLine> programs;
};

/// Measures all lines that match the filter. Errors "bench.absent" (built without Google Benchmark), "bench.filter"
/// (invalid regular expression, or no match), "bench.vectors" (set not in the library or the computer), "bench.peer"
/// (file unreadable or malformed).
Result<Report> measure(const Options& options);

/// Measures products of 1 to 4096 blocks, traced or not, on 1, 2, … up to all processors. Ignores `filter`. Errors as
/// measure(), and "bench.scaling" (a run was rejected, or ended with a fault).
Result<Report> measure_scaling(const Options& options);

/// Measures runs of 10⁶ instructions and ten of 10⁵. Ignores `filter`. Errors as measure_scaling().
Result<Report> measure_long(const Options& options);

/// Measures the kernels in Options::kernels, each in several ways, alternating with the vendor's simulator.
/// Options::peer names its shared library; empty: none. Uncompiled kernels give lines with an error. Errors
/// "bench.filter", "bench.vectors".
Result<Report> measure_kernels(const Options& options);

/// Measures first runs of programs, random ones and kernels', alternating with the vendor's simulator. Options::peer
/// names its shared library; empty: none. Errors "bench.filter", "bench.vectors".
Result<Report> measure_programs(const Options& options);

}  // namespace tessera::bench
