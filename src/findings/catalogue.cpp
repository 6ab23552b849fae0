// SPDX-License-Identifier: Apache-2.0
#include "findings/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "findings/areas.hpp"
#include "findings/rows/config_and_sync.hpp"
#include "findings/rows/cores.hpp"
#include "findings/rows/front_end.hpp"
#include "findings/rows/hazards.hpp"
#include "findings/rows/matrix.hpp"
#include "findings/rows/packers.hpp"
#include "findings/rows/run.hpp"
#include "findings/rows/tile.hpp"
#include "findings/rows/unpackers.hpp"
#include "findings/rows/vector.hpp"
#include "tessera/data_format.hpp"
#include "tessera/op_place.hpp"
#include "util/range_text.hpp"

namespace tessera {

std::string_view name(Level level) {
    constexpr std::string_view names[] = {"off", "info", "warning", "error"};
    return names[static_cast<unsigned>(level)];
}

std::optional<Level> parse_level(std::string_view text) {
    for (Level level : {Level::off, Level::info, Level::warning, Level::error})
        if (name(level) == text) return level;
    return std::nullopt;
}

namespace {

/// A template's name without its arguments, which can be longer than a line.
std::string_view bare(std::string_view function) { return function.substr(0, function.find('<')); }

bool is_header(std::string_view place) {
    const std::string_view file = place.substr(0, place.rfind(':'));
    const std::size_t dot = file.rfind('.');
    const std::string_view ending = dot == file.npos ? std::string_view() : file.substr(dot);
    constexpr std::string_view sources[] = {".c", ".cc", ".cpp", ".cxx", ".C", ".s", ".S"};
    return std::find(std::begin(sources), std::end(sources), ending) == std::end(sources);
}

/// Whether the frame repeats its neighbour: an asm statement of an inlined function may have the line of the call.
bool repeats(const std::vector<Frame>& frames, std::size_t i) {
    return i > 0 && frames[i].place == frames[i - 1].place;
}

std::string in_function(std::string_view between, std::string_view function) {
    return function.empty() ? std::string() : fmt::format("{}{}", between, bare(function));
}

/// The place with no more of its path than the file and its directory.
std::string with_few_directories(std::string_view place) {
    const std::size_t last = place.rfind('/');
    const std::size_t before = last == place.npos || last == 0 ? place.npos : place.rfind('/', last - 1);
    return std::string(before == place.npos ? place : place.substr(before + 1));
}

/// Of a long chain the innermost two and the outermost one: a kernel's line, and what it does in the end.
std::string chain(std::vector<std::string> links) {
    if (constexpr std::size_t most = 4; links.size() > most) {
        const std::size_t left_out = links.size() - 3;
        links.erase(links.begin() + 2, links.end() - 1);
        links.insert(links.end() - 1, fmt::format("… {} more …", left_out));
    }
    return fmt::format("{}", fmt::join(links, " ← "));
}

}  // namespace

const Frame* users_frame(const std::vector<Frame>& frames) {
    for (std::size_t i = frames.size(); i-- > 0;)
        if (!frames[i].place.empty() && !is_header(frames[i].place) && !repeats(frames, i)) return &frames[i];
    return frames.empty() ? nullptr : &frames.front();
}

std::string describe_frames(const std::vector<Frame>& frames) {
    const Frame* const users = users_frame(frames);
    if (!users) return {};
    std::vector<std::string> inlined, around;
    for (std::size_t i = frames.size(); i-- > 0;) {
        const Frame& frame = frames[i];
        if (&frame == users || repeats(frames, i)) continue;
        (&frame > users ? inlined : around)
            .push_back(with_few_directories(frame.place) + in_function(" ", frame.function));
    }
    if (inlined.empty() && around.empty()) return users->place;
    std::string text = users->place + in_function(" in ", users->function);
    if (!inlined.empty()) text += fmt::format(" (inlined: {})", chain(inlined));
    if (!around.empty()) text += fmt::format(" (inlined into {})", chain(around));
    return text;
}

std::string Diagnosis::describe() const {
    std::string text = fmt::format("{}: {}", code, message);
    if (where.thread >= 0) {
        const std::string place = where.describe_place();
        const OpPlace op{.thread = where.thread,
                         .index = where.index,
                         .position = where.position,
                         .cycle = where.cycle,
                         .instruction = where.instruction,
                         .place = place};
        text += "\n  at      " + op.describe();
    }
    if (!where.core.empty()) {
        text += fmt::format("\n  {} {}", where.thread >= 0 ? "by     " : "at     ", where.core);
        if (where.pc >= 0) text += fmt::format(" 0x{:x}", where.pc);
        if (!where.function.empty()) text += fmt::format(" {}", where.function);
        if (where.thread < 0) {
            if (where.cycle != no_cycle) text += fmt::format(", cycle {}", where.cycle);
            if (!where.instruction.empty()) text += fmt::format(": {}", where.instruction);
        }
        if (where.thread < 0 && !where.place.empty()) text += fmt::format(" ({})", where.describe_place());
    }
    if (!hardware.empty()) text += fmt::format("\n  silicon {}", hardware);
    if (!cure.empty()) text += fmt::format("\n  cure    {}", cure);
    if (!source.empty()) text += fmt::format("\n  source  {}", source);
    return text;
}

std::string Fault::describe() const {
    std::string text = Diagnosis::describe(), line;
    const auto end_line = [&] {
        if (!line.empty()) text += "\n  core   " + line;
        line.clear();
    };
    for (const NamedValue& one : registers) {
        if (one.value == 0) continue;
        line += fmt::format(" {:>3} 0x{:08x}", one.name, one.value);
        if (line.size() > 90) end_line();
    }
    end_line();
    return text;
}

namespace findings {

namespace {

template <std::size_t... Sizes>
constexpr auto joined(const Entry (&... parts)[Sizes]) {
    std::array<Entry, (Sizes + ...)> all{};
    std::size_t end = 0;
    const auto append = [&](const auto& part) {
        for (const Entry& row : part) all[end++] = row;
    };
    (append(parts), ...);
    return all;
}

constexpr auto all = joined(rows::run, rows::unpackers, rows::packers, rows::matrix, rows::vector, rows::config_and_sync,
                            rows::front_end, rows::tile, rows::hazards, rows::cores);
static_assert(std::equal(all.begin(), all.end(), std::begin(codes), std::end(codes),
                         [](const Entry& row, std::string_view code) { return row.code == code; }),
              "rows/ has the codes of codes.hpp, in their order");

constexpr Area parts[] = {{"run", "runs as a whole", rows::run},
                          {"unpackers", "unpackers", rows::unpackers},
                          {"packers", "packers", rows::packers},
                          {"matrix", "matrix unit", rows::matrix},
                          {"vector", "vector unit", rows::vector},
                          {"config-and-sync", "configuration, address counters, scalar unit, mover and synchronisation", rows::config_and_sync},
                          {"front-end", "MOP and REPLAY", rows::front_end},
                          {"tile", "addresses of RISC-V cores", rows::tile},
                          {"hazards", "order between accesses", rows::hazards},
                          {"cores", "RISC-V cores and ends of kernels", rows::cores}};

bool is_hexadecimal(std::string_view name) {
    return name == "address" || name == "first" || name == "last" || name == "opcode" || name == "command" ||
           name == "bits" || name == "word" || name == "wanted";
}

bool is_format(std::string_view name) { return name.ends_with("_format"); }

std::string show(std::string_view name, std::uint32_t value, std::string_view detail, const ValueText& text) {
    if (text)
        if (std::string shown = text(name, value); !shown.empty()) return shown;
    if (is_format(name)) return std::string(tessera::name(DataFormat(value)));
    if (is_config_word(name)) return fmt::format("word {}", value);
    // "Dst row 16", but "L1 0x10".
    return is_hexadecimal(name) && !detail.ends_with(" row") ? fmt::format("0x{:X}", value) : fmt::format("{}", value);
}

/// "rows {0} to {1}" becomes "row 7" if both values are shown as "7".
void shorten_ranges(std::string& message, const std::vector<std::string>& values) {
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
        const std::string bounds = fmt::format(" {{{}}} to {{{}}}", i, i + 1);
        const std::size_t at = message.find(bounds);
        if (at == std::string::npos || values[i] != values[i + 1]) continue;
        const std::size_t blank = message.rfind(' ', at - 1);
        const std::size_t word = blank == std::string::npos ? 0 : blank + 1;
        const std::string what = message.substr(word, at - word);
        message.replace(word, what.size() + bounds.size(), util::range_text(what, values[i], values[i + 1]));
    }
}

}  // namespace

constinit const std::span<const Entry> catalogue{all};
constinit const std::span<const Area> areas{parts};

std::string page_of(std::string_view code) {
    for (const Area& area : areas)
        for (const Entry& row : area.rows) {
            if (row.code != code) continue;
            // Markdown viewers leave dots out of a heading's anchor.
            std::string anchor(code);
            std::erase(anchor, '.');
            return fmt::format("reference/findings/{}.md#{}", area.page, anchor);
        }
    return {};
}

void describe(const Note& note, Diagnosis& diagnosis, const ValueText& shown) {
    const Entry& row = entry(note.id);
    diagnosis.code = row.code;
    diagnosis.values.clear();
    std::string text(row.message);
    auto replace = [&](std::string_view what, std::string_view with) {
        for (std::size_t at; (at = text.find(what)) != std::string::npos;) text.replace(at, what.size(), with);
    };
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < row.values.size() && !row.values[i].empty(); ++i) {
        diagnosis.values.push_back({std::string(row.values[i]), note.values[i]});
        texts.push_back(show(row.values[i], note.values[i], note.detail, shown));
    }
    shorten_ranges(text, texts);
    for (std::size_t i = 0; i < texts.size(); ++i) replace(fmt::format("{{{}}}", i), texts[i]);
    replace("{detail}", note.detail);
    diagnosis.message = std::move(text);
    diagnosis.hardware = row.hardware;
    diagnosis.cure = row.cure;
    diagnosis.source = row.source;
    for (const rows::Unwritten& special : rows::unwritten) {
        if (note.id != id("state.read-before-write") || special.detail != note.detail) continue;
        diagnosis.cure = special.cure;
        diagnosis.source = special.source;
    }
}

}  // namespace findings

}  // namespace tessera
