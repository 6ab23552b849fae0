// SPDX-License-Identifier: Apache-2.0
#include "state/l1.hpp"

#include <cstring>
#include <new>

#include "state/src_bank.hpp"

namespace tessera::state {

// Fresh memory of the system is zero already and is not touched here.
L1Bytes::L1Bytes(std::size_t size, std::size_t unit) : size_(size) {
    std::size_t room = (size + unit - 1) / unit * unit + vector_bytes;
    memory_.reset(std::calloc(room, 1));
    void* first = memory_.get();
    if (!first) throw std::bad_alloc();
    first_ = static_cast<std::uint8_t*>(std::align(vector_bytes, room - vector_bytes, first, room));
}

L1::L1(std::uint32_t size)
    : bytes(size, page_bytes),
      base_((size + page_bytes - 1) / page_bytes),
      written_(base_.size() * page_words),
      recent_(written_.size()),
      differs_(base_.size()) {}

L1::L1(const L1& other)
    : bytes(other.bytes.size(), page_bytes), base_(other.base_), written_(other.written_), recent_(other.recent_) {
    for (std::size_t i = 0; i < pages(); ++i)
        if (base_[i] || other.may_differ(i)) set(i, other.page(i));
    note_differences(other);
}

L1& L1::operator=(const L1& other) {
    if (this == &other) return *this;
    if (bytes.size() != other.bytes.size()) return *this = L1(other);
    for (std::size_t i = 0; i < pages(); ++i) {
        const bool alike = base_[i] == other.base_[i] && !may_differ(i) && !other.may_differ(i);
        if (!alike) set(i, other.page(i));
    }
    base_ = other.base_;
    written_ = other.written_;
    recent_ = other.recent_;
    note_differences(other);
    return *this;
}

// Copies the dirty pages of `as_other`, whose base_ is ours by now. If it was open(), all pages are compared.
void L1::note_differences(const L1& as_other) {
    differs_ = as_other.differs_;
    if (as_other.opened_)
        for (std::size_t i = 0; i < pages(); ++i) differs_[i] = !equals(i, base_[i].get());
}

std::vector<std::uint64_t> L1::written() const {
    std::vector<std::uint64_t> all(written_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = written(i);
    return all;
}

bool L1::equals(std::size_t i, const Page* other) const {
    static constexpr Page zeros{};
    return std::memcmp(page(i), (other ? other : &zeros)->data(), page_bytes) == 0;
}

/// Null means zeros.
void L1::set(std::size_t i, const std::uint8_t* other) {
    if (other)
        std::memcpy(page(i), other, page_bytes);
    else
        std::memset(page(i), 0, page_bytes);
}

L1::Saved L1::save() {
    for (std::size_t i = 0; i < pages(); ++i) {
        if (!may_differ(i) || equals(i, base_[i].get())) continue;
        if (equals(i, nullptr)) {
            base_[i] = nullptr;
            continue;
        }
        const auto copy = std::make_shared_for_overwrite<Page>();
        std::memcpy(copy->data(), page(i), page_bytes);
        base_[i] = copy;
    }
    written_ = written();
    forget_changes();
    return {base_, written_};
}

void L1::restore(const Saved& saved) {
    for (std::size_t i = 0; i < pages(); ++i) {
        const auto& wanted = saved.pages[i];
        if (!may_differ(i) && base_[i] == wanted) continue;
        set(i, wanted ? wanted->data() : nullptr);
        if (base_[i] != wanted) base_[i] = wanted;
    }
    written_ = saved.written;
    forget_changes();
}

// base_ now has the present pages.
void L1::forget_changes() {
    std::fill(recent_.begin(), recent_.end(), 0);
    differs_.assign(pages(), false);
}

void L1::reset() {
    restore({std::vector<std::shared_ptr<const Page>>(pages()), std::vector<std::uint64_t>(written_.size())});
}

}  // namespace tessera::state
