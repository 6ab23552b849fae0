// SPDX-License-Identifier: Apache-2.0
// The engine with scripted cores on its Port.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "engine/engine.hpp"
#include "support/scripted_cores.hpp"
#include "tessera/assembly.hpp"
#include "units/slots.hpp"

namespace tessera::engine {

inline constexpr auto t0 = static_cast<unsigned>(RiscvCore::t0), t1 = static_cast<unsigned>(RiscvCore::t1),
                      t2 = static_cast<unsigned>(RiscvCore::t2), b = static_cast<unsigned>(RiscvCore::b),
                      nc = static_cast<unsigned>(RiscvCore::nc);

inline Turn again(Cycle time) { return {Turn::Kind::again, time}; }
inline Turn finished() { return {}; }
inline Turn wait(Signals wakes, Wait::Kind kind = Wait::Kind::tile) {
    return {Turn::Kind::wait, 0, {kind, 1, 2, 3}, wakes, false};
}

class EngineCores : public testing::TestWithParam<Arch> {
protected:
    EngineCores() : state(GetParam()) {}
    tessera::Run run() { return Engine(state, slots, cores, options, Reset::vendor_sim).run(); }
    std::uint32_t word(const std::string& text) { return assemble(text, GetParam())->threads[0].at(0).value; }

    state::State state;
    units::Slots slots;
    test::Scripted cores;
    RunOptions options;
};

}  // namespace tessera::engine
