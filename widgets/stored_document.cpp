#include "widgets/stored_document.h"

#include "store/edits.h"

#include <utility>

namespace wattproof::widgets {

StoredDocument::StoredDocument(Session *session, std::vector<std::string> keys, QObject *parent)
    : QObject(parent), session_(session), keys_(std::move(keys)) {
    connect(&session->edits(), &EditQueue::viewStatesChanged, this, &StoredDocument::read);
}

void StoredDocument::read() {
    session_->edits().ask(
        this,
        [keys = keys_](store::Edits &edits) {
            for (const std::string &key : keys)
                if (const auto stored = edits.viewState(key); stored && *stored)
                    return **stored;
            return std::string();
        },
        [this, asked = writes_](const std::string &stored) {
            if (asked == writes_)
                emit arrived(stored);
            else
                read();
        });
}

void StoredDocument::write(const std::string &text, const std::string &phrase) {
    if (!session_->workspace().writable())
        return;
    ++writes_;
    session_->edits().changeViewState(keys_.front(), text, phrase);
}

}  // namespace wattproof::widgets
