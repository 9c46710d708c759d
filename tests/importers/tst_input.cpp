// Bytes of a file whatever holds them, and what is said when it cannot be read.
#include "importers/input/input.h"

#include <QCryptographicHash>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace wattproof;
using importers::Input;

class InputTest : public QObject {
    Q_OBJECT

private slots:
    void compressions_data();
    void compressions();
    void severalGzipMembers();
    void cutStreamsGiveWhatWasWhole_data();
    void cutStreamsGiveWhatWasWhole();
    void cutsReadTheSameInAnyPieces();
    void zipSkipsDocumentation();
    void furtherMembersAreNamed();
    void headDoesNotConsume();
    void hashIsThatOfTheFileOnDisk();
    void whatIsNoFileIsRefused();
    void linksLeadToFilesOrNowhere();
    void filesThatGrowAreReadAsTheyWere();
    void bombsAreRefused();
    void longFilesAreReadAhead_data();
    void longFilesAreReadAhead();
    void longCutStreamsSayWhereAtTheirEnd();
    void hashIsWholeWhereReadingStopped();
};

namespace {

QByteArray sample(int lines) {
    QByteArray text;
    for (int i = 0; i < lines; ++i)
        text += "line " + QByteArray::number(i * 7919) + "\n";
    return text;
}

la_ssize_t append(archive *, void *out, const void *data, std::size_t size) {
    static_cast<QByteArray *>(out)->append(static_cast<const char *>(data), static_cast<int>(size));
    return static_cast<la_ssize_t>(size);
}

// One or more members as libarchive packs them; an empty filter means zip.
QByteArray pack(const char *filter, const std::vector<std::pair<const char *, QByteArray>> &members) {
    QByteArray out;
    archive *a = archive_write_new();
    if (*filter) {
        archive_write_add_filter_by_name(a, filter);
        archive_write_set_format_raw(a);
    } else {
        archive_write_set_format_zip(a);
    }
    archive_write_set_bytes_in_last_block(a, 1);
    archive_write_open(a, &out, nullptr, append, nullptr);
    for (const auto &[name, content] : members) {
        archive_entry *entry = archive_entry_new();
        archive_entry_set_pathname(entry, name);
        archive_entry_set_size(entry, content.size());
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        archive_write_header(a, entry);
        archive_write_data(a, content.constData(), static_cast<std::size_t>(content.size()));
        archive_entry_free(entry);
    }
    archive_write_close(a);
    archive_write_free(a);
    return out;
}

QByteArray readAll(Input &input, std::size_t step = 1000) {
    QByteArray all;
    std::vector<char> buffer(step);
    for (;;) {
        const auto got = input.read(buffer);
        if (!got || *got == 0)
            return all;
        all.append(buffer.data(), static_cast<int>(*got));
    }
}

}  // namespace

void InputTest::compressions_data() {
    QTest::addColumn<QByteArray>("filter");
    for (const char *filter : {"gzip", "zstd", "xz", "bzip2", ""})
        QTest::newRow(*filter ? filter : "zip") << QByteArray(filter);
}

