#include "importers/session.h"
#include "store/reader.h"
#include "store/workspace.h"
#include "tests/support/shared_files.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace wattproof;
using namespace wattproof::importers;

namespace {

const char *const kTrace =
    "Start (ns),Duration (ns),CorrId,Device,Strm,Name\n"
    "1000,500,1,NVIDIA RTX A4500 (0),7,gemm\n2000,500,2,NVIDIA RTX A4500 (0),7,gemm\n";
const char *const kLog =
    "timestamp, index, power.draw [W]\n2025/04/24 16:02:12.000, 0, 21.76 W\n2025/04/24 16:02:13.000, 0, 30.00 W\n";
const char *const kNamelessLog =
    "timestamp, power.draw [W]\n2025/04/24 16:02:12.000, 21.76 W\n2025/04/24 16:02:13.000, 30.00 W\n";
const char *const kChrome =
    R"({"traceEvents": [{"name": "step", "ph": "X", "ts": 1, "dur": 2, "pid": 1, "tid": 1}]})";

struct Folder {
    QTemporaryDir dir;

    std::string file(const char *name, const QByteArray &content) const {
        const QString path = dir.filePath(QString::fromLatin1(name));
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(content) == content.size() ? path.toStdString()
                                                                                        : std::string();
    }
    [[nodiscard]] std::string path(const char *name) const {
        return dir.filePath(QString::fromLatin1(name)).toStdString();
    }
    [[nodiscard]] QStringList names() const { return QDir(dir.path()).entryList(QDir::Files); }
};

struct Opened {
    std::shared_ptr<store::Workspace> workspace;
    std::unique_ptr<store::Reader> reader;
};

Opened open(const std::string &path) {
    auto workspace = store::Workspace::open(path);
    if (!workspace)
        return {};
    auto reader = (*workspace)->reader();
    return {*workspace, reader ? std::move(*reader) : nullptr};
}

// 100 slices of 5 ms, 10 ms apart, and what else is in it.
QByteArray compactTrace(const QByteArray &more) {
    QByteArray text = R"({"traceEvents": [)";
    for (int i = 0; i < 100; ++i)
        text += R"({"name": "work", "ph": "X", "ts": )" + QByteArray::number(10'000 * i) +
                R"(, "dur": 5000, "pid": 1, "tid": 1}, )";
    return text + more + "]}";
}
constexpr Ns kMainLength = 995'000'000, kHour = 3'600'000'000'000;
const char *const kFar = R"({"name": "late", "ph": "X", "ts": 3600000000, "dur": 1, "pid": 1, "tid": 2})";

std::int64_t countOf(const std::vector<WarningRow> &warnings, const char *kind) {
    for (const WarningRow &warning : warnings)
        if (warning.kind == kind)
            return warning.count;
    return 0;
}

}  // namespace

class SessionTest : public QObject {
    Q_OBJECT

private slots:
    void traceAndLogShareTheirGpu_data();
    void traceAndLogShareTheirGpu();
    void logWithoutNameTakesTheTracesModel();
    void otherModelStaysAnotherDevice();
    void uuidDecidesOverIndex();
    void twoTracesDoNotShareByIndex();
    void sourcesCarryTheirOrigin();
    void fileThatIsThereIsNotImportedAgain();
    void addedLogJoinsTheOpenWorkspace();
    void brokenFileLeavesNothing();
    void cancelLeavesWhatWasThere();
    void progressCoversAllFiles();
    void forcedFormatSparesOtherFiles();
    void unknownFilesNameTheFormats();
    void farEventsLeaveAMainPart();
    void farEventsLeftOutByAPartAreNone();
    void longLogIsNoOutlier();
    void counterAtItsPaceLeavesNoGap();
    void unfinishedSliceDoesNotBridge();
    void realPairImports();
};

void SessionTest::traceAndLogShareTheirGpu_data() {
    QTest::addColumn<bool>("traceFirst");
    QTest::newRow("trace first") << true;
    QTest::newRow("log first") << false;
}

void SessionTest::traceAndLogShareTheirGpu() {
    QFETCH(bool, traceFirst);
    const Folder folder;
    std::vector<std::string> files{folder.file("a.csv", kTrace), folder.file("b.csv", kLog)};
    if (!traceFirst)
        std::swap(files[0], files[1]);
    const auto summary = importToNew(files, folder.path("w.wattproof"), {}, {});
    QVERIFY2(summary.has_value(), summary ? "" : summary.error().sentence().c_str());
    QCOMPARE(summary->files.size(), std::size_t{2});
    QCOMPARE(summary->files[0].path, files[0]);
    const Opened opened = open(folder.path("w.wattproof"));
    const auto devices = opened.reader->devices();
    QCOMPARE(devices->size(), std::size_t{1});
    QCOMPARE(devices->at(0).model, std::string("NVIDIA RTX A4500"));
    const auto counters = opened.reader->counters();
    QVERIFY(counters->at(0).device == devices->at(0).id);
    QCOMPARE(summary->notes.size(), std::size_t{1});
    QVERIFY(summary->notes[0].find("same index") != std::string::npos);
}

void SessionTest::logWithoutNameTakesTheTracesModel() {
    const Folder folder;
    const auto summary = importToNew({folder.file("b.csv", kNamelessLog), folder.file("a.csv", kTrace)},
                                     folder.path("w.wattproof"), {}, {});
    QVERIFY(summary);
    const Opened opened = open(folder.path("w.wattproof"));
    QCOMPARE(opened.reader->devices()->size(), std::size_t{1});
    QCOMPARE(opened.reader->counters()->at(0).sensor.window,
             Ns{1'000'000'000});  // an RTX A4500 averages over a second
}

void SessionTest::otherModelStaysAnotherDevice() {
    KnownDevice known;
    known.row.name = "GPU 0";
    known.row.nativeId = "0";
    known.row.model = "NVIDIA A100-SXM4-80GB";
    DeviceRow row = known.row;
    row.model = "NVIDIA H100 80GB HBM3";
    QVERIFY(!matchDevice(row, SourceKind::Power, {known}));
    row.model = "A100-SXM4-80GB";
    QVERIFY(matchDevice(row, SourceKind::Power, {known}));
    row.host = "a";
    known.row.host = "b";
    QVERIFY(!matchDevice(row, SourceKind::Power, {known}));
}

void SessionTest::uuidDecidesOverIndex() {
    std::vector<KnownDevice> known(2);
    known[0].row.nativeId = "0";
    known[0].row.uuid = "GPU-aaaa1";
    known[1].row.nativeId = "1";
    known[1].row.uuid = "GPU-bbbb2";
    DeviceRow row;
    row.nativeId = "0";
    row.uuid = "GPU-bbbb2";
    QCOMPARE(matchDevice(row, SourceKind::Power, known)->index, std::size_t{1});
    row.uuid = "GPU-cccc3";
    QVERIFY(!matchDevice(row, SourceKind::Power, known));
    row.uuid = "GPU-00000000-0000-0000-0000-000000000000";  // anonymised: tells nothing
    QCOMPARE(matchDevice(row, SourceKind::Power, known)->index, std::size_t{0});
    row.uuid.clear();
    row.pci = "00000000:0C:00.0";
    known[1].row.pci = "0000:0c:00.0";
    QCOMPARE(matchDevice(row, SourceKind::Power, known)->index, std::size_t{1});
}

void SessionTest::twoTracesDoNotShareByIndex() {
    KnownDevice known;
    known.row.nativeId = "0";
    DeviceRow row;
    row.nativeId = "0";
    QVERIFY(!matchDevice(row, SourceKind::Trace, {known}));
    QVERIFY(matchDevice(row, SourceKind::Power, {known}));
    row.nativeId.clear();
    QVERIFY(matchDevice(row, SourceKind::Power, {known}));
    QVERIFY(!matchDevice(row, SourceKind::Power, {known, known}));  // which of two?
}

void SessionTest::sourcesCarryTheirOrigin() {
    const Folder folder;
    QVERIFY(importToNew({folder.file("b.csv", kLog)}, folder.path("w.wattproof"), {}, {}));
    const Opened opened = open(folder.path("w.wattproof"));
    const SourceRow source = opened.reader->sources()->at(0);
    QVERIFY(!source.toolVersion.empty());
    QCOMPARE(source.importedAt.size(), std::size_t{20});
    QCOMPARE(source.sha256.size(), std::size_t{64});
    QCOMPARE(source.format, std::string("nvidia-smi-csv"));
    QVERIFY(source.kind == SourceKind::Power);
}

void SessionTest::fileThatIsThereIsNotImportedAgain() {
    const Folder folder;
    const std::string log = folder.file("b.csv", kLog), copy = folder.file("c.csv", kLog);
    const auto summary = importToNew({log, log, copy}, folder.path("w.wattproof"), {}, {});
    QVERIFY2(summary.has_value(), summary ? "" : summary.error().sentence().c_str());
    QCOMPARE(summary->files.size(), std::size_t{1});
    QCOMPARE(summary->notes.size(), std::size_t{2});
    Opened opened = open(folder.path("w.wattproof"));
    const auto again = importInto(*opened.workspace, {copy}, {}, {});
    QVERIFY(again);
    QVERIFY(again->files.empty());
    QVERIFY(again->notes.at(0).find("already in the workspace") != std::string::npos);
    QCOMPARE(opened.workspace->reader().value()->sources()->size(), std::size_t{1});
}

void SessionTest::addedLogJoinsTheOpenWorkspace() {
    const Folder folder;
    QVERIFY(importToNew({folder.file("a.csv", kTrace)}, folder.path("w.wattproof"), {}, {}));
    Opened opened = open(folder.path("w.wattproof"));
    const auto summary = importInto(*opened.workspace, {folder.file("b.csv", kLog)}, {}, {});
    QVERIFY2(summary.has_value(), summary ? "" : summary.error().sentence().c_str());
    const auto reader = opened.workspace->reader();
    QCOMPARE((*reader)->sources()->size(), std::size_t{2});
    QCOMPARE((*reader)->devices()->size(), std::size_t{1});
    QVERIFY((*reader)->counters()->at(0).device == (*reader)->devices()->at(0).id);
}

void SessionTest::brokenFileLeavesNothing() {
    const Folder folder;
    const auto summary = importToNew({folder.file("b.csv", kLog), folder.file("x.bin", "\x01\x02 no trace")},
                                     folder.path("w.wattproof"), {}, {});
    QVERIFY(!summary);
    QVERIFY(summary.error().sentence().find("x.bin") != std::string::npos);
    QCOMPARE(folder.names(), (QStringList{"b.csv", "x.bin"}));
    QVERIFY(!importToNew({folder.path("nowhere.json")}, folder.path("w.wattproof"), {}, {}));
    QVERIFY(!importToNew({folder.file("empty.csv", "")}, folder.path("w.wattproof"), {}, {}));
    QVERIFY(!importToNew({}, folder.path("w.wattproof"), {}, {}));
}

void SessionTest::cancelLeavesWhatWasThere() {
    const Folder folder;
    const std::string log = folder.file("b.csv", kLog);
    std::stop_source stop;
    stop.request_stop();
    Task task;
    task.stop = stop.get_token();
    const auto summary = importToNew({log}, folder.path("w.wattproof"), {}, task);
    QVERIFY(!summary && isCancelled(summary.error()));
    QCOMPARE(folder.names(), QStringList{"b.csv"});
}

void SessionTest::progressCoversAllFiles() {
    const Folder folder;
    const std::vector<std::string> files{folder.file("a.csv", kTrace), folder.file("b.csv", kLog)};
    std::vector<ProgressReport> reports;
    Task task;
    QStringList openings;
    task.progress = [&](const ProgressReport &report) {
        if (report.unit == "bytes")
            reports.push_back(report);
        else if (report.unit == "files" && reports.empty())
            openings << QString::fromStdString(report.stage);
    };
    QVERIFY(importToNew(files, folder.path("w.wattproof"), {}, task));
    QCOMPARE(openings, (QStringList{"Opening a.csv", "Opening b.csv"}));
    QVERIFY(reports.size() >= 2);
    const std::uint64_t total = std::strlen(kTrace) + std::strlen(kLog);
    for (std::size_t i = 0; i < reports.size(); ++i) {
        QCOMPARE(reports[i].total, total);
        QVERIFY(reports[i].done <= total);
        QVERIFY(i == 0 || reports[i].done >= reports[i - 1].done);
    }
}

void SessionTest::forcedFormatSparesOtherFiles() {
    const Folder folder;
    Options options;
    options.format = "csv";
    options.descriptorJson = R"({"columns": {"time": "t", "power": "p"}})";
    const auto summary = importToNew({folder.file("a.json", kChrome), folder.file("b.csv", "t,p\n1,2\n2,2\n")},
                                     folder.path("w.wattproof"), options, {});
    QVERIFY2(summary.has_value(), summary ? "" : summary.error().sentence().c_str());
    QCOMPARE(summary->files[0].slices, std::int64_t{1});
    QCOMPARE(summary->files[1].format, std::string("csv"));
    options.format = "hologram";
    options.descriptorJson.clear();
    const auto unknown = importToNew({folder.path("b.csv")}, folder.path("v.wattproof"), options, {});
    QVERIFY(!unknown && unknown.error().sentence().find("nvidia-smi-csv") != std::string::npos);
}

void SessionTest::unknownFilesNameTheFormats() {
    const Folder folder;
    const auto summary = importToNew({folder.file("x.txt", "Dear diary\n")}, folder.path("w.wattproof"), {}, {});
    QVERIFY(!summary);
    QVERIFY(summary.error().sentence().find("nsys-cuda-gpu-trace-csv") != std::string::npos);
}

void SessionTest::farEventsLeaveAMainPart() {
    const Folder folder;
    const auto summary =
        importToNew({folder.file("trace.json", compactTrace(kFar))}, folder.path("run.wattproof"), {}, {});
    QVERIFY2(summary, summary ? "" : summary.error().sentence().c_str());
    QCOMPARE(countOf(summary->files[0].warnings, "distant_events"), std::int64_t{1});
    const Opened opened = open(folder.path("run.wattproof"));
    QVERIFY(opened.reader);
    QCOMPARE(countOf(*opened.reader->warnings(), "distant_events"), std::int64_t{1});
    const auto part = opened.reader->mainPart();
    QVERIFY(part);
    QCOMPARE(part->range.length(), kMainLength);
    QCOMPARE(part->after, std::int64_t{1});
    QCOMPARE(part->before, std::int64_t{0});
    QVERIFY(opened.reader->extent()->length() > kHour);
    QCOMPARE(opened.reader->mainPart(SourceId{1})->range, part->range);
}

void SessionTest::farEventsLeftOutByAPartAreNone() {
    const Folder folder;
    Options options;
    options.part.range = TimeRange{0, 2'000'000'000};
    const auto summary =
        importToNew({folder.file("trace.json", compactTrace(kFar))}, folder.path("run.wattproof"), options, {});
    QVERIFY2(summary, summary ? "" : summary.error().sentence().c_str());
    QCOMPARE(countOf(summary->files[0].warnings, "distant_events"), std::int64_t{0});
    QCOMPARE(countOf(summary->files[0].warnings, "left_out_range"), std::int64_t{1});
    const Opened opened = open(folder.path("run.wattproof"));
    QVERIFY(opened.reader->mainPart()->isAll());
    QCOMPARE(opened.reader->mainPart()->range, *opened.reader->extent());
}

// A log of two hours about the far event: what lies inside of the log is not outside.
void SessionTest::longLogIsNoOutlier() {
    const Folder folder;
    QByteArray text = "timestamp, index, power.draw [W]\n";
    for (const char *hour : {"00", "01", "02"})
        for (int minute = 0; minute < 60; ++minute)
            text += QStringLiteral("1970/01/01 %1:%2:00.000, 0, 50.00 W\n")
                        .arg(hour)
                        .arg(minute, 2, 10, QLatin1Char('0'))
                        .toUtf8();
    const auto summary = importToNew({folder.file("trace.json", compactTrace(kFar)), folder.file("p.csv", text)},
                                     folder.path("run.wattproof"), {}, {});
    QVERIFY2(summary, summary ? "" : summary.error().sentence().c_str());
    QCOMPARE(countOf(summary->files[1].warnings, "distant_events"), std::int64_t{0});
    const Opened opened = open(folder.path("run.wattproof"));
    const auto part = opened.reader->mainPart();
    QVERIFY(part);
    QVERIFY(part->range.length() > 2 * kHour);
    QCOMPARE(part->range, *opened.reader->extent());
    QVERIFY(part->isAll());
    const auto sources = opened.reader->sources();
    for (const SourceRow &source : *sources)
        QCOMPARE(opened.reader->mainPart(source.id)->range.length() < kHour, source.kind == SourceKind::Trace);
}

void SessionTest::counterAtItsPaceLeavesNoGap() {
    const Folder folder;
    QByteArray more = kFar;
    for (int i = 0; i <= 72; ++i)
        more += R"(, {"name": "level", "ph": "C", "pid": 1, "ts": )" + QByteArray::number(50'000'000 * qint64{i}) +
                R"(, "args": {"value": 1}})";
    QVERIFY(importToNew({folder.file("trace.json", compactTrace(more))}, folder.path("run.wattproof"), {}, {}));
    QVERIFY(open(folder.path("run.wattproof")).reader->mainPart()->isAll());
}

void SessionTest::unfinishedSliceDoesNotBridge() {
    const Folder folder;
    const QByteArray more = QByteArray(kFar) + R"(, {"name": "open", "ph": "B", "ts": 20000, "pid": 1, "tid": 3})";
    QVERIFY(importToNew({folder.file("trace.json", compactTrace(more))}, folder.path("run.wattproof"), {}, {}));
    QCOMPARE(open(folder.path("run.wattproof")).reader->mainPart()->range.length(), kMainLength);
}

void SessionTest::realPairImports() {
    WATTPROOF_SHARED_OR_SKIP(trace, "powerlogs/nvidia-smi-query/rtxa4500_fluidsgl_nsys_cuda_gpu_trace.csv");
    WATTPROOF_SHARED_OR_SKIP(log, "powerlogs/nvidia-smi-query/rtxa4500_fluidsgl_query.csv");
    const Folder folder;
    const auto summary = importToNew({log.toStdString(), trace.toStdString()}, folder.path("w.wattproof"), {}, {});
    QVERIFY2(summary.has_value(), summary ? "" : summary.error().sentence().c_str());
    const Opened opened = open(folder.path("w.wattproof"));
    QCOMPARE(opened.reader->devices()->size(), std::size_t{1});
    QCOMPARE(opened.reader->kernels()->kernels.size(), std::size_t{1879});
    QCOMPARE(opened.reader->counters()->at(0).sampleCount, std::int64_t{163});
}

QTEST_GUILESS_MAIN(SessionTest)
#include "tst_session.moc"
