// SPDX-License-Identifier: Apache-2.0
/// @file
/// Findings and faults: what is wrong with a program, where, and how to cure it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// The effect of a finding: none, a note, a warning, or the end of the run.
enum class Level : std::uint8_t { off, info, warning, error };

/// "off", "info", "warning", "error".
std::string_view name(Level level);
/// The inverse of name(Level). Empty for any other text.
std::optional<Level> parse_level(std::string_view text);

/// A function that contains an instruction of a kernel, and the line in it.
struct Frame {
    std::string function;  ///< as the source names it; empty if unknown
    std::string place;     ///< "file:line"; empty if unknown

    friend bool operator==(const Frame&, const Frame&) = default;  ///< equal in every member
};

/// The innermost frame in a file that is not a header, else the first frame. Null if there are none.
const Frame* users_frame(const std::vector<Frame>& frames);

/// The line of users_frame(), then the functions inlined there, the innermost first:
/// "a.cpp:12 in kernel_main (inlined: b.h:7 inner ← c.h:34 outer)". Without inlining "a.cpp:12". Of more than four functions
/// the innermost two and the outermost are named; the last directory is all that is said of their paths.
std::string describe_frames(const std::vector<Frame>& frames);

/// The instruction that a finding, a fault or a stop is about.
struct Where {
    int thread = -1;          ///< 0 to 2; -1: no single thread
    std::int64_t index = -1;  ///< position of the op in the thread's program, from 0; -1: none
    std::uint64_t cycle = 0;  ///< in which it was noticed
    std::string instruction;  ///< disassembly; empty if none
    /// "file:line" of the program text or of a kernel's source, the line of users_frame(). Empty if unknown.
    std::string place;
    /// Number of the instruction within the expansion of the op's MOP or REPLAY, from 0. -1: no expansion.
    std::int64_t position = -1;
    std::string core;      ///< the RISC-V core that executes or pushed the instruction; empty: none
    std::int64_t pc = -1;  ///< address of that core's instruction; -1: unknown
    std::string function;  ///< "function+0x12" of that address; empty if unknown
    /// The functions that contain the kernel's instruction: first the one that is called, then each that is inlined into the one
    /// before it. Empty if unknown.
    std::vector<Frame> frames;

    /// `place`, with the chain of inlined functions if there is one.
    std::string describe_place() const { return frames.size() > 1 ? describe_frames(frames) : place; }
};

/// A number with its name.
struct NamedValue {
    std::string name;         ///< of an operand, a field, a counter or an address
    std::uint64_t value = 0;  ///< the number
};

/// The common part of a finding and a fault.
struct Diagnosis {
    std::string code;                ///< stable, such as "unpack.format-mismatch" (docs/reference/findings.md)
    std::string message;             ///< one sentence with the values in it
    Where where;                     ///< the instruction
    /// The values that led to it. Another instruction is its thread and its op in a program; of kernels, its core (a RiscvCore) and the
    /// address of the core's instruction: "other_core" and "other_pc", of a core's store "store_core" and "store_pc".
    std::vector<NamedValue> values;
    std::string hardware;            ///< what hardware does, if that is known
    std::string cure;                ///< what to change
    std::string source;              ///< document and section

    /// Several lines for people: code, message, place, hardware, cure, source.
    std::string describe() const;
    /// Whether a signal or a limit of this computer ended the run, and nothing that it did: "interrupted", "limit.time", "limit.memory".
    bool cut_short() const;
};

/// An act of the program that a document calls undefined, non-contractual or unwise. The run continues unless the level is error.
struct Finding : Diagnosis {
    Level level = Level::warning;  ///< its effect
    std::uint64_t count = 1;       ///< how often it was met; all other members are about the first time
};

/// The reason why a run has no result. The run has stopped, and all state can be read as it was.
struct Fault : Diagnosis {
    std::vector<NamedValue> registers;  ///< x1 to x31 by ABI name, if a RISC-V core's own instruction failed; else empty

    /// As Diagnosis::describe(), with the registers that are not 0.
    std::string describe() const;
};

}  // namespace tessera
