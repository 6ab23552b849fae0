// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tessera/arch.hpp"
#include "tessera/data_format.hpp"
#include "tessera/error.hpp"
#include "tessera/program.hpp"
#include "tessera/run.hpp"
#include "tessera/section.hpp"

namespace tessera {

/// What memory holds before anything has run.
enum class Reset : std::uint8_t {
    silicon,     ///< the values of vendor_sim, and reading what was never written is an info finding
    vendor_sim,  ///< all zero, all Dst rows valid, all lanes enabled, constant LRegs; no such finding
};

/// A Tensix coprocessor with its L1. Cores share nothing: each may be used from its own thread of the process.
class Core {
public:
    explicit Core(Arch arch, Reset reset = Reset::silicon);
    Core(const Core& other);  ///< a snapshot
    Core& operator=(const Core& other);
    Core(Core&&) noexcept;
    Core& operator=(Core&&) noexcept;
    ~Core();

    Arch arch() const;

    /// L1 in bytes: 1536 KiB on Blackhole, 1464 KiB on Wormhole.
    std::size_t l1_size() const;
    /// Copies bytes into L1. Error "l1.range" when they do not fit; nothing is written then.
    Result<void> write_l1(std::uint64_t address, std::span<const std::byte> bytes);
    /// `length` bytes of L1 from `address`. Error "l1.range".
    Result<std::vector<std::byte>> read_l1(std::uint64_t address, std::uint64_t length) const;

    /// Executes a program to its end, or to a fault, on this core's state as it is. Error: what validate() says, or
    /// "run.arch" when the program is for another architecture, "run.window" when RunOptions::window names no instruction.
    Result<Run> run(const Program& program, const RunOptions& options = {});

    /// All that the coprocessor remembers, by name; L1 is the section "l1".
    std::span<const Section> sections() const;
    /// An element of a section. Out of range reads 0.
    std::uint64_t read(const Section& section, std::size_t element) const;
    /// Sets an element of a section, for tests and debuggers. Out of range does nothing.
    void write(const Section& section, std::size_t element, std::uint64_t value);

    /// The 32x32 tile at `tile` (0 to 15; 0 to 7 for 32-bit formats) of Dst as row-major values. Float32, Tf32, Float16,
    /// Float16_b; error "dst.format" for others, "dst.range". Rows that are not valid read as zero.
    Result<std::vector<float>> dst_tile(unsigned tile, DataFormat format) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tessera
