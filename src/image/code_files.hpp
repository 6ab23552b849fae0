// SPDX-License-Identifier: Apache-2.0
// ELF files whose code somebody else puts into memory: found by its bytes, where they were linked to or elsewhere.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "tessera/kernels.hpp"

namespace tessera::image {

/// Of one memory: its bytes, and the address of the first.
struct Memory {
    std::span<const std::uint8_t> bytes;
    std::uint32_t first = 0;

    std::uint32_t word(std::uint32_t address) const;
    bool contains(std::uint64_t address, std::uint64_t size) const {
        return address >= first && address - first <= bytes.size() && size <= bytes.size() - (address - first);
    }
};

/// May be used by several threads.
class CodeFiles {
public:
    /// `paths`: files, and folders whose files *.elf are taken, also of folders within. They are read when code is first asked for, and
    /// again when they may have changed: hosts compile while they run.
    explicit CodeFiles(std::vector<std::string> paths) : paths_(std::move(paths)) {}

    struct Code {
        std::shared_ptr<const KernelImage> image;  ///< null: unknown
        std::uint32_t address = 0;                 ///< in the image, of the instruction that was asked for
    };
    /// The file whose code is around `address`: the same instructions, except immediates, which differ where a loader has moved code. The one
    /// with most words in common is taken; of several, one with lines for the address, and then the newest.
    Code find(const Memory& memory, std::uint32_t address);

private:
    /// A section with code.
    struct Part {
        std::uint32_t address = 0;
        std::vector<std::uint32_t> words;
    };
    struct File {
        std::string path;
        std::int64_t written = 0;  ///< time of its last change
        std::vector<Part> parts;
        std::shared_ptr<const KernelImage> image;  ///< once it is needed
    };
    /// A part of a file as it is in a memory.
    struct Placed {
        std::size_t file = 0, part = 0;
        std::uint32_t first = 0;  ///< where it begins
        std::uint64_t same = 0;   ///< words that are as in the file
    };

    /// Code that was found, with the bytes in memory that it rests on.
    struct Known {
        Code code;
        std::uint32_t first = 0, end = 0;
        bool is_exact = false;  ///< all words are the same
    };

    void read_new_files();
    void read(const std::string& path);
    Known find_known(const Memory& memory, std::uint32_t address);
    void add_places(std::size_t file, const Memory& memory, std::uint32_t address, std::vector<Placed>& found) const;
    std::optional<Placed> placed(std::size_t file, std::size_t part, const Memory& memory, std::int64_t first) const;
    const Part& part(const Placed& at) const { return files_[at.file].parts[at.part]; }
    Code code(const Placed& at, std::uint32_t address);

    const std::vector<std::string> paths_;
    std::mutex mutex_;
    std::vector<File> files_;
    std::map<std::string, std::int64_t> read_;  ///< by path: the time of the change that was read
    std::set<std::uint64_t> asked_;             ///< hashes of code that no file has as it is: new ones were looked for
};

}  // namespace tessera::image
