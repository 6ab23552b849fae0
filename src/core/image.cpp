// SPDX-License-Identifier: Apache-2.0
// A core as bytes: each storage in order, L1 as its non-zero pages, and the set of written places.
#include <algorithm>
#include <cstring>

#include "core/impl.hpp"
#include "state/riscv_words.hpp"

namespace tessera {

namespace {

using state::Cell;
using state::L1;
using state::State;

constexpr std::string_view form_name = "tessera-core-2";

std::uint64_t digest(std::span<const std::byte> bytes) {
    std::uint64_t sum = 0xCBF29CE484222325;
    for (const std::byte byte : bytes) sum = (sum ^ static_cast<std::uint64_t>(byte)) * 0x100000001B3;
    return sum;
}

class Writer {
public:
    template <class T>
    void operator()(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes(&value, sizeof value);
    }
    void bytes(const void* data, std::size_t size) {
        const auto* const first = static_cast<const std::byte*>(data);
        all_.insert(all_.end(), first, first + size);
    }
    std::vector<std::byte> take() { return std::move(all_); }

private:
    std::vector<std::byte> all_;
};

/// Reads past the end give zeros; callers check the size first.
class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

    template <class T>
    void operator()(T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes(&value, sizeof value);
    }
    void bytes(void* data, std::size_t size) {
        if (size > rest_.size()) {
            short_ = true;
            std::memset(data, 0, size);
            return;
        }
        std::memcpy(data, rest_.data(), size);
        rest_ = rest_.subspan(size);
    }
    bool complete() const { return !short_ && rest_.empty(); }
    bool good() const { return !short_; }

private:
    std::span<const std::byte> rest_;
    bool short_ = false;
};

/// All parts except cells, L1 and the words of RISC-V cores: those have their own copy functions.
template <class Archive, class Of>
void plain_parts(Archive& archive, Of& of) {
    for (auto& banks : of.src)
        for (auto& bank : banks) {
            archive.bytes(bank.datums.data(), bank.datums.size() * sizeof(std::uint32_t));
            archive(bank.written);
        }
    archive(of.dst.datums);
    archive(of.dst.valid);
    archive(of.dst.written);
    archive(of.lregs.lane);
    for (auto& core : of.riscv) archive.bytes(core.local.data(), core.local.size());
    archive.bytes(of.iram.data(), of.iram.size());
    archive(of.tile.words);
}

void write_pages(const L1& l1, Writer& writer) {
    const auto written = l1.written();
    writer.bytes(written.data(), written.size() * sizeof written[0]);
    for (std::uint32_t at = 0; at < l1.bytes.size(); at += L1::page_bytes) {
        const std::size_t size = std::min<std::size_t>(L1::page_bytes, l1.bytes.size() - at);
        const auto* const page = l1.bytes.data() + at;
        const bool any = std::any_of(page, page + size, [](std::uint8_t byte) { return byte != 0; });
        writer(static_cast<std::uint8_t>(any));
        if (any) writer.bytes(page, size);
    }
}

L1::Saved read_pages(const L1& l1, Reader& reader) {
    L1::Saved saved;
    saved.written.resize(l1.written().size());
    reader.bytes(saved.written.data(), saved.written.size() * sizeof saved.written[0]);
    for (std::uint32_t at = 0; at < l1.bytes.size(); at += L1::page_bytes) {
        const std::size_t size = std::min<std::size_t>(L1::page_bytes, l1.bytes.size() - at);
        std::uint8_t any = 0;
        reader(any);
        std::shared_ptr<L1::Page> page;
        if (any) {
            page = std::make_shared<L1::Page>();
            reader.bytes(page->data(), size);
        }
        saved.pages.push_back(std::move(page));
    }
    return saved;
}

tl::unexpected<Error> broken(std::string message) { return fail("core.image", std::move(message)); }

/// The bytes before the state.
struct Header {
    std::array<char, form_name.size()> form{};
    Arch arch{};
    Reset reset{};
};

}  // namespace

std::vector<std::byte> Core::image() const {
    const State& state = impl_->state;
    Writer writer;
    Header header;
    std::copy(form_name.begin(), form_name.end(), header.form.begin());
    header.arch = arch();
    header.reset = impl_->reset;
    writer(header);
    writer(state.all_cells());
    plain_parts(writer, state);
    for (const auto& core : state.riscv)
        for (unsigned word = 0; word < state::riscv_words::stride; ++word)
            writer(state::riscv_words::read(core, word));
    write_pages(state.l1, writer);
    writer(static_cast<std::uint32_t>(impl_->l1_formats.all().size()));
    for (const auto& [first, last, format, compressed] : impl_->l1_formats.all()) {
        writer(first);
        writer(last);
        writer(format);
        writer(static_cast<std::uint8_t>(compressed));
    }
    std::vector<std::byte> image = writer.take();
    const std::uint64_t sum = digest(image);
    const auto* const first = reinterpret_cast<const std::byte*>(&sum);
    image.insert(image.end(), first, first + sizeof sum);
    return image;
}

Result<Core> Core::of_image(std::span<const std::byte> image, const Recordings& recordings) {
    std::uint64_t sum = 0;
    Header header;
    const bool has_header = image.size() >= sizeof header + sizeof sum;
    if (has_header) std::memcpy(&header, image.data(), sizeof header);
    if (!has_header || !std::equal(form_name.begin(), form_name.end(), header.form.begin()))
        return broken("these bytes are not the image of a core, or another version of the library wrote them");
    std::memcpy(&sum, image.data() + image.size() - sizeof sum, sizeof sum);
    image = image.first(image.size() - sizeof sum);
    if (sum != digest(image) || header.arch > Arch::wormhole || header.reset > Reset::vendor_sim)
        return broken("the core's image is damaged");

    Core core(header.arch, header.reset, recordings);
    State& state = core.impl_->state;
    Reader reader(image.subspan(sizeof header));
    std::array<std::uint32_t, state::cells::total> cells;
    reader(cells);
    for (std::uint32_t i = 0; i < cells.size(); ++i) state.write(Cell(i), cells[i]);
    plain_parts(reader, state);
    for (auto& riscv : state.riscv)
        for (unsigned word = 0; word < state::riscv_words::stride; ++word) {
            std::uint32_t value = 0;
            reader(value);
            state::riscv_words::write(riscv, word, value);
        }
    const L1::Saved l1 = read_pages(state.l1, reader);
    std::uint32_t formats = 0;
    reader(formats);
    for (; formats > 0 && reader.good(); --formats) {
        L1Format piece;
        reader(piece.first);
        reader(piece.last);
        reader(piece.format);
        std::uint8_t compressed = 0;
        reader(compressed);
        piece.compressed = compressed;
        const bool is_known = std::find(std::begin(all_data_formats), std::end(all_data_formats), piece.format) !=
                              std::end(all_data_formats);
        if (piece.first > piece.last || piece.last >= state.l1.bytes.size() || !is_known)
            return broken("the core's image is damaged");
        core.impl_->l1_formats.put(piece);
    }
    if (!reader.complete()) return broken("the core's image is damaged");
    state.l1.restore(l1);
    return core;
}

}  // namespace tessera
