// One file read anew in the place of what it was: by the session, with everything that several sources share.
#include "importers/session.h"
#include "store/edits.h"
#include "store/reader.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace wattproof;
using namespace wattproof::importers;

namespace {

const char *const kTrace =
    "Start (ns),Duration (ns),CorrId,Device,Strm,Name\n"
    "1000,500,1,NVIDIA RTX A4500 (0),7,gemm\n2000,500,2,NVIDIA RTX A4500 (0),7,gemm\n";
const char *const kLongerTrace =
    "Start (ns),Duration (ns),CorrId,Device,Strm,Name\n"
    "1000,500,1,NVIDIA RTX A4500 (0),7,gemm\n2000,500,2,NVIDIA RTX A4500 (0),7,gemm\n"
    "3000,500,3,NVIDIA RTX A4500 (0),7,gemm\n";
const char *const kLog =
    "timestamp, index, power.draw [W]\n2025/04/24 16:02:12.000, 0, 21.76 W\n2025/04/24 16:02:13.000, 0, 30.00 W\n";
const char *const kDescribed = "t,p\n1,2\n2,2\n";

std::string messageOf(const Expected<SessionSummary> &summary) {
    return summary ? "ok" : summary.error().sentence();
}

}  // namespace

class ImportAgainTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void changedFileTakesThePlace();
    void unchangedFileIsReadAll();
    void deviceStaysShared_data();
    void deviceStaysShared();
    void otherKindIsRefused();
    void otherSourceIsRefused();
    void brokenFileChangesNothing();
    void cancelChangesNothing();
    void optionsAreThoseOfBefore();
    void sourcesAreFoundByNumberPathAndName();
    void fileIsFoundBesideTheWorkspace();

private:
    std::string write(const char *name, const char *content) const;
    [[nodiscard]] std::string path(const char *name) const;
    // Imports the files into "w.wattproof" and opens it.
    void open(const std::vector<std::string> &files, const Options &options = {});
    [[nodiscard]] std::size_t kernels() const { return (*workspace_->reader())->kernels()->kernels.size(); }

    std::unique_ptr<QTemporaryDir> folder_;
    std::shared_ptr<store::Workspace> workspace_;
};

void ImportAgainTest::init() {
    workspace_.reset();
    folder_ = std::make_unique<QTemporaryDir>();
}

std::string ImportAgainTest::path(const char *name) const {
    return folder_->filePath(QString::fromLatin1(name)).toStdString();
}

std::string ImportAgainTest::write(const char *name, const char *content) const {
    QFile file(QString::fromStdString(path(name)));
    return file.open(QIODevice::WriteOnly) && file.write(content) >= 0 ? path(name) : std::string();
}

void ImportAgainTest::open(const std::vector<std::string> &files, const Options &options) {
    const auto summary = importToNew(files, path("w.wattproof"), options, {});
    QVERIFY2(summary.has_value(), messageOf(summary).c_str());
    workspace_ = *store::Workspace::open(path("w.wattproof"));
}

void ImportAgainTest::changedFileTakesThePlace() {
    const std::string trace = write("a.csv", kTrace);
    open({trace, write("b.csv", kLog)});
    QCOMPARE(kernels(), std::size_t{2});
    write("a.csv", kLongerTrace);
    const auto summary = importAgain(*workspace_, SourceId{1}, trace, {}, {});
    QCOMPARE(messageOf(summary), std::string("ok"));
    QCOMPARE(kernels(), std::size_t{3});
    const auto sources = (*workspace_->reader())->sources();
    QCOMPARE(sources->size(), std::size_t{2});
    QCOMPARE(sources->back().path, trace);
    QCOMPARE(sources->back().id, summary->files.at(0).source);
}

void ImportAgainTest::unchangedFileIsReadAll() {
    const std::string trace = write("a.csv", kTrace);
    open({trace});
    QCOMPARE(messageOf(importAgain(*workspace_, SourceId{1}, trace, {}, {})), std::string("ok"));
    QCOMPARE(kernels(), std::size_t{2});
    const auto again = importInto(*workspace_, {trace}, {}, {});
    QVERIFY(again && again->files.empty());
}

void ImportAgainTest::deviceStaysShared_data() {
    QTest::addColumn<QStringList>("order");
    QTest::addColumn<int>("replaced");
    QTest::newRow("trace, with its device") << QStringList{"a.csv", "b.csv"} << 0;
    QTest::newRow("log") << QStringList{"a.csv", "b.csv"} << 1;
    QTest::newRow("trace, with the log's device") << QStringList{"b.csv", "a.csv"} << 1;
    QTest::newRow("log, with its device") << QStringList{"b.csv", "a.csv"} << 0;
}

