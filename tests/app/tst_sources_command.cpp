// Parts of traces, and the sources of a workspace, as scripts meet them.
#include "tests/app/program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

using namespace wattproof::test;

class SourcesCommandTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void onlyTheAskedTimeIsImported();
    void onlyTheAskedCategoriesAreImported();
    void nonsenseRangeIsOneSentence();
    void partOutsideTheTraceIsOneSentence();
    void listSaysWhatEachSourceHolds();
    void listIsReadable();
    void removedSourceIsGone();
    void unknownSourceIsOneSentence();
    void reimportKeepsThePartOfBefore();
    void reimportTakesAnotherPart();
    void reimportReadsAnotherFile();
    void missingFileIsOneSentenceAndChangesNothing();
    void partOfALogIsRefused();
    void oneThingAtATime();

private:
    [[nodiscard]] QString write(const QString &name, const QByteArray &content) const;
    [[nodiscard]] QString path(const QString &name) const { return dir_->filePath(name); }
    void import(const QStringList &options = {});
    [[nodiscard]] Outcome sources(const QStringList &options) const {
        return run(QStringList{"sources", workspace()} + options);
    }
    [[nodiscard]] QJsonArray listed() const { return sources({"--json"}).json()["sources"].toArray(); }
    [[nodiscard]] QString workspace() const { return path("run.wattproof"); }

    std::unique_ptr<QTemporaryDir> dir_;
    QString trace_, power_;
};

void SourcesCommandTest::init() {
    dir_ = std::make_unique<QTemporaryDir>();
    trace_ = write("t.json", kTrace);
    power_ = write("p.csv", kPower);
}

