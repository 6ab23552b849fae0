// SPDX-License-Identifier: Apache-2.0
// The chip's ARC processor as far as hosts read and ask it: words of its reset unit, telemetry, and messages, which it answers at once
// (CHIP_FACTS 4.3). Its program does not run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "tessera/arch.hpp"
#include "tessera/error.hpp"

namespace tessera::host {

class Arc {
public:
    /// As after start-up.
    explicit Arc(Arch arch);

    // Addresses are those of the ARC's own bus. Memory (CSM) takes any bytes, all else words of 4 bytes. Error "host.bar".

    Result<void> read(std::uint32_t address, std::span<std::byte> bytes) const;
    Result<void> write(std::uint32_t address, std::span<const std::byte> bytes);

    /// Time has come to that cycle of the tiles: a counter shows it.
    void pass_to(std::uint64_t cycle);

    static constexpr std::uint32_t memory = 0x1000'0000, memory_bytes = 0x8'0000, registers = 0x8000'0000, register_bytes = 0x10'0000;

private:
    Result<void> check(std::uint32_t address, std::size_t bytes) const;
    std::uint32_t word(std::uint32_t address) const;
    void put_telemetry();
    void interrupt();
    /// The answer to a message. Empty: the code is not known.
    std::optional<std::uint32_t> answer(std::uint8_t code) const;
    void serve_queue(std::uint32_t queue);

    const Arch arch_;
    std::map<std::uint32_t, std::uint32_t> words_;  ///< of memory those that are not 0; of registers those that are there
};

}  // namespace tessera::host
