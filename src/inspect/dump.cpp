// SPDX-License-Identifier: Apache-2.0
// Register dumps of cards as text.
#include <fmt/format.h>

#include <limits>
#include <optional>
#include <set>
#include <tuple>

#include "inspect/register_word.hpp"
#include "tessera/core.hpp"
#include "tessera/number.hpp"
#include "tessera/registers.hpp"
#include "util/byte_order_mark.hpp"
#include "util/number.hpp"

namespace tessera {

namespace {

constexpr std::string_view blanks = " \t\r:=,";

struct Word {
    std::string_view text;
    int column = 0;
};

std::vector<Word> split(std::string_view line) {
    line = line.substr(0, line.find('#'));
    std::vector<Word> words;
    for (std::size_t at = 0; (at = line.find_first_not_of(blanks, at)) != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
        words.push_back({line.substr(at, end - at), static_cast<int>(at) + 1});
        at = end;
    }
    return words;
}

/// The start of a word, for messages.
std::string_view shown(const Word& word) {
    constexpr std::size_t longest = 40;
    return word.text.substr(0, longest);
}

/// The largest number stands for those that 64 bits do not hold.
std::optional<std::uint64_t> number_of(const Word& word) {
    if (!util::is_written_as_number(word.text)) return std::nullopt;
    return parse_number(word.text).value_or(std::numeric_limits<std::uint64_t>::max());
}

class DumpReader {
public:
    DumpReader(Arch arch, std::string_view file) : arch_(arch), file_(file) {}

    Result<std::vector<DumpedWord>> read(std::string_view text) {
        text = util::without_mark(text);
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            ++line_;
            if (auto good = read_line(split(text.substr(0, end))); !good) return tl::make_unexpected(good.error());
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        }
        return std::move(words_);
    }

private:
    tl::unexpected<Error> error(std::string code, std::string message, int column) const {
        return fail(std::move(code), std::move(message), file_, line_, column);
    }

    tl::unexpected<Error> no_number(const Word& word) const {
        return error("regs.syntax", fmt::format("'{}' is not a number", shown(word)), word.column);
    }

    Result<void> read_line(const std::vector<Word>& words) {
        if (words.empty()) return {};
        if (words.size() != 2)
            return error("regs.syntax", "a line is an ADDR32 and a value, or 'bank N' or 'thread N'",
                         words[words.size() > 2 ? 2 : 0].column);
        if (words[0].text == "bank") return set_space(RegisterSpace::backend, 2, words);
        if (words[0].text == "thread") return set_space(RegisterSpace::thread, 3, words);
        return read_word(words);
    }

    Result<void> set_space(RegisterSpace space, unsigned count, const std::vector<Word>& words) {
        const auto number = number_of(words[1]);
        if (!number) return no_number(words[1]);
        if (*number >= count)
            return error("regs.syntax",
                         fmt::format("{} {} does not exist: numbers are 0 to {}", words[0].text, shown(words[1]), count - 1),
                         words[1].column);
        space_ = space;
        index_ = static_cast<unsigned>(*number);
        return {};
    }

    Result<void> read_word(const std::vector<Word>& words) {
        const auto address = number_of(words[0]), value = number_of(words[1]);
        if (!address) return no_number(words[0]);
        if (!value) return no_number(words[1]);
        const unsigned count = register_words(space_, arch_);
        if (*address >= count)
            return error("regs.address",
                         fmt::format("the {} space of {} has no word {}: they are numbered 0 to {}", name(space_),
                                     name(arch_), shown(words[0]), count - 1),
                         words[0].column);
        const std::uint32_t largest = inspect::largest_word(space_);
        if (*value > largest)
            return error("regs.value", fmt::format("{} is more than 0x{:X}", shown(words[1]), largest), words[1].column);
        const auto addr32 = static_cast<unsigned>(*address);
        if (!seen_.insert({space_, index_, addr32}).second)
            return error("regs.twice", fmt::format("word {} was given before", addr32), words[0].column);
        words_.push_back({space_, index_, addr32, static_cast<std::uint32_t>(*value), line_});
        return {};
    }

    Arch arch_;
    std::string file_;
    int line_ = 0;
    RegisterSpace space_ = RegisterSpace::backend;
    unsigned index_ = 0;
    std::set<std::tuple<RegisterSpace, unsigned, unsigned>> seen_;
    std::vector<DumpedWord> words_;
};

}  // namespace

Result<std::vector<DumpedWord>> parse_register_dump(std::string_view text, Arch arch, std::string_view file) {
    return DumpReader(arch, file).read(text);
}

void load_register_dump(Core& core, std::span<const DumpedWord> words) {
    for (const auto& section : core.sections()) {
        const bool backend = section.name == "config";
        if (!backend && section.name != "thread_config") continue;
        const auto space = backend ? RegisterSpace::backend : RegisterSpace::thread;
        const std::size_t count = register_words(space, core.arch());
        for (const auto& word : words)
            if (word.space == space) core.write(section, word.index * count + word.addr32, word.value);
    }
}

}  // namespace tessera
