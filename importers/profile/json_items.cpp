#include "importers/profile/json_items.h"

#include <array>
#include <istream>
#include <limits>
#include <streambuf>
#include <utility>

#include <nlohmann/json.hpp>

namespace wattproof::importers {
namespace {

constexpr std::size_t kMostLeaves = 65'536;
constexpr std::size_t kLongestKey = 256;
constexpr std::size_t kDeepest = 256;
constexpr std::size_t kLongestText = std::size_t{16} << 20U;

// Hands the parser the input block by block and ends it where a text grows beyond all bounds.
class InputBuffer final : public std::streambuf {
public:
    InputBuffer(Input &input, const std::function<Status()> &checkpoint)
        : input_(input), checkpoint_(checkpoint), block_(std::size_t{64} << 10U) {}

    [[nodiscard]] std::uint64_t offset() const {
        return before_ + static_cast<std::uint64_t>(gptr() ? gptr() - eback() : 0);
    }
    [[nodiscard]] const Status &status() const { return status_; }
    [[nodiscard]] bool textTooLong() const { return textLength_ > kLongestText; }
    [[nodiscard]] bool atEnd() const { return ended_; }

protected:
    int_type underflow() override {
        if (!status_ || textTooLong())
            return traits_type::eof();
        before_ = offset();
        setg(nullptr, nullptr, nullptr);
        status_ = checkpoint_();
        auto got = status_ ? input_.read(block_) : Expected<std::size_t>(0);
        if (!got)
            status_ = passOn(got);
        const std::size_t filled = got ? *got : 0;
        ended_ = filled == 0;
        if (ended_ || !status_)
            return traits_type::eof();
        measureTexts({block_.data(), filled});
        setg(block_.data(), block_.data(), block_.data() + filled);
        return traits_type::to_int_type(*gptr());
    }

private:
    void measureTexts(std::string_view bytes) {
        for (const char c : bytes) {
            if (!inText_) {
                inText_ = c == '"';
                textLength_ = 0;
            } else if (escaped_) {
                escaped_ = false;
            } else if (c == '\\') {
                escaped_ = true;
            } else if (c == '"') {
                inText_ = false;
            }
            textLength_ += inText_ ? 1 : 0;
            if (textTooLong())
                return;
        }
    }

    Input &input_;
    const std::function<Status()> &checkpoint_;
    std::vector<char> block_;
    std::uint64_t before_ = 0;
    std::size_t textLength_ = 0;
    bool inText_ = false, escaped_ = false, ended_ = false;
    Status status_;
};

// The parser's events, with the path they stand at.
class Walker final : public nlohmann::json_sax<nlohmann::json> {
public:
    Walker(const JsonVisitor &visitor, const InputBuffer &buffer) : visitor_(visitor), buffer_(buffer) {}

    bool null() override { return value(JsonValue{}); }
    bool boolean(bool truth) override { return value({JsonValue::Kind::Bool, truth ? 1 : 0, 0, {}}); }
    bool number_integer(number_integer_t number) override {
        return value({JsonValue::Kind::Integer, number, static_cast<double>(number), {}});
    }
    bool number_unsigned(number_unsigned_t number) override {
        const bool fits = number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        return value({fits ? JsonValue::Kind::Integer : JsonValue::Kind::Natural,
                      static_cast<std::int64_t>(number),
                      static_cast<double>(number),
                      {}});
    }
    bool number_float(number_float_t number, const string_t &) override {
        return value({JsonValue::Kind::Real, 0, number, {}});
    }
    bool string(string_t &text) override { return value({JsonValue::Kind::Text, 0, 0, std::move(text)}); }
    bool binary(binary_t &) override { return true; }

