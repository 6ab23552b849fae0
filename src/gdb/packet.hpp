// SPDX-License-Identifier: Apache-2.0
// Packets of the remote protocol: "$payload#checksum", with escapes in both directions and runs of a character in ours.
// Source: the GDB manual, appendix "GDB Remote Serial Protocol", Overview.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::gdb {

/// The most that a payload may have: PacketSize of qSupported.
inline constexpr std::size_t packet_bytes = 0x4000;

/// A payload as a packet. Runs of a digit or an 'x' are shortened.
std::string framed(std::string_view payload);

/// What a client has sent.
struct Incoming {
    enum class Kind : std::uint8_t {
        packet,
        acknowledged,
        again,      ///< the client could not read our last packet
        interrupt,  ///< Ctrl-C
        broken,     ///< a wrong checksum, or longer than packet_bytes
    };
    Kind kind{};
    std::string payload;  ///< of a packet, without escapes
};

/// Finds packets in a stream of bytes.
class Framer {
public:
    void add(std::string_view bytes) { bytes_ += bytes; }
    /// The next thing that is complete. Bytes between packets are dropped.
    std::optional<Incoming> next();
    /// Takes a Ctrl-C from among what has not been read yet.
    bool take_interrupt();

private:
    std::string bytes_;
};

}  // namespace tessera::gdb
