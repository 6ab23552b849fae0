// SPDX-License-Identifier: Apache-2.0
// L1: its bytes, with dirty tracking by line. Every store passes a write barrier, since save() and restore() visit
// only pages written since the last snapshot.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

namespace tessera::state {

/// The bytes of L1. Readable by all; only L1 writes them.
class L1Bytes {
public:
    std::size_t size() const { return size_; }
    const std::uint8_t* data() const { return first_; }
    const std::uint8_t* begin() const { return first_; }
    const std::uint8_t* end() const { return first_ + size_; }
    const std::uint8_t& operator[](std::size_t i) const { return first_[i]; }

    friend bool operator==(const L1Bytes& a, const L1Bytes& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

private:
    friend class L1;
    /// `size` zeros, rounded up to a multiple of `unit` bytes.
    L1Bytes(std::size_t size, std::size_t unit);
    L1Bytes(L1Bytes&&) noexcept = default;
    L1Bytes& operator=(L1Bytes&&) noexcept = default;

    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    std::unique_ptr<void, Free> memory_;
    std::uint8_t* first_;
    std::size_t size_;
};

class L1 {
public:
    static constexpr unsigned line_bytes = 16, page_bytes = 4096;

    using Page = std::array<std::uint8_t, page_bytes>;
    /// A snapshot of the bytes and of the written lines. Equal pages are shared.
    struct Saved {
        std::vector<std::shared_ptr<const Page>> pages;  ///< null: zeros
        std::vector<std::uint64_t> written;
    };

    explicit L1(std::uint32_t size);
    L1(const L1& other);
    /// Spans of the bytes stay valid if both have the same size.
    L1& operator=(const L1& other);
    L1(L1&&) noexcept = default;
    L1& operator=(L1&&) noexcept = default;
    ~L1() = default;

    L1Bytes bytes;

    bool contains(std::uint64_t address, std::uint64_t length) const {
        return length <= bytes.size() && address <= bytes.size() - length;
    }

    /// The place for a store of `length` bytes; marks its lines as written.
    std::uint8_t* write(std::uint32_t address, std::uint32_t length) {
        mark_written(address, length);
        return bytes.first_ + address;
    }
    /// The same for bytes within one line.
    std::uint8_t* write_in_line(std::uint32_t address) {
        recent_[address / line_bytes / 64] |= std::uint64_t{1} << address / line_bytes % 64;
        return bytes.first_ + address;
    }
    /// Undoes that mark of the line: it was not marked since the last save() or restore() before.
    void unmark_line(std::uint32_t address) {
        recent_[address / line_bytes / 64] &= ~(std::uint64_t{1} << address / line_bytes % 64);
    }
    bool is_line_marked(std::uint32_t address) const {
        return recent_[address / line_bytes / 64] >> address / line_bytes % 64 & 1;
    }
    /// As write_in_line() for 1 to 64 lines.
    std::uint8_t* write_lines(std::uint32_t address, unsigned n) {
        const std::uint32_t line = address / line_bytes, bit = line % 64;
        const std::uint64_t lines = ~std::uint64_t{0} >> (64 - n);
        recent_[line / 64] |= lines << bit;
        if (bit > 64 - n) [[unlikely]]
            recent_[line / 64 + 1] |= lines >> (64 - bit);
        return bytes.first_ + address;
    }
    /// Raw access to all bytes that bypasses write tracking; it does not mark lines as written.
    std::span<std::uint8_t> open() {
        opened_ = true;
        return {bytes.first_, bytes.size()};
    }

    /// Calls f with each group of 64 lines that the bytes touch, by its number, and those lines of it, a bit each.
    template <class F>
    static constexpr void for_each_group(std::uint32_t address, std::uint32_t length, F&& f) {
        if (length == 0) return;
        const std::uint32_t last = (address + length - 1) / line_bytes;
        for (std::uint32_t line = address / line_bytes, end; line <= last; line = end + 1) {
            end = std::min(last, line | 63);
            f(line / 64, ~std::uint64_t{0} >> (63 - (end - line)) << line % 64);
        }
    }
    void mark_written(std::uint32_t address, std::uint32_t length) {
        for_each_group(address, length, [&](std::uint32_t group, std::uint64_t lines) { recent_[group] |= lines; });
    }
    bool all_written(std::uint32_t address, std::uint32_t length) const {
        std::uint64_t missing = 0;
        for_each_group(address, length, [&](std::uint32_t group, std::uint64_t lines) { missing |= lines & ~written(group); });
        return missing == 0;
    }
    /// The lines written since reset, a bit each.
    std::vector<std::uint64_t> written() const;
    /// The same for 64 lines: those of number `group`.
    std::uint64_t written(std::size_t group) const { return written_[group] | recent_[group]; }

    /// Takes a snapshot. Costs time for the pages written since the last save() or restore() only.
    Saved save();
    /// Goes back to a snapshot of an L1 of this size. Spans of the bytes stay valid.
    void restore(const Saved& saved);
    /// All zeros and unwritten. Spans of the bytes stay valid.
    void reset();

private:
    static constexpr unsigned page_words = page_bytes / line_bytes / 64;

    std::size_t pages() const { return base_.size(); }
    std::uint8_t* page(std::size_t i) { return bytes.first_ + i * page_bytes; }
    const std::uint8_t* page(std::size_t i) const { return bytes.data() + i * page_bytes; }
    /// Whether the page may differ from base_.
    bool may_differ(std::size_t i) const {
        const std::uint64_t* const words = &recent_[i * page_words];
        return opened_ || differs_[i] ||
               std::any_of(words, words + page_words, [](std::uint64_t word) { return word != 0; });
    }
    void note_differences(const L1& as_other);
    void forget_changes();
    bool equals(std::size_t i, const Page* other) const;
    void set(std::size_t i, const std::uint8_t* other);

    /// Pages at the last save() or restore(), lines written by then, and lines written since.
    std::vector<std::shared_ptr<const Page>> base_;
    std::vector<std::uint64_t> written_, recent_;
    std::vector<bool> differs_;  ///< dirty pages without written lines: from an L1 that was open()
    bool opened_ = false;        ///< open() was called
};

}  // namespace tessera::state
