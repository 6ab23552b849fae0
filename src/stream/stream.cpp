// SPDX-License-Identifier: Apache-2.0
#include "tessera/stream.hpp"

#include <fmt/format.h>

#include "stream/words.hpp"
#include "tensor/host_file.hpp"
#include "tessera/assembly.hpp"
#include "tessera/output_file.hpp"

namespace tessera {

std::string disassemble_stream(std::uint32_t stream_word, Arch arch, bool named) {
    if (!is_tensix(stream_word)) return fmt::format(".word\t0x{:08X}", stream_word);
    const std::uint32_t plain = from_stream(stream_word);
    return named ? disassemble_named(plain, arch) : disassemble(plain, arch);
}

Result<std::vector<std::uint32_t>> stream_words(std::string_view bytes, std::string_view file) {
    if (bytes.size() % 4 != 0)
        return fail("stream.size", fmt::format("{} bytes are not a whole number of 32-bit words", bytes.size()),
                    std::string(file));
    return stream::little_endian_words(bytes);
}

Result<std::string> stream_bytes(std::span<const std::uint32_t> plain) {
    std::string bytes;
    bytes.reserve(plain.size() * 4);
    for (std::size_t i = 0; i < plain.size(); ++i) {
        const std::uint32_t word = to_stream(plain[i]);
        if (!is_tensix(word))
            return fail(
                "stream.not-encodable",
                fmt::format("word {} (0x{:08X}) has an opcode of 0xC0 or above, which a RISC-V stream cannot hold", i,
                            plain[i]));
        for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(word >> shift & 0xFF);
    }
    return bytes;
}

Result<std::vector<std::uint32_t>> read_stream(const std::string& path) {
    const auto bytes = tensor::read_file(path, "stream.read");
    if (!bytes) return tl::make_unexpected(bytes.error());
    return stream_words(*bytes, path);
}

Result<void> write_stream(const std::string& path, std::span<const std::uint32_t> plain) {
    const auto bytes = stream_bytes(plain);
    if (!bytes) return tl::make_unexpected(bytes.error());
    return write_file(path, *bytes, "stream.write");
}

}  // namespace tessera
