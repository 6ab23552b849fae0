// SPDX-License-Identifier: Apache-2.0
// Lists a core's configuration, counters and GPRs. The order is the same for every core of an architecture, so lists
// can be compared line by line.
#include <fmt/format.h>

#include "inspect/address_modifiers.hpp"
#include "tessera/core.hpp"
#include "tessera/registers.hpp"

namespace tessera {

namespace {

using inspect::ThreadWords;

class Lister {
public:
    explicit Lister(const Core& core) : core_(core), arch_(core.arch()), fields_(register_fields(arch_)) {}

    std::vector<RegisterState> list() {
        list_config();
        for (unsigned thread = 0; thread < threads; ++thread) list_thread_config(thread);
        list_section("gpr", "gpr");
        list_section("rwc", "rwc");
        list_section("adc", "adc");
        return std::move(items_);
    }

private:
    static constexpr unsigned threads = 3;

    const Section* section(std::string_view name) const {
        for (const auto& one : core_.sections())
            if (one.name == name) return &one;
        return nullptr;
    }

    std::vector<std::uint32_t> words(std::string_view name, RegisterSpace space, unsigned copy) const {
        std::vector<std::uint32_t> values(register_words(space, arch_));
        if (const auto* from = section(name))
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = static_cast<std::uint32_t>(core_.read(*from, copy * values.size() + i));
        return values;
    }

    void list_fields(RegisterSpace space, const std::vector<std::uint32_t>& values, const std::string& where,
                     bool shared) {
        std::vector<std::uint32_t> named(values.size());
        for (const auto& field : fields_) {
            if (field.space != space || field.shared != shared) continue;
            named[field.addr32] |= field.mask() << field.lo;
            if (field.kind == FieldKind::whole || inspect::is_told_as_modifier(field.name)) continue;
            const std::uint32_t value = field.extract(values[field.addr32]);
            items_.push_back(
                {std::string(field.group), where, std::string(field.name), value, describe_value(field, value)});
        }
        const unsigned base = first_shared();
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (space == RegisterSpace::backend && (i >= base) != shared) continue;
            const std::uint32_t rest = values[i] & ~named[i];
            items_.push_back(
                {"other", where, fmt::format("ADDR32 {}", i), rest, fmt::format("bits of no field 0x{:X}", rest)});
        }
    }

    unsigned first_shared() const {
        for (const auto& field : fields_)
            if (field.shared) return field.addr32;
        return register_words(RegisterSpace::backend, arch_);
    }

    void list_config() {
        for (unsigned bank = 0; bank < 2; ++bank)
            list_fields(RegisterSpace::backend, words("config", RegisterSpace::backend, bank),
                        fmt::format("bank {}", bank), false);
        list_fields(RegisterSpace::backend, words("config", RegisterSpace::backend, 0), "both banks", true);
    }

    void list_thread_config(unsigned thread) {
        const auto values = words("thread_config", RegisterSpace::thread, thread);
        const std::string where = fmt::format("T{}", thread);
        list_fields(RegisterSpace::thread, values, where, false);
        for (auto& modifier : inspect::address_modifiers(ThreadWords{arch_, values}))
            items_.push_back({"addr-mod", where, std::move(modifier.name), std::nullopt, std::move(modifier.text)});
    }

    /// Lists a section whose first dimension is the thread.
    void list_section(std::string_view name, const std::string& group) {
        const auto* from = section(name);
        if (!from || from->size == 0) return;
        const std::size_t per_thread = from->size / threads;
        for (std::size_t i = 0; i < from->size; ++i) {
            // Removes the parts of "adc thread 1 unpacker0 channel 0 x" that `where` and the group already give.
            std::string text = from->describe(i);
            const std::string prefix = fmt::format("{} thread {} ", name, i / per_thread);
            if (text.starts_with(prefix)) text.erase(0, prefix.size());
            const std::uint64_t value = core_.read(*from, i);
            items_.push_back({group, fmt::format("T{}", i / per_thread), std::move(text), value,
                              group == "gpr" ? fmt::format("0x{:X}", value) : fmt::format("{}", value)});
        }
    }

    const Core& core_;
    Arch arch_;
    std::vector<RegisterField> fields_;
    std::vector<RegisterState> items_;
};

}  // namespace

std::vector<RegisterChange> register_changes(const Core& before, const Core& after) {
    std::vector<RegisterChange> changes;
    if (before.arch() != after.arch()) return changes;
    auto old_items = Lister(before).list(), new_items = Lister(after).list();
    for (std::size_t i = 0; i < old_items.size() && i < new_items.size(); ++i)
        if (old_items[i].value != new_items[i].value || old_items[i].text != new_items[i].text)
            changes.push_back({std::move(old_items[i]), std::move(new_items[i])});
    return changes;
}

std::vector<RegisterState> register_state(const Core& core) {
    std::vector<RegisterState> set;
    for (auto& change : register_changes(Core(core.arch()), core)) set.push_back(std::move(change.after));
    return set;
}

}  // namespace tessera
