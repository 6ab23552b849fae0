// SPDX-License-Identifier: Apache-2.0
/// @file
/// The core: make one, write its memory, run programs and kernels on it, read its state.
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
#include "tessera/l1_format.hpp"
#include "tessera/program.hpp"
#include "tessera/recordings.hpp"
#include "tessera/run.hpp"
#include "tessera/section.hpp"

namespace tessera {

/// The contents of memory before anything has run.
enum class Reset : std::uint8_t {
    silicon,  ///< the values of `vendor_sim`; a read of memory that was never written gives an info finding
    /// All zero; all Dst rows valid, all lanes enabled, the constant LRegs hold their values; no such finding. The rows of Dst are
    /// never remapped or swizzled, whatever DEST_ACCESS_CFG has, as in the vendor's simulator.
    vendor_sim,
};

/// How often a core resolved an instruction anew, and how often it found the plan of an earlier one (docs/internals/plans.md).
struct PlanCounts {
    std::uint64_t found = 0;     ///< instructions whose plan was in the cache
    std::uint64_t made = 0;      ///< instructions that were resolved
    std::uint64_t followed = 0;  ///< of `found`: predicted from the plan before, without a search
};

/// How often earlier runs answered runs of a core (RunOptions::recorded).
struct RunCounts {
    std::uint64_t recorded = 0;  ///< runs that were executed and recorded
    std::uint64_t repeated = 0;  ///< runs that were answered; only the work on data was done
};

/// A Tensix coprocessor with its L1 and its RISC-V cores.
///
/// Cores are independent: each may run in a thread of its own. To run one program on many inputs, reuse one Core: assign a
/// kept copy, call reset(), or call prepare(). A Core is copied in microseconds.
class Core {
public:
    /// A core after reset. Cores that get the same `recordings` answer each other's runs (RunOptions::recorded).
    explicit Core(Arch arch, Reset reset = Reset::silicon, const Recordings& recordings = {});
    Core(const Core& other);  ///< a snapshot with the same state
    /// Copies the state of `other`. Takes microseconds for the same architecture: only L1 that either core wrote is copied. If a
    /// span of L1 was handed out (l1()), all of L1 is compared.
    ///
    /// Spans of this core's memories stay valid. Its cached plans stay. From now on it shares the recorded runs of `other`.
    Core& operator=(const Core& other);
    Core(Core&&) noexcept;             ///< the source may only be assigned to or destroyed afterwards
    Core& operator=(Core&&) noexcept;  ///< ends the validity of spans; the source as after the move constructor
    ~Core();

    /// The chip.
    Arch arch() const;

    /// The state as bytes, for another process with the same version of the library. Contains the marks of written memory and the
    /// Reset. Cached plans and recorded runs are left out.
    std::vector<std::byte> image() const;
    /// A core from the bytes of image(). Error "core.image" for any other bytes.
    static Result<Core> of_image(std::span<const std::byte> image, const Recordings& recordings = {});

    /// Sets all state to that of `Core(arch(), reset)`. Spans and cached plans stay, as after an assignment.
    void reset(Reset reset = Reset::silicon);

    /// Size of L1 in bytes: 1,572,864 on Blackhole, 1,499,136 on Wormhole.
    std::size_t l1_size() const;
    /// Copies bytes into L1 from byte `address` on. Error "l1.range" if they do not fit; nothing is written then.
    Result<void> write_l1(std::uint64_t address, std::span<const std::byte> bytes);
    /// The same, and remembers the format of the datums. An unpacker that reads them in another format, or `compressed` ones as if
    /// they had all their zeros, gives finding "l1.format", until something else is written there.
    Result<void> write_l1(std::uint64_t address, std::span<const std::byte> bytes, DataFormat format,
                          bool compressed = false);
    /// `length` bytes of L1 from byte `address` on. Error "l1.range".
    Result<std::vector<std::byte>> read_l1(std::uint64_t address, std::uint64_t length) const;
    /// The known formats of these bytes of L1, in ascending order: those given to write_l1(), and those that packers have written in.
    /// Bytes that anything else has written to have none, nor has any byte after a run with Timing::functional. Error "l1.range".
    Result<std::vector<L1Format>> l1_formats(std::uint64_t address, std::uint64_t length) const;
    /// How many of these bytes of L1 lie in lines of 16 bytes to which nothing has been written since reset. Error "l1.range".
    Result<std::uint64_t> unwritten_l1(std::uint64_t address, std::uint64_t length) const;

