#include "store/search.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace wattproof::store {
namespace {

struct Token {
    std::string text;
    bool quoted = false;        // from its first character on
};

std::vector<Token> tokensOf(std::string_view text) {
    std::vector<Token> tokens;
    bool inside = false, quoted = false;
    for (const char c : text) {
        const bool blank = !quoted && (c == ' ' || c == '\t' || c == '\n');
        if (blank || !inside) {
            inside = !blank;
            if (blank)
                continue;
            tokens.push_back({{}, c == '"'});
        }
        if (c == '"')
            quoted = !quoted;
        else
            tokens.back().text += c;
    }
    return tokens;
}

bool startsWith(const std::string &text, std::string_view prefix) {
    return text.size() >= prefix.size() &&
           std::equal(prefix.begin(), prefix.end(), text.begin(), [](char wanted, char c) {
               return wanted == (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
           });
}

void addTerm(SearchTerms &terms, const Token &token) {
    const std::pair<std::string_view, std::vector<std::string> SearchTerms::*> fields[] = {
        {"cat:", &SearchTerms::category},
        {"track:", &SearchTerms::track},
        {"pid:", &SearchTerms::pid},
        {"tid:", &SearchTerms::tid}};
    if (token.text.empty())
        return;
    if (token.quoted)
        return terms.name.push_back(token.text);
    for (const auto &[prefix, field] : fields)
        if (startsWith(token.text, prefix)) {
            if (token.text.size() > prefix.size())
                (terms.*field).push_back(token.text.substr(prefix.size()));
            return;
        }
    const std::size_t equals = token.text.find('=');
    if (equals == std::string::npos || equals == 0)
        return terms.name.push_back(token.text);
    if (equals + 1 < token.text.size())
        terms.arguments.push_back({token.text.substr(0, equals), token.text.substr(equals + 1)});
}

}  // namespace

SearchTerms searchTerms(std::string_view text) {
    SearchTerms terms;
    for (const Token &token : tokensOf(text))
        addTerm(terms, token);
    return terms;
}

std::size_t SearchHits::Row::firstFrom(Ns ts, SliceId slice) const {
    const auto [begin, end] = std::equal_range(times.begin(), times.end(), ts);
    const auto offset = [this](auto at) { return offsets.begin() + (at - times.begin()); };
    return static_cast<std::size_t>(
        std::lower_bound(offset(begin), offset(end), slice.value - firstSlice) - offsets.begin());
}

std::optional<SearchHit> SearchHits::first() const {
    return rows_.empty() ? std::nullopt : after(std::numeric_limits<Ns>::min(), SliceId{});
}

std::optional<SearchHit> SearchHits::last() const {
    return before(std::numeric_limits<Ns>::max(), SliceId{std::numeric_limits<std::int64_t>::max()});
}

std::optional<SearchHit> SearchHits::after(Ns ts, SliceId slice) const {
    std::optional<SearchHit> nearest;
    for (const Row &row : rows_) {
        const std::size_t i = row.firstFrom(ts, SliceId{slice.value + 1});
        if (i == row.times.size())
            continue;
        const SearchHit hit = row.hit(i);
        if (!nearest || std::pair(hit.ts, hit.slice) < std::pair(nearest->ts, nearest->slice))
            nearest = hit;
    }
    return nearest;
}

std::optional<SearchHit> SearchHits::before(Ns ts, SliceId slice) const {
    std::optional<SearchHit> nearest;
    for (const Row &row : rows_) {
        const std::size_t i = row.firstFrom(ts, slice);
        if (i == 0)
            continue;
        const SearchHit hit = row.hit(i - 1);
        if (!nearest || std::pair(hit.ts, hit.slice) > std::pair(nearest->ts, nearest->slice))
            nearest = hit;
    }
    return nearest;
}

std::int64_t SearchHits::countBefore(Ns ts, SliceId slice) const {
    std::int64_t before = 0;
    for (const Row &row : rows_)
        before += static_cast<std::int64_t>(row.firstFrom(ts, slice));
    return before;
}

const SearchHits::Row *SearchHits::rowOf(TrackId track, std::int32_t row) const {
    const auto at =
        std::lower_bound(rows_.begin(), rows_.end(), std::pair(track, row), [](const Row &r, const auto &wanted) {
            return std::pair(r.track, r.row) < wanted;
        });
    return at != rows_.end() && at->track == track && at->row == row ? &*at : nullptr;
}

bool SearchHits::any(TrackId track, std::int32_t row, TimeRange range) const {
    const Row *found = rowOf(track, row);
    if (!found)
        return false;
    const auto at = std::lower_bound(found->times.begin(), found->times.end(), range.begin);
    return at != found->times.end() && *at < range.end;
}

bool SearchHits::has(TrackId track, std::int32_t row, SliceId slice) const {
    const Row *found = rowOf(track, row);
    if (!found || slice.value < found->firstSlice)
        return false;
    return std::binary_search(found->offsets.begin(), found->offsets.end(), slice.value - found->firstSlice);
}

bool SearchHits::any(TrackId track) const {
    const auto at = std::lower_bound(rows_.begin(), rows_.end(), track,
                                     [](const Row &r, TrackId wanted) { return r.track < wanted; });
    return at != rows_.end() && at->track == track;
}

std::vector<std::uint32_t> SearchHits::perColumn(TimeRange range, std::size_t columns) const {
    std::vector<std::uint32_t> counts(columns);
    if (range.empty() || columns == 0)
        return counts;
    const double scale = static_cast<double>(columns) / static_cast<double>(range.length());
    for (const Row &row : rows_) {
        const auto end = std::lower_bound(row.times.begin(), row.times.end(), range.end);
        for (auto at = std::lower_bound(row.times.begin(), end, range.begin); at != end; ++at)
            ++counts[std::min(columns - 1, static_cast<std::size_t>(static_cast<double>(*at - range.begin) * scale))];
    }
    return counts;
}

void SearchHits::beginTrack(TrackId track, std::int64_t firstSlice) {
    track_ = track;
    firstSlice_ = firstSlice;
    trackBegin_ = rows_.size();
    rowAt_.clear();
}

void SearchHits::add(std::int64_t slice, std::int32_t row, Ns ts) {
    const auto number = static_cast<std::size_t>(row);
    if (number >= rowAt_.size())
        rowAt_.resize(number + 1);
    if (rowAt_[number] == 0) {
        rows_.push_back({track_, row, firstSlice_, {}, {}});
        rowAt_[number] = rows_.size();
    }
    Row &to = rows_[rowAt_[number] - 1];
    to.times.push_back(ts);
    to.offsets.push_back(static_cast<std::uint32_t>(slice - firstSlice_));
    ++count_;
}

void SearchHits::settle() {
    std::sort(rows_.begin() + static_cast<std::ptrdiff_t>(trackBegin_), rows_.end(),
              [](const Row &a, const Row &b) { return a.row < b.row; });
    for (std::size_t i = trackBegin_; i < rows_.size(); ++i)
        rowAt_[static_cast<std::size_t>(rows_[i].row)] = i + 1;
}

void SearchHits::endTrack() {
    settle();
    for (std::size_t i = trackBegin_; i < rows_.size(); ++i) {
        rows_[i].times.shrink_to_fit();
        rows_[i].offsets.shrink_to_fit();
    }
    trackBegin_ = rows_.size();
    rowAt_.clear();
}

}  // namespace wattproof::store
