// A table of ten million rows: keys, mouse and wheel, with no more rows in the model than in sight.
#include "widgets/tables/long_table.h"
#include "widgets/tables/window_model.h"

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QWheelEvent>

using namespace wattproof::widgets;

namespace {

class Numbers : public WindowModel {
public:
    qint64 total() const override { return total_; }
    bool isSortable(int column) const override { return column == 0; }
    int columnCount(const QModelIndex &parent = {}) const override { return parent.isValid() ? 0 : 2; }
    QVariant data(const QModelIndex &index, int role) const override {
        return role == Qt::DisplayRole && index.isValid() ? QVariant(rowOf(index)) : QVariant();
    }
    void setTotal(qint64 total) {
        beginTable();
        total_ = total;
        endTable();
    }

private:
    qint64 total_ = 0;
};

}  // namespace

class LongTableTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void onlyRowsInSightAreInTheModel();
    void keysMoveThroughMillions();
    void shiftSelectsARangeAcrossPages();
    void enterAndDoubleClickActivate();
    void mouseChoosesAndDragSelects();
    void wheelScrollsByParts();
    void aRowIsBroughtIntoSight();
    void theHeadAsksForAnOrder();
    void lettersAreLeftToTheWindow();
    void shorterTablesTakeOver();

private:
    [[nodiscard]] int page() const { return view_->table()->viewport()->height() / 20; }
    [[nodiscard]] QPoint place(int row) const { return {20, row * 20 + 10}; }
    void press(int key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(view_->table(), Qt::Key(key), modifiers); }

    std::unique_ptr<Numbers> model_;
    std::unique_ptr<QAbstractItemModelTester> tester_;
    std::unique_ptr<LongTable> view_;
};

