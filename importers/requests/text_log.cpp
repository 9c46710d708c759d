#include "importers/requests/text_log.h"

#include "importers/requests/figures.h"
#include "importers/requests/k6_text.h"
#include "importers/requests/prometheus_text.h"
#include "importers/requests/wrk_text.h"
#include "importers/table/table_reader.h"

#include <functional>

#include <nlohmann/json.hpp>

namespace wattproof::importers::requests {
namespace {

constexpr std::int64_t kLinesPerCheck = 4096;
constexpr char kNoDelimiter = '\x1f';
constexpr std::string_view kLoadGenMark = ":::MLLOG ";

using TakeLine = std::function<void(std::string_view text, std::uint64_t line)>;

Status readLines(LogRun &run, const TakeLine &take) {
    TableReader reader(run.input(), kNoDelimiter);
    TableRow row;
    bool ended = true;
    for (std::int64_t count = 0;; ++count) {
        if (count % kLinesPerCheck == 0)
            if (Status status = run.checkpoint(); !status)
                return status;
        Expected<bool> more = reader.next(row);
        if (!more)
            return passOn(more);
        if (!*more)
            break;
        ended = row.endsWithNewline;
        if (!ended && run.rules().shape != Shape::Equals) {
            run.tally().add("truncated_input", row.line, "the file ends within this line, which was left out");
            break;
        }
        take(trimmed(row.text), row.line);
    }
    if (reader.longLines() > 0)
        run.tally().add("malformed_row", reader.firstLongLine(), "lines above 1 MiB were skipped",
                        static_cast<std::int64_t>(reader.longLines()));
    return {};
}

bool isRuler(std::string_view line) {
    return line.find_first_not_of("=-*# ") == std::string_view::npos;
}

// "Scenario : Server", "target_latency (ns): 15000000"; other lines are notes.
void takeKeyValue(FigureValues &values, LogRun &run, std::string_view line) {
    if (isRuler(line))
        return;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
        return run.addMetadata("note", line);
    const std::string_view key = trimmed(line.substr(0, colon)), value = trimmed(line.substr(colon + 1));
    if (!key.empty() && !value.empty())
        values.take(key, value);
}

std::string textOfValue(const nlohmann::json &value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

void takeLoadGen(FigureValues &values, LogRun &run, std::string_view line, std::uint64_t number) {
    const auto bad = [&] {
        run.tally().add("malformed_row", number, "lines that are no records of LoadGen were skipped");
    };
    if (!line.starts_with(kLoadGenMark))
        return bad();
    line.remove_prefix(kLoadGenMark.size());
    const nlohmann::json record = nlohmann::json::parse(line.begin(), line.end(), nullptr, false);
    if (!record.is_object() || !record.contains("key") || !record["key"].is_string() || !record.contains("value"))
        return bad();
    const std::string key = record["key"].get<std::string>();
    const nlohmann::json &value = record["value"];
    const auto flag = [&record](const char *name) {
        const auto meta = record.find("metadata");
        return meta != record.end() && meta->is_object() && meta->value(name, nlohmann::json()) == true;
    };
    if (flag("is_error"))
        run.tally().add("logged_error", number,
                        "the log records errors of the benchmark itself: " + textOfValue(value).substr(0, 200));
    else if (flag("is_warning"))
        run.tally().add("logged_warning", number,
                        "the log records warnings of the benchmark itself: " + textOfValue(value).substr(0, 200));
    if (value.is_structured())
        return run.tally().add("unread_section", number,
                               "lists of samples and hashes of source files are not shown");
    if (!value.is_null())
        values.take(key, textOfValue(value));
}

std::string_view unquoted(std::string_view text) {
    constexpr std::string_view kQuotes = "'\" \t";
    const std::size_t begin = text.find_first_not_of(kQuotes);
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(kQuotes) + 1 - begin);
}

// The number at the front, with its sign of percent; empty where there is none.
std::string_view numberText(std::string_view text) {
    constexpr std::string_view kWrap = "np.float64(";
    text = unquoted(text);
    if (text.starts_with(kWrap))
        text.remove_prefix(kWrap.size());
    if (text.empty() || std::string_view("+-.0123456789").find(text.front()) == std::string_view::npos)
        return {};
    const std::size_t length = text.find_first_not_of("+-0123456789.eE");
    const bool percent = length != std::string_view::npos && text[length] == '%';
    return text.substr(0, length == std::string_view::npos ? length : length + (percent ? 1 : 0));
}

// What a number is called: the longest text before it that is a figure's name ("Accuracy: mean"), else the
// shortest.
std::string_view nameBefore(std::string_view line, const LogRules &rules) {
    const std::size_t before = line.find_last_of("{,=");
    line.remove_prefix(before == std::string_view::npos ? 0 : before + 1);
    for (;;) {
        const std::string_view name = unquoted(line);
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos || anyMatches(rules.figures, name))
            return name;
        line.remove_prefix(colon + 1);
    }
}

// Every "name=number" and "'name': number" of a line.
void takeEquals(FigureValues &values, LogRun &run, std::string_view line) {
    if (line.find("IoU=") != std::string_view::npos)
        return run.tally().add("unread_section", 0, "precision and recall by size of object are not shown");
    for (std::size_t at = line.find_first_of("=:"); at != std::string_view::npos;
         at = line.find_first_of("=:", at + 1)) {
        const std::string_view value = numberText(line.substr(at + 1));
        const std::string_view name = nameBefore(line.substr(0, at), run.rules());
        if (!value.empty() && !name.empty() && numberText(name).empty())
            values.take(name, value);
    }
}

}  // namespace

Status readText(LogRun &run) {
    FigureValues values(run);
    WrkText wrk(values, run);
    K6Text k6(values, run);
    PrometheusText metrics(run);
    const auto take = [&](std::string_view text, std::uint64_t line) {
        switch (run.rules().shape) {
            case Shape::KeyValue:
                return takeKeyValue(values, run, text);
            case Shape::MlLog:
                return takeLoadGen(values, run, text, line);
            case Shape::Wrk:
                return wrk.take(text, line);
            case Shape::K6:
                return k6.take(text, line);
            case Shape::Prometheus:
                return metrics.take(text, line);
            default:
                return takeEquals(values, run, text);
        }
    };
    if (Status status = readLines(run, take); !status)
        return status;
    metrics.finish();
    values.finish();
    return {};
}

}  // namespace wattproof::importers::requests
