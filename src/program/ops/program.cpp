// SPDX-License-Identifier: Apache-2.0
#include "tessera/program.hpp"

#include <fmt/format.h>

#include "program/ops/rules.hpp"
#include "tessera/op_place.hpp"

namespace tessera {

std::string Program::place(unsigned thread, std::size_t index) const {
    if (thread >= threads.size() || index >= threads[thread].size()) return {};
    const auto line = threads[thread][index].line;
    return files[thread].empty() || line <= 0 ? std::string{} : fmt::format("{}:{}", files[thread], line);
}

Result<void> validate(const Program& program) {
    for (unsigned thread = 0; thread < program.threads.size(); ++thread) {
        const auto& ops = program.threads[thread];
        for (const Op& op : ops) {
            if (program::names_nothing(op.kind)) continue;
            if (const auto what = program::problem(op, program.arch))
                return fail("program.op",
                            OpPlace{.thread = static_cast<int>(thread), .index = &op - ops.data(), .instruction = *what}
                                .describe(),
                            program.files[thread], op.line);
        }
    }
    return {};
}

}  // namespace tessera
