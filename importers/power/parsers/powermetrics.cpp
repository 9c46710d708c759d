// Apple's powermetrics, as text and as property lists: a record a sample.
#include "importers/power/record_parser.h"
#include "importers/table/quantity_text.h"
#include "importers/time/stamp.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace wattproof::importers {
namespace {

// Stamps are whole seconds: samples are placed by the lengths that they state, as long as both agree within 2 s.
class SampleTimes {
public:
    [[nodiscard]] std::optional<Ns> place(std::string_view stamp, double elapsedNs) {
        constexpr Ns kTwoSeconds = 2'000'000'000;
        const auto stated = parseStamp(stamp, StampUnit::DateTime);
        if (!stated || !(elapsedNs >= 0 && elapsedNs < 1e15))
            return std::nullopt;
        const Ns next = last_.value_or(stated->ns) + static_cast<Ns>(std::llround(elapsedNs));
        const bool agrees = last_ && next > stated->ns - kTwoSeconds && next < stated->ns + kTwoSeconds;
        last_ = agrees ? next : stated->ns;
        return last_;
    }

private:
    std::optional<Ns> last_;
};

// "*** Sampled system activity (Sun Feb 28 00:17:04 2021 -0800) (1005.03ms elapsed) ***", then "name: value"
// lines.
class PowermetricsParser final : public RecordParser {
public:
    void row(const TableRow &row, RecordSink &sink) override {
        const std::string_view text = trimmed(row.text);
        if (text.starts_with("*** Sampled")) {
            sink.finish(line_);
            line_ = row.line;
            begin(text, row.line, sink);
            return;
        }
        const std::size_t colon = text.find(": ");
        if (placed_ && colon != std::string_view::npos && !text.starts_with("***"))
            sink.set(text.substr(0, std::min(text.find(" ("), colon)), trimmed(text.substr(colon + 1)));
    }
    void end(RecordSink &sink) override { sink.finish(line_); }

private:
    void begin(std::string_view text, std::uint64_t line, RecordSink &sink) {
        const std::size_t open = text.find('('), close = text.find(')'), second = text.find('(', open + 1);
        placed_ = false;
        if (open == std::string_view::npos || close == std::string_view::npos || second == std::string_view::npos)
            return sink.unreadable(line);
        const auto elapsed = parseNumber(text.substr(second + 1), false);
        const auto at = times_.place(text.substr(open + 1, close - open - 1), elapsed ? elapsed->value * 1e6 : -1);
        if (!at)
            return sink.unreadable(line);
        placed_ = true;
        sink.set("time", std::to_string(*at));
    }

    SampleTimes times_;
    bool placed_ = false;
    std::uint64_t line_ = 0;
};

// Property lists (-f plist), a NUL byte before each. Of their values those of the top, of "processor" and of "gpu"
// are taken, named by the path of their keys; tasks and tables of frequencies are not.
class PowermetricsPlistParser final : public RecordParser {
public:
    void row(const TableRow &row, RecordSink &sink) override {
        std::string_view rest = row.text;
        while (!rest.empty()) {
            const std::size_t open = rest.find('<');
            text_.append(rest.substr(0, std::min(open, kLongest - text_.size())));
            if (open == std::string_view::npos)
                return;
            const std::size_t close = rest.find('>', open);
            if (close == std::string_view::npos)
                return sink.unreadable(row.line);
            takeTag(rest.substr(open + 1, close - open - 1), row.line, sink);
            rest.remove_prefix(close + 1);
            text_.clear();
        }
    }
    void end(RecordSink &sink) override {
        if (depth_ > 0)
            sink.unreadable(line_);  // it ends within a sample, which may lack its power
    }

private:
    static constexpr std::size_t kLongest = 200, kDeepest = 4;
    struct Level {
        std::string key;
        bool list = false;
        std::size_t items = 0;  // of a list, that are closed
    };

    void takeTag(std::string_view tag, std::uint64_t line, RecordSink &sink) {
        if (tag.starts_with("plist")) {
            if (depth_ > 0)
                sink.unreadable(line_);
            begin(line, sink);
        } else if (tag == "dict" || tag == "array") {
            enter(tag == "array");
        } else if (tag == "/dict" || tag == "/array") {
            leave(sink);
        } else if (tag == "/key") {
            key_ = trimmed(text_);
        } else if (tag == "/real" || tag == "/integer" || tag == "/date" || tag == "/string") {
            takeValue(trimmed(text_), sink);
        }
    }

    void begin(std::uint64_t line, RecordSink &sink) {
        sink.drop();
        levels_.clear();
        key_.clear();
        stamp_.clear();
        elapsed_.clear();
        depth_ = 0;
        line_ = line;
    }
    void enter(bool list) {
        if (depth_++ < kDeepest)
            levels_.push_back({std::exchange(key_, {}), list, 0});
    }
    void leave(RecordSink &sink) {
        if (depth_ == 0)
            return;
        if (--depth_ < levels_.size())
            levels_.pop_back();
        if (depth_ == 0)
            return finish(sink);
        if (depth_ == levels_.size() && levels_.back().list)
            ++levels_.back().items;
    }
    void finish(RecordSink &sink) {
        const auto elapsed = parseNumber(elapsed_, false);
        const auto at = times_.place(stamp_, elapsed ? elapsed->value : -1);
        if (!at) {
            sink.drop();
            return sink.unreadable(line_);
        }
        sink.set("time", std::to_string(*at));
        sink.finish(line_);
    }

    void takeValue(std::string_view text, RecordSink &sink) {
        const std::string key = std::exchange(key_, {});
        if (depth_ == 1 && key == "timestamp")
            stamp_ = text;
        if (depth_ == 1 && key == "elapsed_ns")
            elapsed_ = text;
        const bool named = depth_ == levels_.size() && depth_ > 1 && !key.empty() &&
                           (levels_[1].key == "processor" || levels_[1].key == "gpu");
        if (!named)
            return;
        std::string path;
        for (std::size_t i = 1; i < levels_.size(); ++i)
            path += (levels_[i - 1].list ? std::to_string(levels_[i - 1].items) : levels_[i].key) + "/";
        sink.set(path + key, key == "freq_hz" ? frequency(text) : std::string(text));
    }

    // Though named after hertz, these are megahertz.
    static std::string frequency(std::string_view text) {
        constexpr double kSlowestHertz = 1e6;
        const auto number = parseNumber(text, false);
        return std::string(text) + (number && number->value < kSlowestHertz ? "MHz" : "Hz");
    }

    SampleTimes times_;
    std::vector<Level> levels_;
    std::string text_, key_, stamp_, elapsed_;
    std::size_t depth_ = 0;
    std::uint64_t line_ = 0;
};

}  // namespace

std::unique_ptr<RecordParser> makePowermetricsParser() {
    return std::make_unique<PowermetricsParser>();
}

std::unique_ptr<RecordParser> makePowermetricsPlistParser() {
    return std::make_unique<PowermetricsPlistParser>();
}

}  // namespace wattproof::importers
