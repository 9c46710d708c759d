#include "widgets/search/command_items.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>

namespace wattproof::widgets {
namespace {

constexpr qsizetype kMostRecent = 12;

// Without the marks of mnemonics; a doubled one is a real ampersand.
QString plain(QString text) {
    text.replace(QLatin1String("&&"), QLatin1String("\x01"));
    text.remove(QLatin1Char('&'));
    return text.replace(QLatin1Char('\x01'), QLatin1Char('&'));
}

class Collector {
public:
    Collector(const QStringList &recent, const QString &why) : recent_(recent), why_(why) {}

    void addMenu(const QMenu *menu, const QString &path) {
        for (QAction *action : menu->actions()) {
            const QString text = path + QStringLiteral(" › ") + plain(action->text());
            if (action->menu())
                addMenu(action->menu(), text);
            else if (!action->isSeparator() && action->isVisible() && !action->text().isEmpty())
                add(action, text);
        }
    }
    [[nodiscard]] Commands take() { return std::move(commands_); }

private:
    void add(QAction *action, const QString &text) {
        QuickItem item;
        item.key = action->objectName().isEmpty() ? text : action->objectName();
        item.text = text;
        item.enabled = action->isEnabled();
        QStringList detail;
        if (!item.enabled)
            detail << (action->whatsThis().isEmpty() ? why_ : action->whatsThis());
        if (action->isCheckable() && action->isChecked())
            detail << QMenu::tr("on");
        if (!action->shortcuts().isEmpty())
            detail << QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText).replace("; ", ", ");
        item.detail = detail.join(QStringLiteral("  ·  "));
        const qsizetype at = recent_.indexOf(item.key);
        item.rank = at < 0 ? 0 : static_cast<int>(kMostRecent - at);
        commands_.actions.insert(item.key, action);
        commands_.items.push_back(std::move(item));
    }

    const QStringList &recent_;
    const QString &why_;
    Commands commands_;
};

}  // namespace

Commands commandsOf(const QMenuBar *bar, const QStringList &recent, const QString &why) {
    Collector collector(recent, why);
    for (const QAction *top : bar->actions())
        if (top->menu())
            collector.addMenu(top->menu(), plain(top->text()));
    return collector.take();
}

QStringList withLatest(QStringList recent, const QString &key) {
    recent.removeAll(key);
    recent.prepend(key);
    return recent.mid(0, kMostRecent);
}

}  // namespace wattproof::widgets
