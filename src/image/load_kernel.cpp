// SPDX-License-Identifier: Apache-2.0
// Maps an ELF file's segments to memories (spec-notes K1), and reads its symbols.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "image/elf_file.hpp"
#include "image/lines.hpp"
#include "state/arch_description.hpp"
#include "state/riscv.hpp"
#include "tensor/host_file.hpp"
#include "tessera/kernels.hpp"

namespace tessera {

namespace {

using image::ElfFile;

/// More than any memory of a tile holds. Without a bound, a small file could request gigabytes.
constexpr std::uint64_t most_bytes = std::uint64_t{2} << 20;
constexpr std::size_t most_segments = 256;

bool is_local(std::uint64_t address) { return address >= state::Riscv::local_base; }

class Loader {
public:
    explicit Loader(const ElfFile& elf) : elf_(elf) {}

    Result<KernelImage> load(const std::string& path) {
        const GElf_Ehdr& header = elf_.header();
        if (!elf_.is_riscv()) return elf_.broken(elf_.other_machine());
        if (header.e_ident[EI_CLASS] != ELFCLASS32) return elf_.broken("it is for 64-bit RISC-V, not for 32-bit");
        if (header.e_type != ET_EXEC)
            return elf_.broken("it is not executable: it has not been linked, or not to fixed addresses");
        image_.file = path;
        image_.entry = static_cast<std::uint32_t>(header.e_entry);
        if (auto done = read_symbols(); !done) return tl::make_unexpected(done.error());
        if (auto done = read_segments(); !done) return tl::make_unexpected(done.error());
        if (image_.segments.empty()) return elf_.broken("it has no segments to load");
        const auto holds_entry = [&](const KernelImage::Segment& segment) {
            return image_.entry >= segment.runs_at && image_.entry - segment.runs_at < segment.bytes.size();
        };
        if (image_.entry % 4 != 0 || std::none_of(image_.segments.begin(), image_.segments.end(), holds_entry))
            return elf_.broken(
                fmt::format("its entry 0x{:X} is not in it, or is not an address of an instruction", image_.entry));
        image::read_lines(elf_, image_);
        return std::move(image_);
    }

private:
    Result<void> read_segments() {
        std::size_t count = 0;
        if (elf_getphdrnum(elf_.handle(), &count) != 0 || count != elf_.header().e_phnum)
            return elf_.broken("its program headers go beyond the end of the file");
        // Linkers produce a handful of segments.
        if (count > most_segments) return elf_.broken(fmt::format("it has {} segments", count));
        std::uint64_t total = 0;
        for (std::size_t i = 0; i < count; ++i) {
            GElf_Phdr header;
            if (!gelf_getphdr(elf_.handle(), static_cast<int>(i), &header))
                return elf_.broken("its program headers cannot be read");
            if (header.p_type != PT_LOAD || header.p_memsz == 0) continue;
            if (header.p_filesz > header.p_memsz || !elf_.contains(header.p_offset, header.p_filesz))
                return elf_.broken(fmt::format("segment {} goes beyond the end of the file", i));
            total += header.p_memsz;
            if (total > most_bytes || header.p_vaddr + header.p_memsz > std::uint64_t{1} << 32)
                return elf_.broken(fmt::format("segment {} is larger than any memory of a tile", i));
            if (auto done = add_segment(header); !done) return done;
        }
        return {};
    }

    Result<void> add_segment(const GElf_Phdr& header) {
        const auto address = static_cast<std::uint32_t>(header.p_vaddr);
        const auto stored = static_cast<std::uint32_t>(header.p_paddr);
        const bool local = is_local(address);
        // Memory in L1 without file bytes is not written: arguments and circular buffers are there.
        if (header.p_filesz == 0 && !local) return {};
        add(address, address, header.p_filesz, header);
        if (header.p_filesz == 0) return {};
        if (stored != address) add(stored, address, header.p_filesz, header);
        return local && address < state::Riscv::iram_base ? add_startup_copy(header) : Result<void>{};
    }

