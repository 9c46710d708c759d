// The shared Perfetto cases: those made from public bug reports, and those of Perfetto's own tests about track
// events and clocks.
#include "importers/perfetto/clock_snapshot.h"
#include "importers/perfetto/wire.h"
#include "tests/support/case_check.h"
#include "tests/support/perfetto_case.h"
#include "tests/support/shared_files.h"

#include <algorithm>

#include <QDir>
#include <QFile>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using Json = nlohmann::json;

class PerfettoCasesTest : public QObject {
    Q_OBJECT

private slots:
    void reportedCase_data();
    void reportedCase();
    void upstreamCase_data();
    void upstreamCase();
    void siblingOrder();
    void clockConversion();
};

static Json readJson(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? Json::parse(file.readAll().toStdString(), nullptr, false) : Json();
}

static std::string joined(const std::vector<std::string> &sentences) {
    std::string all;
    for (const std::string &each : sentences)
        all += each + "\n";
    return all;
}

void PerfettoCasesTest::reportedCase_data() {
    QTest::addColumn<QString>("path");
    const QString folder = test::sharedFile(QStringLiteral("cases"));
    if (folder.isEmpty())
        QSKIP("skipped: the shared cases are not here");
    const QDir cases(folder);
    for (const QString &name : cases.entryList({QStringLiteral("0*")}, QDir::Dirs, QDir::Name))
        if (readJson(cases.filePath(name + QStringLiteral("/case.json"))).value("kind", "") == "perfetto")
            QTest::newRow(qPrintable(name)) << cases.filePath(name);
}

void PerfettoCasesTest::reportedCase() {
    QFETCH(QString, path);
    const Json description = readJson(path + QStringLiteral("/case.json"));
    for (const Json &input : description["inputs"]) {
        const auto trace = test::importPerfettoFile(path.toStdString() + '/' + input.get<std::string>());
        const std::string problems = joined(test::checkTraceCase(trace, description["expect"]));
        QVERIFY2(problems.empty(), problems.c_str());
    }
}

// What our views answer otherwise than upstream's tables, and why.
static test::FactOptions optionsFor(const std::string &trace, const std::string &kind) {
    test::FactOptions options;
    // The two rows are main threads, tid = pid, made up by upstream since each process must have one. No packet
    // says anything of them: a row of `threads` is one that the trace speaks of, and a thread that never was on
    // screen, in a count or in an idle share would be wrong.
    if (trace == "te_same_tids" && kind == "threads")
        options.argued = {2, 3};
    if (trace == "te_track_orderings")
        options.ignored = {"child_ordering", "sibling_rank"};  // told by the order of tracks: see siblingOrder
    // The annotation runs from 21000 to 29000, the event around it ends at 28000. Upstream cuts the annotation
    // there and drops its end as unmatched. By rule 3 of the shared cases partly overlapping slices both stay,
    // exact.
    if (trace == "te_with_atrace")
        options.argued = {2};
    // Two descriptors name process p2, by two ids of tracks: upstream has a track for each, ours one for the
    // process.
    if (kind == "tracks" && trace == "te_tracks")
        options.argued = {7};
    if (kind == "counters")
        options.adapt = [](test::FactRow &row) {
            // Upstream leaves the units of the deprecated thread counters open, though their fields have them
            // (thread_time_absolute_us, thread_instruction_count_absolute): ours are ns and 1.
            if (row["thread_name"] == "t4")
                row["unit"] = Json();
        };
    if (kind == "slice_args" || kind == "args")
        options.adapt = [](test::FactRow &row) {
            for (const char *column : {"arg_path", "arg_flat_path"})
                row[column] = "debug." + row[column].get<std::string>();
        };
    return options;
}

// Arguments that upstream's importer adds on its own account.
static Json withoutInternals(Json fact) {
    const auto &columns = fact["columns"];
    const auto path = std::find(columns.begin(), columns.end(), "arg_path") - columns.begin();
    Json kept = Json::array();
    for (const Json &row : fact["expected"])
        if (row[static_cast<std::size_t>(path)].get<std::string>().starts_with("debug."))
            kept.push_back(row);
    fact["expected"] = kept;
    return fact;
}

// Ours are metadata, by "thread t1", "process p1" or the name of the track.
static void addDescriptions(const test::ImportedTrace &trace, std::vector<test::FactRow> &rows) {
    for (auto &row : rows) {
        std::string title = row["track_name"];
        std::replace(title.begin(), title.end(), '=', ' ');
        const std::string text = trace.writer->metadataValue("track_description." + title);
        row["description"] = text.empty() ? Json() : Json(text);
    }
}

