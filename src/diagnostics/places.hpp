// SPDX-License-Identifier: Apache-2.0
// Where an op stands, for people: of a program by its index, of a kernel by the core's instruction (op_index.hpp).
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "tessera/program.hpp"
#include "tessera/run.hpp"

namespace tessera::diagnostics {

using Cycle = std::uint64_t;

/// What RISC-V cores' instructions are called.
class CoreTexts {
public:
    virtual ~CoreTexts() = default;
    /// What the core executes at `pc`, disassembled.
    virtual std::string instruction(unsigned core, std::uint32_t pc) const = 0;
    /// The functions that an instruction of a core is in (Where::frames), and "function+0x12" of it; empty when unknown.
    virtual std::vector<Frame> frames(unsigned core, std::uint32_t pc) const = 0;
    virtual std::string function(unsigned core, std::uint32_t pc) const = 0;
};

/// One of program and cores is null; both outlive it.
class Places {
public:
    Places(Arch arch, const Program* program, const CoreTexts* cores) : arch_(arch), program_(program), cores_(cores) {}

    /// Of a thread's instruction.
    Where where(unsigned thread, std::int64_t index, std::uint32_t word, Cycle now, std::int64_t position) const;
    /// Of what a core itself does, whatever it may have pushed.
    Where where_of(unsigned core, std::uint32_t pc, Cycle now) const;
    std::string place_of(unsigned thread, std::int64_t index) const;
    std::string op_text(std::uint32_t value) const;
    /// The same of an op whose thread is known.
    std::string op_text(unsigned thread, std::int64_t index) const;
    /// A finding's value that is an op of the thread, or of before.
    std::string op_value_text(unsigned thread, std::uint32_t value) const;
    /// Stands for the place that the op comes from: the same for every time that it is come to.
    std::uint64_t key(unsigned thread, std::int64_t index) const;
    /// The same of the line of the user's file that the op of a kernel comes from.
    std::uint64_t call_key(unsigned thread, std::int64_t index) const;
    /// Whether ops come from RISC-V cores.
    bool of_kernels() const { return cores_; }
    /// What users know an index as.
    std::int64_t op_number(std::int64_t index) const;
    /// Of kernels: which core an op came from, and where that stood.
    void tell_core(std::int64_t index, int& core, std::uint32_t& pc) const;
    Arch arch() const { return arch_; }

private:
    void tell_place(Where& where, unsigned core, std::uint32_t pc) const;

    Arch arch_;
    const Program* program_;
    const CoreTexts* cores_;
    mutable std::unordered_map<std::uint64_t, std::uint64_t> calls_;  ///< call_key() by key(), as far as it was asked for
};

}  // namespace tessera::diagnostics
