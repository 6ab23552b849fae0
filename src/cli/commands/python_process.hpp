// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tessera/error.hpp"

namespace tessera::cli {

/// Replaces this process by Python, which calls main() of a module of the package tessera; `argument` is its sys.argv[1]. Signals and
/// the exit status are then Python's: 2 if the package cannot be imported. Returns only if there is no Python: error "cli.python".
///
/// The environment's TESSERA_PYTHON names the interpreter. Otherwise it is that of the virtual environment with this program; else that of
/// the build; else one of the same version on the PATH.
Error become_python(const std::string& module, const std::string& argument);

}  // namespace tessera::cli
