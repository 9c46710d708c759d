#include "store/edits.h"
#include "store/reader.h"
#include "tests/support/temporary_workspace.h"

#include <csignal>
#include <functional>
#include <thread>

#include <QDir>
#include <QFile>
#include <QTest>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace wattproof;
using namespace wattproof::store;
using namespace wattproof::test;

namespace {

constexpr Ns kBase = 1'700'000'000'000'000'000;

// One source with one track of `count` slices; returns the track.
TrackId addTrace(BulkWriter &writer, const std::string &sha256, int count, bool finish = true) {
    const SourceId source = require(writer.addSource(traceSource(kBase, sha256)));
    TrackRow row;
    row.source = source;
    row.name = "main";
    const TrackId track = writer.addTrack(row);
    std::vector<SliceRow> slices;
    for (int i = 0; i < count; ++i) {
        slices.push_back(sliceAt(i * 10, 5, writer.intern("name " + std::to_string(i % 100))));
        slices.back().args = writer.addArgs(writer.internArgShape(R"(["i"])"), "[" + std::to_string(i) + "]");
    }
    require(writer.writeTrackSlices(track, slices, std::vector<std::int32_t>(slices.size(), -1)));
    if (finish)
        require(writer.finishSource(source));
    return track;
}

QString failureOf(const std::string &path) {
    const auto opened = Workspace::open(path);
    return opened ? QString() : QString::fromStdString(opened.error().sentence());
}

[[noreturn]] void die() {
    kill(getpid(), SIGKILL);
    _exit(1);
}

// Runs in a process of its own, which is to die(); `true` when it did.
bool killedIn(const std::function<void()> &act) {
    const pid_t child = fork();
    if (child == 0) {
        act();
        _exit(1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

int exitCodeOf(const std::function<int()> &act) {
    const pid_t child = fork();
    if (child == 0)
        _exit(act());
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

// The thread sanitizer ends a forked child that starts threads, or takes them for its parent's. GCC names it by a macro,
// Clang by a feature.
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define UNDER_THREAD_SANITIZER
#endif
#elif defined(__SANITIZE_THREAD__)
#define UNDER_THREAD_SANITIZER
#endif

#ifdef UNDER_THREAD_SANITIZER
#define SKIP_WHERE_FORKS_ARE_NOT_FOLLOWED() \
    QSKIP("the thread sanitizer does not follow a fork that starts threads")
#else
#define SKIP_WHERE_FORKS_ARE_NOT_FOLLOWED() static_cast<void>(0)
#endif

class WorkspaceTest : public QObject {
    Q_OBJECT

private slots:
    void nothingStandsUntilCommit();
    void whatWasThereStaysUntilCommit();
    void killedImportLeavesNothingThatOpens();
    void leftoversOfTheDeadAreRemoved();
    void closingLeavesAPlainFile();
    void secondProcessReadsOnly();
    void lockGoesWithTheWorkspace();
    void targetThatIsOpenIsRefused();
    void newerSchemaIsRefused();
    void foreignFilesAreRefused();
    void foreignObjectsAreRefused();
    void missingFilesAndFoldersGetASentence();
    void fullDiskGetsASentence();
    void addedSourceIsInvisibleUntilCommit();
    void abandonedSourceLeavesNothing();
    void stoppedWriterDoesNoMore_data();
    void stoppedWriterDoesNoMore();
    void killedAdditionIsRemovedAtOpening();
    void failedSourceIsLeftOut();
    void stringsAndIdsContinue();
    void sameFileIsRecognised();
    void editsDoNotWaitForAnImport();
    void revisionGrowsWithEachChange();
    void copyIsWhole();
    void relativeSourceIsLaidAtTheOrigin();
    void readOnlyWorkspaceRefusesEdits();
};

void WorkspaceTest::nothingStandsUntilCommit() {
    const TemporaryWorkspace files;
    {
        auto writer = require(createWorkspace(files.path()));
        addTrace(*writer, "a", 10);
        QVERIFY(!QFile::exists(QString::fromStdString(files.path())));
        QVERIFY(!QDir(files.folder()).isEmpty());
    }
    QVERIFY(QDir(files.folder()).isEmpty());
}

void WorkspaceTest::whatWasThereStaysUntilCommit() {
    const TemporaryWorkspace files;
    files.create([](BulkWriter &writer) { addTrace(writer, "a", 10); });
    auto writer = require(createWorkspace(files.path()));
    addTrace(*writer, "b", 20);
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM slices"), QStringLiteral("10"));
    WATTPROOF_VERIFY_OK(writer->commit());
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM slices"), QStringLiteral("20"));
}

void WorkspaceTest::killedImportLeavesNothingThatOpens() {
    SKIP_WHERE_FORKS_ARE_NOT_FOLLOWED();
    const TemporaryWorkspace files;
    QVERIFY(killedIn([&] {
        auto writer = require(createWorkspace(files.path()));
        addTrace(*writer, "a", 50'000);
        die();
    }));
    QVERIFY(!failureOf(files.path()).isEmpty());
    const QStringList left = QDir(files.folder()).entryList(QDir::Files);
    for (const QString &name : left)
        QVERIFY2(!failureOf(files.folder().toStdString() + "/" + name.toStdString()).isEmpty(), qPrintable(name));
}

void WorkspaceTest::leftoversOfTheDeadAreRemoved() {
    SKIP_WHERE_FORKS_ARE_NOT_FOLLOWED();
    const TemporaryWorkspace files;
    QVERIFY(killedIn([&] {
        auto writer = require(createWorkspace(files.path()));
        addTrace(*writer, "a", 10);
        die();
    }));
    QVERIFY(!QDir(files.folder()).isEmpty());
    files.create([](BulkWriter &writer) { addTrace(writer, "a", 10); });
    QCOMPARE(QDir(files.folder()).entryList(QDir::Files), QStringList{QStringLiteral("run.wattproof")});
}

void WorkspaceTest::closingLeavesAPlainFile() {
    const TemporaryWorkspace files;
    files.create([](BulkWriter &writer) { addTrace(writer, "a", 10); });
    {
        const auto workspace = files.open();
        auto reader = require(workspace->reader());
        WATTPROOF_VERIFY_OK(workspace->edits().setScenario(R"({"name":"x"})"));
    }
    QCOMPARE(QDir(files.folder()).entryList(QDir::Files), QStringList{QStringLiteral("run.wattproof")});
    QCOMPARE(plainText(files.path(), "PRAGMA journal_mode"), QStringLiteral("delete"));
}

void WorkspaceTest::secondProcessReadsOnly() {
    const TemporaryWorkspace files;
    files.create([](BulkWriter &writer) { addTrace(writer, "a", 10); });
    const auto first = files.open();
    QCOMPARE(first->openMode(), OpenMode::ReadWrite);
    const int code = exitCodeOf([&] {
        const auto second = Workspace::open(files.path());
        if (!second || (*second)->openMode() != OpenMode::ReadOnlyLocked)
            return 1;
        auto reader = (*second)->reader();
        return reader && (*reader)->tracks() && (*reader)->tracks()->size() == 1 ? 0 : 2;
    });
    QCOMPARE(code, 0);
    QCOMPARE(files.open()->openMode(), OpenMode::ReadOnlyLocked);
}

void WorkspaceTest::lockGoesWithTheWorkspace() {
    const TemporaryWorkspace files;
    files.create([](BulkWriter &writer) { addTrace(writer, "a", 10); });
    files.open().reset();
    QCOMPARE(files.open()->openMode(), OpenMode::ReadWrite);
}

void WorkspaceTest::targetThatIsOpenIsRefused() {
    const TemporaryWorkspace files;
    files.create([](BulkWriter &writer) { addTrace(writer, "a", 10); });
    const auto workspace = files.open();
    const auto writer = createWorkspace(files.path());
    QVERIFY(!writer);
    QVERIFY(writer.error().sentence().find("open elsewhere") != std::string::npos);
}

void WorkspaceTest::newerSchemaIsRefused() {
    const TemporaryWorkspace files;
    files.create([](BulkWriter &writer) { addTrace(writer, "a", 10); });
    changeFile(files.path(), "PRAGMA user_version = 99");
    QVERIFY(failureOf(files.path()).contains("newer version"));
}

void WorkspaceTest::foreignFilesAreRefused() {
    const TemporaryWorkspace files;
    changeFile(files.path("other.db"), "CREATE TABLE t(x)");
    QVERIFY(failureOf(files.path("other.db")).contains("not a workspace"));
    QFile text(QString::fromStdString(files.path("text")));
    QVERIFY(text.open(QIODevice::WriteOnly));
    text.write(QByteArray(4096, 'x'));
    text.close();
    QVERIFY(failureOf(files.path("text")).contains("not a workspace"));
}

void WorkspaceTest::foreignObjectsAreRefused() {
    const char *const changes[] = {
        "CREATE TRIGGER t AFTER INSERT ON annotation BEGIN DELETE FROM slice; END", "CREATE VIEW v AS SELECT 1",
        "DROP VIEW sources; CREATE VIEW sources AS SELECT 1 AS id", "DROP TABLE clamp", "CREATE TABLE t(x)"};
    for (const char *change : changes) {
        const TemporaryWorkspace files;
        files.create([](BulkWriter &writer) { addTrace(writer, "a", 1); });
        changeFile(files.path(), change);
        QVERIFY2(!failureOf(files.path()).isEmpty(), change);
    }
}

void WorkspaceTest::missingFilesAndFoldersGetASentence() {
    const TemporaryWorkspace files;
    QVERIFY(failureOf(files.path("none")).contains("No such file"));
    QVERIFY(failureOf(files.folder().toStdString()).contains("not a file"));
    const auto writer = createWorkspace(files.folder().toStdString() + "/none/run.wattproof");
    QVERIFY(!writer);
    QVERIFY(writer.error().sentence().find("does not exist") != std::string::npos);
}

void WorkspaceTest::fullDiskGetsASentence() {
    SKIP_WHERE_FORKS_ARE_NOT_FOLLOWED();
    const TemporaryWorkspace files;
    const int code = exitCodeOf([&] {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{1U << 20U, 1U << 20U};
        setrlimit(RLIMIT_FSIZE, &limit);
        auto writer = createWorkspace(files.path());
        if (!writer)
            return 2;
        const SourceId source = require((*writer)->addSource(traceSource(kBase)));
        const std::int64_t shape = (*writer)->internArgShape(R"(["text"])");
        for (int i = 0; i < 100'000; ++i)
            (*writer)->addArgs(shape, "[\"" + std::string(1000, 'x') + "\"]");
        Status status = (*writer)->finishSource(source);
        if (status)
            status = (*writer)->commit();
        if (status)
            return 3;
        return status.error().sentence().find("allowed size") != std::string::npos ? 0 : 4;
    });
    QCOMPARE(code, 0);
    QVERIFY(QDir(files.folder()).isEmpty());
}

void WorkspaceTest::addedSourceIsInvisibleUntilCommit() {
    const TemporaryWorkspace files;
    files.create([](BulkWriter &writer) { addTrace(writer, "a", 10); });
    const auto workspace = files.open();
    auto writer = require(workspace->addSources());
    addTrace(*writer, "b", 5000);
    for (const char *view : {"sources", "slices", "args", "tracks"})
        QVERIFY2(plainText(files.path(), std::string("SELECT count(*) FROM ") + view).toInt() <= 10, view);
    QVERIFY(!workspace->addSources());
    WATTPROOF_VERIFY_OK(writer->commit());
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM slices"), QStringLiteral("5010"));
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM args"), QStringLiteral("5010"));
    auto reader = require(workspace->reader());
    QCOMPARE(require(reader->sources()).size(), std::size_t{2});
    writer.reset();
    QVERIFY(workspace->addSources().has_value());
}

void WorkspaceTest::abandonedSourceLeavesNothing() {
    const TemporaryWorkspace files;
    files.create([](BulkWriter &writer) { addTrace(writer, "a", 10); });
    const auto workspace = files.open();
    {
        auto writer = require(workspace->addSources());
        addTrace(*writer, "b", 5000);
    }
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM slice"), QStringLiteral("10"));
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM track"), QStringLiteral("1"));
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM tile"), QStringLiteral("0"));
}

void WorkspaceTest::stoppedWriterDoesNoMore_data() {
    QTest::addColumn<bool>("intoOpen");
    QTest::newRow("a new workspace") << false;
    QTest::newRow("an open one") << true;
}

void WorkspaceTest::stoppedWriterDoesNoMore() {
    QFETCH(bool, intoOpen);
    const TemporaryWorkspace files;
    files.create([](BulkWriter &writer) { addTrace(writer, "a", 10); });
    const auto workspace = intoOpen ? files.open() : nullptr;
    std::stop_source stop;
    {
        auto writer = require(intoOpen ? workspace->addSources(stop.get_token())
                                       : createWorkspace(files.path(), stop.get_token()));
        addTrace(*writer, "b", 50'000);
        stop.request_stop();
        QVERIFY(!writer->addSource({}));
        const Status committed = writer->commit();
        QVERIFY(!committed && isCancelled(committed.error()));
    }
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM slice"), QStringLiteral("10"));
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM sources"), QStringLiteral("1"));
}

void WorkspaceTest::killedAdditionIsRemovedAtOpening() {
    SKIP_WHERE_FORKS_ARE_NOT_FOLLOWED();
    const TemporaryWorkspace files;
    files.create([](BulkWriter &writer) { addTrace(writer, "a", 10); });
    QVERIFY(killedIn([&] {
        const auto workspace = files.open();
        auto writer = require(workspace->addSources());
        addTrace(*writer, "b", 5000);
        // The writer's thread is on its way: rows are to be there, and no commit.
        while (plainText(files.path(), "SELECT count(*) FROM slice").toInt() <= 10)
            std::this_thread::yield();
        die();
    }));
    QVERIFY(plainText(files.path(), "SELECT count(*) FROM slice").toInt() > 10);
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM slices"), QStringLiteral("10"));
    const auto workspace = files.open();
    QCOMPARE(workspace->openMode(), OpenMode::ReadWrite);
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM slice"), QStringLiteral("10"));
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM source"), QStringLiteral("1"));
}

void WorkspaceTest::failedSourceIsLeftOut() {
    const TemporaryWorkspace files;
    files.create([](BulkWriter &writer) {
        addTrace(writer, "a", 10, false);
        addTrace(writer, "b", 20);
        addTrace(writer, "c", 30, false);
    });
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM slice"), QStringLiteral("20"));
    QCOMPARE(plainText(files.path(), "SELECT sha256 FROM sources"), QStringLiteral("b"));
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM args"), QStringLiteral("20"));
    files.open().reset();
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM slices"), QStringLiteral("20"));
}

void WorkspaceTest::stringsAndIdsContinue() {
    const TemporaryWorkspace files;
    files.create([](BulkWriter &writer) { addTrace(writer, "a", 300); });
    const auto workspace = files.open();
    auto writer = require(workspace->addSources());
    const TrackId track = addTrace(*writer, "b", 300);
    QCOMPARE(track.value, std::int64_t{2});
    WATTPROOF_VERIFY_OK(writer->commit());
    QCOMPARE(plainText(files.path(), "SELECT count(*), count(DISTINCT text) FROM string"),
             QStringLiteral("100|100"));
    QCOMPARE(plainText(files.path(), "SELECT track_id, count(*), min(id), max(id) FROM slices GROUP BY 1"),
             QStringLiteral("1|300|1|300\n2|300|301|600"));
}

void WorkspaceTest::sameFileIsRecognised() {
    const TemporaryWorkspace files;
    files.create([](BulkWriter &writer) {
        addTrace(writer, "a", 1);
        QVERIFY(writer.hasSource("a"));
        QVERIFY(!writer.hasSource("b"));
        QVERIFY(!writer.hasSource(""));
    });
    const auto workspace = files.open();
    QVERIFY(require(workspace->addSources())->hasSource("a"));
}

void WorkspaceTest::editsDoNotWaitForAnImport() {
    const TemporaryWorkspace files;
    files.create([](BulkWriter &writer) { addTrace(writer, "a", 10); });
    const auto workspace = files.open();
    auto writer = require(workspace->addSources());
    std::jthread importing([&] { addTrace(*writer, "b", 200'000); });
    for (int i = 0; i < 20; ++i)
        WATTPROOF_VERIFY_OK(workspace->edits().setScenario(std::to_string(i)));
    importing.join();
    WATTPROOF_VERIFY_OK(writer->commit());
    QCOMPARE(QString::fromStdString(require(workspace->edits().scenario())), QStringLiteral("19"));
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM slices"), QStringLiteral("200010"));
}

void WorkspaceTest::revisionGrowsWithEachChange() {
    const TemporaryWorkspace files;
    files.create([](BulkWriter &writer) { addTrace(writer, "a", 10); });
    const auto workspace = files.open();
    const auto start = workspace->revision();
    WATTPROOF_VERIFY_OK(workspace->edits().setScenario("{}"));
    QCOMPARE(workspace->revision(), start + 1);
    auto writer = require(workspace->addSources());
    addTrace(*writer, "b", 1);
    WATTPROOF_VERIFY_OK(writer->commit());
    QCOMPARE(workspace->revision(), start + 2);
}

void WorkspaceTest::copyIsWhole() {
    const TemporaryWorkspace files;
    files.create([](BulkWriter &writer) { addTrace(writer, "a", 10); });
    const auto workspace = files.open();
    WATTPROOF_VERIFY_OK(workspace->edits().setScenario("1"));
    WATTPROOF_VERIFY_OK(workspace->saveAs(files.path("copy.wattproof")));
    QVERIFY(!workspace->saveAs(files.path()));
    const auto copy = files.open("copy.wattproof");
    QCOMPARE(QString::fromStdString(require(copy->edits().scenario())), QStringLiteral("1"));
    QCOMPARE(plainText(files.path("copy.wattproof"), "SELECT count(*) FROM slices"), QStringLiteral("10"));
}

void WorkspaceTest::relativeSourceIsLaidAtTheOrigin() {
    const TemporaryWorkspace files;
    files.create([](BulkWriter &writer) {
        addTrace(writer, "a", 1);
        SourceRow relative = traceSource(12'345, "b");
        relative.clock = ClockBasis::Relative;
        require(writer.finishSource(require(writer.addSource(relative))));
    });
    // With offset 0 the time would be what the file states: far away from everything else.
    QCOMPARE(plainText(files.path(), "SELECT offset_ns FROM sources"),
             QStringLiteral("0\n%1").arg(kBase - 12'345));
    const auto sources = require(require(files.open()->reader())->sources());
    QCOMPARE(sources.at(1).map.toWorkspace(Ns{0}), Ns{0});
}

void WorkspaceTest::readOnlyWorkspaceRefusesEdits() {
    const TemporaryWorkspace files;
    files.create([](BulkWriter &writer) { addTrace(writer, "a", 10); });
    const auto workspace = require(Workspace::open(files.path(), true));
    QVERIFY(!workspace->writable());
    const Status status = workspace->edits().setScenario("{}");
    QVERIFY(!status);
    QVERIFY(status.error().sentence().find("read-only") != std::string::npos);
    QVERIFY(!workspace->addSources());
    QCOMPARE(require(workspace->edits().alignments()).size(), std::size_t{1});
}

QTEST_APPLESS_MAIN(WorkspaceTest)
#include "tst_workspace.moc"
