// SPDX-License-Identifier: Apache-2.0
#include "gdb/packet.hpp"

#include <algorithm>
#include <utility>

#include "util/hex.hpp"

namespace tessera::gdb {

namespace {

constexpr char escape = '}', escaped_by = 0x20, interrupt_byte = 0x03;
constexpr std::size_t sum_bytes = 3;  // '#' and two digits

std::uint8_t checksum(std::string_view text) {
    std::uint8_t sum = 0;
    for (const char c : text) sum = static_cast<std::uint8_t>(sum + static_cast<std::uint8_t>(c));
    return sum;
}

bool may_repeat(char c) { return util::hex_digit(c) >= 0 || c == 'x'; }

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
    return "$" + body + "#" + util::to_hex(std::as_bytes(std::span(&sum, 1)));
}

void Framer::add(std::string_view bytes) {
    bytes_.erase(0, std::exchange(begin_, 0));
    bytes_ += bytes;
}

std::optional<Incoming> Framer::next() {
    for (; begin_ < bytes_.size(); ++begin_) {
        const auto single = [this](Incoming::Kind kind) {
            ++begin_;
            return Incoming{kind, {}};
        };
        const char c = bytes_[begin_];
        if (c == '+') return single(Incoming::Kind::acknowledged);
        if (c == '-') return single(Incoming::Kind::again);
        if (c == interrupt_byte) return single(Incoming::Kind::interrupt);
        if (c != '$') continue;
        const std::size_t end = bytes_.find('#', begin_);
        // Escapes can double a payload.
        if (end == bytes_.npos && waiting() > 2 * packet_bytes + 1) {
            begin_ = bytes_.size();
            return Incoming{Incoming::Kind::broken, {}};
        }
        if (end == bytes_.npos || bytes_.size() < end + sum_bytes) return {};
        return take_packet(end);
    }
    return {};
}

Incoming Framer::take_packet(std::size_t end) {
    const std::string_view body = std::string_view(bytes_).substr(begin_ + 1, end - begin_ - 1);
    const int high = util::hex_digit(bytes_[end + 1]), low = util::hex_digit(bytes_[end + 2]);
    begin_ = end + sum_bytes;
    if (high < 0 || low < 0 || checksum(body) != high * 16 + low) return {Incoming::Kind::broken, {}};
    std::string payload = unescaped(body);
    if (payload.size() > packet_bytes) return {Incoming::Kind::broken, {}};
    return {Incoming::Kind::packet, std::move(payload)};
}

bool Framer::take_interrupt() {
    std::string packets;
    bool taken = false;
    while (!taken) {
        begin_ = bytes_.find_first_of("$\x03", begin_);
        if (begin_ == bytes_.npos) break;
        if (bytes_[begin_] == interrupt_byte) {
            ++begin_;
            taken = true;
            continue;
        }
        // Within a packet it is data.
        const std::size_t sum = bytes_.find('#', begin_);
        const std::size_t end = sum == bytes_.npos ? bytes_.size() : std::min(sum + sum_bytes, bytes_.size());
        packets.append(bytes_, begin_, end - begin_);
        begin_ = end;
    }
    if (taken) packets.append(bytes_, begin_);
    bytes_ = std::move(packets);
    begin_ = 0;
    return taken;
}

}  // namespace tessera::gdb
