#include "widgets/search/quick_list_model.h"

#include "widgets/search/fuzzy.h"

#include <algorithm>
#include <numeric>

namespace wattproof::widgets {

void QuickListModel::setItems(std::vector<QuickItem> items) {
    beginResetModel();
    items_ = std::move(items);
    texts_.clear();
    wholes_.clear();
    for (const QuickItem &item : items_) {
        texts_.push_back(folded(item.text));
        wholes_.push_back(folded(item.text + u' ' + item.detail + u' ' + item.more));
    }
    narrow();
    endResetModel();
}

void QuickListModel::setPattern(const QString &pattern) {
    beginResetModel();
    pattern_ = folded(pattern).trimmed();
    narrow();
    endResetModel();
}

// A fit of what is shown comes before one that needs the rest.
void QuickListModel::narrow() {
    constexpr int kShown = 100'000;
    std::vector<int> scores(items_.size());
    shown_.clear();
    for (std::size_t i = 0; i < items_.size(); ++i) {
        auto score = fuzzyScore(pattern_, texts_[i]);
        if (score)
            *score += kShown;
        else
            score = fuzzyScore(pattern_, wholes_[i]);
        if (!score)
            continue;
        scores[i] = pattern_.isEmpty() ? 0 : *score;
        shown_.push_back(static_cast<int>(i));
    }
    std::stable_sort(shown_.begin(), shown_.end(), [&](int a, int b) {
        const auto x = static_cast<std::size_t>(a), y = static_cast<std::size_t>(b);
        return std::pair(scores[x], items_[x].rank) > std::pair(scores[y], items_[y].rank);
    });
}

int QuickListModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QVariant QuickListModel::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const QuickItem &item = items_[static_cast<std::size_t>(shown_[static_cast<std::size_t>(index.row())])];
    switch (role) {
        case Qt::DisplayRole:
            return item.text;
        case Detail:
            return item.detail;
        case Key:
            return item.key;
        case Qt::AccessibleTextRole:
            return item.detail.isEmpty() ? item.text : item.text + QStringLiteral(", ") + item.detail;
        default:
            return {};
    }
}

Qt::ItemFlags QuickListModel::flags(const QModelIndex &index) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return Qt::NoItemFlags;
    const QuickItem &item = items_[static_cast<std::size_t>(shown_[static_cast<std::size_t>(index.row())])];
    const Qt::ItemFlags always = Qt::ItemNeverHasChildren;
    return item.enabled ? always | Qt::ItemIsEnabled | Qt::ItemIsSelectable : always;
}

int QuickListModel::firstEnabledRow() const {
    const auto found = std::find_if(shown_.begin(), shown_.end(),
                                    [this](int i) { return items_[static_cast<std::size_t>(i)].enabled; });
    return found == shown_.end() ? -1 : static_cast<int>(found - shown_.begin());
}

}  // namespace wattproof::widgets
