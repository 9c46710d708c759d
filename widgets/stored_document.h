// A text that the window keeps in the workspace for itself: read when it opens, changed by edits that can be undone.
#pragma once

#include "widgets/session.h"

#include <string>
#include <vector>

#include <QObject>

namespace wattproof::widgets {

class StoredDocument : public QObject {
    Q_OBJECT

public:
    // The first key is where it is kept; the others are where older versions kept it.
    StoredDocument(Session *, std::vector<std::string> keys, QObject *parent);

    void read();
    // An edit: `phrase` names it. In a workspace that cannot be written nothing is kept.
    void write(const std::string &text, const std::string &phrase);

signals:
    // What is stored, after read() and whenever undo or redo may have changed it; empty when nothing is.
    void arrived(const std::string &text);

private:
    Session *session_;
    std::vector<std::string> keys_;
    int writes_ = 0;  // an answer that is older than the last one is asked for again
};

}  // namespace wattproof::widgets
