// SPDX-License-Identifier: Apache-2.0
// Who has last been at which place of L1: RISC-V cores by word, units of the coprocessor by line of 16 bytes. Pages come into being
// when they are first touched.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace tessera::engine {

class CoreAccesses {
public:
    /// The cores' last accesses to a word: their numbers, counted by each core from 1; 0: none. Of readers the last alone is known.
    struct Word {
        std::uint32_t written = 0, read = 0;
        std::uint8_t writer = 0, reader = 0;
        bool flag = false;  ///< the scalar unit has been here
    };
    /// The coprocessor's: numbers in a stream, 0: none. Of readers, those of two streams are known.
    struct Line {
        std::uint32_t written = 0;
        std::array<std::uint32_t, 2> read{};
        std::uint8_t writer = 0;
        std::array<std::uint8_t, 2> reader{};
    };

    Word& word(std::uint32_t address) { return page(address).words[address % page_bytes / 4]; }
    Line& line(std::uint32_t address) { return page(address).lines[address % page_bytes / 16]; }

private:
    static constexpr std::uint32_t page_bytes = 4096;
    struct Page {
        std::array<Word, page_bytes / 4> words{};
        std::array<Line, page_bytes / 16> lines{};
    };

    Page& page(std::uint32_t address) {
        const std::uint32_t i = address / page_bytes;
        if (i >= pages_.size()) pages_.resize(i + 1);
        if (!pages_[i])
            pages_[i] = std::make_shared<Page>();
        else if (pages_[i].use_count() > 1)
            pages_[i] = std::make_shared<Page>(*pages_[i]);
        return *pages_[i];
    }

    std::vector<std::shared_ptr<Page>> pages_;  ///< copies share what neither has touched since
};

/// Which instruction a number of a stream was, of the latest.
template <class Value>
class Recent {
public:
    void add(std::uint32_t number, Value value) {
        if (values_.empty()) values_.resize(kept);
        values_[number % kept] = {number, value};
    }
    Value get(std::uint32_t number, Value otherwise) const {
        if (values_.empty() || values_[number % kept].number != number) return otherwise;
        return values_[number % kept].value;
    }

private:
    static constexpr std::size_t kept = 1024;
    struct Entry {
        std::uint32_t number = 0;
        Value value{};
    };
    std::vector<Entry> values_;
};

}  // namespace tessera::engine
