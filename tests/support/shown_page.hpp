// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tessera::test {

/// Runs each "    $ tessera …" of a page of docs/, and expects it to print what the page has behind it, up to the next command or
/// the end of the block. Gives their number. Words in single quotes are one.
unsigned check_page(const std::string& page);

}  // namespace tessera::test
