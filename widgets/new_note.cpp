#include "widgets/new_note.h"

#include "store/edits.h"

#include <QDateTime>

namespace wattproof::widgets {
namespace {

std::string userName() {
    const QByteArray name = qgetenv("USER");
    return (name.isEmpty() ? qgetenv("USERNAME") : name).toStdString();
}

}  // namespace

void addNote(Session &session, const NewNote &fresh) {
    store::Annotation note;
    note.ts = fresh.range.begin;
    note.dur = fresh.range.length();
    note.track = fresh.track;
    note.text = fresh.text.toStdString();
    note.author = userName();
    note.createdAt = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
    note.findingKey = fresh.findingKey.toStdString();
    session.edits().apply([note](store::Edits &edits) -> Status {
        auto added = edits.addAnnotation(note);
        if (!added)
            return passOn(added);
        return {};
    });
}

}  // namespace wattproof::widgets
