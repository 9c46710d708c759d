// The selected slice in full: times, arguments as a tree, ancestors, launch and kernels, flows, energy.
#pragma once

#include "widgets/panes/slice_story.h"
#include "widgets/session.h"

#include <QWidget>

class QStackedWidget;
class QTreeWidget;
class QTreeWidgetItem;

namespace wattproof::widgets {

class EmptyHint;

class DetailsPane : public QWidget {
    Q_OBJECT

public:
    explicit DetailsPane(Session *session, QWidget *parent = nullptr);
    [[nodiscard]] QTreeWidget *tree() const { return tree_; }

private:
    void ask();
    void show(const SliceStory &);
    void addGeneral(const SliceStory &);
    void addOperation(const SliceStory &);
    void addEnergy(const SliceStory &);
    void addArguments(const std::vector<store::Argument> &);
    void addRelated(const QString &title, const std::vector<RelatedSlice> &, std::int64_t total);
    QTreeWidgetItem *addGroup(const QString &title);
    void follow(const QTreeWidgetItem *);
    void copyCurrent() const;

    Session *session_;
    QStackedWidget *pages_;
    EmptyHint *hint_;
    QTreeWidget *tree_;
};

}  // namespace wattproof::widgets
