// SPDX-License-Identifier: Apache-2.0
#include "noc/atomics.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "formats/pack_stages.hpp"

namespace tessera::noc {

namespace {

enum class Operation : std::uint8_t {
    increment = 1,
    swap_mask = 3,
    compare_and_swap = 4,
    swap_index6 = 6,
    swap_index7 = 7,
    add_lanes = 9,  // Blackhole only, as the next one
    other = 10,
};

Operation operation(Arch arch, std::uint32_t operands) {
    return static_cast<Operation>(operands >> 12 & (arch == Arch::blackhole ? 15 : 7));
}

// Bits 8 to 11 of `other`.
constexpr std::uint32_t swap_index10 = 3, zaamo = 8;

std::uint32_t zaamo_result(std::uint32_t op, std::uint32_t before, std::uint32_t data) {
    const auto a = static_cast<std::int32_t>(before), b = static_cast<std::int32_t>(data);
    switch (op) {
        case 0: return before + data;
        case 1: return before ^ data;
        case 2: return before | data;
        case 3: return before & data;
        case 4: return static_cast<std::uint32_t>(std::min(a, b));
        case 5: return static_cast<std::uint32_t>(std::max(a, b));
        case 6: return std::min(before, data);
        default: return std::max(before, data);
    }
}

/// Parallel addition's formats.
enum class Lanes : std::uint8_t { none, fp32, fp16, bf16, u32, u8, saturated_u8 };

Lanes lanes(std::uint32_t format) {
    constexpr Lanes by_format[] = {Lanes::fp32, Lanes::fp16, Lanes::bf16, Lanes::none, Lanes::u32, Lanes::none, Lanes::none, Lanes::saturated_u8,
                                   Lanes::fp32, Lanes::fp16, Lanes::bf16, Lanes::none, Lanes::u32, Lanes::u32,  Lanes::none, Lanes::u8};
    return by_format[format & 15];
}

// Floats are added by the adder that packers use on their way to L1: it is L1's.
void add_lanes(Lanes what, std::uint32_t data, std::span<std::uint8_t, 16> line) {
    const auto addend = std::bit_cast<std::array<std::uint8_t, 16>>(std::array{data, data, data, data});
    switch (what) {
        case Lanes::none: break;
        case Lanes::fp32: formats::pack_accumulate(DataFormat::Float32)(addend.data(), line.data()); break;
        case Lanes::fp16: formats::pack_accumulate(DataFormat::Float16)(addend.data(), line.data()); break;
        case Lanes::bf16: formats::pack_accumulate(DataFormat::Float16_b)(addend.data(), line.data()); break;
        case Lanes::u32:
            for (std::size_t i = 0; i < line.size(); i += sizeof data) {
                std::uint32_t word;
                std::memcpy(&word, &line[i], sizeof word);
                word += data;
                std::memcpy(&line[i], &word, sizeof word);
            }
            break;
        case Lanes::u8:
        case Lanes::saturated_u8:
            for (std::size_t i = 0; i < line.size(); ++i) {
                const unsigned sum = line[i] + addend[i];
                line[i] = static_cast<std::uint8_t>(what == Lanes::u8 ? sum : std::min(sum, 255u));
            }
    }
}

}  // namespace

bool is_parallel_addition(Arch arch, std::uint32_t operands) {
    return arch == Arch::blackhole && operation(arch, operands) == Operation::add_lanes;
}

bool is_known_atomic(Arch arch, std::uint32_t operands) {
    switch (operation(arch, operands)) {
        case Operation::increment:
        case Operation::swap_mask:
        case Operation::compare_and_swap:
        case Operation::swap_index7: return true;
        case Operation::swap_index6: return operands >> 2 & 1;
        case Operation::add_lanes: return lanes(operands) != Lanes::none;
        case Operation::other: return (operands >> 8 & 15) == swap_index10 || operands >> 8 & zaamo;
    }
    return false;
}

std::uint32_t do_atomic(Arch arch, std::uint32_t operands, std::uint32_t data, std::uint32_t address, std::span<std::uint8_t, 16> line) {
    const auto word_at = [&](unsigned word) {
        std::uint32_t value;
        std::memcpy(&value, &line[word * 4], sizeof value);
        return value;
    };
    const auto set_word = [&](unsigned word, std::uint32_t value) { std::memcpy(&line[word * 4], &value, sizeof value); };
    const std::uint32_t result = word_at(address / 4 % 4);
    const unsigned low = operands & 3;
    switch (operation(arch, operands)) {
        case Operation::increment: {
            const std::uint32_t before = word_at(low);
            const auto mask = static_cast<std::uint32_t>((std::uint64_t{2} << (operands >> 2 & 31)) - 1);
            set_word(low, ((before + data) & mask) | (before & ~mask));
            break;
        }
        case Operation::compare_and_swap:
            if (word_at(low) == (operands >> 2 & 15)) set_word(low, operands >> 6 & 15);
            break;
        case Operation::swap_mask:
            for (unsigned i = 0; i < 8; ++i) {
                const auto half = static_cast<std::uint16_t>(data >> i % 2 * 16);
                if (operands >> (2 + i) & 1) std::memcpy(&line[i * 2], &half, sizeof half);
            }
            break;
        case Operation::swap_index6: set_word(low, data); break;
        case Operation::swap_index7: set_word(operands >> 2 & 3, data); break;
        case Operation::add_lanes: add_lanes(lanes(operands), data, line); break;
        case Operation::other: set_word(low, operands >> 8 & zaamo ? zaamo_result(operands >> 8 & 7, word_at(low), data) : data);
    }
    return result;
}

}  // namespace tessera::noc
