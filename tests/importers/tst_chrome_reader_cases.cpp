// Small cases of another reader's own tests with the rows that it expects (corpus/perfetto_cases/json).
#include "tests/support/import_trace.h"
#include "tests/support/shared_files.h"

#include <algorithm>
#include <set>

#include <QFile>
#include <QFileInfo>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using Json = nlohmann::json;

class ChromeReaderCasesTest : public QObject {
    Q_OBJECT

private slots:
    void caseOfAnotherReader_data();
    void caseOfAnotherReader();
};

namespace {

Json readJson(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? Json::parse(file.readAll().toStdString(), nullptr, false) : Json();
}

// One expected row, by column.
class Row {
public:
    Row(const Json &columns, const Json &cells) : columns_(columns), cells_(cells) {}
    [[nodiscard]] Json operator[](const char *column) const {
        const auto found = std::find(columns_.begin(), columns_.end(), column);
        return found == columns_.end() ? Json() : cells_[static_cast<std::size_t>(found - columns_.begin())];
    }
    [[nodiscard]] bool has(const char *column) const {
        return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
    }
    [[nodiscard]] std::string text() const { return cells_.dump(); }

private:
    const Json &columns_, &cells_;
};

class Check {
public:
    explicit Check(const test::ImportedTrace &trace) : trace_(trace), writer_(*trace.writer) {}

    [[nodiscard]] std::string failures(const Json &fact) {
        const std::string kind = fact["kind"];
        for (const Json &cells : fact["expected"]) {
            const Row row(fact["columns"], cells);
            if (!holds(kind, row))
                failed_ += kind + ": " + row.text() + "\n";
        }
        if (kind == "flows" && writer_.flows.size() != fact["expected"].size())
            failed_ += "flows: " + std::to_string(writer_.flows.size()) + "\n";
        return failed_;
    }

private:
    bool holds(const std::string &kind, const Row &row) const {
        if (kind == "slices" || kind == "slice_args")
            return std::any_of(writer_.slices.begin(), writer_.slices.end(), [&](const SliceRow &slice) {
                return sliceIs(slice, row) && argumentIs(slice, row);
            });
        if (kind == "flows")
            return std::any_of(writer_.flows.begin(), writer_.flows.end(), [&](const FlowRow &flow) {
                return nameOf(writer_.slice(flow.from)) == row["from_slice"] &&
                       nameOf(writer_.slice(flow.to)) == row["to_slice"];
            });
        if (kind == "counters")
            return counterHolds(row);
        if (kind == "import_stats")
            return static_cast<std::int64_t>(writer_.slices.size()) == row["slice_count"] &&
                   (!row.has("overlap_spilled") ||
                    writer_.warningCount("overlapping_slice") == row["overlap_spilled"]);
        if (kind == "import_log")
            return writer_.warningCount("overlapping_slice") == 1;
        if (kind == "threads")
            return threadHolds(row);
        return kind == "metadata" && metadataHolds(row);
    }

    [[nodiscard]] std::string nameOf(const SliceRow &slice) const { return writer_.text(slice.name); }
    [[nodiscard]] const ThreadRow *threadOf(const SliceRow &slice) const {
        const TrackRow &track = writer_.track(slice.track);
        return track.thread.valid() ? &writer_.threads.at(static_cast<std::size_t>(track.thread.value - 1))
                                    : nullptr;
    }
    [[nodiscard]] const ProcessRow &processOf(const ThreadRow &thread) const {
        return writer_.processes.at(static_cast<std::size_t>(thread.process.value - 1));
    }

    [[nodiscard]] bool sliceIs(const SliceRow &slice, const Row &row) const {
        if (row.has("slice_name") && nameOf(slice) != row["slice_name"])
            return false;
        if (row.has("ts_ns") && slice.ts + trace_.base() != row["ts_ns"])
            return false;
        const Ns dur = slice.state == SliceState::Unfinished ? -1 : slice.dur;
        if ((row.has("dur_ns") && dur != row["dur_ns"]) || (row.has("depth") && slice.depth != row["depth"]))
            return false;
        if (row.has("track_name"))
            return writer_.track(slice.track).kind == TrackKind::Async &&
                   writer_.track(slice.track).name == row["track_name"];
        return placeIs(slice, row);
    }

    // A pid or tid that is text is an id here, a name there; events without any are those of 0 there.
    [[nodiscard]] bool placeIs(const SliceRow &slice, const Row &row) const {
        const ThreadRow *thread = threadOf(slice);
        if (!thread)
            return !row.has("tid");
        const ProcessRow &process = processOf(*thread);
        const auto isNamed = [](const Json &wanted, const std::string &name, const std::string &id) {
            return wanted.is_null() ? name.empty() : (name == wanted || id == wanted);
        };
        const auto isId = [](const Json &wanted, const std::string &id) {
            return wanted.is_null() || id == wanted.dump() || (id.empty() && wanted == 0);
        };
        return (!row.has("thread_name") || isNamed(row["thread_name"], thread->name, thread->tid)) &&
               (!row.has("process_name") || isNamed(row["process_name"], process.name, process.pid)) &&
               isId(row["tid"], thread->tid) && isId(row["pid"], process.pid);
    }