void LongTableTest::init() {
    view_.reset();
    tester_.reset();
    model_ = std::make_unique<Numbers>();
    tester_ = std::make_unique<QAbstractItemModelTester>(model_.get(),
                                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
    view_ = std::make_unique<LongTable>();
    view_->setModel(model_.get());
    model_->setTotal(10'000'000);
    view_->resize(400, 300);
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
}

void LongTableTest::onlyRowsInSightAreInTheModel() {
    QCOMPARE(model_->rowCount(), page() + 1);
    QCOMPARE(model_->index(0, 0).data().toLongLong(), 0);
    auto *bar = view_->findChild<QScrollBar *>(QString(), Qt::FindDirectChildrenOnly);
    QVERIFY(bar->isVisible());
    bar->setValue(5'000'000);
    QCOMPARE(model_->index(0, 0).data().toLongLong(), 5'000'000);
    bar->setValue(bar->maximum());
    QCOMPARE(model_->index(model_->rowCount() - 1, 0).data().toLongLong(), 9'999'999);
}

void LongTableTest::keysMoveThroughMillions() {
    QSignalSpy moved(view_.get(), &LongTable::currentRowChanged);
    press(Qt::Key_Down);
    press(Qt::Key_Down);
    QCOMPARE(view_->currentRow(), 1);
    press(Qt::Key_PageDown);
    QCOMPARE(view_->currentRow(), 1 + page());
    press(Qt::Key_End);
    QCOMPARE(view_->currentRow(), 9'999'999);
    QVERIFY(model_->indexOf(9'999'999, 0).isValid());
    press(Qt::Key_Down);
    QCOMPARE(view_->currentRow(), 9'999'999);
    press(Qt::Key_PageUp);
    press(Qt::Key_Up);
    QCOMPARE(view_->currentRow(), 9'999'998 - page());
    press(Qt::Key_Home);
    QCOMPARE(view_->currentRow(), 0);
    QCOMPARE(model_->first(), 0);
    QCOMPARE(moved.size(), 7);
    press(Qt::Key_Right);
    QCOMPARE(view_->currentColumn(), 1);
    press(Qt::Key_Right);
    QCOMPARE(view_->currentColumn(), 1);
    press(Qt::Key_Left);
    QCOMPARE(view_->currentColumn(), 0);
}

void LongTableTest::shiftSelectsARangeAcrossPages() {
    QVERIFY(!view_->selectedRows());
    press(Qt::Key_Down);
    press(Qt::Key_Down);
    for (int i = 0; i < 3; ++i)
        press(Qt::Key_PageDown, Qt::ShiftModifier);
    QCOMPARE(view_->selectedRows().value(), std::pair(qint64{1}, qint64{1} + 3 * page()));
    // What is in sight of it is marked.
    QCOMPARE(view_->table()->selectionModel()->selectedRows().size(), page());
    press(Qt::Key_Down);
    QCOMPARE(view_->selectedRows()->first, view_->selectedRows()->second);
}

void LongTableTest::enterAndDoubleClickActivate() {
    QSignalSpy activated(view_.get(), &LongTable::activated);
    press(Qt::Key_Return);
    QCOMPARE(activated.size(), 0);
    view_->setCurrentRow(4'000'000);
    press(Qt::Key_Return);
    QCOMPARE(activated.takeFirst().at(0).toLongLong(), 4'000'000);
    QTest::mouseDClick(view_->table()->viewport(), Qt::LeftButton, {}, place(2));
    QCOMPARE(activated.takeFirst().at(0).toLongLong(), model_->first() + 2);
}

void LongTableTest::mouseChoosesAndDragSelects() {
    QWidget *viewport = view_->table()->viewport();
    QTest::mouseClick(viewport, Qt::LeftButton, {}, place(3));
    QCOMPARE(view_->currentRow(), 3);
    QTest::mouseClick(viewport, Qt::LeftButton, Qt::ShiftModifier, place(6));
    QCOMPARE(view_->selectedRows().value(), std::pair(qint64{3}, qint64{6}));
    QTest::mousePress(viewport, Qt::LeftButton, {}, place(1));
    QTest::mouseMove(viewport, place(4));
    QTest::mouseRelease(viewport, Qt::LeftButton, {}, place(4));
    QCOMPARE(view_->currentRow(), 1 + 3);
    QCOMPARE(view_->selectedRows()->first, 1);
}

void LongTableTest::wheelScrollsByParts() {
    const auto turn = [&](int angle) {
        QWheelEvent event(QPointF(20, 20), view_->mapToGlobal(QPointF(20, 20)), {}, {0, angle}, Qt::NoButton, {},
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(view_->table()->viewport(), &event);
    };
    turn(-120);
    QCOMPARE(model_->first(), 3);
    for (int i = 0; i < 8; ++i)
        turn(-15);
    QCOMPARE(model_->first(), 6);
    turn(120);
    QCOMPARE(model_->first(), 3);
}

void LongTableTest::aRowIsBroughtIntoSight() {
    QSignalSpy moved(view_.get(), &LongTable::currentRowChanged);
    view_->setCurrentRow(7'654'321);
    QVERIFY(model_->indexOf(7'654'321, 0).isValid());
    QVERIFY(view_->table()->selectionModel()->isRowSelected(model_->indexOf(7'654'321, 0).row(), {}));
    QCOMPARE(moved.size(), 0);
    view_->setCurrentRow(-1);
    QVERIFY(!view_->table()->selectionModel()->hasSelection());
}

void LongTableTest::theHeadAsksForAnOrder() {
    QSignalSpy asked(view_.get(), &LongTable::sortRequested);
    QHeaderView *head = view_->table()->horizontalHeader();
    const auto click = [&](int column) {
        QTest::mouseClick(head->viewport(), Qt::LeftButton, {},
                          {head->sectionViewportPosition(column) + 30, head->height() / 2});
    };
    click(0);
    click(0);
    click(1);
    QCOMPARE(asked.size(), 2);
    QCOMPARE(asked[0].at(1).value<Qt::SortOrder>(), Qt::AscendingOrder);
    QCOMPARE(asked[1].at(1).value<Qt::SortOrder>(), Qt::DescendingOrder);
    // A column that cannot be sorted by leaves the mark where it was.
    QCOMPARE(head->sortIndicatorSection(), 0);
    QCOMPARE(head->sortIndicatorOrder(), Qt::DescendingOrder);
}

void LongTableTest::lettersAreLeftToTheWindow() {
    QKeyEvent letter(QEvent::KeyPress, Qt::Key_W, {}, "w");
    QCoreApplication::sendEvent(view_->table(), &letter);
    QVERIFY(!letter.isAccepted());
}

void LongTableTest::shorterTablesTakeOver() {
    view_->setCurrentRow(9'000'000);
    model_->setTotal(2);
    QCOMPARE(model_->rowCount(), 2);
    QCOMPARE(view_->currentRow(), -1);
    model_->setTotal(0);
    QCOMPARE(model_->rowCount(), 0);
    press(Qt::Key_Down);
    QCOMPARE(view_->currentRow(), -1);
    view_->resize(400, 700);
    model_->setTotal(20);
    QTRY_COMPARE(model_->rowCount(), 20);
}

QTEST_MAIN(LongTableTest)
#include "tst_long_table.moc"
