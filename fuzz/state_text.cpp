// SPDX-License-Identifier: Apache-2.0
// Fuzzes names of state, as a user of step or a debugger types them.
#include <sstream>

#include "fuzz/support/fuzzer.hpp"
#include "tessera/state_text.hpp"

namespace tessera::fuzz {

namespace {

std::span<const Core> cores() {
    static const Core both[] = {Core(Arch::blackhole), Core(Arch::wormhole)};
    return both;
}

std::vector<std::string> seeds() {
    std::vector<std::string> all{"", "l1 0x20000 16 as Float16_b", "dst 3 0:8 as Tf32", "rwc 1 dst", "src_a * 0:4 1 as Float16",
                                 "ALU_FORMAT_SPEC_REG0_SrcA", "ADDR_MOD_AB_SEC0_SrcAIncr as hex", "gpr 1 0:4 as Int32"};
    for (const Core& core : cores())
        for (const Section& section : core.sections())
            for (const char* const form : {"", " as hex", " 0", " 0:2 1", " as UInt32"}) all.push_back(section.name + form);
    return all;
}

void run(std::string_view input) {
    const Core& core = cores()[input.size() % 2];
    std::istringstream stream{std::string(input)};
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    const auto text = state_text(core, words);
    require(text ? !text->empty() : !text.error().code.empty(), "a state has a text, or an error with a code");
    const auto part = read_state_part(core, words);
    if (!part) return require(!part.error().code.empty(), "an error has a code");
    for (const std::size_t element : part->elements()) require(element < part->section->size, "a part has elements that exist");
}

}  // namespace

const Fuzzer state_text_fuzzer{"state_text", seeds, run};

}  // namespace tessera::fuzz
