// SPDX-License-Identifier: Apache-2.0
// A client of a gdb session in the same process.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "gdb/session.hpp"
#include "util/hex.hpp"

namespace tessera::test {

class GdbClient {
public:
    explicit GdbClient(gdb::Target& target) : session(target) {}

    static std::string packet(std::string_view payload) {
        unsigned sum = 0;
        for (const char c : payload) sum += static_cast<unsigned char>(c);
        constexpr std::string_view digits = "0123456789abcdef";
        return "$" + std::string(payload) + "#" + digits[sum / 16 % 16] + digits[sum % 16];
    }

    /// Sends bytes. Returns what comes back.
    std::string send(std::string_view bytes) {
        std::string back;
        session.receive(bytes, {[&](std::string_view text) { back += text; }, [&] { return std::exchange(coming, {}); },
                                [&] { return gone; }});
        return back;
    }
    /// Lets the target run on. Returns the payload of its stop; empty: it runs still.
    std::string go_on() {
        std::string back;
        session.go_on({[&](std::string_view text) { back += text; }, [&] { return std::exchange(coming, {}); }});
        return last_of(back);
    }
    /// Sends a packet. Returns the last payload; console output before it goes to `console`.
    std::string ask(std::string_view payload) {
        const std::string last = last_of(send(packet(payload)));
        return last.empty() && !has_answered ? "nothing came" : last;
    }
    std::string last_of(std::string_view bytes) {
        const auto all = payloads(bytes);
        has_answered = !all.empty();
        console.clear();
        for (std::size_t i = 0; i + 1 < all.size(); ++i) {
            const auto text = util::from_hex<char>(std::string_view(all[i]).substr(1));
            console.append(text->begin(), text->end());
        }
        return all.empty() ? std::string() : all.back();
    }
    /// The payloads of packets, with runs of a character written out.
    static std::vector<std::string> payloads(std::string_view bytes) {
        std::vector<std::string> all;
        for (std::size_t begin; (begin = bytes.find('$')) != bytes.npos;) {
            const std::size_t end = bytes.find('#', begin);
            std::string text;
            for (std::size_t i = begin + 1; i < end; ++i)
                if (bytes[i] == '*')
                    text.append(static_cast<std::size_t>(bytes[++i] - 29), text.back());
                else
                    text += bytes[i] == '}' ? static_cast<char>(bytes[++i] ^ 0x20) : bytes[i];
            all.push_back(std::move(text));
            bytes.remove_prefix(end);
        }
        return all;
    }
    /// Begins a session without acknowledgements.
    void greet() {
        ask("qSupported:multiprocess+;swbreak+;hwbreak+;error-message+");
        ask("QStartNoAckMode");
    }
    /// The word in an answer of up to four bytes.
    static std::uint32_t word_of(std::string_view hex) {
        const auto bytes = util::from_hex<std::uint8_t>(hex);
        std::uint32_t word = 0;
        for (std::size_t i = bytes ? bytes->size() : 0; i-- > 0;) word = word << 8 | (*bytes)[i];
        return word;
    }
    std::uint32_t word_at(std::uint32_t address) { return word_of(ask(fmt::format("m{:x},4", address))); }
    std::uint32_t register_of(unsigned number) { return word_of(ask(fmt::format("p{:x}", number))); }
    std::string monitor(std::string_view command) {
        EXPECT_EQ(ask("qRcmd," + util::to_hex(command)), "OK");
        return console;
    }

    gdb::Session session;
    std::string console, coming;
    bool has_answered = false;
    bool gone = false;  ///< it waits for no answer
};

}  // namespace tessera::test
