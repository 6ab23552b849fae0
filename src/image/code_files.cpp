// SPDX-License-Identifier: Apache-2.0
#include "image/code_files.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <tuple>

#include "image/elf_file.hpp"
#include "tensor/host_file.hpp"
#include "util/xxh64.hpp"

namespace tessera::image {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t word_bytes = 4;
constexpr std::size_t most_code = std::size_t{2} << 20;
/// Fewer words than these are found in many places: all must be the same.
constexpr std::size_t few_words = 8;

constexpr std::uint32_t opcode_mask = 0x7F, destination_mask = 0xF80;
constexpr std::uint32_t load = 0x03, immediate = 0x13, auipc = 0x17, store = 0x23, lui = 0x37, jump_to_register = 0x67;

/// Whether a loader that moves code may have made one of the other. It changes immediates, and makes auipc of lui.
bool is_moved(std::uint32_t file, std::uint32_t memory) {
    constexpr std::uint32_t of_store = 0xFE00'0000 | destination_mask, of_load = 0xFFF0'0000;
    const std::uint32_t differ = file ^ memory;
    switch (file & opcode_mask) {
        case lui:
        case auipc: {
            const std::uint32_t other = memory & opcode_mask;
            return (other == lui || other == auipc) && (differ & destination_mask) == 0;
        }
        case load:
        case immediate:
        case jump_to_register: return (differ & ~of_load) == 0;
        case store: return (differ & ~of_store) == 0;
        default: return false;
    }
}

/// 0: it cannot be told.
std::int64_t time_of(const fs::path& path) {
    std::error_code failed;
    const auto time = fs::last_write_time(path, failed);
    return failed ? 0 : static_cast<std::int64_t>(time.time_since_epoch().count());
}

}  // namespace

std::uint32_t Memory::word(std::uint32_t address) const {
    std::uint32_t value = 0;
    if (contains(address, word_bytes)) std::memcpy(&value, &bytes[address - first], word_bytes);
    return value;
}

CodeFiles::Code CodeFiles::find(const Memory& memory, std::uint32_t address) {
    if (!memory.contains(address, word_bytes) || address % word_bytes != 0) return {};
    const std::lock_guard lock(mutex_);
    Known known = find_known(memory, address);
    const std::string file = known.code.image ? known.code.image->file : std::string();
    if (known.is_exact && time_of(file) == read_[file]) return known.code;
    // Code is compiled before it is loaded: if no file has it today, none will have it later.
    const auto bytes = memory.bytes.subspan(known.first - memory.first, known.end - known.first);
    if (asked_.insert(util::xxh64(std::as_bytes(bytes), address)).second) {
        read_new_files();
        known = find_known(memory, address);
    }
    return known.code;
}

CodeFiles::Known CodeFiles::find_known(const Memory& memory, std::uint32_t address) {
    constexpr std::uint32_t around = 64;
    const auto behind = memory.first + static_cast<std::uint32_t>(memory.bytes.size());
    Known best{{}, address - std::min(address - memory.first, around), address + std::min(behind - address, around)};
    std::vector<Placed> found;
    for (std::size_t i = 0; i < files_.size(); ++i) add_places(i, memory, address, found);
    const auto rank = [&](const Placed& at) {
        return std::tuple(at.same, at.first == part(at).address, files_[at.file].written, at.file);
    };
    std::sort(found.begin(), found.end(), [&](const Placed& a, const Placed& b) { return rank(a) > rank(b); });
    for (const Placed& at : found) {
        const Code one = code(at, address);
        if (!one.image) continue;
        const bool has_lines = !one.image->frames(one.address).empty();
        const std::size_t words = part(at).words.size();
        if (!best.code.image || has_lines)
            best = {one, at.first, at.first + static_cast<std::uint32_t>(word_bytes * words), at.same == words};
        if (has_lines) break;
    }
    return best;
}

