// SPDX-License-Identifier: Apache-2.0
// Which breakpoints a step of a tile meets.
#pragma once

#include <functional>

#include "engine/engine.hpp"
#include "tessera/execution.hpp"
#include "tile/awaited_range.hpp"

namespace tessera::core {

/// Whether an instruction that was issued there, with this word, has all properties.
bool meets(const Breakpoints::Instruction& wanted, const Where& where, std::uint32_t word, Arch arch);

/// An observer of a tile's writes: notes in `pause` those that meet Breakpoints::written, and in `written_at` when the first of them
/// arrives. `users` is called, too. All arguments outlive it.
std::function<void(const Write&)> observe_writes(engine::Engine& engine, const Breakpoints& breakpoints,
                                                 const std::function<void(const Write&)>& users, Pause& pause,
                                                 std::uint64_t& written_at);

/// Bytes of L1 whose stores by cores the breakpoints are about.
tile::AwaitedRange stores_looked_at(const Breakpoints& breakpoints, Arch arch);

/// Sets the reason of a stop after a step. `issued_before`, `findings_before`: the engine's counts before the step.
void look_behind_step(engine::Engine& engine, const Breakpoints& breakpoints, Arch arch, std::uint64_t issued_before,
                      std::size_t findings_before, Pause& pause);
}  // namespace tessera::core
