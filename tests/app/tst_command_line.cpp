// The program as scripts meet it: exit codes, one sentence per error, JSON on standard output.
#include "tests/app/program.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QMap>
#include <QTemporaryDir>
#include <QTest>

using namespace wattproof::test;

class CommandLineTest : public QObject {
    Q_OBJECT

private slots:
    void versionSaysWhatItIs();
    void misspeltOptionIsUsage();
    void laterCommandsSayNotYet();
    void importInfoQueryAnalyzeReport();
    void requestsAreCountedAsSlicesAre();
    void existingFileIsNotOverwritten();
    void addPutsASecondSourceIn();
    void missingFileIsOneSentence();
    void nonTraceIsOneSentenceAndLeavesNothing();
    void unwritablePlaceIsOneSentence();
    void unwritableFolderIsOneSentenceAndLeavesNothing();
    void fullDiskIsOneSentenceAndLeavesNothing();
    void fullFileSystemIsOneSentenceAndLeavesNothing();
    void truncatedTraceImportsWhatIsWhole();
    void killedImportLeavesNothingThatOpens();
    void manualAlignmentIsStored();
    void reportOfUnknownEndingIsRefused();
    void queryCannotWrite();

private:
    [[nodiscard]] QString write(const QString &name, const QByteArray &content) const;
    [[nodiscard]] QString writeBigTrace() const;
    [[nodiscard]] QString path(const QString &name) const { return dir_.filePath(name); }
    QTemporaryDir dir_;
};

QString CommandLineTest::write(const QString &name, const QByteArray &content) const {
    QFile file(path(name));
    if (file.open(QIODevice::WriteOnly))
        file.write(content);
    return file.fileName();
}

void CommandLineTest::versionSaysWhatItIs() {
    const Outcome outcome = run({"--version"});
    QCOMPARE(outcome.exitCode, 0);
    QVERIFY(outcome.out.startsWith("wattproof "));
}

void CommandLineTest::misspeltOptionIsUsage() {
    QCOMPARE(run({"import", "--no-such-option"}).exitCode, 2);
    QCOMPARE(run({"query"}).exitCode, 2);
}

void CommandLineTest::laterCommandsSayNotYet() {
    for (const char *command : {"compare", "verify"}) {
        const Outcome outcome = run({command, "a.wattproof", "b.wattproof"});
        QCOMPARE(outcome.exitCode, 4);
        QVERIFY(outcome.isOneSentence());
    }
}

void CommandLineTest::importInfoQueryAnalyzeReport() {
    const QString workspace = path("all.wattproof");
    const Outcome imported = run({"import", write("t.json", kTrace), write("p.csv", kPower), "-o", workspace, "--json"});
    QVERIFY2(imported.exitCode == 0, imported.err);
    QCOMPARE(imported.json()["files"].toArray().size(), 2);
    QCOMPARE(imported.json()["files"][0]["slices"].toInt(), 3);

    const QJsonObject info = run({"info", workspace, "--json"}).json();
    QCOMPARE(info["sources"].toArray().size(), 2);
    QCOMPARE(info["slices"].toInt(), 3);

    const Outcome rows = run({"query", workspace, "SELECT name, dur FROM slices ORDER BY dur", "--format", "csv"});
    QCOMPARE(rows.out, QByteArray("name,dur\r\ngemm,10000\r\ninner,20000\r\nstep,50000\r\n"));

    const Outcome analyzed = run({"analyze", workspace, "--json"});
    QVERIFY2(analyzed.exitCode == 0, analyzed.err);
    QVERIFY(analyzed.json().contains("headline"));
    QVERIFY(analyzed.json().contains("findings"));

    for (const char *ending : {"html", "json", "md", "pdf"}) {
        const QString report = path(QStringLiteral("report.%1").arg(QLatin1String(ending)));
        const Outcome written = run({"report", workspace, "-o", report});
        QVERIFY2(written.exitCode == 0, written.err);
        QVERIFY2(QFile(report).size() > 1000, ending);
    }
}

