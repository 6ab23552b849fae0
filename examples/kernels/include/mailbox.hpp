// SPDX-License-Identifier: Apache-2.0
// Words from core to core. There are none to or from NC.
#pragma once

#include "layout.hpp"
#include "memory.hpp"

namespace kernel::mailbox {

inline Word& with(Core other) { return at(address::mailboxes + 0x1000 * static_cast<std::uint32_t>(other)); }

/// Waits while four words are on their way from this core.
inline void send(Core to, std::uint32_t word) { with(to) = word; }

/// Waits for a word.
inline std::uint32_t receive(Core from) { return load_now(with(from)); }

}  // namespace kernel::mailbox
