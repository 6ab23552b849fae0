// SPDX-License-Identifier: Apache-2.0
// Describes the place of an op: in a program by its index, in a kernel by the core's instruction (op_index.hpp).
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "tessera/program.hpp"
#include "tessera/run.hpp"

namespace tessera::diagnostics {

using Cycle = std::uint64_t;

/// Names for RISC-V cores' instructions.
class CoreTexts {
public:
    virtual ~CoreTexts() = default;
    /// The core's instruction at `pc`, disassembled.
    virtual std::string instruction(unsigned core, std::uint32_t pc) const = 0;
    /// The functions around a core's instruction (Where::frames), and "function+0x12" for it; empty if unknown.
    virtual std::vector<Frame> frames(unsigned core, std::uint32_t pc) const = 0;
    virtual std::string function(unsigned core, std::uint32_t pc) const = 0;
    /// An instruction of a core of another tile, which is util::place_number() in NoC 0: "0x6100 of brisc on tile (1, 0) (kernel.cpp:12)".
    virtual std::string text_on_other_tile(std::uint16_t tile, unsigned core, std::uint32_t pc) const = 0;
};

/// Either program or cores is null; both must outlive it.
class Places {
public:
    Places(Arch arch, const Program* program, const CoreTexts* cores) : arch_(arch), program_(program), cores_(cores) {}

    /// The place of a thread's instruction, or of a core's command to the mover.
    Where where(unsigned thread, std::int64_t index, std::uint32_t word, Cycle now, std::int64_t position) const;
    /// The same of an op without an instruction word: a core's store.
    Where where_of_store(unsigned thread, std::int64_t index, Cycle now) const;
    /// The place of a core's own instruction, whether or not it pushes. `core` from riscv_cores on: another tile's, or a host's access.
    Where where_of(unsigned core, std::uint32_t pc, Cycle now) const;
    std::string place_of(unsigned thread, std::int64_t index) const;
    /// In kernels: the instruction of a core, "0x6100 of trisc0 (kernel.cpp:12)"; "of a request over the NoC".
    std::string core_op_text(std::uint32_t value) const;
    /// As of CoreTexts.
    std::string text_on_other_tile(std::uint16_t tile, unsigned core, std::uint32_t pc) const {
        return cores_->text_on_other_tile(tile, core, pc);
    }
    /// An access of a core: `before` and core_op_text(); "an earlier access of trisc0" if `pc` is 0, since it is forgotten.
    std::string core_access_text(unsigned core, std::uint32_t pc, std::string_view before = {}) const;
    /// An op of the thread: "T1 op 5 (math.tts:7)"; in kernels "T1's instruction 0x6100 of trisc1 (kernel.cpp:12)".
    std::string op_text(unsigned thread, std::int64_t index) const;
    /// Formats a finding's value that is an op of the thread, or of an earlier run.
    std::string op_value_text(unsigned thread, std::uint32_t value) const;
    /// A key for the op's place; equal each time the same place is reached.
    std::uint64_t key(unsigned thread, std::int64_t index) const;
    /// A key for the line of the user's file from which a kernel's op comes.
    std::uint64_t call_key(unsigned thread, std::int64_t index) const;
    /// Whether the op is a core's command to the mover, and no instruction of a thread.
    bool is_command(std::int64_t index) const;
    /// Whether ops come from RISC-V cores.
    bool of_kernels() const { return cores_; }
    /// The number that users see for an index.
    std::int64_t op_number(std::int64_t index) const;
    /// In kernels: the core and the address that an op came from.
    void report_core(std::int64_t index, int& core, std::uint32_t& pc) const;
    Arch arch() const { return arch_; }

private:
    void report_place(Where& where, unsigned core, std::uint32_t pc) const;

    Arch arch_;
    const Program* program_;
    const CoreTexts* cores_;
    mutable std::unordered_map<std::uint64_t, std::uint64_t> calls_;  ///< memoises call_key() by key()
};

}  // namespace tessera::diagnostics
