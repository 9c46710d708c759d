// Looking for slices by what a user types, and what was found: every hit, in the order of time.
#pragma once

#include "store/ids.h"
#include "store/time.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::store {

// All of it has to fit. Texts fit without regard to the case of ASCII letters.
struct SearchTerms {
    struct Argument {
        std::string key;    // flattened, as in the view args: all of it
        std::string value;  // all of it; '*' stands for anything
        bool operator==(const Argument &) const = default;
    };
    std::vector<std::string> name;        // parts of the slice's name
    std::vector<std::string> category;    // parts of its category
    std::vector<std::string> track;       // parts of its track's name
    std::vector<std::string> pid, tid;    // as the source calls its process and thread
    std::vector<Argument> arguments;

    [[nodiscard]] bool empty() const {
        return name.empty() && category.empty() && onAllTracks() && arguments.empty();
    }
    [[nodiscard]] bool onAllTracks() const { return track.empty() && pid.empty() && tid.empty(); }
    bool operator==(const SearchTerms &) const = default;
};

// Words are parts of the name; cat:, track:, pid: and tid: lead to the others, key=value to an argument. "Quotes" keep
// blanks together and make a word of anything. What still lacks its value is left out.
[[nodiscard]] SearchTerms searchTerms(std::string_view text);

struct SearchHit {
    Ns ts = 0;  // workspace time
    SliceId slice;
    TrackId track;
    std::int32_t row = 0;
    bool operator==(const SearchHit &) const = default;
};

// Kept by row of each track, where they are in the order of time: 12 bytes a hit, and any question about a place costs
// a binary search. Hits at one time are ordered by id.
class SearchHits {
public:
    [[nodiscard]] std::int64_t count() const { return count_; }

    [[nodiscard]] std::optional<SearchHit> first() const;
    [[nodiscard]] std::optional<SearchHit> last() const;
    // The nearest after or before a place in time; `slice` 0 stands before all hits of that time.
    [[nodiscard]] std::optional<SearchHit> after(Ns ts, SliceId slice) const;
    [[nodiscard]] std::optional<SearchHit> before(Ns ts, SliceId slice) const;
    // How many hits stand before this place: a hit's number is one more.
    [[nodiscard]] std::int64_t countBefore(Ns ts, SliceId slice) const;

    // Hits of a row that begin in the range. has(): that this slice is one.
    [[nodiscard]] bool any(TrackId, std::int32_t row, TimeRange) const;
    [[nodiscard]] bool has(TrackId, std::int32_t row, SliceId) const;
    [[nodiscard]] bool any(TrackId track) const;
    // How many hits begin in each of `columns` equal parts of the range.
    [[nodiscard]] std::vector<std::uint32_t> perColumn(TimeRange, std::size_t columns) const;

    // Tracks in ascending order, the hits of one in the order of ids. settle(): before anybody looks in between.
    void beginTrack(TrackId, std::int64_t firstSlice);
    void add(std::int64_t slice, std::int32_t row, Ns ts);
    void settle();
    void endTrack();

private:
    struct Row {
        TrackId track;
        std::int32_t row = 0;
        std::int64_t firstSlice = 0;
        std::vector<Ns> times;
        std::vector<std::uint32_t> offsets;  // of the slice from firstSlice

        [[nodiscard]] SearchHit hit(std::size_t i) const {
            return {times[i], SliceId{firstSlice + offsets[i]}, track, row};
        }
        [[nodiscard]] std::size_t firstFrom(Ns ts, SliceId slice) const;
    };
    [[nodiscard]] const Row *rowOf(TrackId, std::int32_t row) const;

    std::vector<Row> rows_;               // by track, then row
    std::vector<std::size_t> rowAt_;      // of the track that is being filled: one more than its index in rows_; 0: none yet
    std::size_t trackBegin_ = 0;
    std::int64_t firstSlice_ = 0;
    TrackId track_;
    std::int64_t count_ = 0;
};

// Told now and then what was found so far: at the first hits, then whenever their number has doubled.
using SearchProgress = std::function<void(const SearchHits &)>;

}  // namespace wattproof::store
