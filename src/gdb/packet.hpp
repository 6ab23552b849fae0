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

/// The most bytes of packets that may wait while cores run. gdb sends none until it is told of a stop.
inline constexpr std::size_t waiting_bytes = 4 * packet_bytes;

/// A payload as a packet. Runs of a digit or an 'x' are shortened.
std::string framed(std::string_view payload);

/// A packet or sign that a client has sent.
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
    void add(std::string_view bytes);
    /// How many bytes have not been read yet.
    std::size_t waiting() const { return bytes_.size() - begin_; }
    /// The next thing that is complete. Bytes between packets are dropped.
    std::optional<Incoming> next();
    /// Takes a Ctrl-C from among what has not been read yet. Other bytes between packets are dropped.
    bool take_interrupt();

private:
    Incoming take_packet(std::size_t end);

    std::string bytes_;
    std::size_t begin_ = 0;  ///< of what has not been read yet
};

}  // namespace tessera::gdb
