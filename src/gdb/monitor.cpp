// SPDX-License-Identifier: Apache-2.0
// Commands of gdb's `monitor`: the coprocessor beside the cores, and stops that gdb has no packet for.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <sstream>

#include "gdb/break_text.hpp"
#include "gdb/tiles_target.hpp"
#include "tessera/assembly.hpp"
#include "tessera/execution.hpp"
#include "tessera/format_name.hpp"
#include "tessera/number.hpp"
#include "tessera/similar_name.hpp"
#include "tessera/state_text.hpp"

namespace tessera::gdb {

namespace {

using Words = std::vector<std::string>;
using Text = Result<std::string>;

struct Context {
    TilesTarget& target;
    unsigned core = 0;  ///< the selected one, or the first one of the tile that was named
    const TilesTarget::Interrupted& interrupted;

    unsigned tile() const { return TilesTarget::tile_of(core); }
    core::TileView& view() const { return target.tile(tile()); }
};

const Core& core_of(const Context& context) { return context.view().core(); }

std::optional<std::uint64_t> number_at(const Words& words, std::size_t at, std::uint64_t otherwise) {
    if (at >= words.size()) return otherwise;
    return parse_number(words[at]);
}

Text cores(const Context& context, const Words&) {
    std::string text;
    const unsigned first = TilesTarget::first_core(context.tile());
    for (unsigned core = first; core < first + riscv_cores; ++core) {
        const CoreInfo info = context.target.info(core);
        text += fmt::format("{} {}  {:<8} {}\n", core == context.core ? '*' : ' ', core + 1, info.name, info.about);
    }
    return text;
}

Text waiting(const Context& context, const Words&) {
    Run shown;
    shown.blocked = context.view().blocked();
    return shown.describe_blocked();
}

Text findings(const Context& context, const Words&) {
    std::string text;
    for (const Finding& one : context.view().findings()) text += one.describe() + "\n";
    return text.empty() ? "none\n" : text;
}

Text print(const Context& context, const Words& words) {
    return state_text(core_of(context), std::span(words).subspan(1));
}

/// A command for a section whose first dimension is the thread: alone, that of the selected core.
Text print_named(const Context& context, const Words& words, std::string_view section) {
    Words typed{std::string(section)};
    typed.insert(typed.end(), words.begin() + 1, words.end());
    return state_text(core_of(context), typed);
}

Text semaphores(const Context& context, const Words& words) {
    auto value = print_named(context, {words[0]}, "semaphore_value");
    const auto most = print_named(context, {words[0]}, "semaphore_max");
    if (value && most) *value += *most;
    return value;
}

Text mutexes(const Context& context, const Words& words) { return print_named(context, words, "mutex"); }
Text lregs(const Context& context, const Words& words) { return print_named(context, words, "lregs"); }
Text dst(const Context& context, const Words& words) { return print_named(context, words, "dst"); }
Text src_a(const Context& context, const Words& words) { return print_named(context, words, "src_a"); }
Text src_b(const Context& context, const Words& words) { return print_named(context, words, "src_b"); }

/// "dst_tile TILE [FORMAT]": 32 rows of 32 values.
Text tile(const Context& context, const Words& words) {
    const auto number = number_at(words, 1, 0);
    if (!number || *number > std::numeric_limits<unsigned>::max())
        return fail("gdb.command", fmt::format("'{}' is not the number of a tile", words[1]));
    const Result<DataFormat> format = words.size() > 2 ? read_data_format(words[2]) : DataFormat::Float16_b;
    if (!format) return tl::make_unexpected(format.error());
    const auto values = core_of(context).dst_tile(static_cast<unsigned>(*number), *format);
    if (!values) return tl::make_unexpected(values.error());
    std::string text;
    for (std::size_t i = 0; i < values->size(); ++i) text += fmt::format("{:.6g}{}", (*values)[i], i % 32 == 31 ? '\n' : ' ');
    return text;
}

Text fifo(const Context& context, const Words& words) {
    std::optional<unsigned> only;
    if (words.size() > 1) {
        const auto number = parse_number(words[1]);
        const auto named = parse_thread(number ? fmt::format("T{}", *number) : words[1]);
        if (!named) return fail("gdb.command", "fifo takes a thread: T0 to T2, or 0 to 2");
        only = *named;
    }
    const Core& core = core_of(context);
    const auto entries = core.find_section("fifo"), counts = core.find_section("fifo_count");
    std::string text;
    for (unsigned thread = 0; thread < 3; ++thread) {
        if (only && *only != thread) continue;
        const auto count = core.read(**counts, thread);
        text += fmt::format("T{}: {} words\n", thread, count);
        const std::size_t most = (*entries)->dimensions.back().size;
        for (std::size_t i = 0; i < std::min<std::size_t>(count, most); ++i) {
            const auto word = static_cast<std::uint32_t>(core.read(**entries, thread * most + i));
            text += fmt::format("  0x{:08X}  {}\n", word, disassemble_named(word, core.arch()));
        }
    }
    return text;
}

Text cycle(const Context& context, const Words&) {
    return fmt::format("cycle {}, {} instructions issued{}\n", context.target.cycle(), context.view().issued(),
                       context.target.ended() ? ", the run is over" : "");
}

Text last(const Context& context, const Words& words) {
    constexpr std::uint64_t most = 10'000;
    const auto count = number_at(words, 1, 10);
    if (!count || *count == 0 || *count > most) return fail("gdb.command", "last takes a number, at most 10000");
    std::string text;
    const auto events = context.target.last_instructions(context.tile(), *count, context.interrupted);
    if (!events) return tl::make_unexpected(events.error());
    for (const Event& one : *events) {
        const std::string place = one.core < 0 ? std::string() : context.view().place(static_cast<unsigned>(one.core), one.pc);
        text += fmt::format("cycle {:>8} to {:>8}  T{} {}{}\n", one.issue, one.end, one.thread, one.instruction,
                            place.empty() ? place : fmt::format("  ({})", place));
    }
    const std::uint64_t known = context.target.known_from();
    if (events->size() < *count && known > 0) return text + fmt::format("what ended before cycle {} is forgotten\n", known);
    return text.empty() ? "no instruction has ended yet\n" : text;
}

Text wrote(const Context& context, const Words& words) {
    const auto address = words.size() > 1 ? parse_number(words[1]) : std::nullopt;
    const auto bytes = number_at(words, 2, 4);
    if (!address || *address > 0xFFFF'FFFF || !bytes || *bytes == 0 || *bytes > 0x10000)
        return fail("gdb.command", "wrote takes ADDRESS [BYTES], 1 to 65536 bytes");
    return context.target.last_writer(context.core, static_cast<std::uint32_t>(*address), static_cast<std::uint32_t>(*bytes),
                                      context.interrupted);
}

/// How a command for another tile begins.
std::string prefix(const Context& context, unsigned tile) {
    const std::string name = context.target.tile_name(tile);
    return name.empty() ? name : fmt::format("tile {} ", name);
}

Text tiles(const Context& context, const Words&) {
    std::string text;
    for (unsigned tile = 0; tile < context.target.tiles(); ++tile) {
        const unsigned first = TilesTarget::first_core(tile);
        if (!context.target.is_there(tile)) continue;
        text += fmt::format("{} {:<6}", tile == context.tile() ? '*' : ' ', context.target.tile_name(tile));
        for (unsigned core = first; core < first + riscv_cores; ++core)
            text += fmt::format("  {}: {}", name(static_cast<RiscvCore>(core - first)), context.target.info(core).about);
        text += "\n";
    }
    return text;
}

Text add_break(const Context& context, const Words& words) {
    auto what = read_break(core_of(context), context.view().kernels(), std::span(words).subspan(1));
    if (!what) return tl::make_unexpected(what.error());
    std::string text;
    for (std::size_t i = 1; i < words.size(); ++i) text += (i > 1 ? " " : "") + words[i];
    context.target.breaks().push_back({text, std::move(*what), context.tile()});
    return fmt::format("{}: {}{}\n", context.target.breaks().size(), prefix(context, context.tile()), text);
}

Text breaks(const Context& context, const Words&) {
    std::string text;
    for (std::size_t i = 0; i < context.target.breaks().size(); ++i)
        text += fmt::format("{}: {}{}\n", i + 1, prefix(context, context.target.breaks()[i].tile), context.target.breaks()[i].text);
    return text.empty() ? "none\n" : text;
}

Text remove(const Context& context, const Words& words) {
    auto& all = context.target.breaks();
    const auto number = words.size() > 1 ? parse_number(words[1]) : std::nullopt;
    if (words.size() > 1 && (!number || *number == 0 || *number > all.size())) return fail("gdb.command", "delete takes a number of breaks");
    if (number)
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(*number - 1));
    else
        all.clear();
    return std::string();
}

struct Command {
    std::string_view name, arguments, about;
    Text (*does)(const Context&, const Words&);
    std::size_t most;  ///< operands
};

/// state_text() looks at them itself.
constexpr std::size_t any_number = ~std::size_t{0};

Text help(const Context& context, const Words& words);

constexpr std::array commands = {
    Command{"break", "WHAT [T0|T1|T2]", "stop at INSTRUCTION, FILE:LINE of one, T0:5 (op 5 of T0), finding [CODE], semaphore N", add_break, 2},
    Command{"breaks", "", "these stops", breaks, 0},
    Command{"cores", "", "what each core does", cores, 0},
    Command{"cycle", "", "the time", cycle, 0},
    Command{"delete", "[N]", "one of the stops, or all", remove, 1},
    Command{"dst", "[ROW [COLUMN]] [as FORMAT]", "rows of Dst: dst 0:8 as Float16", dst, any_number},
    Command{"dst_tile", "TILE [FORMAT]", "a tile of Dst as 32 rows", tile, 2},
    Command{"fifo", "[THREAD]", "what waits in the instruction FIFOs", fifo, 1},
    Command{"findings", "", "findings so far", findings, 0},
    Command{"help", "[PREFIX]", "the commands that begin so", help, 1},
    Command{"last", "[N]", "the coprocessor's last N instructions", last, 1},
    Command{"lregs", "[REGISTER [LANE]]", "registers of the vector unit", lregs, any_number},
    Command{"mutexes", "", "who has each mutex", mutexes, any_number},
    Command{"print", "[STATE [as FORMAT]]", "any state, or a configuration field; alone: all names", print, any_number},
    Command{"semaphores", "", "values and limits", semaphores, 0},
    Command{"srca", "[BANK [ROW [COLUMN]]] [as FORMAT]", "SrcA: srca 0 0:4", src_a, any_number},
    Command{"srcb", "[BANK [ROW [COLUMN]]] [as FORMAT]", "SrcB", src_b, any_number},
    Command{"tile", "X,Y COMMAND", "a command for another tile of the chip; without it, the selected core's", nullptr, any_number},
    Command{"tiles", "", "the tiles that are there", tiles, 0},
    Command{"waiting", "", "who waits for whom", waiting, 0},
    Command{"wrote", "ADDRESS [BYTES]", "who wrote there last", wrote, 2},
};

Text help(const Context&, const Words& words) {
    const std::string_view prefix = words.size() > 1 ? std::string_view(words[1]) : std::string_view();
    std::string text;
    for (const Command& one : commands)
        if (one.name.starts_with(prefix))
            text += fmt::format("  {:<42} {}\n", fmt::format("{} {}", one.name, one.arguments), one.about);
    return text.empty() ? fmt::format("no command begins with '{}'\n", prefix) : text;
}

}  // namespace

Result<std::string> TilesTarget::command(unsigned core, std::string_view line, const Interrupted& interrupted) {
    std::istringstream in{std::string(line)};
    Words words;
    for (std::string word; in >> word;) words.push_back(word);
    Context context{*this, core, interrupted};
    if (!words.empty() && words[0] == "tile") {
        unsigned tile = 0;
        while (tile < tiles() && (words.size() < 2 || tile_name(tile).empty() || tile_name(tile) != words[1])) ++tile;
        if (tile == tiles() && tile_name(0).empty()) return fail("gdb.command", "there is one tile only: type the command without tile X,Y");
        if (tile == tiles())
            return fail("gdb.command", fmt::format("tile takes X,Y and a command; X,Y of this core is {}", tile_name(context.tile())));
        context.core = first_core(tile);
        words.erase(words.begin(), words.begin() + 2);
    }
    if (words.empty()) words.emplace_back("help");
    const auto found = std::find_if(commands.begin(), commands.end(),
                                    [&](const Command& one) { return one.does && one.name == words[0]; });
    if (found != commands.end() && words.size() - 1 > found->most)
        return fail("gdb.command", fmt::format("'{}' is one too many: {} takes {}", words[found->most + 1], found->name,
                                               found->most == 0 ? "no operand" : found->arguments));
    if (found != commands.end()) return found->does(context, words);
    std::vector<std::string_view> names;
    for (const Command& one : commands) names.push_back(one.name);
    return fail("gdb.command", fmt::format("unknown command '{}'{}; try monitor help", words[0], suggestion(words[0], names)));
}

}  // namespace tessera::gdb
