// SPDX-License-Identifier: Apache-2.0
// Where an op stands, for people: of a program by its index, of a kernel by the core's instruction (op_index.hpp).
#pragma once

#include "engine/cores.hpp"
#include "tessera/program.hpp"

namespace tessera::engine {

/// One of program and cores is null; both outlive it.
class Places {
public:
    Places(Arch arch, const Program* program, const Cores* cores) : arch_(arch), program_(program), cores_(cores) {}

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
    /// What users know an index as.
    std::int64_t op_number(std::int64_t index) const;

private:
    void tell_place(Where& where, unsigned core, std::uint32_t pc) const;

    Arch arch_;
    const Program* program_;
    const Cores* cores_;
};

}  // namespace tessera::engine
