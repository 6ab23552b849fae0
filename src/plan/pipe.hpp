// SPDX-License-Identifier: Apache-2.0
// The places where instructions execute, one at a time or overlapped: what units are to the clock.
#pragma once

#include <cstdint>
#include <string_view>

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

/// Those that take an instruction of each thread in a cycle.
inline constexpr PipeMask one_per_thread = bit(Pipe::config) | bit(Pipe::misc);

constexpr std::string_view name(Pipe pipe) {
    constexpr std::string_view names[] = {"sync",       "config",     "misc",     "scalar",   "mover",
                                          "unpacker 0", "unpacker 1", "packer 0", "packer 1", "packer 2",
                                          "packer 3",   "matrix",     "vector"};
    return names[static_cast<unsigned>(pipe)];
}

}  // namespace tessera::plan