    [[nodiscard]] bool argumentIs(const SliceRow &slice, const Row &row) const {
        const Json path = row.has("arg_flat_path") ? row["arg_flat_path"] : row["arg_path"];
        if (!path.is_string())
            return true;
        std::string key = path.get<std::string>().substr(5);  // "args."
        const std::size_t dot = key.find('.');
        // The key itself may hold a dot.
        if (const auto whole = writer_.argument(slice, key); dot != std::string::npos && whole)
            return row["int_value"] == Json::parse(*whole);
        const auto own = writer_.argument(slice, key.substr(0, dot));
        Json value = own ? Json::parse(*own) : Json();
        if (dot != std::string::npos && value.is_object())
            value = value.value(key.substr(dot + 1), Json());
        if (value.is_boolean())
            value = value.get<bool>() ? 1 : 0;
        return row["string_value"].is_string() ? value == row["string_value"] : value == row["int_value"];
    }

    // "<event> <key>" there is one name; here it is the event's where it has one series.
    [[nodiscard]] bool counterHolds(const Row &row) const {
        const std::string wanted = row["counter_name"];
        for (const CounterRow &counter : writer_.counters) {
            std::string name = counter.name;
            std::replace(name.begin(), name.end(), '.', ' ');
            if (name != wanted && wanted.substr(0, wanted.find(' ')) != name)
                continue;
            for (const Sample &sample : writer_.samples.at(counter.id.value))
                if (row["value"] == sample.value &&
                    (!row.has("ts_ns") || row["ts_ns"] == sample.ts + trace_.base()))
                    return true;
        }
        return false;
    }

    [[nodiscard]] bool threadHolds(const Row &row) const {
        if (row["pid"] == 0)
            return true;  // the idle thread, which the other reader always makes
        const auto same = [](const Json &wanted, std::optional<std::int64_t> own) {
            return wanted.is_null() ? !own.has_value() : own == wanted.get<std::int64_t>();
        };
        const auto process = std::find_if(writer_.processes.begin(), writer_.processes.end(),
                                          [&](const ProcessRow &each) { return each.pid == row["pid"].dump(); });
        if (process == writer_.processes.end() || !same(row["process_sort_index"], process->sortIndex))
            return false;
        return row["thread_sort_index"].is_null() ||
               std::any_of(writer_.threads.begin(), writer_.threads.end(), [&](const ThreadRow &thread) {
                   return thread.tid == row["tid"].dump() && same(row["thread_sort_index"], thread.sortIndex);
               });
    }

    [[nodiscard]] bool metadataHolds(const Row &row) const {
        const std::string own = writer_.metadataValue(row["key"].get<std::string>().substr(5));  // "json_"
        return row["str_value"].is_string() ? own == row["str_value"] : own == row["int_value"].dump();
    }

    const test::ImportedTrace &trace_;
    const test::RecordingWriter &writer_;
    std::string failed_;
};

// Where this program means something else: of two slices that start at one time the longer is the outer one, so
// the slice of length 0 lies in the other; the other reader closes it before it opens the next.
std::string argued(const QString &name) {
    return name == QLatin1String("json_same_ts_zero_then_be") ? "slices: [\"Slice 1\",0]\n" : "";
}

}  // namespace

void ChromeReaderCasesTest::caseOfAnotherReader_data() {
    QTest::addColumn<QString>("path");
    for (const QString &path :
         test::sharedFiles(QStringLiteral("corpus/perfetto_cases/json"), QStringLiteral("*.expected.json")))
        QTest::newRow(qPrintable(QFileInfo(path).baseName())) << path;
}

void ChromeReaderCasesTest::caseOfAnotherReader() {
    if (!QTest::currentDataTag())
        QSKIP("skipped: the shared corpus is not here");
    QFETCH(QString, path);
    const Json expected = readJson(path);
    const std::string file = expected["trace"];
    const auto trace = test::importChromeFile(QFileInfo(path).path().toStdString() + '/' + file);
    QCOMPARE(trace.outcome(), std::string("ok"));
    QCOMPARE(trace.violations(), std::string());
    for (const Json &fact : expected["facts"])
        QCOMPARE(Check(trace).failures(fact), argued(QFileInfo(path).baseName()));
}

QTEST_APPLESS_MAIN(ChromeReaderCasesTest)
#include "tst_chrome_reader_cases.moc"
