// SPDX-License-Identifier: Apache-2.0
/// @file
/// The place of an op, as all messages and commands spell it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tessera/timing.hpp"

namespace tessera {

struct Where;

/// An op, or an instruction of its expansion. Parts that are unknown are left out of the text.
struct OpPlace {
    int thread = -1;                 ///< 0 to 2; -1: no single thread
    std::int64_t index = -1;         ///< position of the op in the thread's program, from 0; -1: none
    std::int64_t position = -1;      ///< as Where::position
    bool by_core = false;            ///< the core of the thread executes the op: a store
    std::uint64_t cycle = no_cycle;  ///< of the issue, or of what happened there
    std::string_view instruction{};  ///< disassembly
    std::string_view place{};        ///< "file:line"

    /// "T1 op 5, instruction 3 of its expansion, cycle 90: MVMUL dst=8 (math.tts:7)".
    std::string describe() const;
};

/// Whether a "file:line" is that place, or ends with it by whole names of folders and files: "math.tts:22", ":22". "pack.tts:5" is no end
/// of "unpack.tts:5", and the empty text is no end.
bool is_end_of_place(std::string_view end, std::string_view place);
/// The same of an instruction's own place, or of one of its Where::frames.
bool is_end_of_place(std::string_view end, const Where& where);

}  // namespace tessera