void CommandLineTest::requestsAreCountedAsSlicesAre() {
    const QString timed = write("r.csv", "id,start_time,end_time,status\na,1753161000,1753161001,ok\n"
                                         "b,1753161001,1753161003,ok\nc,1753161002,1753161003,timeout\n");
    const QString untimed = write("r.json", R"([{"latency_ms": 20, "output_tokens": 5}, {"latency_ms": 30, "output_tokens": 5}])");
    const QString quality = write("q.csv", "metric,slice,value\naccuracy,all,0.76\n");
    const QString workspace = path("requests.wattproof");
    const Outcome imported = run({"import", timed, untimed, quality, write("t.json", kTrace), "-o", workspace});
    QVERIFY2(imported.exitCode == 0, imported.err);
    QVERIFY2(imported.out.contains("\n  3 requests (1 failed, 0 without times), 0 quality metrics\n"), imported.out);
    QVERIFY2(imported.out.contains("\n  2 requests (0 failed, 2 without times), 0 quality metrics\n"), imported.out);
    QCOMPARE(imported.out.count("quality metrics"), 3);  // nothing is said of the trace
    QVERIFY(run({"info", workspace}).out.contains("\n5 requests (1 failed, 2 without times), 1 quality metrics\n"));

    const Outcome again = run({"import", timed, "-o", path("again.wattproof"), "--json"});
    QCOMPARE(again.json()["files"][0]["failed_requests"].toInt(), 1);
    for (const char *command : {"info", "sources"}) {
        QMap<QString, QJsonValue> sources;
        for (const QJsonValue source : run({command, workspace, "--json"}).json()["sources"].toArray())
            sources[source["path"].toString().section('/', -1)] = source;
        QCOMPARE(sources.size(), 4);
        QCOMPARE(sources["r.csv"]["requests"].toInt(), 3);
        QCOMPARE(sources["r.json"]["untimed_requests"].toInt(), 2);
        QCOMPARE(sources["q.csv"]["quality_metrics"].toInt(), 1);
        QCOMPARE(sources["t.json"]["requests"].toInt(), 0);
    }
    QCOMPARE(run({"info", workspace, "--json"}).json()["requests"].toInt(), 5);
}

void CommandLineTest::existingFileIsNotOverwritten() {
    const QString trace = write("t.json", kTrace), workspace = write("there.wattproof", "precious");
    const Outcome refused = run({"import", trace, "-o", workspace});
    QCOMPARE(refused.exitCode, 1);
    QVERIFY(refused.isOneSentence());
    QFile file(workspace);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("precious"));
    QCOMPARE(run({"import", trace, "-o", workspace, "--replace"}).exitCode, 0);
    QCOMPARE(run({"info", workspace}).exitCode, 0);
}

void CommandLineTest::addPutsASecondSourceIn() {
    const QString workspace = path("add.wattproof");
    QCOMPARE(run({"import", write("t.json", kTrace), "-o", workspace}).exitCode, 0);
    const Outcome added = run({"import", write("p.csv", kPower), "-o", workspace, "--add"});
    QVERIFY2(added.exitCode == 0, added.err);
    QCOMPARE(run({"info", workspace, "--json"}).json()["sources"].toArray().size(), 2);
}

void CommandLineTest::missingFileIsOneSentence() {
    const Outcome outcome = run({"import", path("nowhere.json"), "-o", path("x.wattproof")});
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY2(outcome.isOneSentence(), outcome.err);
    QVERIFY(outcome.err.contains("nowhere.json"));
}

void CommandLineTest::nonTraceIsOneSentenceAndLeavesNothing() {
    const QString workspace = path("none.wattproof");
    const Outcome outcome = run({"import", write("note.txt", "dear diary, nothing happened"), "-o", workspace});
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY2(outcome.isOneSentence(), outcome.err);
    QVERIFY(!QFile::exists(workspace));
    QCOMPARE(QDir(dir_.path()).entryList({"none.wattproof*"}).size(), 0);
}

