#include "importers/ftrace/html_scripts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace wattproof::importers::ftrace {
namespace {

constexpr std::size_t kChunk = std::size_t{256} << 10U, kLongestTag = 4096, kFlushAt = std::size_t{64} << 10U;
constexpr std::size_t kDecidedBy = 4096;  // bytes after which a block must have shown what it is
constexpr std::size_t kTail = 4096;       // the last of a page, in which it is closed
constexpr std::string_view kOpen = "<script", kClose = "</script";

std::size_t findNoCase(std::string_view text, std::string_view word) {
    const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    const auto found = std::search(text.begin(), text.end(), word.begin(), word.end(), same);
    return found == text.end() ? std::string_view::npos : static_cast<std::size_t>(found - text.begin());
}

int base64Value(char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

}  // namespace

// Consumes what can be; false when more text is needed.
bool ScriptScanner::step(bool last) {
    const std::string_view word = inside_ ? kClose : kOpen;
    const std::size_t at = findNoCase(buffer_, word);
    if (at == std::string_view::npos) {
        const std::size_t kept = last ? 0 : std::min(buffer_.size(), word.size() - 1);
        if (inside_ && buffer_.size() > kept)
            sink_.content(std::string_view(buffer_).substr(0, buffer_.size() - kept));
        buffer_.erase(0, buffer_.size() - kept);
        return false;
    }
    if (inside_) {
        sink_.content(std::string_view(buffer_).substr(0, at));
        sink_.end();
        buffer_.erase(0, at + word.size());
        inside_ = false;
        return true;
    }
    const std::size_t close = buffer_.find('>', at);
    if (close == std::string::npos && buffer_.size() - at < kLongestTag) {
        buffer_.erase(0, at);
        return false;
    }
    const std::size_t end = std::min(close, at + kLongestTag);
    sink_.begin(std::string_view(buffer_).substr(at + word.size(), end - at - word.size()));
    buffer_.erase(0, std::min(end + 1, buffer_.size()));
    inside_ = true;
    return true;
}

void ScriptScanner::take(std::string_view html) {
    buffer_ += html;
    while (step(false)) {
    }
}

void ScriptScanner::finish() {
    while (step(true)) {
    }
    if (inside_)
        sink_.end();
    inside_ = false;
}

void ScriptData::flush() {
    if (target_ && !out_.empty() && status_)
        status_ = target_->append(std::as_bytes(std::span(out_)));
    out_.clear();
}

void ScriptData::put(std::string_view bytes) {
    out_ += bytes;
    if (out_.size() >= kFlushAt)
        flush();
}

void ScriptData::begin(std::string_view tag) {
    const bool data = tag.find("trace-data") != std::string_view::npos ||
                      tag.find("viewer-data") != std::string_view::npos ||
                      tag.find("application/text") != std::string_view::npos;
    kind_ = data ? Kind::Undecided : Kind::JavaScript;
    held_.clear();
    escaped_ = false;
    bits_ = 0;
    bitCount_ = 0;
}

// By its first bytes a block is JSON, compressed JSON in base64, or the kernel's text.
void ScriptData::decide() {
    const std::size_t first = held_.find_first_not_of(" \t\r\n");
    const bool json = first != std::string::npos && (held_[first] == '{' || held_[first] == '[');
    const bool base64 = first != std::string::npos && held_.compare(first, 4, "H4sI") == 0;
    kind_ = json ? Kind::Json : base64 ? Kind::Base64 : Kind::Text;
    if (kind_ != Kind::Text && jsonDone_) {
        kind_ = Kind::Ignored;
        ++unusedBlocks_;
    }
    target_ = kind_ == Kind::Text ? &text_ : &json_;
    const std::string start = std::move(held_);
    held_.clear();
    decode(start);
}

void ScriptData::content(std::string_view text) {
    if (kind_ == Kind::Undecided) {
        held_ += text;
        const std::size_t first = held_.find_first_not_of(" \t\r\n");
        if (held_.size() > kDecidedBy || (first != std::string::npos && held_.size() - first >= 8))
            decide();
        return;
    }
    decode(text);
}

void ScriptData::decode(std::string_view text) {
    switch (kind_) {
        case Kind::Text:
        case Kind::Json:
            return put(text);
        case Kind::Base64:
            return decodeBase64(text);
        case Kind::JavaScript:
            return searchString(text);
        case Kind::JsString:
            return decodeString(text);
        default:
            return;
    }
}

void ScriptData::decodeBase64(std::string_view text) {
    std::string bytes;
    for (const char c : text) {
        const int value = base64Value(c);
        if (value < 0)
            continue;
        bits_ = (bits_ << 6U) | static_cast<std::uint32_t>(value);
        bitCount_ += 6;
        if (bitCount_ >= 8) {
            bitCount_ -= 8;
            bytes += static_cast<char>((bits_ >> static_cast<unsigned>(bitCount_)) & 0xffU);
        }
    }
    put(bytes);
}

// Old pages keep the kernel's text in a variable: linuxPerfData = "…".
void ScriptData::searchString(std::string_view text) {
    constexpr std::string_view kVariable = "linuxPerfData";
    held_ += text;
    const std::size_t at = held_.find(kVariable);
    if (at == std::string::npos) {
        held_.erase(0, held_.size() - std::min(held_.size(), kVariable.size()));
        return;
    }
    const std::size_t quote = held_.find('"', at);
    if (quote == std::string::npos)
        return;
    const std::string rest = held_.substr(quote + 1);
    held_.clear();
    kind_ = Kind::JsString;
    target_ = &text_;
    decodeString(rest);
}

// A backslash before the end of a line joins it with the next.
void ScriptData::decodeString(std::string_view text) {
    std::string plain;
    for (const char c : text) {
        if (kind_ != Kind::JsString)
            break;
        if (escaped_) {
            escaped_ = false;
            if (c == 'n')
                plain += '\n';
            else if (c == 't')
                plain += '\t';
            else if (c != '\n' && c != '\r')
                plain += c;
        } else if (c == '\\') {
            escaped_ = true;
        } else if (c == '"') {
            kind_ = Kind::Ignored;
        } else {
            plain += c;
        }
    }
    put(plain);
}

void ScriptData::end() {
    if (kind_ == Kind::Undecided && !held_.empty())
        decide();
    if (target_ == &text_ && !out_.empty() && out_.back() != '\n')
        out_ += '\n';
    flush();
    jsonDone_ = jsonDone_ || json_.size() > 0;
    target_ = nullptr;
    kind_ = Kind::Ignored;
}

Status ScriptData::read(Input &page, const Task &task) {
    ScriptScanner scanner({[this](std::string_view tag) { begin(tag); },
                           [this](std::string_view text) { content(text); }, [this] { end(); }});
    std::vector<char> buffer(kChunk);
    std::string tail;
    while (status_) {
        auto got = page.read(buffer);
        if (!got)
            return passOn(got);
        if (*got == 0)
            break;
        if (task.cancelled())
            return cancelled();
        scanner.take({buffer.data(), *got});
        tail.append(buffer.data(), *got);
        tail.erase(0, tail.size() - std::min(tail.size(), kTail));
    }
    cut_ = scanner.inside() || findNoCase(tail, "</html") == std::string_view::npos;
    scanner.finish();
    return status_;
}

}  // namespace wattproof::importers::ftrace
