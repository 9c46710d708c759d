// A workspace whose pages are damaged says so when it is read through, in single lines.
#include "store/file_check.h"
#include "tests/support/temporary_workspace.h"

#include <QTest>

using namespace wattproof;
using namespace wattproof::test;

class FileCheckTest : public QObject {
    Q_OBJECT

private slots:
    void wholeFileHasNoProblems();
    void damagedPageIsFound();
    void stopEndsIt();

private:
    void fill();

    TemporaryWorkspace place_;
};

void FileCheckTest::fill() {
    place_.create([](store::BulkWriter &writer) {
        const SourceId source = require(writer.addSource(traceSource(0)));
        for (int i = 0; i < 4000; ++i)  // more than one page
            writer.intern("name of a kernel, number " + std::to_string(i));
        require(writer.finishSource(source));
    });
}

void FileCheckTest::wholeFileHasNoProblems() {
    fill();
    const auto problems = place_.open()->check();
    WATTPROOF_VERIFY_OK(problems);
    QVERIFY(problems->empty());
}

void FileCheckTest::damagedPageIsFound() {
    fill();
    damageFirstLeaf(place_.path(), "string");
    const auto problems = place_.open()->check();
    WATTPROOF_VERIFY_OK(problems);
    QVERIFY(!problems->empty() && problems->size() <= store::kMostProblems);
    for (const std::string &problem : *problems)
        QVERIFY2(!problem.empty() && problem.find('\n') == std::string::npos && problem[0] != '*', problem.c_str());
}

void FileCheckTest::stopEndsIt() {
    fill();
    std::stop_source stop;
    stop.request_stop();
    const auto problems = place_.open()->check(stop.get_token());
    QVERIFY(!problems && isCancelled(problems.error()));
}

QTEST_GUILESS_MAIN(FileCheckTest)
#include "tst_file_check.moc"
