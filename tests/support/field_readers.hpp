// SPDX-License-Identifier: Apache-2.0
// Finds the parts of the sources that name a configuration field.
#pragma once

#include <map>
#include <set>
#include <string>

namespace tessera::test {

/// From field name to the parts of src/ that execute something and ask for it with field("…"), fields<N>("…#…") and the
/// like: "unpacker" for src/units/unpacker, "rwc" for src/units/rwc.cpp, else the folder's own name.
std::map<std::string, std::set<std::string>> field_readers();

/// From field name to the test files that name it, or a family or end of it, without "_test.cpp".
std::map<std::string, std::set<std::string>> field_tests();

}  // namespace tessera::test
