// SPDX-License-Identifier: Apache-2.0
#include "viewer/packing.hpp"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <ostream>
#include <streambuf>

namespace tessera::viewer {

namespace {

// Most of what stronger levels save, in a fraction of their time.
constexpr int level = 4;

/// Given to zlib at a time.
constexpr std::size_t piece = std::size_t{1} << 20;

class Deflate {
public:
    explicit Deflate(std::size_t size) : result_(compressBound(size), '\0') {
        if (deflateInit(&stream_, level) != Z_OK) throw std::bad_alloc();
        stream_.next_out = reinterpret_cast<Bytef*>(result_.data());
    }
    Deflate(const Deflate&) = delete;
    Deflate& operator=(const Deflate&) = delete;
    ~Deflate() { deflateEnd(&stream_); }

    void add(std::string_view bytes, bool last) {
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
        stream_.avail_in = static_cast<uInt>(bytes.size());
        int status = Z_OK;
        do {
            const std::size_t room = result_.size() - stream_.total_out;
            stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(room, std::size_t{1} << 30));
            status = deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
        } while (status == Z_OK && (last || stream_.avail_in != 0));
        // With room enough nothing but memory can be missing.
        if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) throw std::bad_alloc();
    }
    std::string take() {
        result_.resize(stream_.total_out);
        return std::move(result_);
    }

private:
    z_stream stream_{};
    std::string result_;
};

std::string compressed(std::string_view bytes, const GoOn* go_on) {
    Deflate deflate(bytes.size());
    while (bytes.size() > piece) {
        deflate.add(bytes.substr(0, piece), false);
        bytes.remove_prefix(piece);
        if (go_on) go_on->check();
    }
    deflate.add(bytes, true);
    return deflate.take();
}

/// Takes a text piece by piece.
class Taker : public std::streambuf {
public:
    Taker(std::string& text, const GoOn& go_on) : text_(text), go_on_(go_on) {}

private:
    std::streamsize xsputn(const char* from, std::streamsize count) override {
        text_.append(from, static_cast<std::size_t>(count));
        if (text_.size() - checked_ > piece) {
            checked_ = text_.size();
            go_on_.check();
        }
        return count;
    }
    int_type overflow(int_type one) override {
        text_ += traits_type::to_char_type(one);
        return one;
    }

    std::string& text_;
    const GoOn& go_on_;
    std::size_t checked_ = 0;
};

}  // namespace

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text((bytes.size() + 2) / 3 * 4, '=');
    char* to = text.data();
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
    std::size_t i = 0;
    for (; i + 3 <= bytes.size(); i += 3, to += 4) {
        const std::uint32_t group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
        for (unsigned k = 0; k < 4; ++k) to[k] = digits[group >> (18 - 6 * k) & 63];
    }
    const std::size_t rest = bytes.size() - i;
    if (rest == 0) return text;
    const std::uint32_t group = byte(i) << 16 | (rest == 2 ? byte(i + 1) << 8 : 0);
    for (unsigned k = 0; k <= rest; ++k) to[k] = digits[group >> (18 - 6 * k) & 63];
    return text;
}

Json Packer::pack(std::string_view type, std::string_view coding, std::string_view bytes) {
    return {{"type", type}, {coding, add(bytes, &go_on_)}, {"size", bytes.size()}};
}

Json Packer::pack_json(const Json& data) {
    const std::string text = text_of(data, go_on_);
    return {{"json", add(text, &go_on_)}, {"size", text.size()}};
}

std::size_t Packer::pack_bytes(std::string_view bytes) { return add(bytes, nullptr); }

std::size_t Packer::add(std::string_view bytes, const GoOn* go_on) {
    blocks_.push_back(base64(compressed(bytes, go_on)));
    return blocks_.size() - 1;
}

std::string text_of(const Json& data, const GoOn& go_on) {
    std::string text;
    Taker taker(text, go_on);
    std::ostream stream(&taker);
    stream.exceptions(std::ios::badbit);
    nlohmann::detail::serializer<Json>(nlohmann::detail::output_adapter<char>(stream), ' ', Json::error_handler_t::replace)
        .dump(data, false, false, 0);
    return text;
}

}  // namespace tessera::viewer