    bool start_object(std::size_t) override {
        const bool inList = !frames_.empty() && frames_.back().list;
        if (!itemDepth_ && inList && visitor_.isItem(path_)) {
            itemDepth_ = frames_.size() + 1;
            itemPath_ = path_.size();
            itemOffset_ = buffer_.offset();
            item_.clear();
        }
        return open(false);
    }
    bool key(string_t &name) override {
        path_.resize(frames_.back().path);
        if (!path_.empty())
            path_ += '.';
        path_.append(name, 0, kLongestKey);
        return true;
    }
    bool end_object() override {
        close();
        if (itemDepth_ == frames_.size() + 1) {
            itemDepth_ = 0;
            visitor_.item(path_, item_, itemOffset_);
        } else if (!itemDepth_) {
            visitor_.closed(path_);
        }
        return true;
    }
    bool start_array(std::size_t) override {
        const bool fits = open(true);
        path_ += "[]";
        frames_.back().path = path_.size();
        return fits;
    }
    bool end_array() override {
        close();
        if (!itemDepth_)
            visitor_.listClosed(path_);
        return true;
    }
    bool parse_error(std::size_t, const std::string &, const nlohmann::detail::exception &) override {
        return false;
    }
    [[nodiscard]] bool tooDeep() const { return frames_.size() > kDeepest; }

private:
    struct Frame {
        std::size_t outer = 0;  // length of the path outside
        std::size_t path = 0;   // and within
        bool list = false;
    };

    bool open(bool list) {
        frames_.push_back({path_.size(), path_.size(), list});
        return !tooDeep();
    }
    void close() {
        path_.resize(frames_.back().outer);
        frames_.pop_back();
    }
    bool value(JsonValue &&leaf) {
        if (itemDepth_)
            item_.add(path_.size() > itemPath_ ? std::string_view(path_).substr(itemPath_ + 1) : "",
                      std::move(leaf));
        else
            visitor_.value(path_, leaf, buffer_.offset());
        return true;
    }

    const JsonVisitor &visitor_;
    const InputBuffer &buffer_;
    std::vector<Frame> frames_;
    std::string path_;
    JsonItem item_;
    std::size_t itemDepth_ = 0, itemPath_ = 0;
    std::uint64_t itemOffset_ = 0;
};

}  // namespace

std::optional<std::int64_t> JsonValue::whole() const {
    return kind == Kind::Integer || kind == Kind::Bool ? std::optional(integer) : std::nullopt;
}

void JsonItem::add(std::string_view key, JsonValue &&value) {
    if (count_ >= kMostLeaves)
        return;
    if (count_ == leaves_.size())
        leaves_.emplace_back();
    leaves_[count_].key = key;
    leaves_[count_++].value = std::move(value);
}

const JsonValue *JsonItem::find(std::string_view key) const {
    for (const Leaf &leaf : leaves())
        if (leaf.key == key)
            return &leaf.value;
    return nullptr;
}

std::optional<std::int64_t> JsonItem::whole(std::string_view key) const {
    const JsonValue *value = find(key);
    return value ? value->whole() : std::nullopt;
}

std::string_view JsonItem::text(std::string_view key) const {
    const JsonValue *value = find(key);
    return value && value->kind == JsonValue::Kind::Text ? std::string_view(value->text) : std::string_view();
}

Expected<JsonEnd> readJsonItems(Input &input, const JsonVisitor &visitor) {
    InputBuffer buffer(input, visitor.checkpoint);
    Walker walker(visitor, buffer);
    std::istream stream(&buffer);
    const bool parsed = nlohmann::json::sax_parse(stream, &walker);
    if (!buffer.status())
        return tl::unexpected(buffer.status().error());
    JsonEnd end;
    end.whole = parsed;
    end.offset = buffer.offset();
    end.cut = !parsed && buffer.atEnd();
    if (buffer.textTooLong())
        end.reason = "a text there is longer than 16 MiB";
    else if (walker.tooDeep())
        end.reason = "values there nest deeper than 256";
    else if (!parsed)
        end.reason = "what stands there is no JSON";
    return end;
}

}  // namespace wattproof::importers
