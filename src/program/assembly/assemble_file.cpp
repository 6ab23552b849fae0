// SPDX-License-Identifier: Apache-2.0
#include "tensor/host_file.hpp"
#include "tessera/assembly.hpp"

namespace tessera {

Result<Program> assemble_file(const std::string& path, Arch arch, unsigned thread,
                              const std::map<std::string, std::int64_t>& symbols) {
    const auto text = tensor::read_file(path, "asm.read", tensor::most_text_bytes);
    if (!text) return tl::make_unexpected(text.error());
    return assemble(*text, arch, path, thread, symbols);
}

}  // namespace tessera
