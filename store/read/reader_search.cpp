// Search: the names are looked at once, then each block of slices for their ids. Times and rows are read only where a
// block has a hit, arguments only of slices that everything else fits.
#include "store/read/sqlite_reader.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace wattproof::store {
namespace {

constexpr std::size_t kMostTerms = 64;  // SQLite's limits are far above; nobody types so many

// A part of the value that can only stand in the JSON text as it is: one with a letter, which no number has.
std::string plainPart(std::string_view value) {
    std::string best, run;
    bool letter = false, bestLetter = false;
    const auto end = [&] {
        if (letter && (!bestLetter || run.size() > best.size())) {
            best = run;
            bestLetter = true;
        }
        run.clear();
        letter = false;
    };
    for (const char c : value) {
        const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!isLetter && (c < '0' || c > '9') && c != '_' && c != ' ')
            end();
        else
            run += c;
        letter = letter || (isLetter && c != 'e' && c != 'E');
    }
    end();
    return best;
}

std::string valuePattern(std::string_view value) {
    std::string pattern = likeLiteral(value);
    std::replace(pattern.begin(), pattern.end(), '*', '%');
    return pattern;
}

bool containsCaseless(std::string_view text, std::string_view part) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::search(text.begin(), text.end(), part.begin(), part.end(),
                       [lower](char a, char b) { return lower(a) == lower(b); }) != text.end();
}

// Which slices have the argument. The shapes that have its key and the text of the values are looked at first; a key of
// the top level is taken out by its position. Only nested keys need the view args, which takes all values apart.
class ArgumentFilter {
public:
    static Expected<ArgumentFilter> make(const sqlite::Database &database, const SearchTerms::Argument &wanted) {
        ArgumentFilter filter;
        filter.key_ = likeLiteral(wanted.key);
        filter.value_ = valuePattern(wanted.value);
        filter.plain_ = plainPart(wanted.value);
        const std::pair<sqlite::Statement *, const char *> statements[] = {
            {&filter.scan_,
             "SELECT s.id, g.shape_id, g.vals FROM slice s JOIN arg_set g ON g.id = s.args_id WHERE s.id BETWEEN ?1 AND ?2"},
            {&filter.top_,
             "SELECT 1 WHERE json_extract(?1, ?2) LIKE ?3 ESCAPE '\\' AND json_type(?1, ?2) NOT IN ('object', 'array')"},
            {&filter.nested_,
             "SELECT 1 FROM args WHERE slice_id = ?1 AND key LIKE ?2 ESCAPE '\\' AND value LIKE ?3 ESCAPE '\\' LIMIT 1"}};
        for (const auto &[statement, sql] : statements) {
            auto prepared = database.prepare(sql);
            if (!prepared)
                return passOn(prepared);
            *statement = std::move(*prepared);
        }
        if (Status status = filter.findShapes(database, wanted.key); !status)
            return passOn(status);
        return filter;
    }

    // Leaves the ids that have it; they are ascending.
    Status keep(std::vector<std::int64_t> &ids) {
        kept_.clear();
        if (static_cast<std::int64_t>(ids.size()) * kSparse < ids.back() - ids.front()) {
            for (const std::int64_t id : ids)
                if (Status status = scan(id, id); !status)
                    return status;
        } else if (Status status = scan(ids.front(), ids.back()); !status) {
            return status;
        }
        std::vector<std::int64_t> both;
        std::set_intersection(ids.begin(), ids.end(), kept_.begin(), kept_.end(), std::back_inserter(both));
        ids = std::move(both);
        return {};
    }

private:
    static constexpr std::int64_t kSparse = 4;  // a row by itself costs so many times as much as the next one

    struct Shape {
        std::vector<std::string> paths;  // of the key at the top level
        bool around = false;             // has a key that the wanted one goes into
    };

