// The arrangement of a session's tracks: read from the workspace, changed by edits that can be undone.
#pragma once

#include "widgets/stored_document.h"
#include "widgets/timeline/arrangement.h"

#include <string>

namespace wattproof::widgets {

class ArrangementStore : public QObject {
    Q_OBJECT

public:
    explicit ArrangementStore(Session *, QObject *parent);

    [[nodiscard]] const Arrangement &now() const { return now_; }
    // Reads what is stored. `first` stands where nothing is.
    void load(Arrangement first);
    // An edit: `phrase` names it ("pin stream 7"). In a workspace that cannot be written it lasts while it is open.
    void change(Arrangement next, const std::string &phrase);
    // Not an edit: what the window did by itself, such as opening the group of a slice that was jumped to.
    void show(Arrangement next);

signals:
    void changed();

private:
    StoredDocument *document_;
    Arrangement now_, first_;
};

}  // namespace wattproof::widgets
