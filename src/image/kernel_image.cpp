// SPDX-License-Identifier: Apache-2.0
// Names and lines of an image, and values of its variables.
#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "tessera/kernels.hpp"
#include "tessera/similar_name.hpp"

namespace tessera {

namespace {

/// The demangled C++ name; other names are returned unchanged.
std::string demangled(const std::string& name) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                           &std::free);
    return status == 0 && text ? text.get() : name;
}

/// The last row at or before an address.
template <class Row>
const Row* row_before(const std::vector<Row>& rows, std::uint32_t address) {
    const auto next = std::upper_bound(rows.begin(), rows.end(), address,
                                       [](std::uint32_t value, const Row& row) { return value < row.address; });
    return next == rows.begin() ? nullptr : &*std::prev(next);
}

/// Symbol pairs around memory that start-up code clears, from GNU linker scripts and the kernel library's (spec-notes
/// K2).
constexpr std::array<std::array<std::string_view, 2>, 3> cleared_by_startup = {
    {{"__ldm_bss_start", "__ldm_bss_end"}, {"__bss_start", "__bss_end"}, {"__bss_start", "_end"}}};

bool is_cleared(const KernelImage& image, const KernelImage::Symbol& symbol) {
    if (symbol.in_bss) return true;
    for (const auto& [first, last] : cleared_by_startup) {
        const auto* from = image.find_symbol(first);
        const auto* to = image.find_symbol(last);
        if (from && to && symbol.address >= from->address && symbol.address < to->address) return true;
    }
    return false;
}

void put_word(std::vector<std::byte>& bytes, std::size_t offset, std::uint32_t word) {
    for (unsigned i = 0; i < 4; ++i) bytes[offset + i] = static_cast<std::byte>(word >> 8 * i & 0xFF);
}

}  // namespace

const KernelImage::Symbol* KernelImage::find_symbol(std::string_view wanted) const {
    for (const auto& symbol : symbols)
        if (symbol.name == wanted) return &symbol;
    if (wanted.find("::") == wanted.npos) return nullptr;
    for (const auto& symbol : symbols)
        if (symbol.name.starts_with("_Z") && demangled(symbol.name) == wanted) return &symbol;
    return nullptr;
}

Result<void> KernelImage::set_words(std::string_view wanted, std::span<const std::uint32_t> words) {
    const Symbol* symbol = find_symbol(wanted);
    if (!symbol) {
        std::vector<std::string_view> names;
        for (const auto& one : symbols)
            if (!one.function) names.push_back(one.name);
        return fail("kernel.symbol", fmt::format("unknown symbol '{}'{}", wanted, suggestion(wanted, names)), file);
    }
    const std::uint64_t size = 4 * std::uint64_t{words.size()};
    const auto refuse = [&](std::string_view why) {
        return fail("kernel.value", fmt::format("'{}' {}", wanted, why), file);
    };
    if (symbol->function) return refuse("is code, not a variable");
    if (symbol->size != 0 && size > symbol->size)
        return refuse(fmt::format("has {} bytes, and is given {}", symbol->size, size));
    if (symbol->address + size > std::uint64_t{1} << 32) return refuse("ends beyond the address space");
    if (is_cleared(*this, *symbol))
        return refuse(
            "is in .bss, which start-up code clears: give it a value other than zero in the source, or a section of "
            "its own");
    // Words outside the file's bytes become a segment of their own.
    Segment added;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::uint32_t address = symbol->address + static_cast<std::uint32_t>(4 * i);
        bool found = false;
        for (auto& segment : segments) {
            const std::uint64_t offset = std::uint64_t{address} - segment.runs_at;
            if (address < segment.runs_at || offset + 4 > segment.bytes.size()) continue;
            put_word(segment.bytes, offset, words[i]);
            found = true;
        }
        if (found) continue;
        if (added.bytes.empty()) added.address = added.runs_at = address;
        added.bytes.resize(address - added.address + 4);
        put_word(added.bytes, address - added.address, words[i]);
    }
    if (!added.bytes.empty()) segments.push_back(std::move(added));
    return {};
}

std::string KernelImage::place(std::uint32_t address) const {
    const Line* row = row_before(lines, address);
    if (!row || row->line == 0 || row->file >= files.size()) return {};
    return fmt::format("{}:{}", files[row->file], row->line);
}

std::vector<Frame> KernelImage::frames(std::uint32_t address) const {
    std::vector<Frame> frames;
    Frame inner{{}, place(address)};
    const ScopeRow* row = row_before(scope_rows, address);
    // A caller may have filled in any numbers: a chain without an end stops when it is longer than all scopes.
    for (std::int32_t at = row ? row->scope : -1; at >= 0 && frames.size() < scopes.size();) {
        if (static_cast<std::size_t>(at) >= scopes.size()) break;
        const Scope& scope = scopes[static_cast<std::size_t>(at)];
        inner.function = scope.function;
        frames.push_back(std::move(inner));
        const bool known = scope.line != 0 && scope.file < files.size();
        inner = {{}, known ? fmt::format("{}:{}", files[scope.file], scope.line) : std::string()};
        at = scope.outer;
    }
    if (frames.empty() && !inner.place.empty()) frames.push_back(std::move(inner));
    std::reverse(frames.begin(), frames.end());
    return frames;
}

std::string KernelImage::function(std::uint32_t address) const {
    const Symbol* found = nullptr;
    const auto end = std::upper_bound(symbols.begin(), symbols.end(), address,
                                      [](std::uint32_t value, const Symbol& symbol) { return value < symbol.address; });
    for (auto at = end; at != symbols.begin();) {
        --at;
        if (!at->function) continue;
        // If several names share the address, prefers one with a size.
        if (found && at->address != found->address) break;
        if (!found || at->size != 0) found = &*at;
    }
    if (!found || (found->size != 0 && address - found->address >= found->size)) return {};
    const std::string text = demangled(found->name);
    return address == found->address ? text : fmt::format("{}+0x{:x}", text, address - found->address);
}

}  // namespace tessera
