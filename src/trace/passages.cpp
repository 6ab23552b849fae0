// SPDX-License-Identifier: Apache-2.0
#include "trace/passages.hpp"

#include <algorithm>

#include "isa/instruction.hpp"

namespace tessera::trace {

namespace {

std::size_t id_of(const Core& core, std::string_view section) { return (*core.find_section(section))->id; }

constexpr auto ends_output = isa::operand("PACR", "Last");

bool is_unit(const Event& event, std::string_view unit) { return event.unit.starts_with(unit); }

}  // namespace

Passages::Passages(const Core& core)
    : l1_(id_of(core, "l1")),
      src_a_(id_of(core, "src_a")),
      src_b_(id_of(core, "src_b")),
      dst_(id_of(core, "dst")),
      bank_datums_(core.sections()[src_a_].size / core.sections()[src_a_].dimensions[0].size),
      rows_(core.sections()[dst_].dimensions[0].size),
      arch_(core.arch()) {}

void Passages::join(std::optional<Stage>& all, const std::optional<Stage>& one) {
    if (!one) return;
    if (!all) all = one;
    all->begin = std::min(all->begin, one->begin);
    all->end = std::max(all->end, one->end);
}

void Passages::join(Origin& all, const Origin& one) {
    join(all.unpack, one.unpack);
    join(all.math, one.math);
}

std::size_t Passages::bank_of(const ElementRange& range) const {
    return (range.section == src_b_ ? 2 : 0) + range.first / bank_datums_;
}

template <class F>
void Passages::for_each_row(const ElementRange& range, F&& f) {
    if (range.section != dst_ || range.count == 0) return;
    const std::size_t columns = 16;
    for (std::size_t row = range.first / columns; row <= (range.first + range.count - 1) / columns; ++row)
        f(rows_[row]);
}

void Passages::add(const Event& event) {
    if (is_unit(event, "unpacker"))
        unpack(event);
    else if (is_unit(event, "matrix") || is_unit(event, "vector"))
        compute(event);
    else if (is_unit(event, "packer"))
        pack(event);
}

void Passages::unpack(const Event& event) {
    const Origin origin{Stage{event.start, event.end}, std::nullopt};
    for (const ElementRange& range : event.writes) {
        for_each_row(range, [&](Origin& row) { row = origin; });
        if (range.section != src_a_ && range.section != src_b_) continue;
        Bank& bank = banks_[bank_of(range)];
        if (bank.read) bank = {};
        join(bank.origin, origin);
    }
}

void Passages::compute(const Event& event) {
    const bool by_vector = is_unit(event, "vector");
    Origin origin;
    bool loads = false;
    for (const ElementRange& range : event.reads) {
        for_each_row(range, [&](Origin& row) {
            join(origin, row);
            loads = true;
        });
        if (range.section != src_a_ && range.section != src_b_) continue;
        Bank& bank = banks_[bank_of(range)];
        join(origin, bank.origin);
        bank.read = true;
    }
    if (by_vector && loads) vector_ = origin;
    if (by_vector) origin = vector_;
    join(origin.math, Stage{event.start, event.end});
    for (const ElementRange& range : event.writes) for_each_row(range, [&](Origin& row) { row = origin; });
}

bool Passages::begins_another(const std::set<std::size_t>& rows) const {
    constexpr std::size_t tile = 64;
    if (rows.empty() || packed_.empty()) return false;
    return *rows.begin() / tile != *packed_.rbegin() / tile || packed_.count(*rows.begin());
}

void Passages::pack(const Event& event) {
    Origin origin;
    std::set<std::size_t> packed;
    for (const ElementRange& range : event.reads)
        for_each_row(range, [&](Origin& row) {
            join(origin, row);
            packed.insert(static_cast<std::size_t>(&row - rows_.data()));
        });
    std::optional<std::uint32_t> address;
    std::uint32_t l1_end = 0;
    for (const ElementRange& range : event.writes) {
        if (range.section != l1_) continue;
        address = std::min(address.value_or(range.first), range.first);
        l1_end = std::max(l1_end, range.first + range.count);
    }
    if (!origin.unpack && !origin.math && !address) return;
    const bool other_data = !last_ || last_->unpack != origin.unpack || (!origin.unpack && last_->math != origin.math);
    const bool other_place = closed_ && address && *address != l1_end_;
    if (other_data || (other_place && begins_another(packed))) {
        passages_.push_back({origin.unpack, origin.math, {event.start, event.end}, 0, address});
        packed_.clear();
        l1_end_ = 0;
    }
    last_ = origin;
    packed_.merge(packed);
    l1_end_ = std::max(l1_end_, l1_end);
    const isa::Instruction instruction = isa::decode(event.word, arch_);
    closed_ = instruction.is(isa::mnemonic("PACR")) && instruction[ends_output];
    Passage& passage = passages_.back();
    join(passage.math, origin.math);
    passage.pack = {std::min(passage.pack.begin, event.start), std::max(passage.pack.end, event.end)};
    ++passage.packs;
    if (address) passage.address = std::min(passage.address.value_or(*address), *address);
}

}  // namespace tessera::trace
