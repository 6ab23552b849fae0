// SPDX-License-Identifier: Apache-2.0
// The lines of source text that instructions come from, and the texts: each file once, as it is while the page is made.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tessera/job.hpp"
#include "viewer/packing.hpp"
#include "viewer/paths.hpp"

namespace tessera::viewer {

class Sources {
public:
    /// A compiled kernel may name files relative to the folder of its compilation, which is unknown. The search therefore
    /// includes the folders of the job and of its images, and all folders above them.
    Sources(const Job& job, const Paths& paths) : job_(job), paths_(paths) {
        file_.add(0);
        line_.add(0);
    }

    /// The number of a place, "file:line"; 0: none.
    std::uint32_t place(const std::string& place);
    /// "places": what people read, the file's number and the line (0: not known); "files": names, and texts where they could be read.
    Json json(Packer& packer) const;
    /// The text of each place, for people.
    Json place_texts(Packer& packer) const { return packer.pack_json(texts_); }

private:
    std::uint32_t file(std::string_view path);
    std::optional<std::string> text_of(const std::string& path) const;

    const Job& job_;
    const Paths& paths_;
    std::unordered_map<std::string, std::uint32_t> numbers_, file_numbers_;
    std::vector<std::string> texts_{""}, files_;
    Column<std::uint32_t> file_, line_;  ///< of each place
};

}  // namespace tessera::viewer
