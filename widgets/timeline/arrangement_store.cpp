#include "widgets/timeline/arrangement_store.h"

#include <utility>

namespace wattproof::widgets {

ArrangementStore::ArrangementStore(Session *session, QObject *parent)
    : QObject(parent),
      document_(new StoredDocument(session, {"timeline.arrangement", "timeline.collapsed"}, this)) {
    connect(document_, &StoredDocument::arrived, this,
            [this](const std::string &stored) { show(arrangementFromText(stored).value_or(first_)); });
}

void ArrangementStore::load(Arrangement first) {
    first_ = std::move(first);
    show(first_);
    document_->read();
}

void ArrangementStore::change(Arrangement next, const std::string &phrase) {
    if (next == now_)
        return;
    document_->write(arrangementToText(next), phrase);
    show(std::move(next));
}

void ArrangementStore::show(Arrangement next) {
    if (next == now_)
        return;
    now_ = std::move(next);
    emit changed();
}

}  // namespace wattproof::widgets
