// SPDX-License-Identifier: Apache-2.0
// Jobs from assembly text.
#pragma once

#include <stdexcept>
#include <string_view>

#include "tessera/assembly.hpp"
#include "tessera/case.hpp"

namespace tessera::test {

/// A job of the text's threads; the reset is silicon's, the timing the documented one.
inline Case case_of_text(std::string_view text, Arch arch = Arch::blackhole) {
    auto program = assemble(text, arch, "text.tts");
    if (!program) throw std::runtime_error(program.error().describe());
    Case what;
    what.name = "text";
    what.job.arch = arch;
    what.job.program = std::move(*program);
    return what;
}

}  // namespace tessera::test
