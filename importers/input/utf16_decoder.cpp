// UTF-16 to UTF-8: what Windows tools write. Halves of surrogate pairs become U+FFFD.
#include "importers/input/decoder.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace wattproof::importers {
namespace {

constexpr std::uint32_t kReplacement = 0xfffd;

void append(std::string &out, std::uint32_t code) {
    const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (code < 0x80)
        return put(code);
    if (code < 0x800) {
        put(0xc0U | (code >> 6U));
    } else if (code < 0x10000) {
        put(0xe0U | (code >> 12U));
        put(0x80U | ((code >> 6U) & 0x3fU));
    } else {
        put(0xf0U | (code >> 18U));
        put(0x80U | ((code >> 12U) & 0x3fU));
        put(0x80U | ((code >> 6U) & 0x3fU));
    }
    put(0x80U | (code & 0x3fU));
}

class Utf16Decoder final : public Decoder {
public:
    Utf16Decoder(std::unique_ptr<Decoder> inner, std::string first, bool bigEndian)
        : inner_(std::move(inner)), bytes_(std::move(first)), bigEndian_(bigEndian) {}

    Expected<std::size_t> read(std::span<char> out) override {
        while (at_ == text_.size() && !ended_)
            if (auto status = refill(); !status)
                return passOn(status);
        const std::size_t count = std::min(out.size(), text_.size() - at_);
        std::memcpy(out.data(), text_.data() + at_, count);
        at_ += count;
        return count;
    }

private:
    static constexpr std::size_t kChunk = std::size_t{64} << 10U;

    Status refill() {
        text_.clear();
        at_ = 0;
        convert();
        if (!text_.empty())
            return {};
        const std::size_t held = bytes_.size();
        bytes_.resize(held + kChunk);
        auto got = inner_->read(std::span(bytes_).subspan(held));
        if (!got)
            return passOn(got);
        bytes_.resize(held + *got);
        damage_ = inner_->damage();
        ended_ = *got == 0;
        if (ended_ && (!bytes_.empty() || high_ != 0))
            append(text_, kReplacement);
        return {};
    }

    void convert() {
        const std::size_t whole = bytes_.size() / 2 * 2;
        for (std::size_t i = 0; i < whole; i += 2) {
            const auto first = static_cast<unsigned char>(bytes_[i]),
                       second = static_cast<unsigned char>(bytes_[i + 1]);
            unit(bigEndian_ ? (std::uint32_t{first} << 8U) | second : (std::uint32_t{second} << 8U) | first);
        }
        bytes_.erase(0, whole);
    }

    void unit(std::uint32_t code) {
        const std::uint32_t high = std::exchange(high_, 0);
        const bool low = code >= 0xdc00 && code < 0xe000;
        if (high != 0 && low)
            return append(text_, 0x10000 + ((high - 0xd800) << 10U) + (code - 0xdc00));
        if (high != 0)
            append(text_, kReplacement);
        if (code >= 0xd800 && code < 0xdc00)
            high_ = code;
        else
            append(text_, low ? kReplacement : code);
    }

    std::unique_ptr<Decoder> inner_;
    std::string bytes_, text_;
    std::size_t at_ = 0;
    std::uint32_t high_ = 0;  // first half of a pair
    bool bigEndian_, ended_ = false;
};

}  // namespace

std::optional<bool> utf16BigEndian(std::span<const char> head) {
    if (head.size() < 4)
        return std::nullopt;
    const std::string_view start(head.data(), 4);
    const auto isText = [](char high, char low) { return high == 0 && low >= ' '; };
    if ((start.starts_with("\xff\xfe") || isText(start[1], start[0])) && isText(start[3], start[2]))
        return false;
    if ((start.starts_with("\xfe\xff") || isText(start[0], start[1])) && isText(start[2], start[3]))
        return true;
    return std::nullopt;
}

std::unique_ptr<Decoder> makeUtf16Decoder(std::unique_ptr<Decoder> inner, std::string first, bool bigEndian) {
    return std::make_unique<Utf16Decoder>(std::move(inner), std::move(first), bigEndian);
}

}  // namespace wattproof::importers
