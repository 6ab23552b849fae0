// SPDX-License-Identifier: Apache-2.0
#include "reference/noc/request/atomics.hpp"

#include <span>

#include "reference/noc/bits.hpp"

namespace tessera::reference::noc {

namespace {

/// Blackhole's atomics of the RISC-V extension Zaamo.
std::uint32_t zaamo(std::uint32_t operation, std::uint32_t OriginalValue, std::uint32_t AT_DATA) {
    const auto with_sign = [](std::uint32_t value) { return static_cast<std::int32_t>(value); };
    switch (operation) {
        case 0: return OriginalValue + AT_DATA;
        case 1: return OriginalValue ^ AT_DATA;
        case 2: return OriginalValue | AT_DATA;
        case 3: return OriginalValue & AT_DATA;
        case 4: return with_sign(OriginalValue) < with_sign(AT_DATA) ? OriginalValue : AT_DATA;
        case 5: return with_sign(OriginalValue) > with_sign(AT_DATA) ? OriginalValue : AT_DATA;
        case 6: return OriginalValue < AT_DATA ? OriginalValue : AT_DATA;
        default: return OriginalValue > AT_DATA ? OriginalValue : AT_DATA;
    }
}

}  // namespace

Checked<> perform_atomic(Arch arch, Line& line, std::uint32_t AT_LEN_BE, std::uint32_t AT_DATA) {
    const bool blackhole = arch == Arch::blackhole;
    const auto word = [&](std::uint32_t Ofs) { return std::span(line).subspan(Ofs * 4, 4); };
    const std::uint32_t opcode = bits(AT_LEN_BE, 12, blackhole ? 4 : 3);
    std::uint32_t Ofs = bits(AT_LEN_BE, 0, 2);
    const std::uint32_t OriginalValue = read_bytes(word(Ofs));
    switch (opcode) {
        case 1: {  // increment
            const std::uint32_t Incremented = OriginalValue + AT_DATA;
            const std::uint32_t IntMask = (2u << bits(AT_LEN_BE, 2, 5)) - 1u;
            write_bytes(word(Ofs), (Incremented & IntMask) | (OriginalValue & ~IntMask));
            return {};
        }
        case 3: {  // swap, mask variant
            const std::uint32_t ToWrite[2] = {AT_DATA & 0xFFFF, AT_DATA >> 16};
            for (unsigned i = 0; i < 8; ++i)
                if (bit(AT_LEN_BE, 2 + i)) write_bytes(std::span(line).subspan(2 * i, 2), ToWrite[i & 1]);
            return {};
        }
        case 4:  // compare and swap
            if (OriginalValue == bits(AT_LEN_BE, 2, 4)) write_bytes(word(Ofs), bits(AT_LEN_BE, 6, 4));
            return {};
        case 6:  // swap, index variants
            if (!bit(AT_LEN_BE, 2)) return refuse("atomic 6 is a swap if bit 2 of NOC_AT_LEN_BE is set; it is not");
            write_bytes(word(Ofs), AT_DATA);
            return {};
        case 7:
            Ofs = bits(AT_LEN_BE, 2, 2);
            write_bytes(word(Ofs), AT_DATA);
            return {};
        default: break;
    }
    if (blackhole && opcode == 9) return add_in_parallel(line, bits(AT_LEN_BE, 0, 4), AT_DATA);
    if (blackhole && opcode == 0xA && bits(AT_LEN_BE, 8, 4) == 3) {
        write_bytes(word(Ofs), AT_DATA);
        return {};
    }
    if (blackhole && opcode == 0xA && bit(AT_LEN_BE, 11)) {
        write_bytes(word(Ofs), zaamo(bits(AT_LEN_BE, 8, 3), OriginalValue, AT_DATA));
        return {};
    }
    return refuse("the page lists no atomic with NOC_AT_LEN_BE " + std::to_string(AT_LEN_BE));
}

}  // namespace tessera::reference::noc
