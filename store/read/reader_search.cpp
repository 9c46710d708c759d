// Search: the names are looked at once, then each block of slices for their ids. Times and rows are read only where a
// block has a hit, arguments only of slices that everything else fits.
#include "store/read/sqlite_reader.h"

#include <algorithm>
#include <set>

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

// Which slices of an id range have the argument. The text of the values is asked first, and a key of the top level is
// taken out by its position: the view args, which nested keys need, takes all values apart at many times the cost.
class ArgumentFilter {
public:
    static Expected<ArgumentFilter> make(const sqlite::Database &database, const SearchTerms::Argument &wanted) {
        ArgumentFilter filter;
        filter.key_ = likeLiteral(wanted.key);
        filter.value_ = valuePattern(wanted.value);
        filter.plain_ = likeAnywhere(plainPart(wanted.value));
        const std::string from = "SELECT s.id FROM slice s JOIN arg_set g ON g.id = s.args_id ";
        const std::string where =
            " WHERE s.id BETWEEN ?1 AND ?2 AND (?3 = '%%' OR g.vals LIKE ?3 ESCAPE '\\' OR instr(g.vals, '\\u'))";
        const std::string path = "(g.vals, '$[' || k.position || ']')";
        auto top = database.prepare(from + "CROSS JOIN arg_key k ON k.shape_id = g.shape_id AND k.key LIKE ?4 ESCAPE '\\'" +
                                    where + " AND json_extract" + path + " LIKE ?5 ESCAPE '\\' AND json_type" + path +
                                    " NOT IN ('object', 'array')");
        if (!top)
            return passOn(top);
        filter.statements_.push_back(std::move(*top));
        const auto shapes = filter.shapesAround(database, wanted.key);
        if (!shapes)
            return tl::unexpected<Error>(shapes.error());
        if (shapes->empty())
            return filter;
        auto nested = database.prepare(from + where + " AND g.shape_id IN (" + *shapes +
                                       ") AND EXISTS (SELECT 1 FROM args a WHERE a.slice_id = s.id AND a.key LIKE ?4 ESCAPE "
                                       "'\\' AND a.value LIKE ?5 ESCAPE '\\')");
        if (!nested)
            return passOn(nested);
        filter.statements_.push_back(std::move(*nested));
        return filter;
    }

    // Leaves the ids that have it; they are ascending.
    Status keep(std::vector<std::int64_t> &ids) {
        std::vector<std::int64_t> having, both;
        for (sqlite::Statement &statement : statements_) {
            statement.reset();
            statement.bindAll(ids.front(), ids.back(), plain_, key_, value_);
            while (statement.step())
                having.push_back(statement.integer(0));
            if (Status status = statement.status(); !status)
                return status;
        }
        std::sort(having.begin(), having.end());
        std::set_intersection(ids.begin(), ids.end(), having.begin(), having.end(), std::back_inserter(both));
        ids = std::move(both);
        return {};
    }

private:
    // The shapes with a key that the wanted one goes into: as a list of numbers.
    [[nodiscard]] static Expected<std::string> shapesAround(const sqlite::Database &database, const std::string &key) {
        auto statement = database.prepare(
            "SELECT DISTINCT shape_id FROM arg_key WHERE lower(substr(?1, 1, length(key))) = lower(key) AND "
            "substr(?1, length(key) + 1, 1) IN ('.', '[')");
        if (!statement)
            return passOn(statement);
        statement->bindAll(key);
        std::string list;
        while (statement->step())
            list += (list.empty() ? "" : ",") + std::to_string(statement->integer(0));
        if (Status status = statement->status(); !status)
            return passOn(status);
        return list;
    }

    std::vector<sqlite::Statement> statements_;
    std::string key_, value_, plain_;
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
    for (const auto &[values, column, table] : {std::tuple(&terms.pid, "pid", "process"), std::tuple(&terms.tid, "tid", "thread")})
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