    /// @name Views of the large memories
    /// The memories themselves, without copies, in the layout of docs/internals/layout.md. A span stays valid until the core is destroyed,
    /// moved, assigned an rvalue, or assigned a core of the other architecture. A store through a span bypasses write tracking:
    /// - it does not mark memory as written, which an info finding checks (mark_written());
    /// - it does not change the sections "dst_valid" and "bank_owner".
    ///
    /// No access is allowed while a run is under way.
    /// @{

    /// L1, one byte per element.
    std::span<std::uint8_t> l1();
    /// Both banks of SrcA: 64 rows of 16 datums, each the upper 19 bits of an FP32. The next run drops all other bits.
    std::array<std::span<std::uint32_t>, 2> src_a();
    /// Both banks of SrcB, in the form of src_a().
    std::array<std::span<std::uint32_t>, 2> src_b();
    /// Dst: 1024 rows of 16 datums of 16 bits, in the bit order of BF16.
    std::span<std::uint16_t> dst();
    /// Marks elements of section "l1", "src_a", "src_b" or "dst" as written, in whole lines of 16 bytes or whole rows. Ignores
    /// other sections and elements beyond the end.
    void mark_written(const Section& section, std::size_t first, std::size_t count);
    /// @}

    /// Executes a program on the present state, to its end or to a fault.
    ///
    /// Errors: those of validate(); "run.arch" if the program is for another architecture; "run.window" if RunOptions::window
    /// names no instruction; "run.functional" for options that Timing::functional does not support.
    Result<Run> run(const Program& program, const RunOptions& options = {});

    /// Copies the bytes of all images into L1 and local memories. Resets the RISC-V cores that have an image and sets their entries.
    ///
    /// Errors, before anything is written: "run.arch"; "kernels.range" if an address is neither in L1 nor in the core's local
    /// memory; "kernels.overlap" if two images have different bytes for one address.
    Result<void> load(const Kernels& kernels);
    /// Executes loaded kernels until they are done (Kernels::done), or to a fault. Does not load().
    ///
    /// Cores go on where they stand. So kernels that wait for commands in L1 are loaded once. A core at its end stays there:
    /// load() again for another run, or assign a copy of the loaded core.
    ///
    /// Errors: those of check_kernels() and of the other run(). "kernels.not-loaded" if a core that is not kept in reset, and that no
    /// step of Kernels::host starts, has no kernel loaded; or if all cores stand at their end and neither Kernels::done nor
    /// Kernels::host has anything to wait for.
    Result<Run> run(const Kernels& kernels, const RunOptions& options = {});

    /// Counts over all runs of this core. Runs that an earlier run answered needed no plans.
    PlanCounts plan_counts() const;
    /// Counts over all runs of this core.
    RunCounts run_counts() const;

    /// All state of the coprocessor, by name. L1 is section "l1".
    std::span<const Section> sections() const;
    /// The section of that name. Error "state.unknown-section", with the nearest name.
    Result<const Section*> find_section(std::string_view name) const;
    /// An element of a section; 0 if out of range.
    std::uint64_t read(const Section& section, std::size_t element) const;
    /// Sets an element of a section, for tests and debuggers. Does nothing if out of range.
    void write(const Section& section, std::size_t element, std::uint64_t value);

    /// A 32x32 tile of Dst as row-major values; invalid rows are zero.
    ///
    /// `tile` is 0 to 15, and 0 to 7 for 32-bit formats, else error "dst.range". `format` is Float32, Tf32, Float16 or Float16_b,
    /// else error "dst.format". Ignores the remapping of DEST_ACCESS_CFG.
    Result<std::vector<float>> dst_tile(unsigned tile, DataFormat format) const;

    /// Dst in the 32-bit view: 512 rows of 16 words, each an FP32 or an integer in hardware's form. Invalid rows are zero. Ignores
    /// the remapping of DEST_ACCESS_CFG.
    std::vector<std::uint32_t> dst_words() const;

private:
    friend class Chip;
    friend class Execution;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tessera
