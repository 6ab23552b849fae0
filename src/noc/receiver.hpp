// SPDX-License-Identifier: Apache-2.0
// The receiving side of an NIU: it takes packets that arrive, and answers them.
#pragma once

#include <optional>

#include "noc/niu_registers.hpp"

namespace tessera::noc {

/// It has no state beside the registers.
class Receiver {
public:
    Receiver(const NiuSite& site, NiuRegisters& registers) : site_(site), registers_(registers) {}

    /// `answers_at`: when answer() is due, if it is.
    Refusal take(Packet& packet, Cycle now, std::optional<Cycle>& answers_at);
    /// `back`: the answer.
    Refusal answer(const Packet& packet, Cycle now, Packet& back);

private:
    /// A register takes the first word of the data.
    Refusal store_first_word(const Access& access, std::uint64_t address, const Bytes& data);
    Refusal take_write(const Packet& packet, const Access& access);
    Refusal take_atomic(Packet& packet, const Access& access);
    Refusal take_answer(const Packet& packet, const Access& answered);
    Packet response(Packet::Kind kind, const Packet& to) const;

    const NiuSite& site_;
    NiuRegisters& registers_;
};

}  // namespace tessera::noc