    Status findShapes(const sqlite::Database &database, const std::string &key) {
        auto statement = database.prepare(
            "SELECT shape_id, position, key LIKE ?2 ESCAPE '\\' FROM arg_key WHERE key LIKE ?2 ESCAPE '\\' OR "
            "(lower(substr(?1, 1, length(key))) = lower(key) AND substr(?1, length(key) + 1, 1) IN ('.', '['))");
        if (!statement)
            return passOn(statement);
        statement->bindAll(key, key_);
        while (statement->step()) {
            Shape &shape = shapes_[statement->integer(0)];
            if (statement->integer(2) != 0)
                shape.paths.push_back("$[" + std::to_string(statement->integer(1)) + "]");
            else
                shape.around = true;
        }
        return statement->status();
    }

    Status scan(std::int64_t first, std::int64_t last) {
        scan_.reset();
        scan_.bindAll(first, last);
        while (scan_.step()) {
            const auto shape = shapes_.find(scan_.integer(1));
            if (shape == shapes_.end())
                continue;
            const std::string_view values = scan_.text(2);
            const bool possible = containsCaseless(values, plain_) || values.find("\\u") != std::string_view::npos;
            if (possible && has(scan_.integer(0), shape->second, values))
                kept_.push_back(scan_.integer(0));
            for (const sqlite::Statement *statement : {&top_, &nested_})
                if (Status status = statement->status(); !status)
                    return status;
        }
        return scan_.status();
    }

    bool has(std::int64_t slice, const Shape &shape, std::string_view values) {
        for (const std::string &path : shape.paths) {
            top_.reset();
            top_.bindAll(values, path, value_);
            if (top_.step())
                return true;
        }
        if (!shape.around)
            return false;
        nested_.reset();
        nested_.bindAll(slice, key_, value_);
        return nested_.step();
    }

    sqlite::Statement scan_, top_, nested_;
    std::unordered_map<std::int64_t, Shape> shapes_;
    std::string key_, value_, plain_;
    std::vector<std::int64_t> kept_;
};

class SliceSearch {
public:
    SliceSearch(const sqlite::Database &database, const SearchProgress &progress)
        : progress_(progress),
          names_(database, {SliceColumn::Name}),
          categories_(database, {SliceColumn::Category}),
          places_(database, {SliceColumn::Ts, SliceColumn::Row}) {}

    Status prepare(const sqlite::Database &database, const SearchTerms &terms) {
        for (const auto &[parts, set] : {std::pair(&terms.name, &named_), std::pair(&terms.category, &inCategory_)}) {
            if (parts->empty())
                continue;
            auto made = NameSet::containing(database, *parts);
            if (!made)
                return passOn(made);
            possible_ = possible_ && !made->empty();
            *set = std::move(*made);
        }
        for (const SearchTerms::Argument &argument : terms.arguments) {
            auto filter = ArgumentFilter::make(database, argument);
            if (!filter)
                return passOn(filter);
            arguments_.push_back(std::move(*filter));
        }
        return {};
    }

    // False: no slice can fit.
    [[nodiscard]] bool possible() const { return possible_; }

    Status searchTrack(const TrackSpan &track, const std::stop_token &stop) {
        hits_.beginTrack(track.id, track.firstId);
        for (std::int64_t block = track.firstId; block <= track.lastId; block += kSlicesPerBlock) {
            if (stop.stop_requested())
                return cancelled();
            if (Status status = searchBlock(track, block); !status)
                return status;
        }
        hits_.endTrack();
        return {};
    }

    [[nodiscard]] SearchHits take() { return std::move(hits_); }

private:
    Status searchBlock(const TrackSpan &track, std::int64_t block) {
        ids_.clear();
        Status status = namedIn(track, block);
        if (status)
            status = leaveInCategory(track, block);
        for (ArgumentFilter &filter : arguments_)
            if (status && !ids_.empty())
                status = filter.keep(ids_);
        if (!status || ids_.empty())
            return status;
        status = places_.load(track, block);
        if (!status)
            return status;
        for (const std::int64_t id : ids_) {
            const auto i = static_cast<std::size_t>(id - block);
            hits_.add(id, static_cast<std::int32_t>(places_[SliceColumn::Row][i]), track.map.toWorkspace(places_.ts(i)));
        }
        tell();
        return {};
    }

