// SPDX-License-Identifier: Apache-2.0
#include "support/viewer_page.hpp"

#include <zlib.h>

#include <cstring>
#include <stdexcept>

namespace tessera::test {

std::string base64_decoded(const std::string& text) {
    const auto digit = [](char c) -> std::uint32_t {
        if (c >= 'A' && c <= 'Z') return static_cast<std::uint32_t>(c - 'A');
        if (c >= 'a' && c <= 'z') return static_cast<std::uint32_t>(c - 'a') + 26;
        if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0') + 52;
        if (c == '+') return 62;
        if (c == '/') return 63;
        throw std::runtime_error("no digit of base64");
    };
    if (text.size() % 4 != 0) throw std::runtime_error("base64 is cut off");
    std::string bytes;
    std::uint32_t bits = 0;
    unsigned have = 0;
    for (const char c : text) {
        if (c == '=') break;
        bits = bits << 6 | digit(c);
        have += 6;
        if (have < 8) continue;
        have -= 8;
        bytes += static_cast<char>(bits >> have & 0xFF);
    }
    return bytes;
}

std::string unpacked(const Json& packed) {
    const std::string from = base64_decoded(packed.at("data"));
    std::string bytes;
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) throw std::runtime_error("zlib cannot begin");
    std::string piece(1 << 16, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(from.data()));
    stream.avail_in = static_cast<uInt>(from.size());
    int status = Z_OK;
    while (status == Z_OK) {
        stream.next_out = reinterpret_cast<Bytef*>(piece.data());
        stream.avail_out = static_cast<uInt>(piece.size());
        status = inflate(&stream, Z_NO_FLUSH);
        bytes.append(piece, 0, piece.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    if (status != Z_STREAM_END) throw std::runtime_error("the compressed data are broken");
    return bytes;
}

namespace {

template <class T>
std::vector<double> numbers(const std::string& bytes) {
    std::vector<double> values(bytes.size() / sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i) {
        T value;
        std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
        values[i] = static_cast<double>(value);
    }
    return values;
}

}  // namespace

std::vector<double> column(const Json& column) {
    const std::string bytes = unpacked(column), type = column.at("type");
    if (type == "u8") return numbers<std::uint8_t>(bytes);
    if (type == "i8") return numbers<std::int8_t>(bytes);
    if (type == "i32") return numbers<std::int32_t>(bytes);
    if (type == "u32") return numbers<std::uint32_t>(bytes);
    if (type == "f64") return numbers<double>(bytes);
    throw std::runtime_error("a column of unknown type " + type);
}

Json page_data(const std::string& html) {
    const std::string begin = "id=\"data\">";
    const std::size_t at = html.find(begin);
    if (at == std::string::npos) return nullptr;
    const std::size_t first = at + begin.size(), end = html.find("</script>", first);
    const Json data = Json::parse(html.substr(first, end - first), nullptr, false);
    return data.is_discarded() ? Json(nullptr) : data;
}

PageState::PageState(const Json& data) : data_(data), log_(unpacked(data.at("writes").at("log"))) {
    for (const Json& section : data.at("sections"))
        values_[section.at("name")].resize(section.at("size").get<std::size_t>());
    apply(unpacked(data.at("initial")), 0);
}

void PageState::apply_records(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) at_ = apply(log_, at_);
}

std::vector<std::string> PageState::sections() const {
    std::vector<std::string> names;
    for (const auto& [name, values] : values_) names.push_back(name);
    return names;
}

std::size_t PageState::apply(const std::string& bytes, std::size_t at) {
    const auto byte = [&]() -> std::uint32_t { return static_cast<unsigned char>(bytes.at(at++)); };
    const auto varint = [&] {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const std::uint32_t one = byte();
            value |= std::uint64_t{one & 0x7F} << shift;
            if (one < 0x80) return static_cast<std::size_t>(value);
        }
    };
    const auto number = [&](unsigned size) {
        std::uint32_t value = 0;
        for (unsigned i = 0; i < size; ++i) value |= byte() << 8 * i;
        return value;
    };
    enum Form { one_each = 0, fill = 1, same = 2 };
    for (std::size_t runs = varint(); runs > 0; --runs) {
        const Json& section = data_.at("sections").at(varint());
        const std::size_t first = varint(), count = varint(), form = varint();
        const unsigned size = (section.at("bits").get<unsigned>() + 7) / 8;
        auto& of = values_.at(section.at("name"));
        const std::uint32_t all = form == fill ? number(size) : 0;
        for (std::size_t i = first; i < first + count; ++i)
            if (form != same) of.at(i) = form == fill ? all : number(size);
    }
    return at;
}

}  // namespace tessera::test
