// Every action of a menu bar as something to choose, and which were chosen lately.
#pragma once

#include "widgets/search/quick_list_model.h"

#include <QHash>
#include <QPointer>
#include <QStringList>

class QAction;
class QMenuBar;

namespace wattproof::widgets {

struct Commands {
    std::vector<QuickItem> items;
    QHash<QString, QPointer<QAction>> actions;  // by the items' keys
};

// recent: keys, the latest first. why: said of an action that is not available and gives no reason itself.
[[nodiscard]] Commands commandsOf(const QMenuBar *, const QStringList &recent, const QString &why);
// With the key in front; at most a dozen.
[[nodiscard]] QStringList withLatest(QStringList recent, const QString &key);

}  // namespace wattproof::widgets
