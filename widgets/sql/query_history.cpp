#include "widgets/sql/query_history.h"

#include <QSettings>

namespace wattproof::widgets {
namespace {

constexpr qsizetype kMost = 200;
const char *const kKey = "sql/history";

}  // namespace

void QueryHistory::use(QSettings *settings) {
    settings_ = settings;
    entries_ = settings ? settings->value(QLatin1String(kKey)).toStringList() : QStringList();
    at_ = entries_.size();
}

void QueryHistory::add(const QString &text) {
    entries_.removeAll(text);
    entries_ << text;
    while (entries_.size() > kMost)
        entries_.removeFirst();
    at_ = entries_.size();
    draft_.clear();
    if (settings_)
        settings_->setValue(QLatin1String(kKey), entries_);
}

QString QueryHistory::step(int direction, const QString &written) {
    if (at_ == entries_.size())
        draft_ = written;
    // What stands there already is no step.
    qsizetype to = at_ + direction;
    if (to >= 0 && to < entries_.size() && entries_[to] == written)
        to += direction;
    if (to < 0 || to > entries_.size())
        return {};
    at_ = to;
    return to == entries_.size() ? draft_ : entries_[to];
}

}  // namespace wattproof::widgets
