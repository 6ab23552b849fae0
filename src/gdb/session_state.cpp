// SPDX-License-Identifier: Apache-2.0
// Packets about registers, memory, breakpoints and watchpoints.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gdb/session.hpp"
#include "util/hex.hpp"

namespace tessera::gdb {

namespace {

constexpr std::size_t general_registers = 33;

// The lowest byte first, as RISC-V has it.
std::string register_hex(const Register& what, std::optional<std::uint64_t> value) {
    const unsigned bytes = what.bits / 8;
    if (!value) return std::string(2 * std::size_t{bytes}, 'x');
    std::array<std::uint8_t, 8> text{};
    for (unsigned i = 0; i < bytes; ++i) text[i] = static_cast<std::uint8_t>(*value >> 8 * i);
    return util::to_hex(std::as_bytes(std::span(text).first(bytes)));
}

std::optional<std::uint64_t> register_value(const Register& what, std::string_view hex) {
    const auto bytes = util::from_hex<std::uint8_t>(hex);
    if (!bytes || bytes->size() != what.bits / 8) return {};
    std::uint64_t value = 0;
    for (std::size_t i = bytes->size(); i-- > 0;) value = value << 8 | (*bytes)[i];
    return value;
}

}  // namespace

// Others than general ones are asked for one by one.
std::string Session::read_registers() const {
    std::string text;
    for (std::size_t i = 0; i < general_registers; ++i)
        text += register_hex(target_.registers()[i], target_.read_register(general_, i));
    return text;
}

// Nothing is written if one of them is wrong. pc comes first: of values, only its can be refused.
std::string Session::write_registers(Cursor packet) {
    std::array<std::optional<std::uint64_t>, general_registers> values;
    for (std::size_t i = 0; i < general_registers; ++i) {
        const Register& what = target_.registers()[i];
        const std::string_view hex = packet.bytes(what.bits / 4);
        if (hex.find_first_not_of('x') == hex.npos && !hex.empty()) continue;
        values[i] = register_value(what, hex);
        if (!values[i]) return error("G takes all general registers");
    }
    for (std::size_t i = general_registers; i-- > 0;) {
        if (!values[i]) continue;
        if (const auto written = target_.write_register(general_, i, *values[i]); !written) return error(written.error());
    }
    return "OK";
}

std::string Session::read_register(Cursor packet) const {
    const auto number = packet.number();
    if (!number || *number >= target_.registers().size()) return error("there is no such register");
    return register_hex(target_.registers()[*number], target_.read_register(general_, *number));
}

std::string Session::write_register(Cursor packet) {
    const auto number = packet.number();
    if (!number || *number >= target_.registers().size() || !packet.take("=")) return error("there is no such register");
    const auto value = register_value(target_.registers()[*number], packet.rest());
    if (!value) return error("the value has another size than the register");
    return done(target_.write_register(general_, *number, *value));
}

std::string Session::read_memory(Cursor packet) {
    const auto address = packet.address();
    const bool comma = packet.take(",");
    const auto length = packet.number();
    if (!address || !comma || !length) return error("m takes ADDRESS,LENGTH");
    // An answer without a byte would say that there is no such packet.
    if (*length == 0) return error("m takes a LENGTH of at least 1");
    std::vector<std::uint8_t> bytes(std::min<std::uint64_t>(*length, packet_bytes / 2 - 1));
    const std::size_t count = target_.read_memory(general_, *address, bytes);
    if (count == 0) return error(fmt::format("0x{:X} is in no memory of {}", *address, target_.info(general_).name));
    return util::to_hex(std::as_bytes(std::span(bytes).first(count)));
}

std::string Session::write_memory(Cursor packet, bool binary) {
    const auto address = packet.address();
    const bool comma = packet.take(",");
    const auto length = packet.number();
    if (!address || !comma || !length || !packet.take(":")) return error("a write takes ADDRESS,LENGTH:BYTES");
    std::vector<std::uint8_t> bytes(packet.rest().begin(), packet.rest().end());
    if (!binary) {
        auto digits = util::from_hex<std::uint8_t>(packet.rest());
        if (!digits) return error("bytes are pairs of hexadecimal digits");
        bytes = std::move(*digits);
    }
    if (bytes.size() != *length) return error("there are more or fewer bytes than LENGTH says");
    if (bytes.empty()) return "OK";  // gdb asks whether there is this packet
    return done(target_.write_memory(general_, *address, bytes));
}

// "type,address,kind[;X length,code]…[;cmds:…]".
std::string Session::point(Cursor packet, bool inserts) {
    const auto type = packet.number();
    const bool first = packet.take(",");
    const auto address = packet.address();
    const bool second = packet.take(",");
    const auto kind = packet.address();
    if (!type || *type > 4 || !first || !address || !second || !kind) return error("a point takes TYPE,ADDRESS,KIND");
    Point point{static_cast<PointKind>(*type), *address, *kind};
    packet.take(";");
    while (packet.take("X")) {
        const auto bytes = packet.address();
        if (!bytes || !packet.take(",")) return error("a condition is X LENGTH,BYTES");
        auto code = util::from_hex<std::uint8_t>(packet.bytes(2 * std::size_t{*bytes}));
        if (!code || code->size() != *bytes) return error("a condition is X LENGTH,BYTES");
        point.conditions.push_back(std::move(*code));
    }
    return done(inserts ? target_.insert(general_, point) : target_.remove(general_, point));
}

}  // namespace tessera::gdb