QString SourcesCommandTest::write(const QString &name, const QByteArray &content) const {
    QFile file(path(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write %s", qPrintable(file.fileName()));
    return file.fileName();
}

void SourcesCommandTest::import(const QStringList &options) {
    const Outcome outcome = run(QStringList{"import", trace_, power_, "-o", workspace()} + options);
    QVERIFY2(outcome.exitCode == 0, outcome.err);
}

// The trace begins at 100 us: "inner" runs from 10 to 30 us after that, "gemm" from 30 to 40.
void SourcesCommandTest::onlyTheAskedTimeIsImported() {
    import({"--range", "0.00003..", "--json"});
    const Outcome rows = run({"query", workspace(), "SELECT name FROM slices ORDER BY name", "--format", "csv"});
    QCOMPARE(rows.out, QByteArray("name\r\ngemm\r\nstep\r\n"));
    QCOMPARE(listed()[0].toObject()["part"].toObject()["range"].toString(), "0.00003..");
}

void SourcesCommandTest::onlyTheAskedCategoriesAreImported() {
    import({"--categories", "kernel, memcpy"});
    const Outcome rows = run({"query", workspace(), "SELECT name FROM slices", "--format", "csv"});
    QCOMPARE(rows.out, QByteArray("name\r\ngemm\r\n"));
    QCOMPARE(listed()[0].toObject()["part"].toObject()["categories"].toString(), "kernel,memcpy");
    QVERIFY(listed()[1].toObject()["part"].toObject()["categories"].isNull());
}

void SourcesCommandTest::nonsenseRangeIsOneSentence() {
    for (const char *range : {"5..2", "soon", "-1..2", "2"}) {
        const Outcome outcome = run({"import", trace_, "-o", workspace(), QStringLiteral("--range=") + range});
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2(outcome.isOneSentence() && outcome.err.contains("2..5.5"), outcome.err);
    }
    QVERIFY(!QFile::exists(workspace()));
}

void SourcesCommandTest::partOutsideTheTraceIsOneSentence() {
    const Outcome outcome = run({"import", trace_, "-o", workspace(), "--range", "7.."});
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY2(outcome.isOneSentence() && outcome.err.contains("t.json"), outcome.err);
    QVERIFY(!QFile::exists(workspace()));
}

void SourcesCommandTest::listSaysWhatEachSourceHolds() {
    import();
    const QJsonArray all = listed();
    QCOMPARE(all.size(), 2);
    const QJsonObject trace = all[0].toObject(), power = all[1].toObject();
    QCOMPARE(trace["path"].toString(), trace_);
    QCOMPARE(trace["kind"].toString(), "trace");
    QCOMPARE(trace["slices"].toInt(), 3);
    QCOMPARE(trace["sha256"].toString().size(), 64);
    QVERIFY(trace["part"].toObject()["range"].isNull());
    QCOMPARE(power["slices"].toInt(), 0);
    QCOMPARE(power["samples"].toInt(), 3);
    QCOMPARE(power["extent_ns"].toArray()[1].toDouble() - power["extent_ns"].toArray()[0].toDouble(), 2e9);
}

void SourcesCommandTest::listIsReadable() {
    import({"--range", "..1", "--categories", "kernel"});
    const QByteArrayList lines = sources({}).out.split('\n');
    QVERIFY2(lines[0].startsWith("source  kind"), lines[0]);
    QVERIFY2(lines[1].contains("t.json") && lines[1].endsWith("0..1 s, kernel"), lines[1]);
    QVERIFY2(lines[2].contains("p.csv") && lines[2].endsWith("  all"), lines[2]);
}

void SourcesCommandTest::removedSourceIsGone() {
    import();
    for (const QString &name : {QStringLiteral("2"), trace_}) {
        const qsizetype before = listed().size();
        const Outcome removed = sources({"--remove", name, "--json"});
        QVERIFY2(removed.exitCode == 0, removed.err);
        QCOMPARE(removed.json()["sources"].toArray().size(), before - 1);
    }
    const Outcome rows = run({"query", workspace(), "SELECT count(*) FROM slices", "--format", "csv"});
    QCOMPARE(rows.out, QByteArray("count(*)\r\n0\r\n"));
}

void SourcesCommandTest::unknownSourceIsOneSentence() {
    import();
    for (const char *what : {"--remove", "--reimport"})
        for (const char *name : {"9", "other.json", ""}) {
            const Outcome outcome = sources({what, name});
            QCOMPARE(outcome.exitCode, 1);
            QVERIFY2(outcome.isOneSentence(), outcome.err);
        }
    QCOMPARE(listed().size(), 2);
    QCOMPARE(run({"sources", path("none.wattproof")}).exitCode, 1);
}

void SourcesCommandTest::reimportKeepsThePartOfBefore() {
    import({"--categories", "kernel"});
    const Outcome again = sources({"--reimport", "t.json", "--json"});
    QVERIFY2(again.exitCode == 0, again.err);
    QCOMPARE(again.json()["files"][0]["slices"].toInt(), 1);
    QCOMPARE(listed().size(), 2);
}

void SourcesCommandTest::reimportTakesAnotherPart() {
    import({"--categories", "kernel"});
    const auto slices = [this](const QStringList &options) {
        const QJsonArray before = listed();
        int id = 0;
        for (const QJsonValue source : before)
            if (source[QLatin1String("kind")].toString() == "trace")
                id = source[QLatin1String("id")].toInt();
        const Outcome again = sources(QStringList{"--reimport", QString::number(id), "--json"} + options);
        return again.exitCode == 0 ? again.json()["files"][0]["slices"].toInt() : -1;
    };
    QCOMPARE(slices({"--categories", "cpu_op"}), 2);
    QCOMPARE(slices({"--range", "0.00003.."}), 1);
    QCOMPARE(slices({"--whole"}), 3);
    QCOMPARE(listed().size(), 2);
}

void SourcesCommandTest::reimportReadsAnotherFile() {
    import();
    QByteArray longer = kTrace;
    longer.replace("]}", R"(,{"ph":"X","pid":1,"tid":1,"ts":200,"dur":5,"name":"late","cat":"cpu_op"}]})");
    const QString other = write("longer.json", longer);
    const Outcome again = sources({"--reimport", trace_, "--file", other, "--json"});
    QVERIFY2(again.exitCode == 0, again.err);
    QCOMPARE(again.json()["files"][0]["slices"].toInt(), 4);
    QCOMPARE(listed()[1].toObject()["path"].toString(), other);
}

void SourcesCommandTest::missingFileIsOneSentenceAndChangesNothing() {
    import();
    QVERIFY(QFile::remove(trace_));
    const Outcome outcome = sources({"--reimport", "1"});
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY2(outcome.isOneSentence() && outcome.err.contains("t.json"), outcome.err);
    QCOMPARE(listed()[0].toObject()["slices"].toInt(), 3);
}

void SourcesCommandTest::partOfALogIsRefused() {
    import();
    const Outcome outcome = sources({"--reimport", "p.csv", "--range", "0..1"});
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY2(outcome.isOneSentence() && outcome.err.contains("p.csv"), outcome.err);
    QCOMPARE(sources({"--reimport", "p.csv"}).exitCode, 0);
}

void SourcesCommandTest::oneThingAtATime() {
    import();
    QCOMPARE(sources({"--remove", "1", "--reimport", "2"}).exitCode, 2);
    QCOMPARE(sources({"--range", "1..2"}).exitCode, 2);
    QCOMPARE(sources({"--reimport", "1", "--whole", "--range", "1..2"}).exitCode, 2);
    QCOMPARE(listed().size(), 2);
}

QTEST_GUILESS_MAIN(SourcesCommandTest)
#include "tst_sources_command.moc"
