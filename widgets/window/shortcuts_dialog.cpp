#include "widgets/window/shortcuts_dialog.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

namespace wattproof::widgets {
namespace {

struct Gesture {
    QString keys, does;
};

QList<Gesture> gestures() {
    const auto tr = [](const char *text) { return ShortcutsDialog::tr(text); };
    return {{tr("W  S"), tr("Zoom in, out about the pointer")},
            {tr("A  D  ←  →"), tr("Move left, right")},
            {tr("↑  ↓  Page"), tr("Scroll the tracks")},
            {tr("Wheel"), tr("Zoom about the pointer, or scroll: see View › Wheel")},
            {tr("Ctrl + wheel, pinch"), tr("Zoom about the pointer")},
            {tr("Shift + wheel, sideways"), tr("Move in time")},
            {tr("Drag"), tr("Select an area")},
            {tr("Drag on the ruler"), tr("Select an area over all tracks")},
            {tr("Shift + drag, middle drag"), tr("Move in time and scroll")},
            {tr("Click"), tr("Select a slice")},
            {tr("Double click"), tr("Show the slice")},
            {tr("F"), tr("Show the selection; again: the whole run")},
            {tr("Enter, Shift + Enter"), tr("In the search: next hit, previous hit")},
            {tr("Z"), tr("Show the whole run; where events lie far off: its main part, then everything")},
            {tr(",  ."), tr("Slice before, after in its row")},
            {tr("Esc"), tr("Clear the selection")},
            {tr("Click on a name"), tr("Collapse or open the track")},
            {tr("Drag a name"), tr("Move the track among its siblings, or among the pinned ones")},
            {tr("Drag a lower edge in the gutter"), tr("Change the height of the track")},
            {tr("Right click on a name, Menu"), tr("All that can be done to the track")},
            {tr("Drop files"), tr("Open them; with Ctrl: add them to what is open")}};
}

QList<Gesture> consoleKeys() {
    const auto tr = [](const char *text) { return ShortcutsDialog::tr(text); };
    return {{tr("Ctrl + Enter"), tr("Run the SQL, or the selected part of it")},
            {tr("Esc"), tr("Stop the query")},
            {tr("Ctrl + ↑  Ctrl + ↓"), tr("What ran before, after")},
            {tr("Ctrl + Space"), tr("Complete the word")},
            {tr("Enter"), tr("In a table: go to the row's time")},
            {tr("Ctrl + C, Ctrl + Shift + C"), tr("In a table: copy the rows, the cell")}};
}

QList<Gesture> bound(const QList<QAction *> &actions) {
    QList<Gesture> all;
    for (const QAction *action : actions)
        if (!action->shortcut().isEmpty())
            all << Gesture{QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText),
                           action->text().remove(QLatin1Char('&'))};
    return all;
}

void addTitle(QGridLayout *grid, const QString &title) {
    auto *label = new QLabel(title);
    QFont font = label->font();
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    grid->addWidget(label, grid->rowCount(), 0, 1, 2);
}

void addRows(QGridLayout *grid, const QList<Gesture> &rows) {
    for (const Gesture &gesture : rows) {
        const int row = grid->rowCount();
        auto *keys = new QLabel(gesture.keys);
        keys->setForegroundRole(QPalette::PlaceholderText);
        grid->addWidget(keys, row, 0);
        grid->addWidget(new QLabel(gesture.does), row, 1);
    }
}

}  // namespace

ShortcutsDialog::ShortcutsDialog(const QList<QAction *> &actions, QWidget *parent) : QDialog(parent) {
    setWindowTitle(tr("Keys and gestures"));
    auto *page = new QWidget;
    auto *grid = new QGridLayout(page);
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(4);
    addTitle(grid, tr("On the time axis"));
    addRows(grid, gestures());
    addTitle(grid, tr("In the SQL console and in tables"));
    addRows(grid, consoleKeys());
    addTitle(grid, tr("In the window"));
    addRows(grid, bound(actions));
    grid->setRowStretch(grid->rowCount(), 1);
    auto *scroll = new QScrollArea(this);
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(scroll);
    layout->addWidget(buttons);
    resize(460, 560);
}

}  // namespace wattproof::widgets
