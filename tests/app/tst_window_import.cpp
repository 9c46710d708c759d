// Files that come in: what the import dialog shows, what it asks, and what becomes of the answers in the workspace.
#include "tests/app/window_fixture.h"
#include "tests/app/window_helpers.h"
#include "widgets/import/import_dialog.h"
#include "widgets/import/mapping_dialog.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTableWidget>
#include <QTest>

using namespace wattproof;
using namespace wattproof::test;
using namespace wattproof::widgets;

namespace {

const QByteArray kSmi = "timestamp, index, power.draw [W]\n"
                        "2025/07/22 05:10:00.000, 0, 200.25 W\n"
                        "2025/07/22 05:10:01.000, 0, 201.25 W\n"
                        "2025/07/22 05:10:02.000, 0, 202.25 W\n";
const QByteArray kOdd = "moment;Kanal A;Notiz\n0;1500,5;a\n1;1600,5;b\n2;1700,5;c\n3;1650,5;d\n";

ImportDialog *dialogOf(WindowFixture &fixture) {
    ImportDialog *dialog = nullptr;
    (void)QTest::qWaitFor([&] { return (dialog = fixture->findChild<ImportDialog *>()) != nullptr; }, 20'000);
    if (dialog)
        (void)QTest::qWaitFor([dialog] { return !dialog->isLooking() && !dialog->summary().contains("Looking"); }, 20'000);
    return dialog;
}

QString shown(ImportDialog &dialog, int row, int column) {
    return dialog.model().index(row, column).data().toString();
}

void press(QPushButton *button) {
    QVERIFY(button->isEnabled());
    QTest::mouseClick(button, Qt::LeftButton);
}

MappingDialog *mappingOf(ImportDialog &dialog) {
    press(dialog.mapButton());
    MappingDialog *mapping = dialog.mapping();
    (void)QTest::qWaitFor([mapping] { return mapping->model().rowCount() > 0 && !mapping->isBusy(); }, 20'000);
    return mapping;
}

bool waits(MappingDialog &mapping) {
    return QTest::qWaitFor([&] { return !mapping.isBusy(); }, 20'000);
}

}  // namespace

class WindowImportTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QVERIFY(config_.isValid());
        qputenv("XDG_CONFIG_HOME", config_.path().toUtf8());
    }
    void traceAloneOpensAtOnce();
    void logWithItsZoneOpensAtOnce();
    void logWithoutZoneIsShownAndItsZoneAsked();
    void severalFilesAreShownWithThoseNobodyReads();
    void leftOutFilesStayOut();
    void oneZoneForAll();
    void wrongZoneIsSaid();
    void cancelStoresNothing();
    void endlessLookIsCancelled();
    void choicesAreAskedForByTheMenu();
    void reopeningKeepsTheAnswers();
    void unknownTableIsMapped();
    void mappingCanBeKept();
    void mappingShowsWhatIsWrong();
    void fieldsAreNamedAndReachable();

private:
    QTemporaryDir config_;
};

void WindowImportTest::traceAloneOpensAtOnce() {
    WindowFixture fixture;
    drop(fixture.window(), {simulatedRun().trace});
    QVERIFY(fixture.settle());
    QVERIFY(!fixture->findChild<ImportDialog *>());
    QVERIFY(fixture->view());
}

void WindowImportTest::logWithItsZoneOpensAtOnce() {
    WindowFixture fixture;
    QByteArray rows = kSmi;
    drop(fixture.window(), {fixture.write("zoned.csv", rows.replace(".000,", "+02:00,"))});
    QVERIFY(fixture.settle());
    QVERIFY(!fixture->findChild<ImportDialog *>());
    QVERIFY(fixture->view());
}

void WindowImportTest::logWithoutZoneIsShownAndItsZoneAsked() {
    WindowFixture fixture;
    drop(fixture.window(), {fixture.write("power.csv", kSmi)});
    ImportDialog *dialog = dialogOf(fixture);
    QVERIFY(dialog);
    QVERIFY(!fixture->view());
    QCOMPARE(shown(*dialog, 0, LookModel::Format), QString("nvidia-smi-csv"));
    QCOMPARE(shown(*dialog, 0, LookModel::Clock), QString("zone unknown, read as UTC"));
    QCOMPARE(shown(*dialog, 0, LookModel::Devices), QString("GPU 0"));
    QVERIFY(shown(*dialog, 0, LookModel::Begin).startsWith("2025-07-22 05:10:00"));
    QVERIFY(dialog->summary().contains("without a zone"));
    dialog->setZone("+02:00");
    QVERIFY(QTest::qWaitFor([&] { return shown(*dialog, 0, LookModel::Begin).startsWith("2025-07-22 03:10:00"); }, 20'000));
    QCOMPARE(shown(*dialog, 0, LookModel::Clock), QString("wall time, +02:00"));
    QTRY_VERIFY(dialog->importButton()->isEnabled());
    press(dialog->importButton());
    QVERIFY(fixture.settle());
    QVERIFY(fixture->view());
    const auto reader = fixture.session().workspace().reader();
    QCOMPARE((*reader)->sources()->at(0).zone, std::string("+02:00 (as given)"));
    QVERIFY(!fixture->findChild<ImportDialog *>() || !fixture->findChild<ImportDialog *>()->isVisible());
}

void WindowImportTest::severalFilesAreShownWithThoseNobodyReads() {
    WindowFixture fixture;
    drop(fixture.window(), {simulatedRun().trace, simulatedRun().power, fixture.write("holiday.png", "\x89PNG no log at all")});
    ImportDialog *dialog = dialogOf(fixture);
    QVERIFY(dialog);
    QCOMPARE(dialog->model().rowCount(), 3);
    QCOMPARE(dialog->summary().left(28), QString("2 of 3 files can be read. On").left(28));
    QCOMPARE(shown(*dialog, 2, LookModel::Note), QString("cannot be read: left out"));
    QVERIFY(!(dialog->model().index(2, 0).flags() & Qt::ItemIsUserCheckable));
    dialog->table()->selectRow(2);
    QVERIFY(dialog->story().contains("holiday.png"));
    QVERIFY(!dialog->mapButton()->isEnabled());
    dialog->table()->selectRow(1);
    QVERIFY(dialog->story().contains("Channels: "));
    QCOMPARE(dialog->importButton()->text(), QString("&Import 2 of 3"));
    press(dialog->importButton());
    QVERIFY(fixture.settle());
    const auto reader = fixture.session().workspace().reader();
    QCOMPARE((*reader)->sources()->size(), std::size_t{2});
}

void WindowImportTest::leftOutFilesStayOut() {
    WindowFixture fixture;
    drop(fixture.window(), simulatedRun().both());
    ImportDialog *dialog = dialogOf(fixture);
    QVERIFY(dialog);
    QVERIFY(dialog->model().setData(dialog->model().index(1, 0), Qt::Unchecked, Qt::CheckStateRole));
    QCOMPARE(shown(*dialog, 1, LookModel::Note), QString("left out"));
    press(dialog->importButton());
    QVERIFY(fixture.settle());
    const auto reader = fixture.session().workspace().reader();
    QCOMPARE((*reader)->sources()->size(), std::size_t{1});
    QCOMPARE((*reader)->sources()->at(0).kind, SourceKind::Trace);
}

void WindowImportTest::oneZoneForAll() {
    WindowFixture fixture;
    drop(fixture.window(), {fixture.write("a.csv", kSmi), fixture.write("b.csv", kSmi + "2025/07/22 05:10:03.000, 0, 202.25 W\n")});
    ImportDialog *dialog = dialogOf(fixture);
    QVERIFY(dialog);
    QVERIFY(dialog->zoneForAll()->isVisible());
    dialog->zoneForAll()->setChecked(true);
    dialog->setZone("Europe/Berlin");
    for (const int row : {0, 1})
        QVERIFY(QTest::qWaitFor([&] { return shown(*dialog, row, LookModel::Clock) == "wall time, Europe/Berlin"; }, 20'000));
    QTRY_VERIFY(dialog->importButton()->isEnabled());
    press(dialog->importButton());
    QVERIFY(fixture.settle());
    const auto reader = fixture.session().workspace().reader();
    const auto sources = (*reader)->sources();
    for (const SourceRow &source : *sources)
        QCOMPARE(source.zone, std::string("Europe/Berlin (as given)"));
}

void WindowImportTest::wrongZoneIsSaid() {
    WindowFixture fixture;
    drop(fixture.window(), {fixture.write("power.csv", kSmi)});
    ImportDialog *dialog = dialogOf(fixture);
    QVERIFY(dialog);
    dialog->setZone("Mars/Olympus");
    QVERIFY(QTest::qWaitFor([&] { return dialog->story().contains("Mars/Olympus"); }, 20'000));
    QVERIFY(!dialog->importButton()->isEnabled());
    QVERIFY(dialog->zoneField()->isEnabled());
    dialog->setZone("UTC");
    QTRY_VERIFY(dialog->importButton()->isEnabled());
}

void WindowImportTest::cancelStoresNothing() {
    WindowFixture fixture;
    drop(fixture.window(), {fixture.write("power.csv", kSmi)});
    ImportDialog *dialog = dialogOf(fixture);
    QVERIFY(dialog);
    QTest::keyClick(dialog, Qt::Key_Escape);
    QVERIFY(fixture.settle());
    QVERIFY(!fixture->view());
    QVERIFY(QDir(fixture.filePath("cache")).entryList(QDir::Files).isEmpty());
}

void WindowImportTest::endlessLookIsCancelled() {
    const auto service = std::make_shared<EndlessService>();
    WindowFixture fixture(service);
    service->endlessLook = true;
    drop(fixture.window(), {fixture.write("a.csv", kSmi), fixture.write("b.csv", kSmi)});
    ImportDialog *dialog = nullptr;
    QTRY_VERIFY((dialog = fixture->findChild<ImportDialog *>()) != nullptr);
    QTRY_VERIFY(dialog->isLooking());
    QVERIFY(!dialog->importButton()->isEnabled());
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(!fixture->findChild<ImportDialog *>());
    QVERIFY(fixture.settle());
}

void WindowImportTest::choicesAreAskedForByTheMenu() {
    WindowFixture fixture;
    QVERIFY(fixture->action("import"));
    fixture->document().offer({simulatedRun().trace}, Way::Open, true);
    ImportDialog *dialog = dialogOf(fixture);
    QVERIFY(dialog);
    QCOMPARE(dialog->summary(), QString("This file can be read."));
    const int format = dialog->formatField()->findData("turbostat");
    QVERIFY(format > 0);
    dialog->formatField()->setCurrentIndex(format);
    emit dialog->formatField()->activated(format);
    QTRY_COMPARE(shown(*dialog, 0, LookModel::Format), QString("not readable"));
    QVERIFY(!dialog->importButton()->isEnabled());
    dialog->formatField()->setCurrentIndex(0);
    emit dialog->formatField()->activated(0);
    QTRY_VERIFY(dialog->importButton()->isEnabled());
}

void WindowImportTest::reopeningKeepsTheAnswers() {
    WindowFixture fixture;
    const QString path = fixture.write("power.csv", kSmi);
    drop(fixture.window(), {path});
    ImportDialog *dialog = dialogOf(fixture);
    QVERIFY(dialog);
    dialog->setZone("+03:00");
    QTRY_VERIFY(dialog->importButton()->isEnabled());
    press(dialog->importButton());
    QVERIFY(fixture.settle());
    fixture.restart();
    drop(fixture.window(), {path});
    QVERIFY(fixture.settle());
    QVERIFY(fixture->view());
    QVERIFY(!fixture->findChild<ImportDialog *>());
    const auto reader = fixture.session().workspace().reader();
    QCOMPARE((*reader)->sources()->at(0).zone, std::string("+03:00 (as given)"));
}

void WindowImportTest::unknownTableIsMapped() {
    WindowFixture fixture;
    drop(fixture.window(), {fixture.write("odd.csv", kOdd)});
    ImportDialog *dialog = dialogOf(fixture);
    QVERIFY(dialog);
    QCOMPARE(shown(*dialog, 0, LookModel::Note), QString("say what its columns mean"));
    QVERIFY(!dialog->importButton()->isEnabled());
    MappingDialog *mapping = mappingOf(*dialog);
    QVERIFY(mapping);
    MappingModel &model = mapping->model();
    QCOMPARE(mapping->separatorField()->currentText(), QString("semicolon"));
    QVERIFY(mapping->commaField()->isChecked());
    QVERIFY(mapping->headerField()->isChecked());
    QCOMPARE(mapping->firstRows()->item(1, 1)->text(), QString("1600,5"));
    QVERIFY(model.setData(model.index(0, MappingModel::Means), "time", Qt::EditRole));
    QVERIFY(model.setData(model.index(1, MappingModel::Means), "power", Qt::EditRole));
    QVERIFY(model.setData(model.index(1, MappingModel::Unit), "mW", Qt::EditRole));
    QVERIFY(model.setData(model.index(1, MappingModel::Device), "GPU 1", Qt::EditRole));
    QVERIFY(waits(*mapping));
    QCOMPARE(mapping->result()->rowCount(), 4);
    QCOMPARE(mapping->result()->item(0, 1)->toolTip(), QString("1.5005 W"));
    press(mapping->useButton());
    QTRY_VERIFY(dialog->importButton()->isEnabled());
    QCOMPARE(shown(*dialog, 0, LookModel::Devices), QString("GPU 1"));
    press(dialog->importButton());
    QVERIFY(fixture.settle());
    QVERIFY(fixture->view());
    const auto reader = fixture.session().workspace().reader();
    const auto counters = (*reader)->counters();
    QCOMPARE(counters->size(), std::size_t{1});
    QCOMPARE(counters->at(0).unit, std::string("W"));
    QCOMPARE(counters->at(0).maxValue, 1.7005);
}

void WindowImportTest::mappingCanBeKept() {
    WindowFixture fixture;
    const QByteArray rows = "moment,beta gauge\n0,1\n1,2\n2,3\n3,3\n";
    drop(fixture.window(), {fixture.write("one.csv", rows)});
    ImportDialog *dialog = dialogOf(fixture);
    QVERIFY(dialog);
    MappingDialog *mapping = mappingOf(*dialog);
    MappingModel &model = mapping->model();
    model.setData(model.index(0, MappingModel::Means), "time", Qt::EditRole);
    model.setData(model.index(1, MappingModel::Means), "temperature", Qt::EditRole);
    QVERIFY(waits(*mapping));
    mapping->nameField()->setText("Beta rig");
    press(mapping->keepButton());
    QVERIFY2(mapping->message().contains("beta-rig.json"), qPrintable(mapping->message()));
    QTest::keyClick(mapping, Qt::Key_Escape);
    QTest::keyClick(dialog, Qt::Key_Escape);
    drop(fixture.window(), {fixture.write("two.csv", rows + "4,5\n")});
    QVERIFY(fixture.settle());
    QVERIFY(fixture->view());
    const auto reader = fixture.session().workspace().reader();
    QCOMPARE((*reader)->sources()->at(0).format, std::string("beta-rig"));
}

void WindowImportTest::mappingShowsWhatIsWrong() {
    WindowFixture fixture;
    drop(fixture.window(), {fixture.write("odd.csv", kOdd)});
    ImportDialog *dialog = dialogOf(fixture);
    QVERIFY(dialog);
    MappingDialog *mapping = mappingOf(*dialog);
    QVERIFY(waits(*mapping));
    QVERIFY2(mapping->message().contains("No column holds the time"), qPrintable(mapping->message()));
    QVERIFY(!mapping->useButton()->isEnabled());
    MappingModel &model = mapping->model();
    model.setData(model.index(0, MappingModel::Means), "time", Qt::EditRole);
    QVERIFY(waits(*mapping));
    QVERIFY2(mapping->message().contains("No column holds values"), qPrintable(mapping->message()));
    model.setData(model.index(2, MappingModel::Means), "power", Qt::EditRole);
    model.setData(model.index(2, MappingModel::Unit), "furlong", Qt::EditRole);
    QVERIFY(waits(*mapping));
    QVERIFY(mapping->message().contains("unit of \"Notiz\""));
    mapping->separatorField()->setCurrentIndex(0);
    emit mapping->separatorField()->activated(0);
    QVERIFY(waits(*mapping));
    QVERIFY(!mapping->useButton()->isEnabled());
}

void WindowImportTest::fieldsAreNamedAndReachable() {
    WindowFixture fixture;
    drop(fixture.window(), {fixture.write("odd.csv", kOdd), simulatedRun().power});
    ImportDialog *dialog = dialogOf(fixture);
    QVERIFY(dialog);
    MappingDialog *mapping = mappingOf(*dialog);
    for (QWidget *window : std::initializer_list<QWidget *>{dialog, mapping}) {
        QSet<QWidget *> reached;
        for (QWidget *at = window->nextInFocusChain(); at && !reached.contains(at); at = at->nextInFocusChain())
            reached.insert(at);
        for (QWidget *field : window->findChildren<QWidget *>()) {
            const bool input = qobject_cast<QComboBox *>(field) || qobject_cast<QLineEdit *>(field) ||
                               (qobject_cast<QAbstractItemView *>(field) && !qobject_cast<QHeaderView *>(field)) || qobject_cast<QSpinBox *>(field);
            const QWidget *owner = field->parentWidget();
            if (!input || qobject_cast<const QComboBox *>(owner) || qobject_cast<const QSpinBox *>(owner) || field->window() != window ||
                !field->isVisible())
                continue;
            QVERIFY2(!field->accessibleName().isEmpty(), field->metaObject()->className());
            QVERIFY(reached.contains(field));
            QVERIFY(field->focusPolicy() & Qt::TabFocus);
        }
        QStringList keys;
        for (QWidget *labelled : window->findChildren<QWidget *>()) {
            const QKeySequence key = QKeySequence::mnemonic(labelled->property("text").toString());
            if (labelled->window() != window || key.isEmpty() || qobject_cast<QLineEdit *>(labelled))
                continue;
            QVERIFY2(!keys.contains(key.toString()), qPrintable(labelled->property("text").toString()));
            keys << key.toString();
        }
    }
}

QTEST_MAIN(WindowImportTest)
#include "tst_window_import.moc"