/// Adds the places of the file's parts for which the word at `address` is one of their words.
void CodeFiles::add_places(std::size_t file, const Memory& memory, std::uint32_t address, std::vector<Placed>& found) const {
    const std::uint32_t word = memory.word(address);
    for (std::size_t p = 0; p < files_[file].parts.size(); ++p) {
        const std::vector<std::uint32_t>& words = files_[file].parts[p].words;
        for (std::size_t i = 0; i < words.size(); ++i)
            if (words[i] == word || is_moved(words[i], word))
                if (auto at = placed(file, p, memory, std::int64_t{address} - static_cast<std::int64_t>(word_bytes * i))) found.push_back(*at);
    }
}

std::optional<CodeFiles::Placed> CodeFiles::placed(std::size_t file, std::size_t part, const Memory& memory, std::int64_t first) const {
    const std::vector<std::uint32_t>& words = files_[file].parts[part].words;
    if (first < 0 || !memory.contains(static_cast<std::uint64_t>(first), word_bytes * words.size())) return {};
    Placed at{file, part, static_cast<std::uint32_t>(first)};
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::uint32_t word = memory.word(at.first + static_cast<std::uint32_t>(word_bytes * i));
        if (word == words[i])
            ++at.same;
        else if (words.size() < few_words || !is_moved(words[i], word))
            return {};
    }
    return 2 * at.same > words.size() ? std::optional(at) : std::nullopt;
}

CodeFiles::Code CodeFiles::code(const Placed& at, std::uint32_t address) {
    File& file = files_[at.file];
    if (!file.image) {
        // Lines of a file that has changed since are those of other code.
        auto image = time_of(file.path) == file.written ? load_kernel(file.path) : Result<KernelImage>(KernelImage());
        file.image = std::make_shared<const KernelImage>(image ? std::move(*image) : KernelImage());
    }
    if (file.image->segments.empty()) return {};
    return {file.image, address - at.first + part(at).address};
}

void CodeFiles::read_new_files() {
    for (const std::string& path : paths_) {
        std::error_code failed;
        if (!fs::is_directory(path, failed)) {
            read(path);
            continue;
        }
        constexpr auto how = fs::directory_options::skip_permission_denied | fs::directory_options::follow_directory_symlink;
        std::vector<std::string> inside;
        for (fs::recursive_directory_iterator entry(path, how, failed), end; !failed && entry != end; entry.increment(failed))
            if (entry->path().extension() == ".elf") inside.push_back(entry->path());
        std::sort(inside.begin(), inside.end());
        for (const std::string& file : inside) read(file);
    }
}

void CodeFiles::read(const std::string& path) {
    const std::int64_t time = time_of(path);
    std::error_code failed;
    if (time == 0 || read_[path] == time || !fs::is_regular_file(path, failed)) return;
    read_[path] = time;
    const auto bytes = tensor::read_file(path, "elf.open");
    if (!bytes) return;
    const auto elf = ElfFile::open(*bytes, path);
    if (!elf || !elf->is_riscv()) return;
    const auto sections = elf->sections();
    if (!sections) return;
    File file{path, time, {}, nullptr};
    for (const ElfFile::Section& section : *sections) {
        const GElf_Shdr& header = section.header;
        const bool code = header.sh_type == SHT_PROGBITS && (header.sh_flags & SHF_EXECINSTR) != 0 && header.sh_addr % word_bytes == 0;
        if (!code || header.sh_size < word_bytes || header.sh_size > most_code || !elf->contains(header.sh_offset, header.sh_size)) continue;
        Part part{static_cast<std::uint32_t>(header.sh_addr), std::vector<std::uint32_t>(header.sh_size / word_bytes)};
        std::memcpy(part.words.data(), elf->bytes().data() + header.sh_offset, word_bytes * part.words.size());
        file.parts.push_back(std::move(part));
    }
    if (!file.parts.empty()) files_.push_back(std::move(file));
}

}  // namespace tessera::image