void ImportAgainTest::deviceStaysShared() {
    QFETCH(QStringList, order);
    QFETCH(int, replaced);
    write("a.csv", kTrace);
    write("b.csv", kLog);
    open({path(order[0].toLatin1().constData())});
    QVERIFY(importInto(*workspace_, {path(order[1].toLatin1().constData())}, {}, {}));
    QCOMPARE((*workspace_->reader())->devices()->size(), std::size_t{1});
    const std::string file = path(order[replaced].toLatin1().constData());
    QCOMPARE(messageOf(importAgain(*workspace_, SourceId{replaced + 1}, file, {}, {})), std::string("ok"));
    const auto reader = workspace_->reader();
    const auto devices = (*reader)->devices();
    QCOMPARE(devices->size(), std::size_t{1});
    QCOMPARE((*reader)->counters()->at(0).device, devices->at(0).id);
    const auto all = (*reader)->kernels();
    for (const auto &kernel : all->kernels)
        QCOMPARE(kernel.device, devices->at(0).id);
}

void ImportAgainTest::otherKindIsRefused() {
    open({write("a.csv", kTrace)});
    const auto summary = importAgain(*workspace_, SourceId{1}, write("b.csv", kLog), {}, {});
    QVERIFY2(messageOf(summary).find("another kind") != std::string::npos, messageOf(summary).c_str());
    QCOMPARE(kernels(), std::size_t{2});
}

void ImportAgainTest::otherSourceIsRefused() {
    const std::string other = write("c.csv", kLongerTrace);
    open({write("a.csv", kTrace), other});
    const auto summary = importAgain(*workspace_, SourceId{1}, other, {}, {});
    QVERIFY2(messageOf(summary).find("already") != std::string::npos, messageOf(summary).c_str());
    QCOMPARE((*workspace_->reader())->sources()->size(), std::size_t{2});
    QVERIFY(!importAgain(*workspace_, SourceId{9}, other, {}, {}));
}

void ImportAgainTest::brokenFileChangesNothing() {
    const std::string trace = write("a.csv", kTrace);
    open({trace});
    QVERIFY(!importAgain(*workspace_, SourceId{1}, write("x.bin", "\x01\x02 no trace"), {}, {}));
    QVERIFY(!importAgain(*workspace_, SourceId{1}, path("nowhere.csv"), {}, {}));
    QCOMPARE(kernels(), std::size_t{2});
    QCOMPARE(messageOf(importAgain(*workspace_, SourceId{1}, trace, {}, {})), std::string("ok"));
}

void ImportAgainTest::cancelChangesNothing() {
    const std::string trace = write("a.csv", kTrace);
    open({trace});
    std::stop_source stop;
    stop.request_stop();
    Task task;
    task.stop = stop.get_token();
    const auto summary = importAgain(*workspace_, SourceId{1}, trace, {}, task);
    QVERIFY(!summary && isCancelled(summary.error()));
    QCOMPARE((*workspace_->reader())->sources()->at(0).id, SourceId{1});
}

void ImportAgainTest::optionsAreThoseOfBefore() {
    Options options;
    options.format = "csv";
    options.descriptorJson = R"({"columns": {"time": "t", "power": "p"}})";
    options.timezone = "+02:00";
    options.maxGapSeconds = 2.5;
    options.periodSeconds = 0.25;
    const std::string log = write("d.csv", kDescribed);
    open({log}, options);
    QVERIFY(!importAgain(*workspace_, SourceId{1}, log, {}, {}));
    const auto before = optionsOf(**workspace_->reader(), SourceId{1});
    QVERIFY(before);
    QCOMPARE(before->format, options.format);
    QCOMPARE(before->descriptorJson, options.descriptorJson);
    QCOMPARE(before->timezone, options.timezone);
    QCOMPARE(before->maxGapSeconds, options.maxGapSeconds);
    QCOMPARE(before->periodSeconds, options.periodSeconds);
    const auto summary = importAgain(*workspace_, SourceId{1}, log, *before, {});
    QCOMPARE(messageOf(summary), std::string("ok"));
    QCOMPARE(summary->files.at(0).samples, std::int64_t{2});
}

void ImportAgainTest::sourcesAreFoundByNumberPathAndName() {
    const std::string trace = write("a.csv", kTrace);
    open({trace, write("b.csv", kLog)});
    const auto reader = workspace_->reader();
    for (const std::string &name : {std::string("1"), trace, std::string("a.csv")})
        QCOMPARE(findSource(**reader, name)->id, SourceId{1});
    QVERIFY(!findSource(**reader, "3"));
    QVERIFY(!findSource(**reader, ""));
}

void ImportAgainTest::fileIsFoundBesideTheWorkspace() {
    open({write("a.csv", kTrace)});
    SourceRow source = (*workspace_->reader())->sources()->at(0);
    QCOMPARE(*fileOf(*workspace_, source), path("a.csv"));
    source.path = "a.csv";
    QCOMPARE(*fileOf(*workspace_, source), path("a.csv"));
    source.path = path("gone.csv");
    QVERIFY(!fileOf(*workspace_, source));
}

QTEST_GUILESS_MAIN(ImportAgainTest)
#include "tst_import_again.moc"
