// SPDX-License-Identifier: Apache-2.0
#include "units/unpacker/unpack_input.hpp"

#include <fmt/format.h>

#include "formats/datum_size.hpp"
#include "state/state.hpp"

namespace tessera::plan {

formats::UnpackSource source(const UnpackInput& input, const state::State& state) {
    const std::uint8_t* l1 = state.l1.bytes.data();
    return {l1 + input.address, l1 + input.exponents, input.shared_exponent};
}

void footprint(const UnpackInput& input, std::uint32_t skip, Footprint& out) {
    if (skip >= input.count) return;
    const std::uint32_t first = input.phase + skip, last = input.phase + input.count - 1;
    const std::uint32_t first_byte = first * input.datum_bits / 8, last_byte = ((last + 1) * input.datum_bits - 1) / 8;
    out.read(Storage::l1, input.address + first_byte, last_byte - first_byte + 1);
    if (input.exponent_source != UnpackInput::Exponents::section) return;
    const std::uint32_t first_block = first / formats::block_datums, last_block = last / formats::block_datums;
    out.read(Storage::l1, input.exponents + first_block, last_block - first_block + 1);
}

void explain(const UnpackInput& input, Lines& lines) {
    const std::uint32_t first_bit = input.phase * input.datum_bits;
    lines.emplace_back("from", fmt::format("L1 0x{:X}{}, {} datums of {} {}", input.address + first_bit / 8,
                                           first_bit % 8 ? fmt::format(" bit {}", first_bit % 8) : "", input.count,
                                           input.datum_bits < 8 ? input.datum_bits : input.datum_bits / 8,
                                           input.datum_bits < 8 ? "bits" : "bytes"));
    if (input.exponent_source == UnpackInput::Exponents::section)
        lines.emplace_back("exponents",
                           fmt::format("L1 0x{:X}, one per {} datums", input.exponents, formats::block_datums));
    if (input.exponent_source == UnpackInput::Exponents::forced)
        lines.emplace_back("exponents", fmt::format("{} for all datums, forced", input.shared_exponent));
}

}  // namespace tessera::plan
