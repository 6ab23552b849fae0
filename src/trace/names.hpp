// SPDX-License-Identifier: Apache-2.0
// Names of actors in traces, and source places of instructions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tessera/job.hpp"

namespace tessera::trace {

/// The units of an instruction; only Wormhole's packers are several.
std::vector<std::string_view> units_of(const Event& event);

/// "T1 front end"; "T0 core", or of kernels "brisc"; a unit's name.
std::string name_of(const Wait& wait);
std::string core_name(int thread, int core);

/// Where::place and Where::frames of a program's op, or of the instruction of a kernel's core; empty when unknown.
struct CodePlace {
    std::string place;
    std::vector<Frame> frames;
};
CodePlace place_of(const Job& job, int thread, std::int64_t index, int core, std::uint32_t pc);

/// A disassembly on one line, without tabs.
std::string one_line(std::string_view instruction);

}  // namespace tessera::trace
