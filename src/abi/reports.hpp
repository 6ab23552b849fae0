// SPDX-License-Identifier: Apache-2.0
// Reports to the author of the software: faults and findings of tiles, and calls that were refused.
#pragma once

#include <cstddef>
#include <cstdio>
#include <set>
#include <string>

#include "tessera/hosted_chip.hpp"

namespace tessera::abi {

class Reports {
public:
    /// `where`, `least`: as Settings::report, Settings::least.
    explicit Reports(const std::string& where, Level least = Level::info);
    ~Reports();
    Reports(const Reports&) = delete;
    Reports& operator=(const Reports&) = delete;

    void tell(const TileReport& report);
    static constexpr std::size_t most_refusals = 1000;
    /// A call that was refused: a function's name, and why. Each is told once, up to so many.
    void tell(const char* function, const Error& error);
    /// A remark about the library itself.
    void remark(const std::string& text);

private:
    /// False: there is no file, or no longer one that can be written.
    bool write(const std::string& line);

    const std::string where_;
    std::FILE* file_ = nullptr;  ///< lines of JSON; null: text on standard error
    bool silent_ = false;
    const Level least_;
    std::set<std::string> told_;  ///< calls that were refused; a host may repeat one for ever
};

}  // namespace tessera::abi
