// SPDX-License-Identifier: Apache-2.0
#include "engine/rest_of_program.hpp"

#include <fmt/format.h>

#include <string_view>

#include "frontend/wait_gate.hpp"
#include "units/sync/sync.hpp"

namespace tessera::engine {

namespace {

/// Semaphores, a bit each, of which a wait needs a post or a get.
struct Lacking {
    std::uint32_t posts = 0, gets = 0;
};

Lacking lacking(const Wait& wait, unsigned thread, const state::State& state) {
    Lacking what;
    if (wait.kind == Wait::Kind::semaphore) (wait.b ? what.gets : what.posts) = 1u << wait.a;
    const auto kind = state::LatchKind(state[state::cells::latch(thread, state::Latch::kind)]);
    if (wait.kind != Wait::Kind::latched || kind != state::LatchKind::sem) return what;
    const frontend::LatchedWait latched = frontend::latched_wait(state, thread);
    for (unsigned i = 0; i < 8; ++i) {
        if (!(latched.mask >> i & 1)) continue;
        const std::uint32_t value = state[state::cells::semaphore_value(i)],
                            max = state[state::cells::semaphore_max(i)];
        if (latched.for_non_zero() && value == 0)
            what.posts |= 1u << i;
        else if (latched.for_below_maximum() && value >= max && max)
            what.gets |= 1u << i;
    }
    return what;
}

/// The op's name if it gives one of these; otherwise empty.
std::string_view giver(const Op& op, const Lacking& what, Arch arch) {
    if (op.kind == Op::Kind::sem_post) return what.posts >> op.index & 1 ? ".sem_post" : "";
    if (op.kind == Op::Kind::sem_get) return what.gets >> op.index & 1 ? ".sem_get" : "";
    if (op.kind != Op::Kind::ins) return {};
    const isa::Instruction instruction = isa::decode(op.value, arch);
    const bool gives = (instruction.is(isa::mnemonic("SEMPOST")) && instruction[units::sync::post_mask] & what.posts) ||
                       (instruction.is(isa::mnemonic("SEMGET")) && instruction[units::sync::get_mask] & what.gets);
    return gives ? instruction.spec->name : "";
}

}  // namespace

std::string RestOfProgram::holder_of_semaphore(const Wait& wait, unsigned thread, const state::State& state,
                                               const diagnostics::Places& places) const {
    const Lacking what = lacking(wait, thread, state);
    if (!what.posts && !what.gets) return {};
    for (unsigned i = 1; i <= state::threads; ++i) {  // its own ops last
        const unsigned t = (thread + i) % state::threads;
        const auto& ops = program_.threads[t];
        for (std::size_t at = front_ends_[t]; at < ops.size(); ++at) {
            const bool is_pushed = at < cores_[t];
            if (is_pushed && ops[at].kind != Op::Kind::ins) continue;
            if (const std::string_view name = giver(ops[at], what, program_.arch); !name.empty())
                return fmt::format("T{} {}, before {} at {}", t, is_pushed ? "front end" : "core", name,
                                   places.op_text(t, static_cast<std::int64_t>(at)));
        }
    }
    return {};
}

}  // namespace tessera::engine
