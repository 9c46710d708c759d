#include "importers/input/decoder.h"

#include <array>
#include <string_view>

namespace wattproof::importers {
namespace {

class PlainDecoder final : public Decoder {
public:
    explicit PlainDecoder(RawBytes &raw) : raw_(raw) {}
    Expected<std::size_t> read(std::span<char> buffer) override { return raw_.read(buffer); }

private:
    RawBytes &raw_;
};

constexpr std::string_view kGzip("\x1f\x8b\x08", 3);
constexpr std::array<std::string_view, 5> kArchives{std::string_view("\x28\xb5\x2f\xfd", 4),
                                                    std::string_view("\xfd"
                                                                     "7zXZ\0",
                                                                     6),
                                                    std::string_view("BZh", 3), std::string_view("PK\x03\x04", 4),
                                                    std::string_view("PK\x05\x06", 4)};

}  // namespace

Expected<std::unique_ptr<Decoder>> Decoder::forBytes(RawBytes &raw) {
    std::array<char, 8> first{};
    const std::string_view head(first.data(), raw.peek(first));
    if (head.starts_with(kGzip))
        return makeGzipDecoder(raw);
    for (const std::string_view magic : kArchives)
        if (head.starts_with(magic))
            return makeArchiveDecoder(raw);
    return makePlainDecoder(raw);
}

std::unique_ptr<Decoder> makePlainDecoder(RawBytes &raw) {
    return std::make_unique<PlainDecoder>(raw);
}

}  // namespace wattproof::importers
