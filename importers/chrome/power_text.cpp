#include "importers/chrome/power_text.h"

#include "importers/chrome/decimal.h"
#include "importers/table/table_reader.h"
#include "importers/trace/time_crowd.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace wattproof::importers::chrome {
namespace {

constexpr std::size_t kMostSamples = 10'000'000;
constexpr std::size_t kMostMarks = 10'000;
constexpr std::size_t kLongestLine = 4096;
constexpr double kMsToNs = 1e6, kLatestMs = 1e12;
constexpr double kMicro = 1e-6;  // mA × mV to W
constexpr Ns kSecond = 1'000'000'000;

std::string_view nextWord(std::string_view &text) {
    text = trimmed(text);
    const std::string_view word = text.substr(0, text.find_first_of(" \t\r"));
    text.remove_prefix(word.size());
    return word;
}

}  // namespace

void PowerText::take(std::string_view piece, std::uint64_t offset) {
    if (piece.empty())
        piece = "\n";
    for (std::size_t end = piece.find('\n'); end != std::string_view::npos; end = piece.find('\n')) {
        held_.append(piece.substr(0, end));
        line(held_, offset);
        held_.clear();
        piece.remove_prefix(end + 1);
    }
    held_.append(piece.substr(0, kLongestLine - std::min(kLongestLine, held_.size())));
}

void PowerText::line(std::string_view text, std::uint64_t offset) {
    text = trimmed(text);
    if (text.starts_with('#'))
        headLine(text);
    else if (!text.empty())
        sampleLine(text, offset);
}

// "# sample_rate 2000 Hz, gain 5.0x", in older versions "# sample_rate=2000Hz, …".
void PowerText::headLine(std::string_view text) {
    constexpr std::string_view kRate = "sample_rate";
    const std::size_t found = text.find(kRate);
    if (found == std::string_view::npos)
        return;
    text.remove_prefix(std::min(text.size(), text.find_first_of("0123456789", found)));
    std::int64_t rate = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), rate).ec == std::errc() && rate > 0)
        rate_ = rate;
}

void PowerText::sampleLine(std::string_view text, std::uint64_t offset) {
    std::array<double, 3> values{};
    bool whole = true;
    for (double &value : values) {
        const auto number = real(nextWord(text));
        whole = whole && number;
        value = number.value_or(0);
    }
    const double watts = values[1] * values[2] * kMicro;
    if (!whole || !std::isfinite(watts) || std::abs(values[0]) > kLatestMs)
        return builder_.warn("unreadable_line", "Lines of the power trace that are no samples were left out.",
                             {offset});
    const Ns at = std::llround(values[0] * kMsToNs);
    const std::string_view mark = trimmed(text);
    if (mark.size() > 2 && mark.front() == '<' && mark.back() == '>' && marks_.size() < kMostMarks)
        marks_.try_emplace(std::string(mark.substr(1, mark.size() - 2)), at);
    if (samples_.size() >= kMostSamples)
        return builder_.warn("too_many_samples", "Power samples after the first 10 million were left out.",
                             {offset});
    samples_.push_back({at, watts, offset});
}

CounterId PowerText::addCounter() {
    DeviceRow device;
    device.source = source_;
    device.kind = DeviceKind::Node;
    device.name = device.nativeId = "battery";
    CounterRow row;
    row.source = source_;
    row.name = "battery draw";
    row.device = writer_.addDevice(device);
    row.domain = "battery";
    row.quantity = "power";
    row.unit = "W";
    if (rate_)
        row.sensor.period = kSecond / *rate_;
    return writer_.addCounter(row);
}

Ns PowerText::shift(const std::map<std::string, Ns, std::less<>> &marks) {
    for (const auto &[id, at] : marks_)
        if (const auto stated = marks.find(id); stated != marks.end())
            return stated->second - at;
    builder_.warn("assumed_power_start",
                  "The power trace shares no clock mark with the events; it was taken to begin with them.",
                  {samples_.front().offset});
    return builder_.earliest().value_or(0) - samples_.front().at;
}

void PowerText::finish(const std::map<std::string, Ns, std::less<>> &marks) {
    if (samples_.empty())
        return;
    const Ns moved = shift(marks);
    const CounterId counter = addCounter();
    for (const Drawn &each : samples_) {
        Ns at = 0;
        if (__builtin_add_overflow(each.at, moved, &at) || at < -kLargestTime || at > kLargestTime)
            builder_.warn("timestamp_outlier", "Samples whose times are beyond any clock were left out.",
                          {each.offset});
        else
            builder_.sample(counter, at, each.watts, {each.offset});
    }
}

}  // namespace wattproof::importers::chrome
