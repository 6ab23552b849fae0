// SPDX-License-Identifier: Apache-2.0
// Memory for vectors of the standard library that begins at a multiple of `Alignment` bytes.
#pragma once

#include <cstddef>
#include <new>

namespace tessera {

template <class T, std::size_t Alignment>
struct AlignedAllocator {
    using value_type = T;
    template <class U>
    struct rebind {
        using other = AlignedAllocator<U, Alignment>;
    };

    AlignedAllocator() = default;
    template <class U>
    AlignedAllocator(const AlignedAllocator<U, Alignment>&) {}

    T* allocate(std::size_t n) { return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{Alignment})); }
    void deallocate(T* p, std::size_t) { ::operator delete (p, std::align_val_t{Alignment}); }
    friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

}  // namespace tessera