void InputTest::compressions() {
    QFETCH(QByteArray, filter);
    const QByteArray text = sample(40'000);
    auto input = Input::fromBytes(pack(filter.constData(), {{"t.json", text}}).toStdString(), "any.name");
    QCOMPARE(readAll(*input), text);
    QCOMPARE(input->damage(), std::string());
    QCOMPARE(input->position(), static_cast<std::uint64_t>(text.size()));
}

void InputTest::severalGzipMembers() {
    const QByteArray one = pack("gzip", {{"t", sample(1000)}});
    auto input = Input::fromBytes((one + one + QByteArray(512, '\0') + one).toStdString(), "x");
    QCOMPARE(readAll(*input), sample(1000) + sample(1000) + sample(1000));
    QCOMPARE(input->damage(), std::string());
    auto spoilt = Input::fromBytes((one + "not gzip").toStdString(), "x");
    QCOMPARE(readAll(*spoilt), sample(1000));
    QVERIFY(!spoilt->damage().empty());
}

void InputTest::cutStreamsGiveWhatWasWhole_data() {
    compressions_data();
}

void InputTest::cutStreamsGiveWhatWasWhole() {
    QFETCH(QByteArray, filter);
    const QByteArray text = sample(200'000), packed = pack(filter.constData(), {{"t.json", text}});
    auto input = Input::fromBytes(packed.left(packed.size() * 3 / 4).toStdString(), "cut");
    const QByteArray got = readAll(*input, 4096);
    QVERIFY(text.startsWith(got));
    QVERIFY(!input->damage().empty());
    if (filter == "gzip")
        QVERIFY(got.size() > text.size() / 2);
}

// Found by fuzzing: what a full buffer left no room for comes with the next read, also when the file has ended.
void InputTest::cutsReadTheSameInAnyPieces() {
    QByteArray text;  // of long repetitions, more than the head holds
    for (int i = 0; i < 800; ++i)
        text += QByteArray::number(i * 7919) + QByteArray(240, 'a');
    const QByteArray packed = pack("gzip", {{"t.json", text}});
    for (int length = packed.size() / 2; length < packed.size(); length += 5) {
        const std::string cut = packed.left(length).toStdString();
        const QByteArray whole = readAll(*Input::fromBytes(cut, "cut"), 1 << 20);
        for (const int piece : {61, 997})
            QCOMPARE(readAll(*Input::fromBytes(cut, "cut"), piece).size(), whole.size());
    }
}

void InputTest::zipSkipsDocumentation() {
    auto input = Input::fromBytes(
        pack("", {{"README.md", "read me"}, {"__MACOSX/x", "x"}, {"run/trace.json", "[]"}}).toStdString(),
        "a.zip");
    QCOMPARE(readAll(*input), QByteArray("[]"));
}

void InputTest::furtherMembersAreNamed() {
    auto one = Input::fromBytes(pack("", {{"a.json", "[]"}, {"README.md", "x"}}).toStdString(), "a.zip");
    QCOMPARE(readAll(*one), QByteArray("[]"));
    QCOMPARE(one->damage(), std::string());
    auto several = Input::fromBytes(
        pack("", {{"a.json", "[1]"}, {"b.json", "[2]"}, {"c/", ""}, {"d.csv", "3"}, {"e", "4"}, {"f", "5"}})
            .toStdString(),
        "a.zip");
    QCOMPARE(readAll(*several), QByteArray("[1]"));
    QVERIFY2(several->damage().ends_with(": b.json, d.csv, e and others"), several->damage().c_str());
}

void InputTest::headDoesNotConsume() {
    const QByteArray text = sample(20'000);
    auto input = Input::fromBytes(text.toStdString(), "t");
    QCOMPARE(input->head().size(), std::size_t{64} << 10U);
    QCOMPARE(input->position(), std::uint64_t{0});
    QCOMPARE(readAll(*input), text);
    QCOMPARE(Input::fromBytes("abc", "t")->head().size(), std::size_t{3});
}

void InputTest::hashIsThatOfTheFileOnDisk() {
    QTemporaryDir folder;
    const QByteArray packed = pack("gzip", {{"t", sample(5000)}});
    QFile file(folder.filePath(QStringLiteral("trace.json")));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(packed) == packed.size());
    file.close();
    const auto wanted = QCryptographicHash::hash(packed, QCryptographicHash::Sha256).toHex().toStdString();
    for (const bool readFirst : {false, true}) {
        auto input = Input::open(file.fileName().toStdString());
        QVERIFY(input.has_value());
        if (readFirst)
            QCOMPARE(readAll(**input), sample(5000));
        QCOMPARE((*input)->sizeBytes(), static_cast<std::uint64_t>(packed.size()));
        QCOMPARE((*input)->sha256().value(), wanted);
        QCOMPARE((*input)->sha256().value(), wanted);
    }
}

void InputTest::whatIsNoFileIsRefused() {
    QTemporaryDir folder;
    const std::string pipe = folder.filePath(QStringLiteral("pipe")).toStdString();
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    for (const std::string &path : {pipe, folder.path().toStdString(), pipe + "-missing"}) {
        const auto input = Input::open(path);
        QVERIFY(!input);
        QCOMPARE(input.error().where, path);
        QVERIFY(!input.error().what.empty() && !input.error().remedy.empty());
    }
}

void InputTest::linksLeadToFilesOrNowhere() {
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("file")), link = folder.filePath(QStringLiteral("link"));
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly) && out.write("content") == 7);
    out.close();
    QVERIFY(QFile::link(file, link));
    auto input = Input::open(link.toStdString());
    QVERIFY(input);
    QCOMPARE((*input)->head().size(), std::size_t{7});
    for (const auto &[target, name] :
         {std::pair("nowhere", "dangling"), std::pair("ring", "ring"), std::pair("/dev/zero", "device")}) {
        const QString path = folder.filePath(QLatin1String(name));
        QCOMPARE(::symlink(target, path.toStdString().c_str()), 0);
        const auto refused = Input::open(path.toStdString());
        QVERIFY2(!refused, name);
        QVERIFY(!refused.error().what.empty() && !refused.error().remedy.empty());
    }
}

