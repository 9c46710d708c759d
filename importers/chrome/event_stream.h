// The events of a trace file one by one, whatever holds them: a bare array, an object with `traceEvents`, closed
// or not, events without a list around them, or several such traces one behind the other. Damaged places are
// skipped and counted; what is whole around them is kept.
#pragma once

#include "importers/chrome/event.h"
#include "importers/chrome/window.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace wattproof::importers::chrome {

class EventStream {
public:
    // Kind, sentence and byte of something that is not as it should be.
    using Warn = std::function<void(std::string_view kind, std::string_view message, std::uint64_t offset,
                                    std::int64_t count)>;
    // A member of the file's outermost object other than `traceEvents`; the value is Missing when it was too large
    // to hold.
    using Head = std::function<void(std::string_view key, const RawValue &value, std::uint64_t offset)>;

    // A member whose value is a text of any length, in pieces without the escapes of JSON; an empty one ends it.
    using Text = std::function<void(std::string_view piece, std::uint64_t offset)>;

    EventStream(Input &, Warn, Head);

    // The member `key` goes to `text` when it is a string.
    void setText(std::string key, Text text) { texts_.insert_or_assign(std::move(key), std::move(text)); }

    // True: the next event stands in `event`, valid until the next call. False: there are no more. An error: the
    // file is no trace, or cannot be read.
    [[nodiscard]] Expected<bool> next(Event &event);

    // Whether the event given last stood in the list `samples`.
    [[nodiscard]] bool inSamples() const { return inSamples_; }
    // Whether a list of events was found at all.
    [[nodiscard]] bool sawEvents() const { return sawEvents_; }
    [[nodiscard]] bool bareArray() const { return bareArray_; }
    // Entries of that list, whole or damaged.
    [[nodiscard]] std::uint64_t items() const { return items_; }

private:
    enum class State : std::uint8_t { Start, Members, Events, Garbage, End };
    enum class Found : std::uint8_t { Event, Nothing };
    static constexpr int kEndOfFile = -1;
    // An event that is looked for behind damage fits into this.
    static constexpr std::size_t kSearchAhead = std::size_t{1} << 20U;

    [[nodiscard]] Expected<int> peek();
    void take() { window_.moveTo(window_.at() + 1); }

    [[nodiscard]] Status start();
    [[nodiscard]] Status startDocument(int first);
    [[nodiscard]] Expected<bool> firstIsEvent();
    [[nodiscard]] Expected<Found> step(Event &);
    [[nodiscard]] Expected<Found> item(Event &);
    [[nodiscard]] Expected<Found> eventItem(Event &);
    [[nodiscard]] Expected<Found> otherItem(Event &);
    [[nodiscard]] Expected<Found> closeList();
    [[nodiscard]] Expected<Scan> scanEvent(Event &, std::size_t most, bool needsPhase);
    [[nodiscard]] bool usable(const Event &event) const { return event.phase != 0 || inSamples_; }
    [[nodiscard]] Expected<Found> damagedItem(Event &, Scan);
    [[nodiscard]] Expected<bool> findNextEvent(Event &);
    [[nodiscard]] Expected<Found> searchGarbage(Event &);
    [[nodiscard]] Status member();
    [[nodiscard]] Status memberValue(const std::string &key);
    [[nodiscard]] Expected<Scan> scanValue(RawValue &, Oddities &, std::size_t most);
    [[nodiscard]] Status skipLargeValue(const std::string &key);
    [[nodiscard]] Status streamText(const Text &);
    [[nodiscard]] Status damagedHead();
    [[nodiscard]] Status trailer();
    void accepted(Event &, const Scanner &);
    void truncated(std::uint64_t offset);
    void note(const Oddities &, std::uint64_t offset);

    Input &input_;
    Window window_;
    Warn warn_;
    Head head_;
    std::map<std::string, Text> texts_;
    State state_ = State::Start;
    bool bareArray_ = false;
    bool bareEvents_ = false;  // no list around them
    bool inSamples_ = false;
    bool sawEvents_ = false;
    bool needsComma_ = false;  // an item was read and no comma since
    bool afterComma_ = false;  // a comma was read and no item since
    bool truncatedNoted_ = false;
    std::uint64_t items_ = 0;
};

}  // namespace wattproof::importers::chrome
