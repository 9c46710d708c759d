#include "importers/input/input.h"

#include "importers/input/decoder.h"
#include "importers/input/head_reader.h"
#include "importers/input/raw_bytes.h"
#include "importers/input/read_ahead.h"

#include <optional>

namespace wattproof::importers {
namespace {

// A file that is longer than this is worth a thread.
constexpr std::uint64_t kReadDirectly = std::uint64_t{1} << 20U;

class DecodedInput final : public Input {
public:
    DecodedInput(std::unique_ptr<RawBytes> raw, std::unique_ptr<Decoder> decoder, std::string path)
        : raw_(std::move(raw)), decoder_(std::move(decoder)), path_(std::move(path)) {}

    Status prepare() {
        if (auto status = reader_.fill(*decoder_); !status)
            return status;
        const auto bigEndian = utf16BigEndian(head());
        if (!bigEndian)
            return {};
        decoder_ = makeUtf16Decoder(std::move(decoder_), std::string(head().begin(), head().end()), *bigEndian);
        return reader_.fill(*decoder_);
    }

    const std::string &path() const override { return path_; }
    std::span<const char> head() override { return reader_.head(); }
    const std::string &damage() const override {
        static const std::string none;
        if (ahead_ && !ahead_->atEnd())
            return none;
        return decoder_->damage().empty() ? raw_->damage() : decoder_->damage();
    }
    std::uint64_t sizeBytes() const override { return raw_->size(); }
    std::uint64_t bytesConsumed() const override { return ahead_ ? ahead_->consumed() : raw_->consumed(); }
    std::uint64_t position() const override { return reader_.position(); }
    Expected<std::string> sha256() override {
        if (ahead_)
            ahead_->stop();
        return raw_->sha256();
    }

    Expected<std::size_t> read(std::span<char> buffer) override {
        if (!ahead_ && position() >= kReadDirectly)
            ahead_.emplace(*decoder_, *raw_);
        auto filled = ahead_ ? reader_.read(*ahead_, buffer) : reader_.read(*decoder_, buffer);
        if (filled && isBomb())
            return failure("The compressed file expands to more than a thousand times its size: this is no trace",
                           path_, "give the file that was recorded");
        return filled;
    }

private:
    // Deflate reaches 1032 to 1, on nothing but repetition; traces are far from that.
    [[nodiscard]] bool isBomb() const {
        constexpr std::uint64_t kHarmless = std::uint64_t{256} << 20U, kRatio = 1000;
        return position() > kHarmless && position() / kRatio > bytesConsumed();
    }

    std::unique_ptr<RawBytes> raw_;
    std::unique_ptr<Decoder> decoder_;
    std::string path_;
    HeadReader reader_;
    std::optional<ReadAhead> ahead_;  // last: its thread uses the others
};

Expected<std::unique_ptr<Input>> decode(std::unique_ptr<RawBytes> raw, const std::string &path) {
    auto decoder = Decoder::forBytes(*raw);
    if (!decoder) {
        decoder.error().where = path;
        return passOn(decoder);
    }
    auto input = std::make_unique<DecodedInput>(std::move(raw), std::move(*decoder), path);
    if (auto status = input->prepare(); !status)
        return passOn(status);
    return input;
}

}  // namespace

Expected<std::unique_ptr<Input>> Input::open(const std::string &path) {
    auto raw = RawBytes::open(path);
    if (!raw)
        return passOn(raw);
    return decode(std::move(*raw), path);
}

std::unique_ptr<Input> Input::fromBytes(std::string bytes, std::string name) {
    if (auto input = decode(RawBytes::inMemory(bytes), name))
        return std::move(*input);
    // Bytes that only look compressed are handed out as they are.
    auto raw = RawBytes::inMemory(std::move(bytes));
    auto plain = makePlainDecoder(*raw);
    auto input = std::make_unique<DecodedInput>(std::move(raw), std::move(plain), std::move(name));
    (void)input->prepare();
    return input;
}

}  // namespace wattproof::importers
