// SPDX-License-Identifier: Apache-2.0
#include "image/lines.hpp"

#include <elfutils/libdw.h>

#include <algorithm>

#include "image/scopes.hpp"

namespace tessera::image {

namespace {

struct EndDwarf {
    void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
};

/// Rows of contiguous addresses; the last row only marks the end.
struct Sequence {
    std::vector<KernelImage::Line> rows;

    std::uint32_t first() const { return rows.front().address; }
    std::uint32_t end() const { return rows.back().address; }
};

class LineReader {
public:
    LineReader(KernelImage& image, SourceFiles& files) : image_(image), files_(files) {}

    void read_unit(Dwarf_Die& unit) {
        Dwarf_Lines* lines = nullptr;
        std::size_t count = 0;
        if (dwarf_getsrclines(&unit, &lines, &count) != 0) return;
        for (std::size_t i = 0; i < count; ++i) add(dwarf_onesrcline(lines, i));
        current_.rows.clear();
    }

    void finish() {
        std::stable_sort(sequences_.begin(), sequences_.end(),
                         [](const Sequence& a, const Sequence& b) { return a.first() < b.first(); });
        for (const auto& sequence : sequences_) append(sequence);
    }

private:
    void add(Dwarf_Line* line) {
        Dwarf_Addr address = 0;
        int number = 0;
        bool end = false;
        if (!line || dwarf_lineaddr(line, &address) != 0 || dwarf_lineno(line, &number) != 0 ||
            dwarf_lineendsequence(line, &end) != 0 || address > 0xFFFF'FFFF)
            return;
        const auto at = static_cast<std::uint32_t>(address);
        auto& rows = current_.rows;
        if (!end) {
            if (!is_loaded(image_, at)) return;
            // If several rows have the same address, the last one counts.
            const KernelImage::Line row{at, files_.number(dwarf_linesrc(line, nullptr, nullptr)), std::max(number, 0)};
            if (!rows.empty() && rows.back().address == at)
                rows.back() = row;
            else
                rows.push_back(row);
            return;
        }
        if (!rows.empty() && at > current_.end()) {
            rows.push_back({at, 0, 0});
            sequences_.push_back(std::move(current_));
        }
        rows.clear();
    }

    /// A sequence that begins at the end of the previous one replaces its end row.
    void append(const Sequence& sequence) {
        auto& lines = image_.lines;
        if (!lines.empty() && sequence.first() < lines.back().address) return;
        if (!lines.empty() && lines.back().address == sequence.first()) lines.pop_back();
        for (const auto& row : sequence.rows) {
            const bool same = !lines.empty() && lines.back().file == row.file && lines.back().line == row.line;
            if (!same) lines.push_back(row);
        }
    }

    KernelImage& image_;
    SourceFiles& files_;
    Sequence current_;
    std::vector<Sequence> sequences_;
};

/// libdw trusts the declared size of compressed sections, so it is bounded here.
bool is_reasonable(const ElfFile& elf) {
    constexpr std::uint64_t most = std::uint64_t{256} << 20;
    const auto sections = elf.sections();
    if (!sections) return false;
    for (const auto& section : *sections) {
        if (!(section.header.sh_flags & SHF_COMPRESSED)) continue;
        GElf_Chdr compressed;
        if (!gelf_getchdr(section.handle, &compressed) || compressed.ch_size > most) return false;
    }
    return true;
}

}  // namespace

void read_lines(const ElfFile& elf, KernelImage& image) {
    if (!is_reasonable(elf)) return;
    const std::unique_ptr<Dwarf, EndDwarf> dwarf(dwarf_begin_elf(elf.handle(), DWARF_C_READ, nullptr));
    if (!dwarf) return;
    SourceFiles files(image);
    LineReader lines(image, files);
    ScopeReader scopes(image, files);
    Dwarf_CU* unit = nullptr;
    Dwarf_Die die;
    while (dwarf_get_units(dwarf.get(), unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
        lines.read_unit(die);
        scopes.read_unit(die);
    }
    lines.finish();
    scopes.finish();
}

}  // namespace tessera::image
