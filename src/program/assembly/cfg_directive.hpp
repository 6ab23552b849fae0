// SPDX-License-Identifier: Apache-2.0
// `.cfg`: sets a configuration field by name, or a whole word by number.
#pragma once

#include "program/assembly/directives.hpp"

namespace tessera::program {

Result<void> cfg_directive(const DirectiveContext& context, isa::LineCursor& cursor);

}  // namespace tessera::program
