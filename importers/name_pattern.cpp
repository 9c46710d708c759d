#include "importers/name_pattern.h"

namespace wattproof::importers {
namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isAlphanumeric(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool isBoundary(std::string_view name, std::size_t at) {
    return at == 0 || at == name.size() || !isAlphanumeric(name[at - 1]) || !isAlphanumeric(name[at]);
}

}  // namespace

NamePattern::NamePattern(std::string_view pattern) {
    fromStart_ = pattern.starts_with('^');
    if (fromStart_)
        pattern.remove_prefix(1);
    toEnd_ = pattern.ends_with('$');
    if (toEnd_)
        pattern.remove_suffix(1);
    segments_.emplace_back();
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        Segment &segment = segments_.back();
        const bool special = pattern[i] == '\\' && i + 1 < pattern.size();
        if (pattern[i] == '*')
            segments_.emplace_back();
        else if (special && pattern[i + 1] == 'd')
            segment.push_back({AtomKind::Digits, {}});
        else if (special && pattern[i + 1] == 'b')
            segment.push_back({AtomKind::Boundary, {}});
        else if (!segment.empty() && segment.back().kind == AtomKind::Text)
            segment.back().text += pattern[i];
        else
            segment.push_back({AtomKind::Text, std::string(1, pattern[i])});
        i += special && (pattern[i + 1] == 'd' || pattern[i + 1] == 'b') ? 1 : 0;
    }
}

std::size_t NamePattern::matchAt(const Segment &segment, std::string_view name, std::size_t at) {
    for (const Atom &atom : segment) {
        if (atom.kind == AtomKind::Boundary) {
            if (!isBoundary(name, at))
                return kNone;
        } else if (atom.kind == AtomKind::Digits) {
            const std::size_t before = at;
            while (at < name.size() && isDigit(name[at]))
                ++at;
            if (at == before)
                return kNone;
        } else {
            if (name.substr(at, atom.text.size()) != atom.text)
                return kNone;
            at += atom.text.size();
        }
    }
    return at;
}

std::size_t NamePattern::find(const Segment &segment, std::string_view name, std::size_t from, bool toEnd) {
    const bool literalFirst = !segment.empty() && segment.front().kind == AtomKind::Text;
    const bool digitsFirst = !segment.empty() && segment.front().kind == AtomKind::Digits;
    for (std::size_t at = from; at <= name.size(); ++at) {
        if (literalFirst) {
            at = name.find(segment.front().text, at);
            if (at == kNone)
                return kNone;
        }
        // Inside a run of digits nothing begins that did not begin at its first.
        if (digitsFirst && at > from && isDigit(name[at - 1]))
            continue;
        const std::size_t end = matchAt(segment, name, at);
        if (end != kNone && (!toEnd || end == name.size()))
            return end;
    }
    return kNone;
}

bool NamePattern::matches(std::string_view name) const {
    std::size_t at = 0;
    for (std::size_t i = 0; i < segments_.size(); ++i) {
        const bool last = i + 1 == segments_.size();
        if (i == 0 && fromStart_)
            at = matchAt(segments_[i], name, 0);
        else
            at = find(segments_[i], name, at, last && toEnd_);
        if (at == kNone || (last && toEnd_ && at != name.size()))
            return false;
    }
    return true;
}

}  // namespace wattproof::importers