    void add(std::uint32_t where, std::uint32_t runs_at, std::uint64_t size, const GElf_Phdr& header) {
        // Start-up code copies the file's bytes and clears the rest itself.
        std::vector<std::byte> bytes(where == runs_at ? header.p_memsz : size);
        if (size != 0) std::memcpy(bytes.data(), elf_.bytes().data() + header.p_offset, size);
        image_.segments.push_back({where, std::move(bytes), runs_at});
    }

    /// The kernel library's start-up code fills local memory from .loader_init. Its loader fills that section, because
    /// only the core can reach local memory.
    Result<void> add_startup_copy(const GElf_Phdr& header) {
        const auto* from = image_.find_symbol("__loader_init_start");
        const auto* to = image_.find_symbol("__loader_init_end");
        const auto* data = image_.find_symbol("__ldm_data_start");
        if (!from || !to || !data || from->address >= to->address) return {};
        const auto address = static_cast<std::uint32_t>(header.p_vaddr);
        if (address < data->address) return {};
        const std::uint64_t offset = address - data->address;
        if (offset + header.p_filesz > to->address - from->address)
            return elf_.broken("the data for local memory does not fit into .loader_init");
        add(from->address + static_cast<std::uint32_t>(offset), address, header.p_filesz, header);
        return {};
    }

    Result<void> read_symbols() {
        const auto sections = elf_.sections();
        if (!sections) return tl::make_unexpected(sections.error());
        for (const auto& section : *sections) {
            if (section.header.sh_type != SHT_SYMTAB) continue;
            if (!elf_.contains(section.header.sh_offset, section.header.sh_size))
                return elf_.broken("its symbols go beyond the end of the file");
            Elf_Data* data = elf_getdata(section.handle, nullptr);
            if (!data) return elf_.broken("its symbols cannot be read");
            const std::size_t count = data->d_size / sizeof(Elf32_Sym);
            for (std::size_t i = 1; i < count; ++i) {
                GElf_Sym symbol;
                if (gelf_getsym(data, static_cast<int>(i), &symbol))
                    add_symbol(symbol, section.header.sh_link, *sections);
            }
        }
        std::stable_sort(image_.symbols.begin(), image_.symbols.end(),
                         [](const auto& a, const auto& b) { return a.address < b.address; });
        return {};
    }

    void add_symbol(const GElf_Sym& symbol, std::size_t names, const std::vector<ElfFile::Section>& sections) {
        const auto type = GELF_ST_TYPE(symbol.st_info);
        if (symbol.st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_OBJECT && type != STT_NOTYPE)) return;
        const char* text = elf_strptr(elf_.handle(), names, symbol.st_name);
        // Skips names of no use to readers: local labels, and markers of code and data ("$x", "$d").
        if (!text || *text == '\0' || *text == '$' || std::strncmp(text, ".L", 2) == 0) return;
        const ElfFile::Section* const section = symbol.st_shndx <= sections.size() ? &sections[symbol.st_shndx - 1] : nullptr;
        const bool in_code = section && (section->header.sh_flags & SHF_EXECINSTR) != 0;
        // Others without contents, as .noinit, are not cleared.
        const bool in_bss = section && section->header.sh_type == SHT_NOBITS && section->name.find("bss") != section->name.npos;
        image_.symbols.push_back({image::printable(text), static_cast<std::uint32_t>(symbol.st_value),
                                  static_cast<std::uint32_t>(symbol.st_size),
                                  type == STT_FUNC || (type == STT_NOTYPE && in_code), in_bss});
    }

    const ElfFile& elf_;
    KernelImage image_;
};

}  // namespace

Result<KernelImage> load_kernel(const std::string& path) {
    const auto bytes = tensor::read_file(path, "elf.open");
    if (!bytes) return tl::make_unexpected(bytes.error());
    const auto elf = ElfFile::open(*bytes, path);
    if (!elf) return tl::make_unexpected(elf.error());
    return Loader(*elf).load(path);
}

}  // namespace tessera
