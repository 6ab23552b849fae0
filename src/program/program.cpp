// SPDX-License-Identifier: Apache-2.0
#include "tessera/program.hpp"

#include <fmt/format.h>

#include "program/op_rules.hpp"

namespace tessera {

std::string Program::place(unsigned thread, std::size_t index) const {
    if (thread >= threads.size() || index >= threads[thread].size()) return {};
    const auto line = threads[thread][index].line;
    return files[thread].empty() || line <= 0 ? std::string{} : fmt::format("{}:{}", files[thread], line);
}

Result<void> validate(const Program& program) {
    for (unsigned thread = 0; thread < program.threads.size(); ++thread) {
        const auto& ops = program.threads[thread];
        for (std::size_t i = 0; i < ops.size(); ++i)
            if (const auto what = program::problem(ops[i], program.arch))
                return fail("program.op", fmt::format("T{} op {}: {}", thread, i, *what), program.files[thread],
                            ops[i].line);
    }
    return {};
}

}  // namespace tessera