    Status namedIn(const TrackSpan &track, std::int64_t block) {
        if (!named_) {
            if (Status status = places_.load(track, block); !status)
                return status;
            const std::int64_t end = std::min(track.lastId + 1, block + kSlicesPerBlock);
            for (std::int64_t id = block; id < end; ++id)
                ids_.push_back(id);
            return {};
        }
        if (Status status = names_.load(track, block); !status)
            return status;
        const auto &column = names_[SliceColumn::Name];
        for (std::size_t i = 0; i < column.size(); ++i)
            if (named_->has(column[i]))
                ids_.push_back(names_.id(i));
        return {};
    }

    Status leaveInCategory(const TrackSpan &track, std::int64_t block) {
        if (!inCategory_ || ids_.empty())
            return {};
        if (Status status = categories_.load(track, block); !status)
            return status;
        std::erase_if(ids_, [&](std::int64_t id) {
            return !inCategory_->has(categories_[SliceColumn::Category][static_cast<std::size_t>(id - block)]);
        });
        return {};
    }

    void tell() {
        if (!progress_ || hits_.count() < tellAt_)
            return;
        tellAt_ = hits_.count() * 2;
        hits_.settle();
        progress_(hits_);
    }

    const SearchProgress &progress_;
    SliceBlocks names_, categories_, places_;
    std::optional<NameSet> named_, inCategory_;  // none: anything
    std::vector<ArgumentFilter> arguments_;
    std::vector<std::int64_t> ids_;  // of the block, that are still possible
    SearchHits hits_;
    std::int64_t tellAt_ = 1;
    bool possible_ = true;
};

}  // namespace

Expected<std::vector<TrackSpan>> SqliteReader::tracksFor(const SearchTerms &terms) const {
    auto tracks = trackSpans(" ORDER BY t.id");
    if (!tracks || terms.onAllTracks())
        return tracks;
    std::vector<std::string> texts;
    std::string where = containsAll("t.name", terms.track.size());
    for (const std::string &part : terms.track)
        texts.push_back(likeAnywhere(part));
    for (const auto &[values, column, table] :
         {std::tuple(&terms.pid, "pid", "process"), std::tuple(&terms.tid, "tid", "thread")})
        for (const std::string &value : *values) {
            texts.push_back(value);
            where += std::string(" AND (SELECT ") + column + " FROM " + table + " o WHERE o.id = t." + table +
                     "_id) = ?" + std::to_string(texts.size());
        }
    auto statement = database_->prepare("SELECT t.id FROM track t WHERE " + where);
    if (!statement)
        return passOn(statement);
    for (std::size_t i = 0; i < texts.size(); ++i)
        statement->bind(static_cast<int>(i) + 1, texts[i]);
    auto wanted = collect<TrackId>(*statement, [](const sqlite::Statement &row) { return row.id<TrackId>(0); });
    if (!wanted)
        return passOn(wanted);
    const std::set<TrackId> ids(wanted->begin(), wanted->end());
    std::erase_if(*tracks, [&ids](const TrackSpan &track) { return !ids.contains(track.id); });
    return tracks;
}

Expected<SearchHits> SqliteReader::search(const SearchTerms &terms, const SearchProgress &progress,
                                          std::stop_token stop) {
    if (terms.empty())
        return SearchHits();
    if (terms.name.size() + terms.category.size() + terms.track.size() + terms.pid.size() + terms.tid.size() +
            terms.arguments.size() > kMostTerms)
        return failure("the search has too many words", {}, "leave some out");
    const sqlite::Interruptible interruptible(*database_, stop);
    SliceSearch search(*database_, progress);
    Status status = search.prepare(*database_, terms);
    if (!status)
        return passOn(status);
    auto tracks = search.possible() ? tracksFor(terms) : std::vector<TrackSpan>();
    if (!tracks)
        return passOn(tracks);
    for (const TrackSpan &track : *tracks)
        if (status = search.searchTrack(track, stop); !status)
            return passOn(status);
    return search.take();
}

}  // namespace wattproof::store
