// SPDX-License-Identifier: Apache-2.0
// In place of the header of the vendor's compiler: the replay buffer, by pushes.
#pragma once
#include <cstdint>

namespace lltt {

enum ExecBool : bool { NoExec, Exec };

constexpr std::uint32_t replay_word(unsigned start, unsigned length, bool executes, bool records) {
    return 0x0400'0000u + (start << 14) + (length << 4) + (unsigned{executes} << 1) + unsigned{records};
}
[[gnu::always_inline]] inline void push(std::uint32_t word) { *reinterpret_cast<volatile std::uint32_t*>(0xFFE4'0000) = word; }

template <ExecBool executes = NoExec>
[[gnu::always_inline]] inline void record(unsigned start, unsigned length) {
    push(replay_word(start, length, executes, true));
}
[[gnu::always_inline]] inline void replay(unsigned start, unsigned length) { push(replay_word(start, length, false, false)); }
constexpr std::uint32_t replay_insn(unsigned start, unsigned length) { return replay_word(start, length, false, false); }

}  // namespace lltt
