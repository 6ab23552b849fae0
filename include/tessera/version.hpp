// SPDX-License-Identifier: Apache-2.0
/// @file
/// The version of the library. Below 1.0, a minor version may change the API and the ABI.
#pragma once

#include <string_view>

#define TESSERA_VERSION_MAJOR 0          ///< first number of the version
#define TESSERA_VERSION_MINOR 1          ///< second number of the version
#define TESSERA_VERSION_PATCH 0          ///< third number of the version
#define TESSERA_VERSION_STRING "0.1.0"   ///< the three numbers as text

/// One number for comparisons in the preprocessor: `#if TESSERA_VERSION >= TESSERA_MAKE_VERSION(0, 2, 0)`.
#define TESSERA_MAKE_VERSION(major, minor, patch) ((major) * 1000000 + (minor) * 1000 + (patch))
/// This version in the form of TESSERA_MAKE_VERSION.
#define TESSERA_VERSION TESSERA_MAKE_VERSION(TESSERA_VERSION_MAJOR, TESSERA_VERSION_MINOR, TESSERA_VERSION_PATCH)

namespace tessera {

/// The version as text: "0.1.0".
inline constexpr std::string_view version = TESSERA_VERSION_STRING;

}  // namespace tessera