void CommandLineTest::unwritablePlaceIsOneSentence() {
    const Outcome outcome = run({"import", write("t.json", kTrace), "-o", "/proc/no/such/place.wattproof"});
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY2(outcome.isOneSentence(), outcome.err);
}

void CommandLineTest::unwritableFolderIsOneSentenceAndLeavesNothing() {
    constexpr auto kReadable = QFile::ReadOwner | QFile::ExeOwner | QFile::ReadGroup | QFile::ExeGroup |
                               QFile::ReadOther | QFile::ExeOther;
    const QString trace = write("t.json", kTrace), folder = path("closed");
    QVERIFY(QDir().mkpath(folder) && QFile::setPermissions(dir_.path(), kReadable | QFile::WriteOwner));
    QVERIFY(QFile::setPermissions(trace, kReadable) && QFile::setPermissions(folder, kReadable));
    if (run({"--version"}, QStringLiteral(WATTPROOF_BINARY), As::Nobody).exitCode != 0)
        QSKIP("skipped: the program lies where nobody but its owner can start it");
    const Outcome outcome = run({"import", trace, "-o", folder + "/run.wattproof"},
                                QStringLiteral(WATTPROOF_BINARY), As::Nobody);
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY2(outcome.isOneSentence(), outcome.err);
    QVERIFY2(outcome.err.contains(folder.toUtf8()), outcome.err);
    QCOMPARE(QDir(folder).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden).size(), 0);
}

