// SPDX-License-Identifier: Apache-2.0
#include "gdb/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "gdb/packet.hpp"
#include "util/hex.hpp"

namespace tessera::gdb {

namespace {

// Numbers of the GDB manual, Errno Values and Open Flags.
constexpr unsigned no_entry = 2, bad_number = 9, no_access = 13, invalid = 22;
constexpr std::uint64_t write_flags = 0x1 | 0x2 | 0x8 | 0x200 | 0x400;
constexpr std::size_t most_open = 64;

std::string failed(unsigned number) { return fmt::format("F-1,{:x}", number); }

std::string path_of(std::string_view hex) {
    const auto bytes = util::from_hex<char>(hex);
    return bytes ? std::string(bytes->begin(), bytes->end()) : std::string();
}

// struct stat of the GDB manual: numbers of 4 and 8 bytes, the highest byte first.
std::string status_of(const std::string& contents) {
    constexpr std::uint32_t regular_file_that_all_read = 0100444;
    std::string text;
    const auto add = [&](std::uint64_t value, unsigned bytes) {
        for (unsigned i = bytes; i-- > 0;) text += static_cast<char>(value >> 8 * i);
    };
    const std::array<std::pair<std::uint64_t, unsigned>, 13> fields{{{0, 4},
                                                                     {0, 4},
                                                                     {regular_file_that_all_read, 4},
                                                                     {1, 4},
                                                                     {0, 4},
                                                                     {0, 4},
                                                                     {0, 4},
                                                                     {contents.size(), 8},
                                                                     {512, 8},
                                                                     {(contents.size() + 511) / 512, 8},
                                                                     {0, 4},
                                                                     {0, 4},
                                                                     {0, 4}}};
    for (const auto& [value, bytes] : fields) add(value, bytes);
    return text;
}

}  // namespace

std::string FileServer::answer(Cursor packet) {
    if (packet.take("setfs:")) return "F0";
    if (packet.take("open:")) return open(packet);
    if (packet.take("pread:")) return read(packet);
    if (packet.take("close:")) return close(packet);
    if (packet.take("fstat:")) return describe(packet);
    return "";
}

std::string FileServer::open(Cursor packet) {
    const std::string path = path_of(packet.until(','));
    const auto flags = packet.number();
    if (!flags) return failed(invalid);
    if (*flags & write_flags) return failed(no_access);
    if (!may_be_read_.contains(path)) return failed(no_entry);
    if (open_.size() >= most_open) return failed(no_access);
    const std::ifstream file(path, std::ios::binary);
    std::ostringstream contents;
    if (!file || !(contents << file.rdbuf())) return failed(no_entry);
    open_[next_] = std::move(contents).str();
    return fmt::format("F{:x}", next_++);
}

std::string FileServer::read(Cursor packet) {
    const auto number = packet.address();
    const bool first = packet.take(",");
    const auto count = packet.number();
    const bool second = packet.take(",");
    const auto offset = packet.number();
    if (!number || !first || !count || !second || !offset) return failed(invalid);
    const auto file = open_.find(*number);
    if (file == open_.end()) return failed(bad_number);
    // Half of a packet, since each byte may have to be escaped.
    const std::size_t begin = std::min<std::uint64_t>(*offset, file->second.size());
    const std::string part = file->second.substr(begin, std::min<std::uint64_t>(*count, packet_bytes / 2 - 32));
    return fmt::format("F{:x};", part.size()) + part;
}

std::string FileServer::close(Cursor packet) {
    const auto number = packet.address();
    return number && open_.erase(*number) ? "F0" : failed(bad_number);
}

std::string FileServer::describe(Cursor packet) {
    const auto number = packet.address();
    const auto file = number ? open_.find(*number) : open_.end();
    if (file == open_.end()) return failed(bad_number);
    const std::string status = status_of(file->second);
    return fmt::format("F{:x};", status.size()) + status;
}

}  // namespace tessera::gdb
