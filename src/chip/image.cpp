// SPDX-License-Identifier: Apache-2.0
#include "chip/image.hpp"

#include <algorithm>
#include <cstring>

#include "util/xxh64.hpp"

namespace tessera::chip {

namespace {

constexpr std::string_view image_form = "tessera-chip-1";

/// The kind of the part that follows in the image.
enum class ImagePart : std::uint8_t { core, channel, ethernet, end };

bool starts_with(std::span<const std::byte> bytes, std::span<const std::byte> start) {
    return bytes.size() >= start.size() && std::equal(start.begin(), start.end(), bytes.begin());
}

tl::unexpected<Error> broken_image(std::string message) { return fail("chip.image", std::move(message)); }

class ImageReader {
public:
    explicit ImageReader(std::span<const std::byte> bytes) : rest_(bytes) {}

    /// Behind the end there are zeros; the caller checks good().
    template <class T>
    T get() {
        T value{};
        const auto bytes = take(sizeof value);
        if (good_) std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }
    std::span<const std::byte> take(std::uint64_t size) {
        good_ = good_ && size <= rest_.size();
        if (!good_) return {};
        const auto bytes = rest_.first(size);
        rest_ = rest_.subspan(size);
        return bytes;
    }
    dram::Memory memory() {
        dram::Memory memory;
        for (auto pages = get<std::uint64_t>(); pages > 0 && good_; --pages) {
            const auto number = get<std::uint64_t>();
            const auto bytes = take(dram::Memory::page_bytes);
            if (good_) memory.write(number * dram::Memory::page_bytes, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
        }
        return memory;
    }
    bool good() const { return good_; }
    bool at_end() const { return good_ && rest_.empty(); }

private:
    std::span<const std::byte> rest_;
    bool good_ = true;
};

}  // namespace

template <class T>
void ImageWriter::put(T value) {
    const auto* const first = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), first, first + sizeof value);
}

ImageWriter::ImageWriter(const ImageHeader& header) {
    for (const char c : image_form) put(c);
    // Field by field: a structure has bytes between its members.
    put(header.arch);
    put(header.columns);
    put(header.rows);
    put(header.harvested);
    put(header.translation);
    put(header.reset);
}

void ImageWriter::core(unsigned number, const Core& core) {
    put(ImagePart::core);
    put(std::uint32_t{number});
    const std::vector<std::byte> image = core.image();
    put(std::uint64_t{image.size()});
    bytes_.insert(bytes_.end(), image.begin(), image.end());
}

void ImageWriter::memory(const dram::Memory& memory) {
    std::uint64_t pages = 0;
    memory.each_page([&](std::uint64_t, std::span<const std::uint8_t>) { ++pages; });
    put(pages);
    memory.each_page([&](std::uint64_t number, std::span<const std::uint8_t> page) {
        put(number);
        const auto bytes = std::as_bytes(page);
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    });
}

void ImageWriter::channel(const dram::Memory& memory) {
    put(ImagePart::channel);
    this->memory(memory);
}

void ImageWriter::ethernet(unsigned number, const dram::Memory& memory) {
    put(ImagePart::ethernet);
    put(std::uint32_t{number});
    this->memory(memory);
}

std::vector<std::byte> ImageWriter::take() {
    put(ImagePart::end);
    put(util::xxh64(std::as_bytes(std::span(bytes_)), 0));
    return std::move(bytes_);
}

Result<ChipState> read_image(std::span<const std::byte> image, const ImageHeader& own) {
    constexpr std::size_t sum_bytes = sizeof(std::uint64_t);
    if (image.size() < image_form.size() + sum_bytes || !starts_with(image, std::as_bytes(std::span(image_form))))
        return broken_image("these bytes are not the image of a chip, or another version of the library wrote them");
    std::uint64_t sum = 0;
    std::memcpy(&sum, image.data() + image.size() - sum_bytes, sum_bytes);
    const auto body = image.first(image.size() - sum_bytes);
    constexpr std::string_view damaged = "the chip's image is damaged";
    if (sum != util::xxh64(body, 0)) return broken_image(std::string(damaged));
    // As bytes, since others' may be no values of its members.
    const ImageWriter start(own);
    if (!starts_with(body, start.bytes())) return broken_image("the image is that of a chip with another grid, or with other options");
    ImageReader reader(body.subspan(start.bytes().size()));
    ChipState state;
    for (;;) {
        const auto part = reader.get<ImagePart>();
        if (!reader.good()) return broken_image(std::string(damaged));
        if (part == ImagePart::end) break;
        if (part == ImagePart::channel) {
            state.channels.push_back(reader.memory());
            continue;
        }
        const auto number = reader.get<std::uint32_t>();
        if (part == ImagePart::ethernet) {
            state.ethernet[number] = reader.memory();
            continue;
        }
        if (part != ImagePart::core) return broken_image(std::string(damaged));
        auto core = Core::of_image(reader.take(reader.get<std::uint64_t>()));
        if (!core || number >= own.columns * own.rows || core->arch() != own.arch) return broken_image(std::string(damaged));
        state.cores.emplace_back(number, std::move(*core));
    }
    if (!reader.at_end()) return broken_image(std::string(damaged));
    return state;
}

}  // namespace tessera::chip
