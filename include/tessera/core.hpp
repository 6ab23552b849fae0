// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/arch.hpp"
#include "tessera/data_format.hpp"
#include "tessera/error.hpp"
#include "tessera/kernels.hpp"
#include "tessera/program.hpp"
#include "tessera/recordings.hpp"
#include "tessera/run.hpp"
#include "tessera/section.hpp"

namespace tessera {

/// What memory holds before anything has run.
enum class Reset : std::uint8_t {
    silicon,  ///< the values of vendor_sim, and reading what was never written is an info finding
    /// All zero, all Dst rows valid, all lanes enabled, constant LRegs; no such finding. Unpackers and packers take rows of
    /// Dst as they are numbered, whatever DEST_ACCESS_CFG says, as that simulator does.
    vendor_sim,
};

/// What a core did for the instructions that it has issued so far: a plan, which is all that follows from the state, is kept and
/// found again by what it follows from.
struct PlanCounts {
    std::uint64_t found = 0;  ///< it had been kept
    std::uint64_t made = 0;
    std::uint64_t followed = 0;  ///< of those found: not even looked for, as it had come behind the one before again and again
};

/// How often a core's runs were answered by earlier ones (RunOptions::recorded).
struct RunCounts {
    std::uint64_t recorded = 0;  ///< executed, and kept for later ones
    std::uint64_t repeated = 0;  ///< answered: the work on the data alone was done
};

/// A Tensix coprocessor with its L1. Cores share nothing that one could notice: each may be used from its own thread of the process.
class Core {
public:
    explicit Core(Arch arch, Reset reset = Reset::silicon, const Recordings& recordings = {});
    Core(const Core& other);  ///< a snapshot
    /// Of the same architecture it is a matter of microseconds, and costs as much as either of them has written to L1 (all of it, where
    /// somebody has a span of that: l1()). Spans of this core's memories stay good, plans that it has kept are of use to it still, and it
    /// is one of the other's copies from now on (RunOptions::recorded).
    Core& operator=(const Core& other);
    Core(Core&&) noexcept;
    Core& operator=(Core&&) noexcept;
    ~Core();

    Arch arch() const;

    /// The core as bytes, for another process with the same version of the library: its state, what counts as written, and its Reset. What
    /// it has kept of instructions and of runs is left out.
    std::vector<std::byte> image() const;
    /// A core as one was whose image() that is. Error "core.image" for other bytes.
    static Result<Core> of_image(std::span<const std::byte> image, const Recordings& recordings = {});

    /// Makes it what Core(arch(), reset) is, in the way that it is assigned to: for one run after the other, of programs and data that are
    /// ever others.
    void reset(Reset reset = Reset::silicon);

    /// L1 in bytes: 1536 KiB on Blackhole, 1464 KiB on Wormhole.
    std::size_t l1_size() const;
    /// Copies bytes into L1. Error "l1.range" when they do not fit; nothing is written then.
    Result<void> write_l1(std::uint64_t address, std::span<const std::byte> bytes);
    /// The same of datums, of which the core knows the format from then on: an unpacker that reads them as another one is finding
    /// "l1.format", until a run, or somebody else, writes there.
    Result<void> write_l1(std::uint64_t address, std::span<const std::byte> bytes, DataFormat format);
    /// `length` bytes of L1 from `address`. Error "l1.range".
    Result<std::vector<std::byte>> read_l1(std::uint64_t address, std::uint64_t length) const;

    // The large memories as they are kept (layout.md), without copies. A span stays good for as long as the core is neither destroyed,
    // moved, assigned an rvalue, nor assigned a core of the other architecture. What is stored through it has no mark of having been
    // written, which an info finding asks for (mark_written()), and changes neither validity (section "dst_valid") nor owner (section
    // "bank_owner"). Nothing may be read or stored while a run is under way.

    /// L1, a byte each.
    std::span<std::uint8_t> l1();
    /// Both banks of SrcA: 64 rows of 16 datums, each the upper 19 bits of an FP32. Other bits are dropped when the next
    /// run begins.
    std::array<std::span<std::uint32_t>, 2> src_a();
    /// The same of SrcB.
    std::array<std::span<std::uint32_t>, 2> src_b();
    /// Dst: 1024 rows of 16 datums of 16 bits, as a BF16 has them.
    std::span<std::uint16_t> dst();
    /// Counts elements of section "l1", "src_a", "src_b" or "dst" as written, in whole lines of 16 bytes or whole rows. Does
    /// nothing for other sections and beyond the section's end.
    void mark_written(const Section& section, std::size_t first, std::size_t count);

    /// Executes a program to its end, or to a fault, on this core's state as it is. Error: what validate() says, or
    /// "run.arch" when the program is for another architecture, "run.window" when RunOptions::window names no instruction.
    Result<Run> run(const Program& program, const RunOptions& options = {});

    /// Puts the bytes of all images into L1 and local memories, resets the cores that have one and lets them begin at their
    /// entries. Error "run.arch", "kernels.range" (an address that is neither in L1 nor in that core's local memory) or
    /// "kernels.overlap" (two images have different bytes for one address); nothing is written then.
    Result<void> load(const Kernels& kernels);
    /// Lets the RISC-V cores execute what they have been given, and the coprocessor what they push, until the kernels are done
    /// (Kernels::done) or a fault. Does not load(): kernels may be loaded once and be run with other bytes in L1.
    Result<Run> run(const Kernels& kernels, const RunOptions& options = {});

    /// Of all runs of this core so far; those that were answered by earlier ones needed no plans.
    PlanCounts plan_counts() const;
    RunCounts run_counts() const;

    /// All that the coprocessor remembers, by name; L1 is the section "l1".
    std::span<const Section> sections() const;
    /// The section of that name. Error "state.unknown-section", with the nearest name.
    Result<const Section*> find_section(std::string_view name) const;
    /// An element of a section. Out of range reads 0.
    std::uint64_t read(const Section& section, std::size_t element) const;
    /// Sets an element of a section, for tests and debuggers. Out of range does nothing.
    void write(const Section& section, std::size_t element, std::uint64_t value);

    /// The 32x32 tile at `tile` (0 to 15; 0 to 7 for 32-bit formats) of Dst as row-major values. Float32, Tf32, Float16,
    /// Float16_b; error "dst.format" for others, "dst.range". Rows that are not valid read as zero.
    Result<std::vector<float>> dst_tile(unsigned tile, DataFormat format) const;

    /// Dst in the 32-bit view: 512 rows of 16 words, an FP32 or an integer as hardware keeps it. Rows that are not valid
    /// read as zero. As dst_tile(), it knows nothing of DEST_ACCESS_CFG's address remapping.
    std::vector<std::uint32_t> dst_words() const;

private:
    friend class Execution;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tessera
