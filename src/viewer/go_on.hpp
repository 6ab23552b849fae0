// SPDX-License-Identifier: Apache-2.0
// ViewerOptions::interrupt while a page is made: an exception reports it, and view() catches it.
#pragma once

#include <functional>

namespace tessera::viewer {

struct Interrupted {};

class GoOn {
public:
    explicit GoOn(const std::function<bool()>& interrupt) : interrupt_(interrupt) {}

    /// Once interrupted, always.
    bool is_over() const { return over_ = over_ || (interrupt_ && interrupt_()); }
    /// Throws Interrupted. To be called every few ms.
    void check() const {
        if (is_over()) throw Interrupted();
    }

private:
    const std::function<bool()>& interrupt_;
    mutable bool over_ = false;
};

}  // namespace tessera::viewer
