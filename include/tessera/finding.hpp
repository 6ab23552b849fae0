// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// What is done about a finding: nothing; note it, as information or as a warning; stop the run.
enum class Level : std::uint8_t { off, info, warning, error };

/// "off", "info", "warning", "error".
std::string_view name(Level level);
std::optional<Level> parse_level(std::string_view text);

/// A function that an instruction of a kernel is in, and the line of it.
struct Frame {
    std::string function;  ///< as the source names it; empty when unknown
    std::string place;     ///< "file:line"; empty when unknown

    friend bool operator==(const Frame&, const Frame&) = default;
};

/// Of Where::frames, the one that its author knows best: the innermost in a file that is no header, else the first. Null: there are none.
const Frame* users_frame(const std::vector<Frame>& frames);

/// That one's line, then what is inlined there, the instruction's own line before its callers':
/// "a.cpp:12 in kernel_main (inlined: b.h:7 inner ← c.h:34 outer)". "a.cpp:12" when nothing is inlined.
std::string describe_frames(const std::vector<Frame>& frames);

/// The instruction that something is told about.
struct Where {
    int thread = -1;          ///< 0 to 2; -1: no single thread
    std::int64_t index = -1;  ///< position of the op in the thread's program; -1: none
    std::uint64_t cycle = 0;  ///< when it was noticed
    std::string instruction;  ///< disassembly, empty when none
    /// "file:line" of the program text, or of a kernel's source: the line of users_frame(). Empty when unknown.
    std::string place;
    /// Of what the op's MOP or REPLAY expanded to, the instruction is this one, counted from 0; -1: no expansion.
    std::int64_t position = -1;
    std::string core;  ///< name of the RISC-V core whose instruction it is, or whose instruction pushed it; empty: none
    std::int64_t pc = -1;  ///< address of that core's instruction; -1: unknown
    std::string function;  ///< "function+0x12" of that address, empty when unknown
    /// Of a kernel, the functions that the instruction is in: first the one that is called, then those inlined into it, each into
    /// the one before; the last has the instruction. Empty when unknown.
    std::vector<Frame> frames;

    /// `place`, with the chain of inlined functions where there is one.
    std::string describe_place() const { return frames.size() > 1 ? describe_frames(frames) : place; }
};

struct NamedValue {
    std::string name;
    std::uint64_t value = 0;
};

/// What a finding and a fault have in common: stable code, meaning, place, values and cure.
struct Diagnosis {
    std::string code;     ///< e.g. "unpack.format-mismatch"
    std::string message;  ///< one sentence with the values in it
    Where where;
    std::vector<NamedValue> values;  ///< the values that led to it
    std::string hardware;            ///< what hardware does, where that is known
    std::string cure;                ///< what to change
    std::string source;              ///< document and section

    /// Several lines for people: code, message, place, hardware, cure, source.
    std::string describe() const;
};

/// Something that a document calls undefined, non-contractual or unwise; the run goes on unless its level is error.
struct Finding : Diagnosis {
    Level level = Level::warning;
    std::uint64_t count = 1;  ///< how often it was met; the rest is of the first time
};

/// No result exists: the run has stopped, and all state can be read as it was.
struct Fault : Diagnosis {
    std::vector<NamedValue> registers;  ///< x1 to x31 of the RISC-V core whose own instruction it is, by ABI names; else empty

    /// As Diagnosis::describe(), with the registers that are not 0.
    std::string describe() const;
};

}  // namespace tessera