static std::vector<test::FactRow> rowsFor(const test::ImportedTrace &trace, const std::string &name,
                                          const std::string &kind) {
    if (kind == "import_stats")
        return {{{"slice_count", trace.writer->slices.size()},
                 {"slice_name", trace.writer->text(trace.writer->slices.at(0).name)},
                 {"slice_ts_ns", trace.base()},
                 {"timestamp_errors", trace.writer->warningCount("timestamp_overflow")}}};
    auto rows = test::rowsOfKind(trace, kind);
    if (name == "te_sort_index")
        for (auto &row : test::threadRows(trace))
            rows.push_back(row);
    if (name == "te_tracks" && kind == "tracks") {
        for (auto &row : test::processRows(trace))
            rows.push_back({{"track_name", "process=" + row["name"].get<std::string>()}});
        for (auto &row : test::threadRows(trace))
            rows.push_back({{"track_name", "thread=" + row["name"].get<std::string>()}});
        addDescriptions(trace, rows);
    }
    return rows;
}

void PerfettoCasesTest::upstreamCase_data() {
    QTest::addColumn<QString>("expected");
    for (const char *area : {"clocks", "track_event"}) {
        const QString folder = QStringLiteral("corpus/perfetto_cases/") + QLatin1String(area);
        for (const QString &path : test::sharedFiles(folder, QStringLiteral("*.expected.json")))
            QTest::newRow(qPrintable(QFileInfo(path).completeBaseName())) << path;
    }
}

void PerfettoCasesTest::upstreamCase() {
    QFETCH(QString, expected);
    const Json description = readJson(expected);
    const std::string file = description["trace"];
    const std::string name = file.substr(0, file.find('.'));
    const auto trace = test::importPerfettoFile(QFileInfo(expected).path().toStdString() + '/' + file);
    for (Json fact : description["facts"]) {
        const std::string kind = fact["kind"];
        if (kind == "clock_conversion")
            continue;  // see clockConversion
        if (kind == "slice_args" || kind == "args")
            fact = withoutInternals(fact);
        const std::string problems =
            joined(test::checkFact(trace, fact, optionsFor(name, kind), rowsFor(trace, name, kind)));
        QVERIFY2(problems.empty(), (kind + ": " + problems).c_str());
    }
}

// The children of each parent, in the order in which they are shown.
static std::vector<std::string> childrenOf(const test::RecordingWriter &writer, const std::string &parent) {
    std::vector<std::string> names;
    for (const TrackRow &track : writer.tracks)
        if (track.parent.valid() && writer.track(track.parent).name == parent)
            names.push_back(track.name);
    return names;
}

void PerfettoCasesTest::siblingOrder() {
    WATTPROOF_SHARED_OR_SKIP(file, "corpus/perfetto_cases/track_event/te_track_orderings.pftrace");
    const auto trace = test::importPerfettoFile(file.toStdString());
    using Names = std::vector<std::string>;
    QCOMPARE(childrenOf(*trace.writer, "Root Chronological"), (Names{"B", "A"}));
    QCOMPARE(childrenOf(*trace.writer, "Root Explicit"), (Names{"C", "B", "A"}));
    QCOMPARE(childrenOf(*trace.writer, "Root Lexicographic"), (Names{"A", "B", "C"}));
}

// The snapshots of a trace, as the importer hands them to the clock tracker.
static importers::perfetto::ClockTracker clocksOf(const QString &path) {
    using namespace importers::perfetto;
    QFile file(path);
    const std::string bytes = file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
    ClockTracker clocks;
    Message trace(bytes);
    for (Field packet; trace.next(packet);) {
        Message members(packet.bytes);
        for (Field member; members.next(member);)
            if (member.id == 6) {
                std::uint32_t primary = 0;
                clocks.addSnapshot(readSnapshot(member.bytes, 1, 0, primary));
            }
    }
    return clocks;
}

void PerfettoCasesTest::clockConversion() {
    using namespace importers::perfetto;
    WATTPROOF_SHARED_OR_SKIP(multiplier, "corpus/perfetto_cases/clocks/ck_multiplier.pftrace");
    WATTPROOF_SHARED_OR_SKIP(various, "corpus/perfetto_cases/clocks/ck_various.pftrace");
    QCOMPARE(clocksOf(multiplier).convert(clock_id::kBoottime, clock_id::kRealtime, 0), std::optional<Ns>(420));
    ClockTracker clocks = clocksOf(various);
    const std::vector<std::pair<Ns, Ns>> wall{{15, 5}, {25, 1652903999999999995}, {35, 1652904000000000000}};
    for (const auto &[boot, expected] : wall)
        QCOMPARE(clocks.convert(clock_id::kBoottime, clock_id::kRealtime, boot), std::optional<Ns>(expected));
    const std::vector<std::pair<Ns, Ns>> monotonic{{25, 15}, {35, 20}, {50, 25}};
    for (const auto &[boot, expected] : monotonic)
        QCOMPARE(clocks.convert(clock_id::kBoottime, clock_id::kMonotonic, boot), std::optional<Ns>(expected));
}

QTEST_APPLESS_MAIN(PerfettoCasesTest)
#include "tst_perfetto_cases.moc"
