// The Chrome JSON of a page, read back from its temporary file and uncompressed.
#include "importers/ftrace/html_scripts.h"
#include "importers/ftrace/tracks.h"
#include "importers/input/head_reader.h"

#include <algorithm>

namespace wattproof::importers::ftrace {
namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10U;

class SpilledBytes final : public RawBytes {
public:
    explicit SpilledBytes(const SpillFile &file) : file_(file) {}

    std::size_t peek(std::span<char> buffer) const override {
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), file_.size()));
        return file_.read(0, std::as_writable_bytes(buffer.first(count))) ? count : 0;
    }
    std::uint64_t size() const override { return file_.size(); }

protected:
    Expected<std::size_t> fetch(std::span<char> buffer) override {
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), file_.size() - at_));
        if (auto status = file_.read(at_, std::as_writable_bytes(buffer.first(count))); !status)
            return passOn(status);
        at_ += count;
        return count;
    }

private:
    const SpillFile &file_;
    std::uint64_t at_ = 0;
};

// Kernel text as one member of a JSON object, then the object or list of the page.
class Joined {
public:
    Joined(const SpillFile &text, Decoder &json) : text_(text), json_(json) {}

    Expected<std::size_t> read(std::span<char> buffer) {
        while (ready_.empty() && !done_)
            if (auto status = step(); !status)
                return passOn(status);
        const std::size_t count = std::min(buffer.size(), ready_.size());
        std::copy_n(ready_.data(), count, buffer.data());
        ready_.erase(0, count);
        return count;
    }

private:
    Status step() {
        if (!begun_ && text_.size() == 0)
            begun_ = textDone_ = jsonBegun_ = true;
        if (!begun_) {
            begun_ = true;
            ready_ = "{\"systemTraceEvents\":\"";
            return {};
        }
        return textDone_ ? nextJson() : nextText();
    }

    Status nextText() {
        std::string piece(static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, text_.size() - at_)), '\0');
        if (auto status = text_.read(at_, std::as_writable_bytes(std::span(piece))); !status)
            return status;
        at_ += piece.size();
        const std::string json = quoted(piece);
        ready_ = json.substr(1, json.size() - 2);
        textDone_ = at_ == text_.size();
        if (textDone_)
            ready_ += '"';
        return {};
    }

    Status nextJson() {
        std::string piece(kPiece, '\0');
        auto got = json_.read(piece);
        if (!got)
            return passOn(got);
        piece.resize(*got);
        done_ = piece.empty();
        if (!jsonBegun_)
            begin(piece);
        else if (done_ && isList_)
            piece = "}";
        ready_ = std::move(piece);
        return {};
    }

    void begin(std::string &piece) {
        const std::size_t first = piece.find_first_of("{[");
        jsonBegun_ = true;
        if (first == std::string::npos)
            return;
        isList_ = piece[first] == '[';
        const std::size_t next = piece.find_first_not_of(" \t\r\n", first + 1);
        const bool empty = next != std::string::npos && piece[next] == '}';
        piece.replace(0, first + (isList_ ? 0U : 1U), isList_ ? ",\"traceEvents\":" : empty ? "" : ",");
    }

    const SpillFile &text_;
    Decoder &json_;
    std::string ready_;
    std::uint64_t at_ = 0;
    bool begun_ = false, textDone_ = false, jsonBegun_ = false, isList_ = false, done_ = false;
};

class ScriptInput final : public Input {
public:
    ScriptInput(Input &page, const SpillFile &text, const SpillFile &json, bool cut)
        : page_(page), raw_(json), text_(text), cut_(cut) {}

    Status prepare() {
        auto decoder = Decoder::forBytes(raw_);
        if (!decoder)
            return passOn(decoder);
        decoder_ = std::move(*decoder);
        joined_ = std::make_unique<Joined>(text_, *decoder_);
        return reader_.fill(*joined_);
    }

    const std::string &path() const override { return page_.path(); }
    std::span<const char> head() override { return reader_.head(); }
    const std::string &damage() const override {
        static const std::string kCut = "The page ends before its own end: it was cut there";
        if (!page_.damage().empty())
            return page_.damage();
        return decoder_->damage().empty() && cut_ ? kCut : decoder_->damage();
    }
    std::uint64_t sizeBytes() const override { return page_.sizeBytes(); }
    std::uint64_t bytesConsumed() const override { return page_.bytesConsumed(); }
    std::uint64_t position() const override { return reader_.position(); }
    Expected<std::string> sha256() override { return page_.sha256(); }

    Expected<std::size_t> read(std::span<char> buffer) override { return reader_.read(*joined_, buffer); }

private:
    Input &page_;
    SpilledBytes raw_;
    const SpillFile &text_;
    bool cut_;
    std::unique_ptr<Decoder> decoder_;
    std::unique_ptr<Joined> joined_;
    HeadReader reader_;
};

}  // namespace

Expected<std::unique_ptr<Input>> ScriptData::json(Input &page) const {
    auto input = std::make_unique<ScriptInput>(page, text_, json_, cut_);
    if (auto status = input->prepare(); !status)
        return passOn(status);
    return input;
}

}  // namespace wattproof::importers::ftrace
