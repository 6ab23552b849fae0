// SPDX-License-Identifier: Apache-2.0
#include "gdb/packet.hpp"

#include <algorithm>

#include "gdb/text.hpp"

namespace tessera::gdb {

namespace {

constexpr char escape = '}', escaped_by = 0x20, interrupt_byte = 0x03;

std::uint8_t checksum(std::string_view text) {
    std::uint8_t sum = 0;
    for (const char c : text) sum = static_cast<std::uint8_t>(sum + static_cast<std::uint8_t>(c));
    return sum;
}

bool may_repeat(char c) { return digit(c) >= 0 || c == 'x'; }

// "c*n": c, and n - 29 times more. n must be printable and must not look like another part of the protocol.
void add_repeated(std::string& text, char c, std::size_t times) {
    constexpr std::size_t fewest = 3, most = 126 - 29;
    constexpr std::string_view forbidden = "#$+-";
    text += c;
    for (std::size_t left = times - 1; left > 0;) {
        std::size_t more = std::min(left, most);
        while (more >= fewest && forbidden.find(static_cast<char>(more + 29)) != forbidden.npos) --more;
        if (more < fewest) {
            text.append(left, c);
            return;
        }
        text += '*';
        text += static_cast<char>(more + 29);
        left -= more;
        if (left > 0) {
            text += c;
            --left;
        }
    }
}

std::string unescaped(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i)
        plain += text[i] == escape && i + 1 < text.size() ? static_cast<char>(text[++i] ^ escaped_by) : text[i];
    return plain;
}

}  // namespace

std::string framed(std::string_view payload) {
    std::string body;
    for (std::size_t i = 0; i < payload.size();) {
        const char c = payload[i];
        std::size_t times = 1;
        while (i + times < payload.size() && payload[i + times] == c) ++times;
        if (c == '#' || c == '$' || c == '*' || c == escape) {
            body += escape;
            body += static_cast<char>(c ^ escaped_by);
            ++i;
        } else if (may_repeat(c)) {
            add_repeated(body, c, times);
            i += times;
        } else {
            body += c;
            ++i;
        }
    }
    const std::uint8_t sum = checksum(body);
    return "$" + body + "#" + to_hex(std::span(&sum, 1));
}

std::optional<Incoming> Framer::next() {
    while (!bytes_.empty()) {
        const char c = bytes_.front();
        const auto single = [this](Incoming::Kind kind) {
            bytes_.erase(0, 1);
            return Incoming{kind, {}};
        };
        if (c == '+') return single(Incoming::Kind::acknowledged);
        if (c == '-') return single(Incoming::Kind::again);
        if (c == interrupt_byte) return single(Incoming::Kind::interrupt);
        if (c != '$') {
            bytes_.erase(0, std::min(bytes_.find_first_of("+-$\x03"), bytes_.size()));
            continue;
        }
        const std::size_t end = bytes_.find('#');
        // Escapes can double a payload.
        if (end == bytes_.npos && bytes_.size() > 2 * packet_bytes + 1) {
            bytes_.clear();
            return Incoming{Incoming::Kind::broken, {}};
        }
        if (end == bytes_.npos || bytes_.size() < end + 3) return {};
        const std::string body = bytes_.substr(1, end - 1);
        const int high = digit(bytes_[end + 1]), low = digit(bytes_[end + 2]);
        bytes_.erase(0, end + 3);
        std::string payload = unescaped(body);
        if (high < 0 || low < 0 || checksum(body) != high * 16 + low || payload.size() > packet_bytes)
            return Incoming{Incoming::Kind::broken, {}};
        return Incoming{Incoming::Kind::packet, std::move(payload)};
    }
    return {};
}

bool Framer::take_interrupt() {
    for (std::size_t at = 0;;) {
        at = bytes_.find_first_of("$\x03", at);
        if (at == bytes_.npos) return false;
        if (bytes_[at] == interrupt_byte) {
            bytes_.erase(at, 1);
            return true;
        }
        // Within a packet it is data.
        at = bytes_.find('#', at);
        if (at == bytes_.npos) return false;
        at += 3;
    }
}

}  // namespace tessera::gdb