QString CommandLineTest::writeBigTrace() const {
    QByteArray big = "[";
    for (int i = 0; i < 60'000; ++i)
        big += "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":" + QByteArray::number(i * 10) + ",\"dur\":5,\"name\":\"n" +
               QByteArray::number(i) + "\",\"args\":{\"i\":" + QByteArray::number(i) + "}},\n";
    return write("big.json", big + "{}]");
}

// A file system of 512 KiB in a mount namespace of its own, which goes with the command.
void CommandLineTest::fullFileSystemIsOneSentenceAndLeavesNothing() {
    const QString mount = "mkdir -p \"" + path("small") + "\" && mount -t tmpfs -o size=512k none \"" + path("small") + "\"";
    if (run({"-m", "sh", "-c", mount}, "unshare").exitCode != 0)
        QSKIP("skipped: this user may not mount a small file system");
    const QString script = mount + QStringLiteral("; \"%1\" import \"%2\" -o \"%3/full.wattproof\"; code=$?; ls -A \"%3\"; exit $code")
                                       .arg(QStringLiteral(WATTPROOF_BINARY), writeBigTrace(), path("small"));
    const Outcome outcome = run({"-m", "sh", "-c", script}, "unshare");
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY2(outcome.isOneSentence(), outcome.err);
    QVERIFY2(!outcome.out.contains("full.wattproof"), outcome.out);
}

void CommandLineTest::fullDiskIsOneSentenceAndLeavesNothing() {
    const QString trace = writeBigTrace();
    // A limit on the file size stands in for the full disk: writing past it fails in the same place.
    const QString script = QStringLiteral("trap '' XFSZ; ulimit -f 512; exec \"%1\" import \"%2\" -o \"%3\"")
                               .arg(QStringLiteral(WATTPROOF_BINARY), trace, path("full.wattproof"));
    const Outcome outcome = run({"-c", script}, "bash");
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY2(outcome.isOneSentence(), outcome.err);
    QCOMPARE(QDir(dir_.path()).entryList({"full.wattproof*"}).size(), 0);
}

void CommandLineTest::truncatedTraceImportsWhatIsWhole() {
    const QString workspace = path("cut.wattproof");
    const Outcome outcome = run({"import", write("cut.json", kTrace.left(kTrace.size() - 40)), "-o", workspace, "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.err);
    QCOMPARE(outcome.json()["files"][0]["slices"].toInt(), 2);
    bool said = false;
    for (const QJsonValue warning : outcome.json()["files"][0]["warnings"].toArray())
        said = said || (warning[QLatin1String("kind")].toString() == "truncated_input" && !warning[QLatin1String("first_position")].toString().isEmpty());
    QVERIFY(said);
}

void CommandLineTest::killedImportLeavesNothingThatOpens() {
    QByteArray big = "[";
    for (int i = 0; i < 300'000; ++i)
        big += "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":" + QByteArray::number(i * 10) + ",\"dur\":5,\"name\":\"n\"},\n";
    const QString trace = write("kill.json", big + "{}]"), workspace = path("kill.wattproof");
    const auto isWhole = [this](const QString &file) {
        return run({"query", file, "SELECT count(*) AS n FROM slices", "--format", "csv"}).out == "n\r\n300000\r\n";
    };
    for (const int delayMs : {20, 80, 200}) {
        QProcess process;
        process.start(QStringLiteral(WATTPROOF_BINARY), {"import", trace, "-o", workspace});
        QVERIFY(process.waitForStarted());
        QTest::qWait(delayMs);
        process.kill();
        process.waitForFinished();
        if (process.exitStatus() == QProcess::NormalExit)
            break;                                   // a fast machine: it had finished
        // Killed on its way out it leaves a whole workspace, under its own name or the one before; else nothing that opens.
        for (const QString &left : QDir(dir_.path()).entryList({"kill.wattproof*"}))
            QVERIFY2(run({"info", path(left)}).exitCode == 1 || isWhole(path(left)), qPrintable(left));
        QFile::remove(workspace);
    }
    QFile::remove(workspace);
    QCOMPARE(run({"import", trace, "-o", workspace}).exitCode, 0);
    QCOMPARE(QDir(dir_.path()).entryList({"kill.wattproof*"}), QStringList{"kill.wattproof"});
}

void CommandLineTest::manualAlignmentIsStored() {
    const QString workspace = path("align.wattproof");
    QCOMPARE(run({"import", write("t.json", kTrace), write("p.csv", kPower), "-o", workspace}).exitCode, 0);
    const Outcome found = run({"align", workspace, "--json"});
    const QJsonObject entry = QJsonDocument::fromJson(found.out).object()["alignment"].toArray().at(0).toObject();
    QVERIFY(entry.contains("drift") && entry["drift"].isNull());  // the run is too short to tell
    QCOMPARE(run({"align", workspace, "--source", "2", "--offset", "1500"}).exitCode, 0);
    const Outcome offset = run({"query", workspace, "SELECT offset_ns FROM sources WHERE id = 2", "--format", "csv"});
    QCOMPARE(offset.out, QByteArray("offset_ns\r\n1500\r\n"));
    const Outcome missing = run({"align", workspace, "--source", "99", "--offset", "1"});
    QCOMPARE(missing.exitCode, 1);
    QVERIFY(missing.isOneSentence());
}

void CommandLineTest::reportOfUnknownEndingIsRefused() {
    const QString workspace = path("ending.wattproof");
    QCOMPARE(run({"import", write("t.json", kTrace), "-o", workspace}).exitCode, 0);
    const Outcome outcome = run({"report", workspace, "-o", path("report.docx")});
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY(outcome.isOneSentence());
}

void CommandLineTest::queryCannotWrite() {
    const QString workspace = path("query.wattproof");
    QCOMPARE(run({"import", write("t.json", kTrace), "-o", workspace}).exitCode, 0);
    for (const char *sql : {"DELETE FROM slices", "ATTACH 'other.db' AS y", "PRAGMA user_version = 9", "CREATE TABLE t(x)"}) {
        const Outcome outcome = run({"query", workspace, sql});
        QVERIFY2(outcome.exitCode == 1, sql);
        QVERIFY2(outcome.isOneSentence(), outcome.err);
    }
    QCOMPARE(run({"query", workspace, "SELECT count(*) FROM slices", "--format", "csv"}).out, QByteArray("count(*)\r\n3\r\n"));
}

QTEST_GUILESS_MAIN(CommandLineTest)
#include "tst_command_line.moc"
