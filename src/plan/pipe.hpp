// SPDX-License-Identifier: Apache-2.0
// The places where instructions execute, one at a time or overlapped. To the clock, these are the units.
#pragma once

#include <cstdint>
#include <string_view>

#include "util/set_bits.hpp"

namespace tessera::plan {

enum class Pipe : std::uint8_t {
    sync,
    config,
    misc,
    scalar,
    mover,
    unpacker0,
    unpacker1,
    packer0,
    packer1,
    packer2,
    packer3,
    matrix,
    vector,
    count
};
inline constexpr unsigned pipes = static_cast<unsigned>(Pipe::count);

using PipeMask = std::uint16_t;
constexpr PipeMask bit(Pipe pipe) { return static_cast<PipeMask>(1u << static_cast<unsigned>(pipe)); }

inline constexpr PipeMask unpackers = bit(Pipe::unpacker0) | bit(Pipe::unpacker1);
inline constexpr PipeMask packers = bit(Pipe::packer0) | bit(Pipe::packer1) | bit(Pipe::packer2) | bit(Pipe::packer3);
/// Pipes that start one instruction of each thread per cycle.
inline constexpr PipeMask one_per_thread = bit(Pipe::config) | bit(Pipe::misc);

/// Calls f with the number of each pipe.
template <class F>
constexpr void for_each_pipe(PipeMask mask, F&& f) {
    for (const unsigned pipe : util::SetBits(mask)) f(pipe);
}

constexpr std::string_view name(Pipe pipe) {
    constexpr std::string_view names[] = {"sync",       "config",     "misc",     "scalar",   "mover",
                                          "unpacker 0", "unpacker 1", "packer 0", "packer 1", "packer 2",
                                          "packer 3",   "matrix",     "vector"};
    return names[static_cast<unsigned>(pipe)];
}

}  // namespace tessera::plan
