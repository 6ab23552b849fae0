// SPDX-License-Identifier: Apache-2.0
#include "program/ops/rules.hpp"

#include <fmt/format.h>

#include "state/arch_description.hpp"

namespace tessera::program {

namespace {

std::string_view indexed_thing(Op::Kind kind) {
    switch (kind) {
        case Op::Kind::cfg: return "configuration word";
        case Op::Kind::gpr: return "GPR";
        case Op::Kind::mop: return "MOP configuration word";
        default: return "semaphore";
    }
}

/// Number of valid indices for a kind that has an index.
unsigned index_count(Op::Kind kind, Arch arch) {
    switch (kind) {
        case Op::Kind::cfg: return 2u * state::describe(arch).config_words;
        case Op::Kind::gpr: return 64;
        case Op::Kind::mop: return 9;
        default: return 8;  // semaphores
    }
}

}  // namespace

std::optional<std::string> problem(const Op& op, Arch arch) {
    if (op.kind > Op::Kind::sem_wait) return fmt::format("{} is not a kind of op", static_cast<unsigned>(op.kind));
    const unsigned count = index_count(op.kind, arch);
    if (op.index >= count)
        return fmt::format("{} {} does not exist: numbers are 0 to {}", indexed_thing(op.kind), op.index, count - 1);
    if (op.kind == Op::Kind::sem_wait && op.value != Op::until_nonzero && op.value != Op::until_below_max)
        return fmt::format("{} is not a condition of a semaphore", op.value);
    return std::nullopt;
}

}  // namespace tessera::program
