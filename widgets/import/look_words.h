// What a look at a file tells, in words.
#pragma once

#include "store/import_plan.h"

#include <QString>
#include <QStringList>

namespace wattproof::widgets {

// A file that a user should see before it is imported: nobody knows its columns, or its clock leaves a question open.
[[nodiscard]] bool isOpenQuestion(const FileLook &);
// That its wall times need a zone.
[[nodiscard]] bool needsZone(const FileLook &);

[[nodiscard]] QString formatText(const FileLook &);
[[nodiscard]] QString clockText(const FileLook &);     // "zone unknown, read as UTC"
[[nodiscard]] QString clockHint(const FileLook &);     // what that means for the import, as a sentence
// A stated time of the file: wall time where it has that.
[[nodiscard]] QString momentText(const FileLook &, Ns stated, int decimals);
[[nodiscard]] QString beginText(const FileLook &);
[[nodiscard]] QString lengthText(const FileLook &);    // "about 3 h" where it was extrapolated
[[nodiscard]] QString devicesText(const FileLook &);
[[nodiscard]] QString holdsText(const FileLook &);
[[nodiscard]] QString coverageText(const FileLook &);
[[nodiscard]] QString noteText(const FileLook &);      // the one thing to know: what is wrong, open, or "clear"
// Everything that is known, line by line.
[[nodiscard]] QStringList storyOf(const FileLook &);

// "power", "W": what a value is, as the mapping offers it.
[[nodiscard]] QString kindWords(CounterKind);

}  // namespace wattproof::widgets
