// SPDX-License-Identifier: Apache-2.0
// What things cost on this computer: measured, and held against a copy of memory, the reference implementation, another simulator
// and the project's goals. `tessera bench` prints it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tessera/error.hpp"

namespace tessera::bench {

/// What is measured, and how.
struct Options {
    std::string
        filter;  ///< regular expression (ECMAScript), of which a line's name has to have a part; empty: all lines
    std::string vectors;       ///< no better set of vector instructions than "AVX3", "AVX2" or "SSE4"; empty: the best
    unsigned repetitions = 5;  ///< of each line; its figure is their median
    double seconds = 0.1;      ///< that a repetition takes at least
    std::string peer;  ///< path of another simulator's figures (docs/internals/performance.md); empty: those that were published
    std::string kernels;    ///< measure_kernels(): the folder of the kernels, compiled for Blackhole
    unsigned tiles = 8192;  ///< that a kernel goes through: a multiple of 64
};

/// What it was measured on, and with.
struct Machine {
    std::string cpu;       ///< the model's name; empty when the system does not tell
    unsigned cpus = 0;     ///< that this process may use
    std::string caches;    ///< "L1d 48 KiB, L2 2048 KiB, …"; of sizes that the system tells
    std::string vectors;   ///< the set of vector instructions that was used
    std::string compiler;  ///< name, version, type of build
    std::string commit;    ///< of the sources, when it was built; empty when that is not known
};

/// One thing that was measured. Times are of one of it (of a tile, an instruction, a block …), in ns of processor time.
struct Line {
    std::string name;
    double ns = 0;               ///< median of the repetitions
    double least = 0, most = 0;  ///< of the repetitions
    unsigned repetitions = 0;
    std::string error;  ///< it could not be measured, and why; all else is 0 then

    double bytes = 0;            ///< that one writes; 0: not told
    std::optional<double> copy;  ///< ns over those of memcpy of as many bytes, in cache, in the same run
    std::optional<double>
        reference;                  ///< ns of the second implementation (src/reference) for the same, over this line's
    std::optional<double> without;  ///< ns over those of the same run without what the line is about
    std::optional<double> kept;     ///< of all plans that were needed, the part that had been kept; 0 to 1

    std::optional<double> peer_ns;  ///< the other simulator's ns for the same work
    std::optional<double> times;    ///< peer_ns over ns
    std::optional<double> goal;     ///< what `times` is to be at least, or `ns` at most; with these vector instructions
    bool goal_is_ns = false;
    std::optional<double> reached;  ///< of the goal; 1 and above: reached
};

/// A product of matrices of `blocks` tiles each with one, in each of `threads` threads at the same time, each with a core of its own.
struct Scaling {
    unsigned blocks = 0;
    bool traced = false;  ///< as JSON lines, to nowhere
    unsigned threads = 1;
    double ns = 0;                   ///< of a block, processor time of a thread; median of the runs
    double least = 0, most = 0;      ///< of the runs
    std::optional<double> further;   ///< ns of each block that the next smaller product, measured before, does not have
    double speed_up = 1;             ///< blocks in a second that passes, over those of one thread
    std::optional<double> peak_mib;  ///< MiB that the process had meanwhile, at most; absent where it is not told
};

/// A run of some 10⁶ instructions beside ten runs of a tenth of it, each on a new core.
struct LongRun {
    std::string name;
    std::uint64_t few = 0, many = 0;    ///< instructions
    double few_ns = 0, many_ns = 0;     ///< of an instruction, processor time; medians of the repetitions
    double over = 0;                    ///< many_ns over few_ns: median of the repetitions' ratios
    double least = 0, most = 0;         ///< of `over`
};

/// A kernel on the five RISC-V cores, which goes through Options::tiles tiles, or as many as its name says. Everything is of one tile.
struct KernelLine {
    std::string name;
    std::string error;                ///< it could not be measured, and why; all else is 0 then
    double instructions = 0;          ///< of the coprocessor
    double riscv = 0;                 ///< instructions of RISC-V cores
    double ns = 0;                    ///< processor time of a run, without what comes before it; median of the repetitions
    double least = 0, most = 0;       ///< of the repetitions
    std::optional<double> peer_ns;    ///< the vendor's simulator's, of the same ELF files and arrays, with the same result
    std::optional<double> times;      ///< peer_ns over ns
};

/// A program of ops on three threads that neither this simulator nor the other has met: another one, or other data, in each repetition.
struct ProgramLine {
    std::string name;
    std::string error;         ///< it could not be measured, and why; all else is 0 then
    double instructions = 0;   ///< of the coprocessor; median of the programs, as all that follows
    double ns = 0;             ///< of an instruction, processor time of a run with everything on, on a new core
    double functional_ns = 0;  ///< the same without a clock and hazards
    std::optional<double> peer_ns;  ///< the vendor's simulator's for the same words, pushed by RISC-V cores, with the same result
    std::optional<double> times, functional_times;  ///< as fast as it: medians of the ratios of each program
    std::optional<double> least, most;              ///< of `times`
};

/// What has been measured.
struct Report {
    Machine machine;
    unsigned repetitions = 0;
    double seconds = 0;
    std::string peer;  ///< whose figures Line::peer_ns are, and where they were measured
    std::vector<Line> lines;
    std::vector<Scaling> scaling;
    std::vector<LongRun> long_runs;
    unsigned tiles = 0;  ///< of `kernels`
    std::vector<KernelLine> kernels;
    std::vector<ProgramLine> programs;
};

/// Measures all lines that the filter leaves. Errors "bench.absent" (built without Google Benchmark), "bench.filter" (no regular
/// expression, or no line has it), "bench.vectors" (the library or the computer has no such set), "bench.peer" (the file cannot
/// be read, or is not of the form).
Result<Report> measure(const Options& options);

/// Measures products of 1 to 4096 blocks, traced or not, in 1, 2, … and as many threads as there are processors. `filter` is not
/// looked at. Errors as measure(), and "bench.scaling" (a run was refused, or ended with a fault).
Result<Report> measure_scaling(const Options& options);

/// Measures runs of 10⁶ instructions beside ten of 10⁵. `filter` is not looked at. Errors as measure_scaling().
Result<Report> measure_long(const Options& options);

/// Measures the kernels in Options::kernels, each in several ways, and alternating with it the vendor's simulator, whose shared library
/// Options::peer names; empty: none. Kernels that are not compiled are lines with an error. Errors "bench.filter", "bench.vectors".
Result<Report> measure_kernels(const Options& options);

/// Measures programs that are met for the first time, random ones and kernels', and beside them the vendor's simulator, whose shared library
/// Options::peer names; empty: none. Errors "bench.filter", "bench.vectors".
Result<Report> measure_programs(const Options& options);

}  // namespace tessera::bench
