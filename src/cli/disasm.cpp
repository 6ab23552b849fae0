// SPDX-License-Identifier: Apache-2.0
// tessera disasm: instruction words to text.
#include <fmt/format.h>

#include <charconv>
#include <memory>

#include "command.hpp"
#include "terminal.hpp"
#include "tessera/assembly.hpp"

namespace tessera::cli {

namespace {

struct Options {
    std::vector<std::string> words;
    std::string arch = "blackhole";
    bool named = false;
};

Result<std::uint32_t> parse_word(const std::string& text) {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    const char* first = text.data() + (hexadecimal ? 2 : 0);
    const char* last = text.data() + text.size();
    std::uint32_t word = 0;
    const auto [end, error] = std::from_chars(first, last, word, hexadecimal ? 16 : 10);
    if (error != std::errc{} || end != last)
        return fail("cli.word", fmt::format("'{}' is no 32-bit number (decimal, or hexadecimal with 0x)", text));
    return word;
}

int execute(const Options& options) {
    const std::optional<Arch> arch = parse_arch(options.arch);
    if (!arch)
        return report(
            {"cli.arch", fmt::format("'{}' is no architecture: blackhole, wormhole", options.arch), {}, 0, 0});
    std::string text;
    for (const std::string& one : options.words) {
        const Result<std::uint32_t> word = parse_word(one);
        if (!word) return report(word.error());
        text += (options.named ? disassemble_named(*word, *arch) : disassemble(*word, *arch)) + '\n';
    }
    print(stdout, text);
    return good;
}

}  // namespace

void add_disasm(CLI::App& app, Action& action) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("disasm", "Print instruction words as text");
    command->add_option("WORD", options->words, "Plain (not rotated) instruction words, decimal or 0x…")->required();
    command->add_option("--arch", options->arch, "blackhole or wormhole")->type_name("A")->capture_default_str();
    command->add_flag("--named", options->named, "With named operands");
    command->footer("Example: tessera disasm --named 0x50000000 0x02000000");
    command->callback([&action, options] { action = [options] { return execute(*options); }; });
}

}  // namespace tessera::cli
