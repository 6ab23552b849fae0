// SPDX-License-Identifier: Apache-2.0
#include "support/removed_waits.hpp"

#include <array>

namespace tessera::test {

namespace {

constexpr std::string_view interlock = "a written 8x16 block of Dst is held back from the packers";
constexpr std::string_view implied =
    "the first wait for MATH_PACK implies it: T1 posts only after it has waited for T0";
constexpr std::string_view scalar = "ADDDMAREG holds its thread until it is done";
constexpr std::string_view no_maximum = "a semaphore's maximum is 0 before SEMINIT, and the core waits until it is not";

constexpr std::string_view no_format =
    "on Blackhole ELWADD takes its formats from the banks, and uses nothing else that T0 has stored";
constexpr std::string_view by_bank = "T1 waits for banks that T0 hands over after it has waited for its core's stores";

constexpr Removed table[] = {
    {"add", "unpack.tts", "STALLWAIT stall_res=0x1FF wait_res=1<<10", 1, "hazard.config-store"},
    {"add", "unpack.tts", "SEMPOST sem_sel=MATH_READY|PACK_READY", 1, "deadlock"},
    {"add", "unpack.tts", "UNPACR Unpack_block_selection=0 AddrMode=1 SetDatValid=1 Last=1", 1, "deadlock"},
    {"add", "unpack.tts", "UNPACR Unpack_block_selection=1 AddrMode=1 SetDatValid=1 Last=1", 1, "deadlock"},
    {"add", "math.tts", "SEMWAIT stall_res=BLOCK_MATH_AND_SYNC sem_sel=MATH_READY wait_sem_cond=1", 1, "", no_format},
    {"add", "math.tts", "SEMWAIT stall_res=BLOCK_MATH_AND_SYNC sem_sel=MATH_PACK wait_sem_cond=2", 1, "hazard.dst"},
    {"add", "math.tts", "SEMWAIT stall_res=BLOCK_MATH_AND_SYNC sem_sel=MATH_PACK wait_sem_cond=2", 2, "hazard.dst"},
    {"add", "math.tts", "ELWADD addr_mode=1 clear_dvalid=3", 1, "deadlock"},
    {"add", "math.tts", "ELWADD addr_mode=1 clear_dvalid=3", 2, "deadlock"},
    {"add", "math.tts", "STALLWAIT stall_res=1<<1 wait_res=1<<4", 1, "", interlock},
    {"add", "math.tts", "STALLWAIT stall_res=1<<1 wait_res=1<<4", 2, "", interlock},
    {"add", "math.tts", "SEMPOST sem_sel=MATH_PACK", 1, "deadlock, hazard.dst"},
    {"add", "math.tts", "SEMPOST sem_sel=MATH_PACK", 2, "deadlock, hazard.dst"},
    {"add", "pack.tts", "SEMWAIT stall_res=BLOCK_PACK_AND_SYNC sem_sel=PACK_READY wait_sem_cond=1", 1, "", implied},
    {"add", "pack.tts", "SEMWAIT stall_res=BLOCK_PACK_AND_SYNC sem_sel=MATH_PACK wait_sem_cond=1", 1,
     "hazard.dst, sync.get-at-0"},
    {"add", "pack.tts", "SEMWAIT stall_res=BLOCK_PACK_AND_SYNC sem_sel=MATH_PACK wait_sem_cond=1", 2, "hazard.dst"},
    {"add", "pack.tts", "STALLWAIT stall_res=1<<1 wait_res=1<<3", 1, "hazard.dst"},
    {"add", "pack.tts", "STALLWAIT stall_res=1<<1 wait_res=1<<3", 2, "hazard.dst"},
    {"add", "pack.tts", "SEMGET sem_sel=MATH_PACK", 1, "deadlock, hazard.dst"},
    {"add", "pack.tts", "SEMGET sem_sel=MATH_PACK", 2, "deadlock, hazard.dst"},
    {"matmul", "unpack.tts", "UNPACR Unpack_block_selection=1 OvrdThreadId=1 SetDatValid=1 Last=1", 1, "deadlock"},
    {"matmul", "unpack.tts", "STALLWAIT stall_res=BLOCK_CFG wait_res=SCALAR_BUSY", 1, "", scalar},
    {"matmul", "unpack.tts", "UNPACR Unpack_block_selection=1 OvrdThreadId=1 SetDatValid=1 Last=1", 2, "deadlock"},
    {"matmul", "unpack.tts", "STALLWAIT stall_res=BLOCK_CFG wait_res=SCALAR_BUSY", 2, "", scalar},
    {"matmul", "unpack.tts", "STALLWAIT stall_res=0x1FF wait_res=STORES_PENDING", 1, "", by_bank},
    {"matmul", "unpack.tts", "SEMPOST sem_sel=MATH_READY|PACK_READY", 1, "deadlock"},
    {"matmul", "unpack.tts", ".drain", 1, "", no_maximum},
    {"matmul", "unpack.tts", ".sem_wait UNPACK_SYNC, below_max", 1, "hazard.config-overtaken, sync.post-above-max"},
    {"matmul", "unpack.tts", ".sem_post UNPACK_SYNC", 1, "hazard.config-overtaken, sync.get-at-0"},
    {"matmul", "unpack.tts", "STALLWAIT stall_res=BLOCK_UNPACK wait_res=STORES_PENDING", 1, "hazard.config-store"},
    {"matmul", "unpack.tts", "UNPACR Unpack_block_selection=0 OvrdThreadId=1 SetDatValid=1 Last=1", 1, "deadlock"},
    {"matmul", "unpack.tts", "SEMGET sem_sel=1<<UNPACK_SYNC", 1, "deadlock"},
    {"matmul", "unpack.tts", ".sem_wait UNPACK_SYNC, below_max", 2, "hazard.config-overtaken, sync.post-above-max"},
    {"matmul", "unpack.tts", ".sem_post UNPACK_SYNC", 2, "hazard.config-overtaken, sync.get-at-0"},
    {"matmul", "unpack.tts", "STALLWAIT stall_res=BLOCK_UNPACK wait_res=STORES_PENDING", 2, "hazard.config-store"},
    {"matmul", "unpack.tts", "UNPACR Unpack_block_selection=0 OvrdThreadId=1 SetDatValid=1 Last=1", 2, "deadlock"},
    {"matmul", "unpack.tts", "SEMGET sem_sel=1<<UNPACK_SYNC", 2, "deadlock"},
    {"matmul", "math.tts", ".mop 7 = MVMUL addr_mode=7 clear_dvalid=3", 1, "deadlock"},
    {"matmul", "math.tts", ".mop 8 = MVMUL addr_mode=6 clear_dvalid=2", 1, "deadlock"},
    {"matmul", "math.tts", "SEMWAIT stall_res=BLOCK_MATH_AND_SYNC sem_sel=MATH_READY wait_sem_cond=1", 1, "", by_bank},
    {"matmul", "math.tts", "SEMWAIT stall_res=BLOCK_MATH_AND_SYNC sem_sel=MATH_PACK wait_sem_cond=2", 1, "hazard.dst"},
    {"matmul", "math.tts", "STALLWAIT stall_res=1<<1 wait_res=1<<4", 1, "", interlock},
    {"matmul", "math.tts", "SEMPOST sem_sel=MATH_PACK", 1, "deadlock"},
    {"matmul", "pack.tts", "SEMWAIT stall_res=BLOCK_PACK_AND_SYNC sem_sel=PACK_READY wait_sem_cond=1", 1, "", implied},
    {"matmul", "pack.tts", "SEMWAIT stall_res=BLOCK_PACK_AND_SYNC sem_sel=MATH_PACK wait_sem_cond=1", 1,
     "deadlock, hazard.dst, sync.get-at-0"},
    {"matmul", "pack.tts", "STALLWAIT stall_res=BLOCK_MATH wait_res=PACKER_BUSY", 1, "hazard.dst"},
    {"matmul", "pack.tts", "SEMGET sem_sel=MATH_PACK", 1, "deadlock, hazard.dst"},
};

constexpr std::array<std::string_view, 4> instructions = {"STALLWAIT ", "SEMWAIT ", "SEMPOST ", "SEMGET "};
constexpr std::array<std::string_view, 4> directives = {".sem_wait ", ".sem_post ", ".sem_get ", ".drain"};
constexpr std::array<std::string_view, 4> hand_overs = {" clear_dvalid=1", " clear_dvalid=2", " clear_dvalid=3",
                                                        " SetDatValid=1"};

std::string_view trimmed(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return line.substr(0, line.find_last_not_of(' ') + 1);
}

template <std::size_t N>
bool starts_with_one_of(std::string_view line, const std::array<std::string_view, N>& list) {
    for (const auto start : list)
        if (line.starts_with(start)) return true;
    return false;
}

/// The line without what it orders; the same line when it orders nothing.
std::string without_order(const std::string& line) {
    const auto text = trimmed(line);
    if (starts_with_one_of(text, instructions)) return "NOP";
    if (starts_with_one_of(text, directives)) return {};
    if (text.starts_with('#')) return line;
    for (const auto operand : hand_overs)
        if (const std::size_t at = line.find(operand); at != line.npos)
            return line.substr(0, at) + line.substr(at + operand.size());
    return line;
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

}  // namespace

std::span<const Removed> removed_waits() { return table; }

std::optional<Disregarded> ordering_instead(const Removed& removed) {
    if (removed.not_needed == interlock) return Disregarded{Ordering::dst_block};
    if (removed.not_needed == scalar) return Disregarded{Ordering::scalar_hold};
    if (removed.not_needed == implied) return Disregarded{Ordering::semaphore, 2, {}, 1};
    if (removed.not_needed == by_bank) return Disregarded{Ordering::bank, 1};
    return std::nullopt;
}

std::set<LineKey> ordering_lines(const Example& example) {
    std::set<LineKey> lines;
    for (const auto file : Example::files) {
        std::map<std::string, int> seen;
        for (const auto& line : split(example.text(file)))
            if (const std::string key(trimmed(line)); without_order(line) != line)
                lines.emplace(file, key, ++seen[key]);
    }
    return lines;
}

std::string without(const std::string& text, const Removed& removed) {
    int seen = 0;
    std::string result;
    for (const auto& line : split(text))
        result += (trimmed(line) == removed.line && ++seen == removed.occurrence ? without_order(line) : line) + '\n';
    return result;
}

}  // namespace tessera::test