// What was there at first is read; that more came, or less was left, is said.
void InputTest::filesThatGrowAreReadAsTheyWere() {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("log"));
    for (const bool grows : {true, false}) {
        QFile out(path);
        QVERIFY(out.open(QIODevice::WriteOnly | QIODevice::Truncate));
        out.write(QByteArray(300'000, 'a'));
        out.flush();
        auto input = Input::open(path.toStdString());
        QVERIFY(input);
        if (grows) {
            out.write(QByteArray(50'000, 'b'));
            out.flush();
        } else {
            QVERIFY(out.resize(100'000));
        }
        std::vector<char> buffer(std::size_t{1} << 20U);
        const auto got = (*input)->read(buffer);
        QVERIFY(got);
        QCOMPARE(*got, std::size_t{grows ? 300'000U : 100'000U});
        QVERIFY((*input)->damage().find("written to while it was read") != std::string::npos);
    }
}

void InputTest::bombsAreRefused() {
    QByteArray bomb;
    const QByteArray block = pack("gzip", {{"x", QByteArray(16 << 20, ' ')}});
    for (int member = 0; member < 18; ++member)
        bomb += block;
    const auto input = Input::fromBytes(bomb.toStdString(), "bomb.gz");
    std::vector<char> buffer(std::size_t{1} << 20U);
    for (;;) {
        const auto got = input->read(buffer);
        if (!got) {
            QVERIFY(got.error().what.find("thousand times") != std::string::npos);
            return;
        }
        QVERIFY2(*got > 0, "the bomb was read to its end");
    }
}

void InputTest::longFilesAreReadAhead_data() {
    QTest::addColumn<QByteArray>("filter");
    for (const char *filter : {"none", "gzip", "xz", "zstd"})
        QTest::newRow(filter) << QByteArray(filter);
}

// Many times the blocks that are in flight, read in pieces of many sizes.
void InputTest::longFilesAreReadAhead() {
    QFETCH(QByteArray, filter);
    const QByteArray text = sample(250'000);
    const QByteArray packed = filter == "none" ? text : pack(filter.constData(), {{"data", text}});
    auto input = Input::fromBytes(packed.toStdString(), "long");
    QByteArray read;
    for (int size = 1; read.size() < 2 * text.size(); size = size * 3 % 700'001 + 1) {
        std::vector<char> buffer(static_cast<std::size_t>(size));
        const auto got = input->read(buffer);
        QVERIFY(got.has_value());
        if (*got == 0)
            break;
        read.append(buffer.data(), static_cast<int>(*got));
        QCOMPARE(input->position(), static_cast<std::uint64_t>(read.size()));
        QVERIFY(input->bytesConsumed() <= static_cast<std::uint64_t>(packed.size()));
    }
    QCOMPARE(read.size(), text.size());
    QVERIFY(read == text);
    QCOMPARE(input->damage(), std::string());
    QCOMPARE(input->bytesConsumed(), static_cast<std::uint64_t>(packed.size()));
    QCOMPARE(QByteArray::fromStdString(*input->sha256()),
             QCryptographicHash::hash(packed, QCryptographicHash::Sha256).toHex());
}

void InputTest::longCutStreamsSayWhereAtTheirEnd() {
    const QByteArray text = sample(250'000);
    QByteArray packed = pack("gzip", {{"data", text}});
    packed.chop(packed.size() / 3);
    auto input = Input::fromBytes(packed.toStdString(), "cut.gz");
    std::vector<char> buffer(300'000);
    QByteArray read;
    for (;;) {
        const auto got = input->read(buffer);
        QVERIFY(got.has_value());
        if (*got == 0)
            break;
        read.append(buffer.data(), static_cast<int>(*got));
    }
    QVERIFY(read.size() > text.size() / 2 && text.startsWith(read));
    QVERIFY(!input->damage().empty());
}

void InputTest::hashIsWholeWhereReadingStopped() {
    const QByteArray text = sample(250'000);
    auto input = Input::fromBytes(text.toStdString(), "long");
    std::vector<char> buffer(1'500'000);
    QCOMPARE(*input->read(buffer), buffer.size());
    QCOMPARE(*input->read(std::span(buffer).first(10)), std::size_t{10});
    QCOMPARE(QByteArray::fromStdString(*input->sha256()),
             QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex());
    QCOMPARE(*input->read(buffer), std::size_t{0});
}

QTEST_APPLESS_MAIN(InputTest)
#include "tst_input.moc"
