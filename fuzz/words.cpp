// SPDX-License-Identifier: Apache-2.0
// Fuzzes words: in plain order, in a stream, as text and back.
#include "fuzz/support/fuzzer.hpp"
#include "isa/table.hpp"
#include "tessera/assembly.hpp"
#include "tessera/instruction_set.hpp"
#include "tessera/stream.hpp"

namespace tessera::fuzz {

namespace {

std::vector<std::string> seeds() {
    std::vector<std::string> all;
    for (const auto& spec : isa::table) {
        std::string words;
        for (const unsigned bits : {0x000000u, 0xFFFFFFu, 0x123456u})
            for (const std::uint32_t word :
                 {std::uint32_t{spec.opcode} << 24 | bits, to_stream(std::uint32_t{spec.opcode} << 24 | bits)})
                for (unsigned i = 0; i < 4; ++i) words += static_cast<char>(word >> 8 * i);
        all.push_back(words);
    }
    return all;
}

void run(std::string_view input) {
    const auto words = stream_words(input);
    require(words.has_value() == (input.size() % 4 == 0), "a stream is whole words");
    if (!words) return;
    for (const Arch arch : all_archs)
        for (const std::uint32_t word : *words) {
            const std::string named = disassemble_named(word, arch);
            require(!disassemble(word, arch).empty() && !named.empty(), "every word has a text");
            disassemble_stream(word, arch);
            disassemble_stream(word, arch, true);
            if (const auto program = assemble(named, arch); program && program->threads[0].size() == 1)
                require(program->threads[0][0].value == word, "what was disassembled becomes the same word");
        }
    std::vector<std::uint32_t> plain;
    for (const std::uint32_t word : *words)
        if (is_tensix(word)) plain.push_back(from_stream(word));
    if (const auto bytes = stream_bytes(plain)) {
        const auto again = stream_words(*bytes);
        require(again && again->size() == plain.size(), "a stream can be read again");
    }
}

}  // namespace

const Fuzzer words_fuzzer{"words", seeds, run};

}  // namespace tessera::fuzz
