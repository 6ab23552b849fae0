// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

namespace tessera::util {

/// A variable has a value while this lives; then it has its own again, also behind an exception.
template <class T>
class Temporarily {
public:
    Temporarily(T& variable, T value) : variable_(variable), own_(std::exchange(variable, std::move(value))) {}
    ~Temporarily() { variable_ = std::move(own_); }
    Temporarily(const Temporarily&) = delete;
    Temporarily& operator=(const Temporarily&) = delete;

private:
    T& variable_;
    T own_;
};

}  // namespace tessera::util
