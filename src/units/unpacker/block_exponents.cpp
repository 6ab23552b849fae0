// SPDX-License-Identifier: Apache-2.0
#include "units/unpacker/block_exponents.hpp"

#include <bit>

#include "formats/datum_size.hpp"
#include "units/state_view.hpp"
#include "units/unpacker/input_walk.hpp"

namespace tessera::units::unpacker {

namespace {

bool has_five_bits(DataFormat format) {
    return format == DataFormat::Bfp8 || format == DataFormat::Bfp4 || format == DataFormat::Bfp2;
}

// Checks datums with one exponent; false once one of them has been reported.
bool all_fit(const StateView& view, unsigned datum_bits, std::uint32_t shared, std::uint64_t bit, std::uint32_t count,
             plan::Plan& plan) {
    if (shared >= datum_bits - 2 && shared < 32)
        return true;  // even with the most leading zeros that a magnitude can have
    for (std::uint32_t i = 0; i < count; ++i, bit += datum_bits) {
        const unsigned byte = view.contents().l1.bytes[bit / 8];
        const auto magnitude = static_cast<std::uint8_t>(byte >> bit % 8 << (8 - datum_bits) << 1);
        if (!magnitude) continue;
        const auto exponent = static_cast<std::uint8_t>(shared - static_cast<unsigned>(std::countl_zero(magnitude)));
        if (exponent < 32) continue;
        plan.note(findings::id("unpack.block-exponent"), {static_cast<std::uint32_t>(bit / 8), shared, exponent});
        return false;
    }
    return true;
}

}  // namespace

void note_exponents(const StateView& view, const Setup& setup, const plan::UnpackInput& input, plan::Plan& plan) {
    if (!has_five_bits(setup.in)) return;
    const auto& l1 = view.contents().l1.bytes;
    const std::uint32_t end = input.phase + input.count;
    for (std::uint32_t at = input.phase; at < end;) {
        const std::uint32_t block = at / formats::block_datums;
        const std::uint32_t n = std::min(end, (block + 1) * formats::block_datums) - at;
        const std::uint32_t shared =
            input.exponent_source == plan::Exponents::section ? l1[input.exponents + block] : input.shared_exponent;
        const std::uint64_t bit = std::uint64_t{input.address} * 8 + std::uint64_t{at} * input.datum_bits;
        if (!all_fit(view, input.datum_bits, shared, bit, n, plan)) return;
        at += n;
    }
}

void note_exponents(const StateView& view, const Setup& setup, const plan::UnpackStream& input, plan::Plan& plan) {
    if (!has_five_bits(setup.in) || input.zeros) return;
    constexpr auto per_bit = plan::UnpackStream::per_byte / 8;
    const auto& l1 = view.contents().l1.bytes;
    plan::InputWalk walk(input);
    for (auto piece = walk.next(); piece.length; piece = walk.next()) {
        const std::uint32_t shared = input.exponent_source == plan::Exponents::section
                                         ? l1[static_cast<std::size_t>(piece.exponents / plan::UnpackStream::per_byte)]
                                         : input.shared_exponent;
        if (!all_fit(view, setup.datum_bits, shared, static_cast<std::uint64_t>(piece.datums / per_bit), piece.length,
                     plan))
            return;
    }
}

}  // namespace tessera::units::unpacker
