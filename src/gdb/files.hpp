// SPDX-License-Identifier: Apache-2.0
// Files that a client may read (packets vFile): the ELF files of the cores and nothing else.
#pragma once

#include <map>
#include <set>
#include <string>

#include "gdb/text.hpp"

namespace tessera::gdb {

class FileServer {
public:
    explicit FileServer(std::set<std::string> may_be_read) : may_be_read_(std::move(may_be_read)) {}

    /// The answer to what follows "vFile:".
    std::string answer(Cursor packet);

private:
    std::string open(Cursor packet);
    std::string read(Cursor packet);
    std::string close(Cursor packet);
    std::string describe(Cursor packet);

    std::set<std::string> may_be_read_;
    std::map<std::uint32_t, std::string> open_;  ///< contents, by the number that the client got
    std::uint32_t next_ = 1;
};

}  // namespace tessera::gdb
