// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "program/ops/semaphore_condition.hpp"
#include "tessera/assembly.hpp"

namespace tessera {

std::string op_text(const Op& op, Arch arch) {
    using Kind = Op::Kind;
    switch (op.kind) {
        case Kind::ins: return disassemble_named(op.value, arch);
        case Kind::cfg: return fmt::format(".cfg {} = 0x{:X}", op.index, op.value);
        case Kind::gpr: return fmt::format(".gpr {} = 0x{:X}", op.index, op.value);
        case Kind::mop: return fmt::format(".mop {} = 0x{:X}", op.index, op.value);
        case Kind::drain: return ".drain";
        case Kind::sem_post: return fmt::format(".sem_post {}", op.index);
        case Kind::sem_get: return fmt::format(".sem_get {}", op.index);
        case Kind::sem_wait: break;
    }
    return fmt::format(".sem_wait {}, {}", op.index, program::condition_name(op.value));
}

}  // namespace tessera
