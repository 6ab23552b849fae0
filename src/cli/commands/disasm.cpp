// SPDX-License-Identifier: Apache-2.0
// tessera disasm: instruction words to text, from the command line, from a file of stream words, or from an ELF file.
#include <fmt/format.h>

#include <memory>

#include "command.hpp"
#include "options/words.hpp"
#include "reports/json.hpp"
#include "reports/terminal.hpp"
#include "tessera/assembly.hpp"
#include "tessera/stream.hpp"

namespace tessera::cli {

namespace {

struct DisasmArguments {
    std::vector<std::string> words;
    std::string bytes, elf;
    std::string arch = "blackhole";
    bool rotated = false, named = false, json = false;
};

int disassemble_words(const DisasmArguments& options, Arch arch) {
    std::string text;
    Json json = Json::array();
    for (const std::string& one : options.words) {
        const Result<std::uint32_t> word = read_word(one, "cli.word");
        if (!word) return report(word.error());
        const std::string line = options.rotated ? disassemble_stream(*word, arch, options.named)
                                 : options.named ? disassemble_named(*word, arch)
                                                 : disassemble(*word, arch);
        if (options.json)
            json.push_back({{"word", *word}, {"text", line}});
        else
            text += line + '\n';
    }
    print(stdout, options.json ? to_text(json, 2) + "\n" : text);
    return good;
}

Result<std::vector<CodeSection>> read_sections(const DisasmArguments& options) {
    if (!options.elf.empty()) return read_elf(options.elf);
    return read_stream(options.bytes).map([](std::vector<std::uint32_t> words) {
        return std::vector<CodeSection>{{"", 0, std::move(words)}};
    });
}

Json section_as_json(const CodeSection& section, const DisasmArguments& options, Arch arch) {
    Json lines = Json::array();
    for (std::size_t i = 0; i < section.words.size(); ++i)
        lines.push_back({{"address", section.address + 4 * i},
                         {"word", section.words[i]},
                         {"tensix", is_tensix(section.words[i])},
                         {"text", disassemble_stream(section.words[i], arch, options.named)}});
    return {{"section", section.name}, {"words", std::move(lines)}};
}

int disassemble_file(const DisasmArguments& options, Arch arch) {
    const auto sections = read_sections(options);
    if (!sections) return report(sections.error());
    Json json = Json::array();
    for (const CodeSection& section : *sections) {
        if (options.json) {
            json.push_back(section_as_json(section, options, arch));
            continue;
        }
        std::string text = section.name.empty() ? "" : fmt::format("section {}:\n", section.name);
        for (std::size_t i = 0; i < section.words.size(); ++i)
            text += fmt::format("{:8x}:  {:08x}  {}\n", section.address + 4 * i, section.words[i],
                                disassemble_stream(section.words[i], arch, options.named));
        print(stdout, text);
    }
    if (options.json) print(stdout, to_text(json, 2) + "\n");
    return good;
}

int execute(const DisasmArguments& options) {
    const Result<Arch> arch = read_arch(options.arch);
    if (!arch) return report(arch.error());
    const int sources = !options.words.empty() + !options.bytes.empty() + !options.elf.empty();
    if (sources != 1) return refuse("cli.usage", "give either WORD..., --bytes or --elf; try 'tessera disasm --help'");
    if (options.rotated && options.words.empty())
        return refuse("cli.usage", "--rotated is for WORD...: the words of files are always rotated");
    return options.words.empty() ? disassemble_file(options, *arch) : disassemble_words(options, *arch);
}

}  // namespace

void add_disasm(CommandLine& program) {
    auto options = std::make_shared<DisasmArguments>();
    const Command command = program.add("disasm", "Print instruction words as text");
    command.option("WORD", options->words, "Instruction words, decimal or 0x…");
    command.option("--bytes", options->bytes, "File of little-endian words as in a RISC-V instruction stream")
        .value_name("FILE");
    command.option("--elf", options->elf, "RISC-V ELF file: all its executable sections").value_name("FILE");
    command.option("--arch", options->arch, "blackhole or wormhole").value_name("A").show_default();
    command.flag("--rotated", options->rotated, "WORDs are rotated left by 2, as in a RISC-V stream");
    command.flag("--named", options->named, "With operands and values by name");
    command.flag("--json", options->json, "As JSON");
    command.footer(
        "Words of files that are not Tensix instructions appear as .word.\n"
        "Example: tessera disasm --named 0x50000000 0x02000000");
    command.action([options] { return execute(*options); });
}

}  // namespace tessera::cli
