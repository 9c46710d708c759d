// Real Perfetto traces, against facts that an independent reader computed.
#include "tests/support/perfetto_case.h"
#include "tests/support/shared_files.h"

#include <map>

#include <QFile>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using Json = nlohmann::json;

class PerfettoCorpusTest : public QObject {
    Q_OBJECT

private slots:
    void facts_data();
    void facts();
    void nestedTracks();
    void cutPacket();
    void wallTime();
};

static Json factsOf(const QString &path) {
    QFile file(path + QStringLiteral(".facts.json"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return Json::parse(file.readAll().toStdString())["members"][0]["perfetto"];
}

// Slices of BEGIN/END pairs as the facts count them: old asynchronous events are counted apart there.
struct Pairs {
    std::int64_t closed = 0, unclosed = 0;
    std::map<std::string, std::pair<std::int64_t, Ns>> byName;  // closed: count, total
};

static Pairs pairsOf(const test::RecordingWriter &writer) {
    Pairs pairs;
    for (const SliceRow &slice : writer.slices) {
        // What the scheduler ran stands on tracks of processors.
        if (slice.kind != SliceKind::Slice || writer.track(slice.track).kind == TrackKind::Cpu)
            continue;
        if (slice.state != SliceState::Ok) {
            ++pairs.unclosed;
            continue;
        }
        ++pairs.closed;
        auto &[count, total] = pairs.byName[writer.text(slice.name)];
        ++count;
        total += slice.dur;
    }
    return pairs;
}

void PerfettoCorpusTest::facts_data() {
    QTest::addColumn<QString>("path");
    const QStringList files = test::sharedFiles(QStringLiteral("corpus/perfetto"), QStringLiteral("*trace")) +
                              test::sharedFiles(QStringLiteral("corpus/derived"), QStringLiteral("*trace"));
    if (files.isEmpty())
        QSKIP("skipped: the shared Perfetto traces are not here");
    for (const QString &path : files)
        QTest::newRow(qPrintable(QFileInfo(path).fileName())) << path;
}

void PerfettoCorpusTest::facts() {
    QFETCH(QString, path);
    const Json facts = factsOf(path);
    const auto trace = test::importPerfettoFile(path.toStdString());
    QVERIFY2(trace.result.has_value(), trace.outcome().c_str());
    QVERIFY2(trace.violations().empty(), trace.violations().c_str());
    QCOMPARE(trace.result->events, facts["packets"].get<std::int64_t>());
    for (const Json &process : facts["descriptor_processes"]) {
        const auto &rows = trace.writer->processes;
        const bool found = std::any_of(rows.begin(), rows.end(), [&](const ProcessRow &row) {
            return row.pid == std::to_string(process[0].get<std::int64_t>()) && row.name == process[1];
        });
        QVERIFY2(found, process.dump().c_str());
    }
    if (!facts.contains("track_event"))
        return;
    const Json &events = facts["track_event"];
    const Json &wanted = events["slices_of_TYPE_SLICE_BEGIN_END"];
    const Json &types = events["by_type"];
    std::int64_t old = 0, oldEnds = 0;
    for (const char *phase : {"legacy_b", "legacy_S"})
        old += types.value(phase, std::int64_t{0});
    for (const char *phase : {"legacy_e", "legacy_F"})
        oldEnds += types.value(phase, std::int64_t{0});
    const Pairs pairs = pairsOf(*trace.writer);
    QCOMPARE(pairs.closed + pairs.unclosed - old,
             wanted["closed"].get<std::int64_t>() + wanted["unclosed"].get<std::int64_t>());
    const std::int64_t unmatched = trace.writer->warningCount("unmatched_end");
    QVERIFY(unmatched >= wanted["unmatched_end"].get<std::int64_t>());
    QVERIFY(unmatched <= wanted["unmatched_end"].get<std::int64_t>() + oldEnds);
    for (const Json &top : events["top10_total_dur"]) {
        const auto own = pairs.byName.find(top["name"]);
        QVERIFY2(own != pairs.byName.end(), top.dump().c_str());
        QCOMPARE(own->second.first, top["count"].get<std::int64_t>());
        QCOMPARE(own->second.second, top["total_ns"].get<std::int64_t>());
    }
}

void PerfettoCorpusTest::nestedTracks() {
    WATTPROOF_SHARED_OR_SKIP(path, "corpus/perfetto/perfetto_nested_tracks.perfetto-trace");
    const auto trace = test::importPerfettoFile(path.toStdString());
    const auto &writer = *trace.writer;
    std::map<int, int> byDepth;
    for (const TrackRow &track : writer.tracks) {
        int depth = 1;
        for (TrackId at = track.parent; at.valid(); at = writer.track(at).parent)
            ++depth;
        ++byDepth[depth];
    }
    QCOMPARE(byDepth.size(), std::size_t{5});
}

void PerfettoCorpusTest::cutPacket() {
    WATTPROOF_SHARED_OR_SKIP(path, "corpus/derived/cut_packet.perfetto-trace");
    const auto trace = test::importPerfettoFile(path.toStdString());
    const WarningRow *warning = trace.writer->findWarning("truncated_input");
    QVERIFY(warning);
    QCOMPARE(warning->firstPosition,
             "byte " + std::to_string(factsOf(path)["truncated"]["at"].get<std::int64_t>()));
}

// Where snapshots read the wall clock, the source states wall time.
void PerfettoCorpusTest::wallTime() {
    WATTPROOF_SHARED_OR_SKIP(path, "corpus/perfetto/msperf_test_trace.perfetto-trace");
    const auto trace = test::importPerfettoFile(path.toStdString());
    QCOMPARE(trace.writer->sources.at(0).clock, ClockBasis::Epoch);
    const Json first = factsOf(path)["clock_snapshots"]["first"];
    const Ns wall = first[0][1], boot = first[5][1];
    const Ns base = std::stoll(trace.writer->metadataValue("trace_clock_base_ns"));
    // The offset of the two clocks as it was at the first snapshot, give or take their drift over the trace.
    QVERIFY(std::abs((trace.base() - base) - (wall - boot)) < 1'000'000);
}

QTEST_APPLESS_MAIN(PerfettoCorpusTest)
#include "tst_perfetto_corpus.moc"
