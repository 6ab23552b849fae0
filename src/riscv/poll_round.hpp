// SPDX-License-Identifier: Apache-2.0
// A short loop around one load that polls a device. While registers, code and what devices show stay the same, every
// round is like the last one, so that rounds need not be executed but only counted.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include "riscv/bus.hpp"
#include "riscv/decode.hpp"

namespace tessera::riscv {

class PollRound {
public:
    PollRound() = default;
    /// The loop around the load at `pc`, if it only computes in registers besides; else none.
    PollRound(Arch arch, std::span<const std::uint8_t> l1, std::uint32_t pc) : pc_(pc) {
        if (pc < code_bytes || pc + 2 * code_bytes > l1.size()) return;
        const auto decoded = [&](std::uint32_t at) {
            std::uint32_t word;
            std::memcpy(&word, &l1[at], sizeof word);
            return decode(arch, word);
        };
        const auto is = [&](const DecodedOp& op, auto... forms) {
            return op.op < Op::ttinsn && ((row(op.op).form == forms) || ...);
        };
        const auto computes = [&](std::uint32_t at) {
            return is(decoded(at), Form::r, Form::unary, Form::i, Form::shift, Form::u);
        };
        std::uint32_t branch = pc + 4;
        while (branch - pc < code_bytes && computes(branch)) branch += 4;
        const DecodedOp back = decoded(branch);
        const std::uint32_t first = branch + static_cast<std::uint32_t>(back.imm);
        if (decoded(pc).op != Op::lw || !is(back, Form::branch) || first > pc || branch - first >= code_bytes) return;
        for (std::uint32_t at = first; at < pc; at += 4)
            if (!computes(at)) return;
        first_ = first;
        instructions_ = (branch - first) / 4 + 1;
        std::memcpy(code_.data(), &l1[first], code_bytes);
    }

    /// Address of the load, at which a round begins.
    std::uint32_t pc() const { return pc_; }
    /// Of a round; if there is no loop, more than any turn has.
    std::uint32_t instructions() const { return instructions_; }
    /// Of a known round.
    Cycle cycles() const { return cycles_; }

    bool has_code(const std::uint8_t* l1) const { return std::memcmp(code_.data(), l1 + first_, code_bytes) == 0; }
    /// The round that begins with instruction `number` is like the last one. `devices`: Turn::devices.
    bool is_known(const std::uint8_t* l1, std::uint64_t number, std::uint64_t devices) const {
        return ends_before(number) && devices == devices_ && has_code(l1);
    }
    /// A round came back to the same registers, before instruction `number`.
    bool ends_before(std::uint64_t number) const { return number == number_; }
    /// A round took that long and came back to the same registers, before instruction `number`.
    void know(std::uint64_t number, std::uint64_t devices, Cycle cycles) {
        number_ = number, devices_ = devices, cycles_ = cycles;
    }
    /// Rounds pass.
    void count(std::uint64_t rounds) { number_ += rounds * instructions_; }

private:
    static constexpr std::uint32_t code_bytes = 8 * 4;  ///< of the longest round

    std::uint32_t pc_ = 1, first_ = 0, instructions_ = ~std::uint32_t{0};
    std::array<std::uint8_t, code_bytes> code_{};  ///< from the round's first instruction on
    std::uint64_t number_ = ~std::uint64_t{0};     ///< of the next instruction; else nothing is known
    std::uint64_t devices_ = 0;
    Cycle cycles_ = 0;
};

}  // namespace tessera::riscv
